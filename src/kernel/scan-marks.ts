// Marks that join numbers, and those that tell keys.
import { classOf } from './chars';

/** Marks between two numbers that are one: `10.0.0.1`, `12:30`, `1,000`, `3/4`. */
export const JOINTS: usize = memory.data(256);
/** Marks that a key may hold: `"app.name":`, `http/path=`. */
export const KEY_MARKS: usize = memory.data(256);
/** Marks behind a colon that make the word before it a key. */
const VALUE_MARKS: usize = memory.data(256);

/** Fills the tables. */
export function initScan(): void {
  mark(JOINTS, '.:,/+-');
  mark(KEY_MARKS, '"\'([{_.@/-');
  mark(VALUE_MARKS, '"\'[{-');
}

function mark(table: usize, marks: string): void {
  for (let i = 0; i < marks.length; i += 1) store<u8>(table + <usize>marks.charCodeAt(i), 1);
}

/** Does this byte behind a colon make the word before it a key? `app:name`, `State: x`, not `http://x`. */
export function isKeyColon(next: u32): bool {
  return classOf(next) !== 0 || load<u8>(VALUE_MARKS + next) === 1;
}
