export class NewError extends Error {}
export function plan(
  kind: string,
  id: string,
  options?: { readonly family?: string; readonly isNew?: boolean; readonly read?: (path: string) => string },
): ReadonlyMap<string, string>;
