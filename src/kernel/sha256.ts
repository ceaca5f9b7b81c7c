// SHA-256 (FIPS 180-4). node:crypto is six times as fast and costs 3 to 5 ms to load.

const ROUNDS: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);
const START: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);
const SCHEDULE: usize = memory.data(64 * 4, 16);
const TAIL: usize = memory.data(128, 16);

/** Writes the first state to `state`, 32 bytes. */
export function shaStart(state: usize): void {
  memory.copy(state, START, 32);
}

/** Takes in the whole blocks of `size` bytes at `from`; `size` is a multiple of 64. */
export function shaBlocks(state: usize, from: usize, size: usize): void {
  for (let p = from; p < from + size; p += 64) block(state, p);
}

/** Takes in the rest, under 64 bytes, of a message of `total` bytes, and leaves the hash at `state`, big-endian. */
export function shaEnd(state: usize, from: usize, size: usize, total: f64): void {
  memory.fill(TAIL, 0, 128);
  memory.copy(TAIL, from, size);
  store<u8>(TAIL + size, 0x80);
  const length: usize = size < 56 ? 64 : 128;
  store<u64>(TAIL + length - 8, bswap<u64>((<u64>total) << 3));
  shaBlocks(state, TAIL, length);
  for (let i: usize = 0; i < 32; i += 4) store<u32>(state + i, bswap<u32>(load<u32>(state + i)));
}

/** To the right by `bits`. As `rotr` the baseline compiler calls a function of the runtime each time. */
function turned(x: u32, bits: u32): u32 {
  return (x >>> bits) | (x << (32 - bits));
}

function block(state: usize, p: usize): void {
  for (let i: usize = 0; i < 64; i += 4) store<u32>(SCHEDULE + i, bswap<u32>(load<u32>(p + i)));
  for (let i: usize = 64; i < 256; i += 4) {
    const w15 = load<u32>(SCHEDULE + i - 60);
    const w2 = load<u32>(SCHEDULE + i - 8);
    const s0 = turned(w15, 7) ^ turned(w15, 18) ^ (w15 >>> 3);
    const s1 = turned(w2, 17) ^ turned(w2, 19) ^ (w2 >>> 10);
    store<u32>(SCHEDULE + i, load<u32>(SCHEDULE + i - 64) + s0 + load<u32>(SCHEDULE + i - 28) + s1);
  }
  let a = load<u32>(state);
  let b = load<u32>(state, 4);
  let c = load<u32>(state, 8);
  let d = load<u32>(state, 12);
  let e = load<u32>(state, 16);
  let f = load<u32>(state, 20);
  let g = load<u32>(state, 24);
  let h = load<u32>(state, 28);
  for (let i: usize = 0; i < 256; i += 4) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const t1 = h + s1 + ((e & f) ^ (~e & g)) + load<u32>(ROUNDS + i) + load<u32>(SCHEDULE + i);
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  store<u32>(state, load<u32>(state) + a);
  store<u32>(state, load<u32>(state, 4) + b, 4);
  store<u32>(state, load<u32>(state, 8) + c, 8);
  store<u32>(state, load<u32>(state, 12) + d, 12);
  store<u32>(state, load<u32>(state, 16) + e, 16);
  store<u32>(state, load<u32>(state, 20) + f, 20);
  store<u32>(state, load<u32>(state, 24) + g, 24);
  store<u32>(state, load<u32>(state, 28) + h, 28);
}
