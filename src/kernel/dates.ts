// Dates as numbers.

/** The date that the last call read, in seconds; months have 31 days: order and nearly the distance are right. */
export let dateValue: f64 = 0;

/** Is `[from, to)` a date: `2025-05-14T11:23:09Z`, `2025-05-14 11:23:09`, `2025-05-14`? */
export function readDate(from: usize, to: usize): bool {
  const size = to - from;
  if (size < 10 || size > 40 || load<u8>(from, 4) !== 45 || load<u8>(from, 7) !== 45) return false;
  const century = twoDigits(from);
  const year = twoDigits(from + 2);
  const month = twoDigits(from + 5);
  const day = twoDigits(from + 8);
  if (century < 0 || year < 0 || month < 0 || day < 0) return false;
  const hasTime = size >= 19 && load<u8>(from, 13) === 58;
  const seconds = hasTime
    ? twoDigits(from + 11) * 3600 + twoDigits(from + 14) * 60 + twoDigits(from + 17)
    : 0;
  dateValue = <f64>(((century * 100 + year) * 12 + month) * 31 + day) * 86400 + <f64>seconds;
  return true;
}

function twoDigits(at: usize): i32 {
  const tens: u32 = <u32>load<u8>(at) - 48;
  const ones: u32 = <u32>load<u8>(at, 1) - 48;
  return tens > 9 || ones > 9 ? -1 : <i32>(tens * 10 + ones);
}
