/** 16 KiB of the host's memory for parts of large matrices that are copied together. */
export let scratch: usize = 0;

export function setScratch(p: usize): void {
  scratch = p;
}
