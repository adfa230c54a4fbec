/**
 * A claim of an experiment (src/claims/experiments) as a paper of one arm: the same runner, seeds and verdicts. Its expectation becomes a level:
 * "at least 475" holds where the interval of the seeds' IQM lies at or above 475, "every seed" where none is below.
 */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';
import { objectOf } from '#contract/kit/json.ts';
import { FIRST_REPORTED_SEED, type JudgedCard } from '#contract/papers/papers.ts';
import type { Expectation } from '#contract/run/expectation.ts';
import type { Contrast } from '#math/contrasts.ts';
import { definePaper } from './define.ts';

const ARM = 'run';

function contrastsOf({ statistic, min, max }: Expectation): readonly [Contrast, ...Contrast[]] {
  const middle = statistic === 'every' ? 'iqm' : statistic;
  const kind = statistic === 'every' ? 'every' : 'level';
  const bound = (id: string, claim: 'above' | 'below', none: number): Contrast => ({ id, kind, arm: ARM, claim, none, middle });
  const [first, ...more] = [
    ...(min === undefined ? [] : [bound('at-least', 'above', min)]),
    ...(max === undefined ? [] : [bound('at-most', 'below', max)]),
  ];
  if (first === undefined) throw new Error('An expectation needs a bound.');
  return [first, ...more];
}

/**
 * The paper of an experiment that makes a claim; null for a lesson, a benchmark or the start, and for a quick form that it lacks. A quick
 * form has an expectation of its own, because fewer steps reach less. Throws Error for an expectation without a bound.
 */
export function claimPaper(card: ExperimentCard, quick = false): JudgedCard | null {
  const expect = quick ? card.quick?.expect : card.expect;
  if (expect === undefined) return null;
  const { against, rival, explain, data, source, tenSeeds = false, secondLook = 'always', firstSeed = FIRST_REPORTED_SEED } = card;
  const run = { ...objectOf(card.config.run), ...(quick && card.quick?.run) };
  return definePaper({
    id: card.id,
    title: card.title,
    authors: source?.authors ?? '',
    year: source?.year ?? 0,
    link: source?.url ?? '',
    question: card.claim,
    idea: card.claim,
    equation: '',
    config: { ...card.config, run },
    arms: [
      {
        id: ARM,
        title: card.title,
        trials: 0,
        ...(against && { against: [against] }),
        ...(rival && { rival }),
        ...(explain && { explain }),
        ...(data && { data }),
      },
    ],
    quantity: { title: expect.metric, of: expect.metric },
    contrasts: contrastsOf(expect),
    tenSeeds: tenSeeds && !quick,
    secondLook,
    firstSeed,
    scale: { better: expect.min === undefined ? 'less' : 'more' },
    exempt:
      expect.min === undefined ? [{ check: 'random', arms: [ARM], why: 'the claim is an upper bound, which random play may keep' }] : [],
    // The experiments were set up on the small seeds that their configs name.
    tunedOn: [1, 1000],
    quick: card.quick ? { run: card.quick.run, seeds: 5 } : null,
    scaledDown: '',
    dishonest: '',
    next: '',
  });
}
