/** What every driver does. A driver's test calls `storeContract` with a way to make an empty store. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lookup, Reader, Store } from '../../src/store/port.ts';
import { bytesOf, DAY_MS, HOUR_MS, inPieces, logText, noise, put, shaOf, T0 } from './support.ts';

const NO_CAP = { maxBytes: Infinity };

export function storeContract(name: string, make: () => Promise<Store> | Store): void {
  describe(`store contract: ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await make();
    });
    afterEach(() => store.close());

    const found = async (prefix: string, nowMs = T0): Promise<Lookup & { kind: 'found' }> => {
      const lookup = await store.open(prefix, nowMs);
      expect(lookup.kind).toBe('found');
      return lookup as Lookup & { kind: 'found' };
    };
    const kindOf = async (prefix: string, nowMs = T0): Promise<string> => {
      const lookup = await store.open(prefix, nowMs);
      if (lookup.kind === 'found') lookup.reader.close();
      return lookup.kind;
    };

    describe('put and open', () => {
      it.each([
        ['empty', Buffer.alloc(0)],
        ['one byte', Buffer.from('x')],
        ['a newline', Buffer.from('\n')],
        ['NUL and invalid UTF-8', Buffer.from([0, 255, 254, 10, 0, 128])],
        ['one chunk exactly', noise(65_472)],
        ['one byte more than a chunk', noise(65_473)],
        ['many chunks of log', logText(900_000)],
        ['noise', noise(500_000)],
      ])('gives back every byte: %s', async (_, bytes) => {
        const sha = await put(store, bytes);
        expect(bytesOf(await store.open(sha, T0)).equals(bytes)).toBe(true);
      });

      it('tells what is known of an original', async () => {
        const facts = {
          createdMs: T0,
          command: 'kubectl get pods',
          tool: 'kubectl',
          folder: '/w',
          exitCode: 1,
          durationMs: 12,
          shape: 'table',
        };
        const sha = await put(store, Buffer.from('a\nb\n'), { facts, ttlMs: HOUR_MS });
        const { entry, reader } = await found(sha);
        reader.close();
        expect(entry).toMatchObject({ sha, size: 4, expiresMs: T0 + HOUR_MS, usedMs: T0, facts });
      });

      it('takes prefixes of 6 digits and more', async () => {
        const sha = await put(store, Buffer.from('prefix'));
        for (const length of [6, 7, 12, 13, 63, 64]) expect(await kindOf(sha.slice(0, length))).toBe('found');
        for (const text of [
          '',
          sha.slice(0, 5),
          `${sha}0`,
          'zzzzzz',
          '../../../etc',
          `${sha.slice(0, 6)}/`,
        ]) {
          expect(await kindOf(text)).toBe('unknown');
        }
      });

      it('does not guess between two', async () => {
        const { bytes, prefix } = twins();
        const shas = await Promise.all(bytes.map((each) => put(store, each)));
        expect(await store.open(prefix, T0)).toEqual({ kind: 'ambiguous', shas: shas.sort() });
        expect(await kindOf(shas[0] ?? '')).toBe('found');
      });

      it('refuses bytes that are not those of the hash', async () => {
        const bytes = logText(300_000);
        const wrong = {
          sha: shaOf(Buffer.from('other')),
          size: bytes.length,
          facts: { createdMs: T0 },
          ttlMs: DAY_MS,
          nowMs: T0,
        };
        await expect(store.put({ ...wrong, chunks: inPieces(bytes, 1000) })).rejects.toThrow(
          'not those of the hash',
        );
        expect(await kindOf(wrong.sha)).toBe('unknown');
        expect(await store.list()).toEqual([]);
      });

      it('is not changed by a put that fails in the middle', async () => {
        const sha = shaOf(Buffer.from('never'));
        const request = {
          sha,
          size: 1,
          chunks: failing(),
          facts: { createdMs: T0 },
          ttlMs: DAY_MS,
          nowMs: T0,
        };
        await expect(store.put(request)).rejects.toThrow('the producer died');
        expect(await kindOf(sha)).toBe('unknown');
      });
    });

    describe('ranges and lines', () => {
      const bytes = Buffer.concat([logText(400_000), Buffer.alloc(200_000, 'x'), Buffer.from('\nlast')]);
      let reader: Reader;
      beforeEach(async () => {
        reader = (await found(await put(store, bytes))).reader;
      });
      afterEach(() => reader.close());

      it.each([
        [0, 0],
        [0, 1],
        [65_471, 65_473],
        [65_472, 130_944],
        [1000, 500_000],
        [599_990, 10_000_000],
        [-5, 3],
        [700_000, 800_000],
        [9, 4],
      ])('reads bytes %i to %i, clipped', (start, end) => {
        const expected = bytes.subarray(Math.max(0, start), Math.max(0, start, end));
        expect(Buffer.from(reader.read(start, end)).equals(expected)).toBe(true);
      });

      it('finds where every line starts', () => {
        const starts = [0, ...[...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1)];
        for (const line of [1, 2, 3, 500, 1000, starts.length - 1, starts.length]) {
          expect(reader.lineStart?.(line)).toEqual({ line, byte: starts[line - 1] });
        }
        expect(reader.lineStart?.(starts.length + 100)).toEqual({ line: starts.length, byte: starts.at(-1) });
      });

      it.each([
        ['', 1, 0],
        ['a', 1, 0],
        ['a\n', 1, 0],
        ['a\nb', 2, 2],
        ['\n\n\n', 3, 2],
      ])('knows the last line of %j', async (text, line, byte) => {
        const { reader: other } = await found(await put(store, Buffer.from(text)));
        expect(other.lineStart?.(99)).toEqual({ line, byte });
        other.close();
      });
    });

    describe('expiry', () => {
      const bytes = Buffer.from('expires');

      it('serves to the last moment, and then says what it was', async () => {
        const sha = await put(store, bytes, { ttlMs: HOUR_MS, facts: { command: 'make test' } });
        expect(await kindOf(sha, T0 + HOUR_MS - 1)).toBe('found');
        expect(await store.open(sha, T0 + HOUR_MS)).toEqual({
          kind: 'expired',
          tombstone: { sha, size: 7, goneMs: T0 + HOUR_MS, why: 'expired', command: 'make test' },
        });
      });

      it.each([
        ['a later one moves it', T0 + 10 * HOUR_MS, HOUR_MS, T0 + 11 * HOUR_MS],
        ['a shorter one leaves it', T0, HOUR_MS / 2, T0 + 2 * HOUR_MS],
        ['a clock that was set back leaves it', T0 - 30 * DAY_MS, 2 * HOUR_MS, T0 + 2 * HOUR_MS],
      ])('is the later one of two puts: %s', async (_, nowMs, ttlMs, expected) => {
        const sha = await put(store, bytes, { ttlMs: 2 * HOUR_MS });
        await put(store, bytes, { nowMs, ttlMs });
        const { entry, reader } = await found(sha);
        reader.close();
        expect(entry.expiresMs).toBe(expected);
      });

      it('is the latest of many puts at once', async () => {
        const ttls = [5, 1, 9, 3, 7, 2, 8, 4, 6].map((hours) => hours * HOUR_MS);
        await Promise.all(ttls.map((ttlMs) => put(store, bytes, { ttlMs })));
        const { entry, reader } = await found(shaOf(bytes));
        reader.close();
        expect(entry.expiresMs).toBe(T0 + 9 * HOUR_MS);
      });
    });

    describe('sweep', () => {
      it('removes what has expired, and leaves a tombstone for 30 days', async () => {
        const old = await put(store, logText(200_000), {
          ttlMs: HOUR_MS,
          facts: { command: 'kubectl logs x' },
        });
        const young = await put(store, Buffer.from('young'), { ttlMs: 3 * HOUR_MS });
        const at = T0 + 2 * HOUR_MS;
        const report = await store.sweep({ nowMs: at, ...NO_CAP });
        expect(report).toMatchObject({ expired: 1, evicted: 0 });
        expect(report.freedBytes).toBeGreaterThan(0);
        const size = logText(200_000).length;
        const tombstone = { sha: old, size, goneMs: at, why: 'expired', command: 'kubectl logs x' };
        expect(await store.open(old.slice(0, 12), at)).toEqual({ kind: 'expired', tombstone });
        expect(await kindOf(young, at)).toBe('found');
        expect(await store.stats()).toMatchObject({ originals: 1, tombstones: 1 });
        await store.sweep({ nowMs: at + 29 * DAY_MS, ...NO_CAP });
        expect(await kindOf(old, at + 29 * DAY_MS)).toBe('expired');
        await store.sweep({ nowMs: at + 31 * DAY_MS, ...NO_CAP });
        expect(await kindOf(old, at + 31 * DAY_MS)).toBe('unknown');
      });

      it('evicts the least recently used until the cap holds', async () => {
        const shas: string[] = [];
        for (let n = 0; n < 5; n += 1)
          shas.push(await put(store, noise(50_000, n), { nowMs: T0 + n * 1000 }));
        await put(store, noise(50_000, 0), { nowMs: T0 + 9000 });
        const at = T0 + 2 * HOUR_MS;
        const report = await store.sweep({ nowMs: at, maxBytes: 160_000 });
        expect(report).toMatchObject({ expired: 0, evicted: 2 });
        const kinds = await Promise.all(shas.map((sha) => kindOf(sha, at)));
        expect(kinds).toEqual(['found', 'expired', 'expired', 'found', 'found']);
        expect(await store.open(shas[1] ?? '', at)).toMatchObject({ tombstone: { why: 'evicted' } });
        expect((await store.stats()).storedBytes).toBeLessThanOrEqual(160_000);
      });

      it('evicts nothing younger than an hour, even with the clock set back', async () => {
        const sha = await put(store, noise(50_000));
        for (const nowMs of [T0, T0 + HOUR_MS - 1, T0 - DAY_MS]) {
          expect(await store.sweep({ nowMs, maxBytes: 1 })).toEqual({
            expired: 0,
            evicted: 0,
            freedBytes: 0,
          });
        }
        expect(await kindOf(sha)).toBe('found');
        expect(await store.sweep({ nowMs: T0 + HOUR_MS, maxBytes: 1 })).toMatchObject({ evicted: 1 });
      });

      it('spares an original that is put again while it goes', async () => {
        const at = T0 + 2 * HOUR_MS;
        for (let round = 0; round < 10; round += 1) {
          const texts = Array.from({ length: 8 }, (_, n) => Buffer.from(`race ${round} ${n}`));
          const shas = await Promise.all(texts.map((text) => put(store, text, { ttlMs: HOUR_MS })));
          await Promise.all([
            store.sweep({ nowMs: at, ...NO_CAP }),
            ...texts.map((text) => put(store, text, { nowMs: at, ttlMs: HOUR_MS })),
          ]);
          const lookups = await Promise.all(shas.map((sha) => store.open(sha, at)));
          expect(lookups.map((lookup) => bytesOf(lookup).toString())).toEqual(texts.map(String));
        }
      });

      it('can put again what was swept', async () => {
        const bytes = logText(200_000);
        const sha = await put(store, bytes, { ttlMs: HOUR_MS });
        await store.sweep({ nowMs: T0 + DAY_MS, ...NO_CAP });
        await put(store, bytes, { nowMs: T0 + DAY_MS });
        expect(bytesOf(await store.open(sha, T0 + DAY_MS)).equals(bytes)).toBe(true);
      });
    });

    describe('views', () => {
      const viewSha = shaOf(Buffer.from('a view'));

      it('lead back to their original and what made them', async () => {
        const sha = await put(store, Buffer.from('original'), { view: { viewSha, policy: 'p1' } });
        expect(await store.view(viewSha)).toEqual({ sha, policy: 'p1' });
        expect(await store.view(shaOf(Buffer.from('no view')))).toBeUndefined();
        expect(await store.view('nonsense')).toBeUndefined();
      });

      it('are kept for every policy an original was compressed under', async () => {
        const shas = [1, 2, 3, 4].map((n) => shaOf(Buffer.from(`view ${n}`)));
        const views = shas.map((each, n) => ({ viewSha: each, policy: `p${n}` }));
        const all = await Promise.all(views.map((view) => put(store, Buffer.from('original'), { view })));
        for (const view of views)
          expect(await store.view(view.viewSha)).toEqual({ sha: all[0], policy: view.policy });
      });

      it('lead to the last of two originals with the same view', async () => {
        await put(store, Buffer.from('red'), { view: { viewSha, policy: 'p' } });
        const sha = await put(store, Buffer.from('green'), { view: { viewSha, policy: 'p' } });
        expect(await store.view(viewSha)).toEqual({ sha, policy: 'p' });
      });
    });

    describe('list, forget and stats', () => {
      it('lists every original', async () => {
        const shas = [await put(store, Buffer.from('one')), await put(store, Buffer.from('three'))];
        const entries = await store.list();
        expect(entries.map(({ sha }) => sha).sort()).toEqual(shas.sort());
        expect(entries.reduce((sum, { size }) => sum + size, 0)).toBe(8);
      });

      it('forgets an original with its views and tombstones', async () => {
        const viewSha = shaOf(Buffer.from('v'));
        const gone = await put(store, logText(300_000), { view: { viewSha, policy: 'p' } });
        const stays = await put(store, Buffer.from('stays'));
        const swept = await put(store, Buffer.from('swept'), { ttlMs: 1000, facts: { command: 'secret' } });
        await store.sweep({ nowMs: T0 + 2000, ...NO_CAP });
        expect(await store.forget([gone, swept, shaOf(Buffer.from('never'))], T0 + 3000)).toBe(1);
        expect(await kindOf(gone, T0 + 3000)).toBe('unknown');
        expect(await kindOf(swept, T0 + 3000)).toBe('unknown');
        expect(await store.view(viewSha)).toBeUndefined();
        expect(await kindOf(stays, T0 + 3000)).toBe('found');
        expect(await store.stats()).toMatchObject({ originals: 1, originalBytes: 5, tombstones: 0 });
      });

      it('is empty at first', async () => {
        expect(await store.list()).toEqual([]);
        expect(await store.stats()).toEqual({
          originals: 0,
          originalBytes: 0,
          storedBytes: 0,
          tombstones: 0,
        });
        expect(await store.sweep({ nowMs: T0, maxBytes: 0 })).toEqual({
          expired: 0,
          evicted: 0,
          freedBytes: 0,
        });
        expect(await store.forget([shaOf(Buffer.from('x'))], T0)).toBe(0);
      });
    });
  });
}

/** Two originals whose hashes start with the same 6 digits. */
function twins(): { readonly bytes: readonly Buffer[]; readonly prefix: string } {
  const seen = new Map<string, Buffer>();
  for (let n = 0; ; n += 1) {
    const bytes = Buffer.from(`twin ${n}`);
    const prefix = shaOf(bytes).slice(0, 6);
    const other = seen.get(prefix);
    if (other) return { bytes: [other, bytes], prefix };
    seen.set(prefix, bytes);
  }
}

function* failing(): Generator<Uint8Array> {
  yield Buffer.alloc(200_000);
  throw new Error('the producer died');
}
