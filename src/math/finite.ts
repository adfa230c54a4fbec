/** The number, or null where there is none: not given, infinite or not a number. Files and messages have no such numbers. */
export const finiteOrNull = (value: number | null | undefined): number | null =>
  value !== null && value !== undefined && Number.isFinite(value) ? value : null;
