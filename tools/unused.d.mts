interface Listed {
  readonly files: { readonly [file: string]: readonly string[] };
}
export interface List {
  readonly planned: readonly (Listed & { readonly block: string })[];
  readonly testsOnly: readonly (Listed & { readonly why: string })[];
}
interface Named {
  readonly name: string;
}
export interface Report {
  readonly issues: readonly { readonly file: string; readonly files?: readonly Named[]; readonly exports?: readonly Named[] }[];
}
export function listed(list: List): readonly string[];
export function found(report: Report): readonly string[];
export function differences(report: Report, list: List): readonly string[];
