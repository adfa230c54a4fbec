/** Sentences about contrasts as this page writes them: in the reader's language, numbers to three figures. */
import { claimed, compared, findingSaid, namesOf, part, type Writer, written } from '#contract/papers/finding-words.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { PaperResult } from '#contract/papers/results.ts';
import { type Contrast, isCounted } from '#math/contrasts.ts';
import { NO_EFFECT, type State } from '#math/rule.ts';
import { msg, t } from '#text/text.ts';
import { measure } from '#ui/kit/format/numbers.ts';

const here: Writer = { text: t, number: (value) => measure(value, 3) };

type Card = Pick<JudgedCard, 'arms' | 'quantity' | 'config'>;
type Finding = PaperResult['findings'][number];

/** "0.25 or more", "at least 475". */
export const claimInWords = (contrast: Contrast): string => part(claimed(contrast), here);

/** What a contrast compares, to stand within a sentence. */
export const contrastInWords = (contrast: Contrast, card: Card): string => part(compared(contrast, namesOf(card), here), here);

/** What came out of a contrast and what that says of its claim; '' where it was not judged. */
export const cameOut = (contrast: Contrast, found: Finding | undefined, card: Card): string =>
  found === undefined ? '' : written(findingSaid(contrast, found, namesOf(card), here), here);

/** The further contrasts that are not held, or open, each as a sentence under its own name: many compare the same arms. Controls and premises are told apart. */
export function notHeld(card: Card & Pick<JudgedCard, 'contrasts'>, findings: PaperResult['findings']): readonly string[] {
  const [, ...further] = card.contrasts.filter(isCounted);
  return further.flatMap((contrast) => {
    const found = findings.find(({ id }) => id === contrast.id);
    if (found === undefined || found.state === 'held') return [];
    return [`${found.state === 'open' ? t('Open') : t('Not held')}: ${contrast.id}. ${cameOut(contrast, found, card)}`];
  });
}

/** The state of a contrast in a word or two. */
const STATES: { readonly [S in State]: string } = {
  held: msg('held'),
  smaller: msg('smaller than claimed'),
  [NO_EFFECT]: msg('no effect of that size'),
  refuted: msg('the size claimed is excluded'),
  reversed: msg('the other way round'),
  open: msg('open'),
};
export const stateInWords = (state: State): string => t(STATES[state]);
