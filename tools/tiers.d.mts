export type Tier = 'push' | 'all' | 'night';
export const TIERS: Readonly<Record<Tier, { readonly stages: readonly string[]; readonly e2e: readonly string[] }>>;
export const MOST_RETRIED: number;
export function stagesOfPush(paths: readonly string[]): string[];
export function changedPaths(git?: (...args: string[]) => { readonly status: number | null; readonly stdout: string }): string[];
export function retriedTests(report: object): string[];
export function recordProblem(run: { readonly failed: number; readonly stages: object; readonly tier: Tier }): string | null;
