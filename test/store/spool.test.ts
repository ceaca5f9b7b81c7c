import { spoolStore } from '../../src/store/spool-store.ts';
import { storeContract } from './contract.ts';
import { tempFolder } from './support.ts';

storeContract('spool', () => spoolStore(`${tempFolder()}/store`));
