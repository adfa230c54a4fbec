/** The hash of a link. */
export const WIDE: string;
