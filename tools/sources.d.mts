export function newestChange(paths: readonly string[]): number;
export function changedAt(path: string): number;
