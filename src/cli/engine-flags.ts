/**
 * Flags of V8 that follow the size of the input. They take part in the check of code caches, so they are set when a chunk
 * has been loaded, and are the usual ones again when its cache is written.
 */

const USUAL = 1_800_000;
const NEVER = 1_000_000_000;

/** Keeps V8 from optimizing the kernel's functions: for a small input that takes longer than the whole run. */
export function stayCold(): void {
  setBudget(NEVER);
}

/** As it was. */
export function warmAgain(): void {
  setBudget(USUAL);
}

function setBudget(bytes: number): void {
  const flag = `--wasm-tiering-budget=${bytes}`;
  const { noDeprecation } = process as { noDeprecation?: boolean };
  try {
    // node:v8 would load all streams for this one function, 1 to 2 ms; where the binding has gone it must do.
    (process as { noDeprecation?: boolean }).noDeprecation = true;
    const { binding } = process as unknown as {
      binding: (name: string) => { setFlagsFromString(flag: string): void };
    };
    binding('v8').setFlagsFromString(flag);
  } catch {
    process.getBuiltinModule('node:v8').setFlagsFromString(flag);
  } finally {
    Object.assign(process, { noDeprecation });
  }
}
