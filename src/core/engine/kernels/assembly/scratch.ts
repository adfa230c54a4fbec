/**
 * 16 KiB of the host's memory for parts of large matrices that are copied together, or for sums that are not whole; behind them 1 KiB for
 * 32 rows of eight columns (weight.ts). Nothing else is written outside of a kernel's arguments: instances on several threads share one
 * memory and have a scratch each.
 */
export let scratch: usize = 0;
export let tile: usize = 0;

export function setScratch(p: usize): void {
  scratch = p;
  tile = p + 16384;
}

/**
 * Whether the compiler keeps ten accumulators and two columns in registers. V8 before Turboshaft (Chrome before 130, Node before 23)
 * moves all loads of a loop to its front and spills: then tiles have eight. The bits of the results are the same.
 */
export let tall: bool = false;

export function setTall(yes: i32): void {
  tall = yes != 0;
}
