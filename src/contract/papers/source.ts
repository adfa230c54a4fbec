/** What a card was held against: a table of the source's parts beside our lines, or the searches that found nothing to read. */

/** How a part of the source stands here. */
export const ROW_STATES = ['kept', 'changed', 'left out'] as const;
export type RowState = (typeof ROW_STATES)[number];

export interface SourceRow {
  /** Equation, section or file of the source. */
  readonly of: string;
  /** 'src/core/algos/value/mansa.ts (train)', or a setting of an arm: 'algo.config.clipHigh', 'env.id', 'run.steps'. '' of what is left out. */
  readonly ours: string;
  readonly state: RowState;
  /** What the part says, or what is other here. */
  readonly note?: string;
}

/** The source was read. */
export interface ReadSource {
  /** What was read: a repository with its commit, or equations and where they stood. */
  readonly read: string;
  readonly table: readonly SourceRow[];
}

/** Nothing but the abstract could be read. */
export interface Guess {
  readonly guess: {
    /** What was looked for, and where. */
    readonly searches: readonly string[];
  };
}

export type Source = ReadSource | Guess;

export const isGuess = (source: Source | null): source is Guess => source !== null && 'guess' in source;

/** How many parts of a source stand in this state. */
export const rowsIn = ({ table }: ReadSource, state: RowState): number => table.filter((row) => row.state === state).length;

/** A line of ours: a file with names in it, or a setting as a path into an arm's config. */
export type OurLine = { readonly file: string; readonly names: readonly string[] } | { readonly setting: readonly string[] };

/** Reads `ours` of a row; null where it is of neither form. */
export function ourLine(ours: string): OurLine | null {
  const [, file, names = ''] = /^(src\/[\w./-]+\.ts)(?: \((\w+(?:, \w+)*)\))?$/.exec(ours) ?? [];
  if (file !== undefined) return { file, names: names === '' ? [] : names.split(', ') };
  return /^(env|algo|run)(\.\w+)+$/.test(ours) ? { setting: ours.split('.') } : null;
}

/** What is wrong with the source of a card, in words to follow its id; '' where nothing is. */
export function sourceFault(source: Source, leftOut: string): string {
  if (isGuess(source)) return source.guess.searches.length === 0 ? 'a guess names the searches that were made.' : '';
  const { read, table } = source;
  if (read === '') return 'its table does not say what was read.';
  if (!table.some(({ state }) => state === 'kept')) return 'a table with nothing kept is a guess.';
  const odd = table.find(({ ours, state }) => (state === 'left out' ? ours !== '' : ourLine(ours) === null));
  if (odd !== undefined) return `"${odd.of}" needs a line of ours, a file or a setting, unless it is left out.`;
  const bare = table.find(({ state, note = '' }) => state !== 'kept' && note === '');
  if (bare !== undefined) return `"${bare.of}" is ${bare.state}: its note says how.`;
  return leftOut === '' && table.some(({ state }) => state === 'left out') ? 'its table leaves something out: leftOut must say what.' : '';
}
