/** What every view of structured text must hold: it comes soon, it is its input with spans cut out, `verify` says so. */
import { expect } from 'vitest';
import { plain } from '../support-e2e/law-kit.ts';
import { type Compressed, compress, openStore, type Policy, restore, verify } from '../../src/library.ts';

export interface Proven {
  readonly made: Compressed;
  /** The view as UTF-8. */
  readonly text: string;
  readonly ms: number;
}

/** Compresses within a time, proves the view, and brings its input back. */
export async function prove(
  input: string | Uint8Array,
  { most = 3000, ...policy }: Policy & { readonly most?: number } = {},
): Promise<Proven> {
  const bytes = Buffer.from(input);
  const started = performance.now();
  const made = compress(bytes, policy);
  const ms = performance.now() - started;
  expect(ms).toBeLessThan(most);
  const [whole, own] =
    policy.escapes === 'keep' ? [spliced(bytes, made), bytes] : [plain(spliced(bytes, made)), plain(bytes)];
  expect(whole.equals(own)).toBe(true);
  if (made.kind === 'view') {
    const store = openStore();
    await store.put(bytes, made);
    expect(await verify(store, made.view)).toMatchObject({ kind: 'proven', size: bytes.length });
    const back = await restore(store, made.view);
    expect(back !== undefined && bytes.equals(back)).toBe(true);
    await store.close();
  }
  return { made, text: Buffer.from(made.view).toString('utf8'), ms };
}

/** As `prove`, for an input of which a view is expected. */
export async function provesView(
  input: string | Uint8Array,
  options: Policy & { readonly most?: number } = {},
): Promise<Proven & { readonly made: Extract<Compressed, { kind: 'view' }> }> {
  const { made, ...proven } = await prove(input, options);
  expect(made.kind === 'view' ? 'view' : made.reason).toBe('view');
  return { made: made as Extract<Compressed, { kind: 'view' }>, ...proven };
}

/** The view with the bytes of the input in the place of each marker. */
function spliced(bytes: Buffer, made: Compressed): Buffer {
  const view = Buffer.from(made.view);
  const parts: Buffer[] = [];
  let at = 0;
  for (const gap of made.kind === 'view' ? made.gaps : []) {
    parts.push(view.subarray(at, gap.view[0]), bytes.subarray(...gap.bytes));
    at = gap.view[1];
  }
  return Buffer.concat([...parts, view.subarray(at)]);
}
