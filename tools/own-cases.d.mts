export function writeLink(code: string): string;
export const OWN_STEPS: number;
export const OWN_CODE: string;
export function walk(members: string, before?: string): string;
export const FRIENDLY: string;
export const OTHER: string;
export const HOSTILE: readonly { readonly what: string; readonly code: string; readonly says: RegExp }[];
export function labLink(code: string, settings?: string): string;
export const HOSTILE_IN_LAB: typeof HOSTILE;
export function openTrap(): Promise<{
  readonly url: string;
  aim(code: string): string;
  calls(): number;
  close(): void;
}>;
