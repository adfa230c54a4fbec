/** An own card (contract/link/card.ts) as one that is run and judged as a paper's is. */
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { cardId, type OwnCard } from '#contract/link/card.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { definePaper } from './define.ts';

/** `address`: of its page, beginning with #; '' where it has none. Throws LabError('config-invalid') for a card that could not be judged. */
export function ownPaper(own: OwnCard, address = ''): JudgedCard {
  const id = cardId(own);
  const rising = own.looks.every((seeds, i) => i === 0 || seeds > own.looks[i - 1]!);
  if (!rising) throw refused('The seeds of its looks do not rise.');
  try {
    return definePaper({
      id,
      title: own.title,
      authors: own.author ?? '',
      year: 0,
      link: address,
      question: own.question,
      idea: own.question,
      equation: '',
      config: { v: 1, ...own.config } as JsonObject,
      arms: own.arms.map(({ differs, script, ...arm }) => ({
        ...arm,
        trials: 0,
        ...(differs && { differs: differs as NonNullable<JudgedCard['arms'][number]['differs']> }),
        ...(script !== undefined && { script }),
      })),
      quantity: own.quantity,
      contrasts: own.contrasts as unknown as JudgedCard['contrasts'],
      scale: { better: own.better },
      looks: own.looks,
      exempt: own.exempt ?? [],
      firstSeed: own.firstSeed,
      tunedOn: own.tunedOn ?? null,
      noQuick: 'a card of one’s own has only the form that judges it',
      scaledDown: own.note ?? '',
      dishonest: '',
      next: '',
    });
  } catch (error) {
    // what definePaper refuses, in its words
    if (!(error instanceof Error) || !error.message.startsWith(`Paper ${id}: `)) throw error;
    throw refused(error.message.slice(`Paper ${id}: `.length));
  }
}

const refused = (why: string): Error =>
  fail('config-invalid', `This card could not be judged: ${why}`, 'Change its arms, contrasts or seeds.', 'card');
