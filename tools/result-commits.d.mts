export interface Lost {
  readonly name: string;
  readonly files: readonly string[];
}
export function hasHistory(project: string): boolean;
export function lostCommits(project: string): readonly Lost[];
export function replaceLost(project: string): readonly (Lost & { readonly commit: string | null })[];
