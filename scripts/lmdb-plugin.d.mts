import type { Plugin } from 'esbuild';

export declare const bundledLmdb: Plugin;
