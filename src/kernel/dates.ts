// Dates as numbers.

/** The date that the last call read, in seconds; months have 31 days: order and nearly the distance are right. */
export let dateValue: f64 = 0;

/** Is `[from, to)` a date: `2025-05-14T11:23:09Z`, `2025-05-14 11:23:09`, `2025-05-14`? */
export function readDate(from: usize, to: usize): bool {
  const size = to - from;
  if (size < 10 || size > 40 || load<u8>(from, 4) !== 45 || load<u8>(from, 7) !== 45) return false;
  const year = number(from, 4);
  const month = number(from + 5, 2);
  const day = number(from + 8, 2);
  if (year < 0 || month < 0 || day < 0) return false;
  const hasTime = size >= 19 && load<u8>(from, 13) === 58;
  const seconds = hasTime
    ? number(from + 11, 2) * 3600 + number(from + 14, 2) * 60 + number(from + 17, 2)
    : 0;
  dateValue = <f64>((year * 12 + month) * 31 + day) * 86400 + <f64>seconds;
  return true;
}

function number(at: usize, digits: usize): i32 {
  let value = 0;
  for (let i: usize = 0; i < digits; i += 1) {
    const digit: u32 = <u32>load<u8>(at + i) - 48;
    if (digit > 9) return -1;
    value = value * 10 + <i32>digit;
  }
  return value;
}
