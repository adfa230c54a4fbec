export function codeOf(page: string): ReadonlyMap<string, string>;
