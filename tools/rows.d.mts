export function jsonRows(value: unknown): string;
