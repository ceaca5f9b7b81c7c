import { join } from 'node:path';
import { array, assert, nat, property, uint8Array } from 'fast-check';
import { expect, it } from 'vitest';
import { Blocks, Memory } from '../../src/daemon/body.ts';
import { Latencies } from '../../src/daemon/metrics.ts';
import { placeOf } from '../../src/daemon/place.ts';
import { asHeader } from '../../src/daemon/work.ts';

it('gathers pieces of any size in blocks, whatever was told of them', () => {
  const pieces = array(uint8Array({ maxLength: 300 }), { maxLength: 40 });
  assert(
    property(pieces, nat(5000), (all, told) => {
      const blocks = new Blocks(told);
      for (const piece of all) blocks.add(piece);
      expect(Buffer.concat(blocks.all())).toEqual(Buffer.concat(all));
      expect(blocks.size).toBe(Buffer.concat(all).length);
    }),
  );
});

it('keeps a large body in blocks of a MiB, and owns them', () => {
  const blocks = new Blocks(5_000_000);
  const piece = Buffer.alloc(70_000, 'x');
  for (let i = 0; i < 71; i += 1) blocks.add(piece);
  piece.fill('y');
  const all = blocks.all();
  expect(Math.max(...all.map(({ buffer }) => buffer.byteLength))).toBe(1 << 20);
  expect(Buffer.concat(all).equals(Buffer.alloc(71 * 70_000, 'x'))).toBe(true);
});

it('holds no more than it may', () => {
  const memory = new Memory(100);
  expect([memory.hold(60), memory.hold(41), memory.hold(40)]).toEqual([true, false, true]);
  memory.release(60);
  expect([memory.held, memory.hold(60)]).toEqual([40, true]);
});

it('knows the latencies of the last thousand', () => {
  const latencies = new Latencies();
  expect(latencies.percentiles()).toEqual({ p50: 0, p95: 0, p99: 0 });
  for (let ms = 1; ms <= 1000; ms += 1) latencies.add(9999);
  for (let ms = 1; ms <= 1000; ms += 1) latencies.add(ms);
  expect(latencies.percentiles()).toEqual({ p50: 501, p95: 951, p99: 991 });
});

it('writes into headers what they may hold', () => {
  expect(asHeader('über\r\nSet-Cookie: x')).toBe('\\u00fcber\\u000d\\u000aSet-Cookie: x');
  expect(asHeader('x'.repeat(5000)).length).toBe(600);
});

it.skipIf(process.platform === 'win32')(
  'has its socket in the state folder, or where the path is short enough',
  () => {
    const uid = 7;
    expect(placeOf({ env: {}, uid }, '/home/me/.local/state/ctxzip').socket).toBe(
      '/home/me/.local/state/ctxzip/daemon/socket',
    );
    const deep = join('/home', 'd'.repeat(100));
    const runtime = placeOf({ env: { XDG_RUNTIME_DIR: '/run/user/7' }, uid }, deep);
    expect(runtime.socket).toMatch(/^\/run\/user\/7\/ctxzip-7-[0-9a-f]{12}\/socket$/);
    expect(runtime.log).toBe(join(deep, 'daemon', 'log'));
    expect(placeOf({ env: { XDG_RUNTIME_DIR: 'relative' }, uid }, deep).socket).toMatch(/^\/tmp\/ctxzip-7-/);
    expect(placeOf({ env: { TMPDIR: `/${'t'.repeat(120)}` }, uid }, deep).socket).toMatch(
      /^\/tmp\/ctxzip-7-/,
    );
    expect(placeOf({ env: {}, uid }, `${deep}2`).socket).not.toBe(placeOf({ env: {}, uid }, deep).socket);
  },
);
