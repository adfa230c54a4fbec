/**
 * The two labels of a paper, in words: what was tested, and what came out. The one place that holds these words: page, documents, command line,
 * exports and citations use them.
 */
import type { Outcome } from '#math/rule.ts';

export type { Outcome };

/**
 * What was tested.
 *   the method        its equations or its code were read and are what runs here
 *   a reduced method  the same, less what the card names
 *   our guess         the source could not be read: the form is the project's own
 *   our question      the abstract claims nothing that could fail, or the claim is the project's
 */
export const TESTED = ['the method', 'a reduced method', 'our guess', 'our question'] as const;
export type Tested = (typeof TESTED)[number];

/** Outcomes that speak against a claim. */
const NEGATIVE: readonly Outcome[] = ['not shown', 'reversed'];
export const isNegative = (outcome: Outcome): boolean => NEGATIVE.includes(outcome);

/** Of whom a negative outcome is said: of a title only where the method itself was tested. */
const SUBJECTS: { readonly [T in Tested]: string } = {
  'the method': '',
  'a reduced method': 'our reduced form',
  'our guess': 'our guess',
  'our question': 'our question',
};

export interface Labels {
  readonly tested: Tested;
  readonly outcome: Outcome;
}

/** Whether an outcome is published as open: a guess at a method that fails is no evidence against the method. */
export const isFailedGuess = ({ tested, outcome }: Labels): boolean => tested === 'our guess' && isNegative(outcome);

/** Both labels of a result. */
export const labelsOf = ({ tested, outcome }: { readonly tested: { readonly label: Tested }; readonly outcome: Outcome }): Labels => ({
  tested: tested.label,
  outcome,
});

/** "shown"; "our reduced form: not shown". */
export function outcomeInWords({ tested, outcome }: Labels): string {
  const subject = SUBJECTS[tested];
  return isNegative(outcome) && subject !== '' ? `${subject}: ${outcome}` : outcome;
}

/** "a reduced method: shown". */
export const labelsInWords = ({ tested, outcome }: Labels): string => `${tested}: ${outcome}`;

/** What each outcome means, as a sentence on the page. */
export const MEANINGS: { readonly [O in Outcome]: string } = {
  shown: 'Every contrast is held: clear of no effect, and the size claimed is not excluded.',
  smaller: 'The effect is there, and smaller than claimed.',
  mixed: 'The main contrast is on the side of the claim; a further one is not.',
  'not shown': 'The size claimed is excluded.',
  reversed: 'The effect is clear, and the other way round.',
  open: 'The runs do not tell.',
};

/** What each label of what was tested means. */
export const TESTED_MEANS: { readonly [T in Tested]: string } = {
  'the method': 'Its equations or its code were read and are what runs here.',
  'a reduced method': 'What the source describes, less what is named below.',
  'our guess': 'The source’s equations and code were not read: the form is our own.',
  'our question': 'The abstract makes no claim that could fail here: the question is ours.',
};

/** Whether a second block of seeds gave the outcome again; null: none was run. */
export const isConfirmed = ({
  first,
  confirm,
}: {
  readonly first: Outcome;
  readonly confirm: { readonly outcome: Outcome } | null;
}): boolean | null => (confirm === null ? null : confirm.outcome === first);

/** Words of judges before the fifth, which logs keep. */
export const OLD_WORDS = ['reproduced', 'partly', 'not reproduced', 'inconclusive'] as const;
export const OLD_PARTS = ['smaller', 'not all', 'not all tested', 'no effect of that size'] as const;

/** What a log keeps of a result that stood there before: both labels, or the one word of an earlier judge. */
export interface Past {
  readonly judge: number;
  readonly tested?: Tested | undefined;
  readonly outcome?: Outcome | undefined;
  readonly verdict?: (typeof OLD_WORDS)[number] | undefined;
  readonly parts?: readonly string[] | undefined;
}

/** "a reduced method: shown", or "partly: not all" where an earlier judge gave one word. */
export function pastInWords({ tested, outcome, verdict, parts = [] }: Past): string {
  if (tested !== undefined && outcome !== undefined) return labelsInWords({ tested, outcome });
  if (verdict === undefined) return 'no outcome';
  return parts.length === 0 ? verdict : `${verdict}: ${parts.join(', ')}`;
}

const OF_OLD: ReadonlyMap<string, Outcome> = new Map([
  ['reproduced', 'shown'],
  ['partly', 'mixed'],
  ['not reproduced', 'not shown'],
  ['inconclusive', 'open'],
]);

/** What stands in an address today for the one word of an older judge: links with it open. Any other word is itself. */
export const outcomeOfOld = (word: string): string => OF_OLD.get(word) ?? word;
