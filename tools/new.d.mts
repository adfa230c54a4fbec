export class NewError extends Error {}
export function plan(kind: string, id: string, family?: string, read?: (path: string) => string): ReadonlyMap<string, string>;
