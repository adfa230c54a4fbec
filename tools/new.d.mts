export { NewError } from './new-error.mjs';
export function plan(
  kind: string,
  id: string,
  options?: {
    readonly family?: string;
    readonly isNew?: boolean;
    readonly like?: string;
    readonly door?: string;
    readonly into?: string;
    readonly read?: (path: string) => string;
  },
): ReadonlyMap<string, string>;
