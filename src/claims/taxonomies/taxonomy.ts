/** A survey as a tree: its own branches, and on each the leaves that run here, or what they wait for. */

export type Leaf = {
  readonly title: string;
  /** How it differs from the leaves beside it, in one sentence. */
  readonly says: string;
} & (
  | { readonly opens: { readonly page: 'papers' | 'methods' | 'lessons' | 'transfer'; readonly id?: string } }
  | { readonly waitsFor: string }
);

export interface Taxonomy {
  /** Of the paper in the list. */
  readonly id: string;
  /** Named as the abstract names them. */
  readonly branches: readonly { readonly title: string; readonly leaves: readonly Leaf[] }[];
}
