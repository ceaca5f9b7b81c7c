// Cells that say that there is nothing.

/** What stands for no value: `<none>`, `<unset>`, `-`, `--`, `n/a`, `none`, `null`, `nil`, `unknown`, `unset`, `?`. */
export function isPlaceholder(from: usize, to: usize): bool {
  const size = to - from;
  if (size > 12) return false;
  const first: u32 = load<u8>(from);
  if (first === 60) return load<u8>(to - 1) === 62;
  if (size <= 3 && (first === 45 || first === 63)) return load<u8>(to - 1) === first;
  if (size > 7 || ((first | 32) !== 110 && (first | 32) !== 117)) return false;
  let word: u64 = 0;
  for (let p = from; p < to; p += 1) {
    const c: u64 = load<u8>(p);
    word = (word << 8) | (c - 65 < 26 ? c | 32 : c);
  }
  return (
    word === 0x6e61 ||
    word === 0x6e2f61 ||
    word === 0x6e6f6e65 ||
    word === 0x6e756c6c ||
    word === 0x6e696c ||
    word === 0x756e6b6e6f776e ||
    word === 0x756e736574
  );
}
