/**
 * Flags of V8 that follow the size of the input. They take part in the check of code caches, so they are set when a chunk
 * has been loaded, and are the usual ones again when its cache is written.
 */

/**
 * For a small input optimizing takes longer than the whole run, and waking threads, for a scavenge or for the kernel, longer
 * than doing it. Most functions of the kernel are never called, and need not be checked.
 */
const COLD = [
  '--wasm-tiering-budget=1000000000',
  '--no-turbofan',
  '--no-sparkplug',
  '--no-parallel-scavenge',
  '--wasm-lazy-validation',
  '--wasm-num-compilation-tasks=1',
  '--no-regexp-peephole-optimization',
  '--interrupt-budget-factor-for-feedback-allocation=1',
];
const USUAL = [
  '--wasm-tiering-budget=1800000',
  '--turbofan',
  '--sparkplug',
  '--parallel-scavenge',
  '--no-wasm-lazy-validation',
  '--wasm-num-compilation-tasks=128',
  '--regexp-peephole-optimization',
  '--interrupt-budget-factor-for-feedback-allocation=8',
];

/** Sets V8 up for a small input. */
export function stayCold(): void {
  setFlags(COLD.join(' '));
}

/** As it was. */
export function warmAgain(): void {
  setFlags(USUAL.join(' '));
}

function setFlags(flags: string): void {
  const { emitWarning } = process;
  try {
    // node:v8 would load all streams for this one function, 1 to 2 ms; where the binding has gone it must do.
    process.emitWarning = () => undefined;
    const { binding } = process as unknown as Bindings;
    binding('v8').setFlagsFromString(flags);
  } catch {
    process.getBuiltinModule('node:v8').setFlagsFromString(flags);
  } finally {
    process.emitWarning = emitWarning;
  }
}

interface Bindings {
  binding(name: string): { setFlagsFromString(flag: string): void };
}
