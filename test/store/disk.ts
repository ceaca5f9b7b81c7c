/** Small disks of their own for tests that fill them or take the right to write away; needs root. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './support.ts';

export interface Disk {
  readonly path: string;
  /** Mounts it anew, with options such as `ro` or `size=100m`. */
  remount(options: string): void;
}

/** Whether disks can be mounted here; a test that needs one is skipped, in plain sight, where not. */
export const canMount = ((): boolean => {
  try {
    withDisk('1m', () => {});
    return true;
  } catch {
    return false;
  }
})();

/** A tmpfs of `size` that is gone when `work` has ended. */
export function withDisk<T>(size: string, work: (disk: Disk) => T): T {
  const path = join(tempFolder(), 'disk');
  mkdirSync(path);
  run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path);
  const unmount = (): void => run('umount', '-l', path);
  const disk: Disk = { path, remount: (options) => run('mount', '-o', `remount,${options}`, path) };
  let result: T;
  try {
    result = work(disk);
  } catch (error) {
    unmount();
    throw error;
  }
  if (result instanceof Promise) return result.finally(unmount) as T;
  unmount();
  return result;
}

function run(tool: string, ...args: string[]): void {
  execFileSync(tool, args, { stdio: 'ignore' });
}
