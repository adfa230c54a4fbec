/** Identifies the sources, flags and compiler that the committed kernel module was made with. */
export function sourceHash(): string;
