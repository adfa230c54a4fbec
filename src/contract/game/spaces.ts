/**
 * Things of one kind in a flat observation: each row names the places of its numbers there, in the order that all rows of the kind have.
 * Worlds of one id have the same kinds with the same widths whatever their size; only the rows are more or fewer, or none.
 */
export interface EntityKind {
  readonly name: string;
  /** Numbers of a row. */
  readonly width: number;
  readonly rows: readonly (readonly number[])[];
  /** A row is there where this one of its numbers is above 0; missing: always. */
  readonly presence?: number;
  /** What is done is about its rows, place by place, and their number is the same at any size: networks read each of them, besides the mean. */
  readonly ordered?: true;
  /** Rows are parts of rows of another kind: their last numbers say so, number `from` + k is 1 where a row is part of row k. Parts are added up there. */
  readonly partOf?: { readonly kind: string; readonly from: number };
}

/** What one agent sees and does. Flat sizes; `shape` keeps the structure for encoders (conv nets, embeddings) and views. */
export type ObsSpace =
  | {
      readonly kind: 'box';
      readonly shape: readonly number[];
      /** Of every number; null: no bound. */
      readonly low: number | null;
      readonly high: number | null;
      readonly labels?: readonly string[];
      /** The same numbers as rows of things, for networks that take any number of them (core/nets/entities.ts). The first kind is the agent itself, one row. */
      readonly entities?: readonly EntityKind[];
    }
  /** One integer state, given to networks as one-hot of length n: obs has n columns, exactly one of them 1. */
  | { readonly kind: 'discrete'; readonly n: number }
  /** Grid codes [h, w, channels], channel c in 0..codes[c]-1, given as raw integers; encoders one-hot them. */
  | {
      readonly kind: 'grid';
      readonly shape: readonly [h: number, w: number, c: number];
      readonly codes: readonly number[];
      readonly extra: number;
    };

export type ActionSpace =
  | { readonly kind: 'discrete'; readonly n: number; readonly labels: readonly string[] }
  | {
      readonly kind: 'box';
      readonly size: number;
      readonly low: readonly number[];
      readonly high: readonly number[];
      readonly labels: readonly string[];
    };

/** Length of the flat observation row. `grid` has h*w*c codes and then `extra` plain numbers (a direction one-hot, say). */
export function obsSize(space: ObsSpace): number {
  switch (space.kind) {
    case 'box':
      return space.shape.reduce((a, b) => a * b, 1);
    case 'discrete':
      return space.n;
    case 'grid':
      return space.shape[0] * space.shape[1] * space.shape[2] + space.extra;
  }
}

/** The kinds of things that an observation is made of; null: it does not say. */
export const entitiesOf = (space: ObsSpace): readonly EntityKind[] | null => (space.kind === 'box' ? (space.entities ?? null) : null);

/** Numbers per action: 1 for discrete, the dimension for box. */
export function actionSize(space: ActionSpace): number {
  return space.kind === 'discrete' ? 1 : space.size;
}
