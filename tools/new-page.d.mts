export function isOfPage(kind: string): boolean;
export function planForPage(
  kind: string,
  id: string,
  options: { readonly door?: string; readonly into?: string; readonly read: (path: string) => string },
): Map<string, string>;
export const NEXT: Readonly<Record<string, string>>;
