// Loaded with `node --require`: shifts the clock of a process by CLOCK_SHIFT_MS.
const shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const now = Date.now;
Date.now = () => now() + shift;
