import { openLmdb } from '../../src/store/lmdb.ts';
import { storeContract } from './contract.ts';
import { T0, tempFolder } from './support.ts';

storeContract('lmdb', () => openLmdb(`${tempFolder()}/store`, { nowMs: T0 }));
