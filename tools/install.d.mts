import type { spawnSync } from 'node:child_process';

export function nodeProblem(version?: string): string | null;
export function ensureInstalled(): void;
export function aptInstall(
  packages: readonly string[],
  run?: (...call: Parameters<typeof spawnSync>) => { readonly status: number | null; readonly stderr?: unknown; readonly error?: Error },
): string | null;
export function ensureBrowser(parts?: {
  readonly find?: () => Promise<string | null>;
  readonly install?: (packages: readonly string[]) => string | null;
  readonly say?: (text: string) => void;
}): Promise<string | null>;
export function ensureRedis(parts?: {
  readonly has?: (name: string) => boolean;
  readonly install?: (packages: readonly string[]) => string | null;
  readonly say?: (text: string) => void;
}): void;
