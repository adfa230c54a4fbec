/**
 * How often the verdicts of papers err and find: by simulation (verdict-simulation.ts), and on real runs: 100 planted nulls and 100 planted effects on a bandit, learned by Q-learning in
 * whole sessions and judged as papers are, with a look after 5 seeds and one after 10. A planted effect shifts what every arm of the bandit pays,
 * and what the learner expects at its start, by one standard deviation of the score over seeds: the learner does the same, its scores are one
 * deviation higher. The deviation is measured on seeds 1 to 200; each repetition has seeds of its own, from 10,001 upward, for both of its arms.
 */

import { z } from 'zod';
import { definePaper } from '#claims/define.ts';
import { decide } from '#claims/judge.ts';
import { type Json, type JsonObject, objectOf } from '#contract/kit/json.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult, PaperResult } from '#contract/papers/results.ts';
import { completeRun, createSession } from '#core/run/loaded.ts';
import { OUTCOMES } from '#math/rule.ts';
import { mean, std } from '#math/stats.ts';
import { isClaimed, PARTS, SEED, type Simulated, simulate } from './verdict-simulation.ts';

const REPEATS = 100;
/** Without a pilot a paper is judged at 5 and 10 seeds. */
const LOOKS = [5, 10] as const;
/**
 * Of all repetitions on the bandit at most so many nulls may read "shown", "smaller" or "mixed"; of papers on drawn scores at most this share, in
 * every line; an effect of one deviation is found on forty seeds in at least this share. Real runs find an effect of one deviation on ten seeds as
 * often as drawn scores do, up to this difference.
 */
const TARGETS = { nullsClaimed: 9, worst: 0.05, foundAtForty: 0.9, apart: 0.1 };
const CALIBRATION = 200;
const FIRST_SEED = 10_001;
const STEPS = 150;
const PAYS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** The shared config with all payments moved up by `shift`. */
const configOf = (shift: number): JsonObject => ({
  v: 1,
  env: { id: 'bandit', config: { meanRewards: PAYS.map((pay) => pay + shift) } },
  algo: { id: 'q-learning', config: { alpha: 0.2, gamma: 1, epsilon: 0.2, initialValue: 0.3 + shift } },
  run: { steps: STEPS, evalEpisodes: 1 },
});

function paperOf(shift: number, size: number): JudgedCard {
  const { env, algo } = configOf(shift);
  return definePaper({
    id: 'planted',
    title: 'A planted comparison',
    authors: '',
    year: 2026,
    link: '',
    question: '',
    idea: '',
    equation: '',
    config: configOf(0),
    arms: [
      { id: 'claimed', title: 'claimed to be better', trials: 0, differs: { env: env as JsonObject, algo: algo as JsonObject } },
      { id: 'rival', title: 'the rival', trials: 0 },
    ],
    quantity: { title: 'return of the last 100 episodes', of: 'finalReturn' },
    contrasts: [{ id: 'better', kind: 'difference', arm: 'claimed', over: 'rival', claim: 'above', size }],
    scale: { better: 'more' },
    scaledDown: '',
    dishonest: '',
    next: '',
  });
}

interface Run {
  readonly score: number;
  readonly parameterHash: string;
  readonly steps: number;
}

async function train(shift: number, seed: number): Promise<Run> {
  const session = createSession({ config: completeRun(configOf(shift)), seed, now: () => performance.now() });
  for await (const event of session) {
    if (event.kind === 'state' && event.error) throw new Error(event.error.message);
    if (event.kind === 'result')
      return { score: event.result.finalReturn, parameterHash: event.result.parameterHash, steps: event.result.steps };
  }
  throw new Error('A session ended without a result.');
}

/** One repetition, seeds of the second look only where the first leaves it open. */
async function repetition(shift: number, size: number, firstSeed: number): Promise<PaperResult['outcome']> {
  const paper = paperOf(shift, size);
  const config = completeRun(configOf(0));
  const runs: Run[][] = [[], []];
  const judged = () => {
    const arms = paper.arms.map(
      ({ id, title, trials }, k): ArmResult => ({
        id,
        title,
        config: '0'.repeat(12),
        env: config.env,
        algo: config.algo,
        trials,
        steps: runs[k]![0]!.steps,
        parameters: PAYS.length,
        scores: runs[k]!.map(({ score }) => score),
        parameterHashes: runs[k]!.map(({ parameterHash }) => parameterHash),
        seconds: 0,
        curve: null,
      }),
    );
    return decide(paper, arms);
  };
  const upTo = async (seeds: number): Promise<void> => {
    for (const [k, own] of [shift, 0].entries())
      for (let i = runs[k]!.length; i < seeds; i++) runs[k]!.push(await train(own, firstSeed + k * LOOKS[1] + i));
  };
  await upTo(LOOKS[0]);
  const first = judged();
  if (first.wanted === null) return first.outcome;
  await upTo(LOOKS[1]);
  return judged().outcome;
}

/** What was simulated before. */
const written = z.object({ errors: z.record(z.string(), z.number()), power: z.record(z.string(), z.json()) });
/** What is found of effects, by their size in deviations and the seeds. */
const found = z.record(z.string(), z.record(z.string(), z.number()));

type Counts = Readonly<Partial<Record<PaperResult['outcome'], number>>>;
const claimedIn = (counts: Counts): number => OUTCOMES.filter(isClaimed).reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0);

const shareOf = (counts: Counts): number => claimedIn(counts) / Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Whether the targets are met. */
function isMet(simulated: Simulated, nulls: Counts, effects: Counts): boolean {
  const ofOne = found.parse(simulated.power)['1'] ?? {};
  return (
    claimedIn(nulls) <= TARGETS.nullsClaimed &&
    simulated.worst <= TARGETS.worst &&
    (ofOne[40] ?? 0) >= TARGETS.foundAtForty &&
    Math.abs(shareOf(effects) - (ofOne[LOOKS[1]] ?? 0)) <= TARGETS.apart
  );
}

/** Simulated papers of each kind. */
const SIMULATED = 500;

/** Runs all, or with `only` simulates these parts anew and keeps the rest of what was written. Throws Error for a part that there is not. */
export async function run(options: {
  readonly quick: boolean;
  readonly log: (line: string) => void;
  readonly only: readonly string[];
  readonly before: Json;
}): Promise<Json> {
  const unknown = options.only.find((part) => !PARTS.includes(part));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}". Use any of: ${PARTS.join(', ')}.`);
  const papers = options.quick ? 20 : SIMULATED;
  if (options.only.length > 0) {
    const before = objectOf(options.before);
    const simulated = simulate(papers, options.log, options.only, written.parse(before.simulated));
    // parts that were simulated apart may have had another number of papers than the rest
    const apart = { ...objectOf(before.apart), ...Object.fromEntries(options.only.map((part) => [part, papers])) };
    const counts = z.record(z.string(), z.number());
    const met = isMet(simulated, counts.parse(before.nulls), counts.parse(before.effects));
    return { ...before, simulated: { ...simulated, papers: objectOf(before.simulated).papers ?? papers }, apart, targets: TARGETS, met };
  }
  const simulated = simulate(papers, options.log);
  const repeats = options.quick ? 5 : REPEATS;
  const sample: number[] = [];
  for (let seed = 1; seed <= CALIBRATION; seed++) sample.push((await train(0, seed)).score);
  const deviation = std(sample, 1);
  options.log(`score ${mean(sample).toFixed(3)}, deviation over seeds ${deviation.toFixed(3)}`);
  const counts = async (shift: number, from: number) => {
    const outcomes: Partial<Record<PaperResult['outcome'], number>> = {};
    for (let r = 0; r < repeats; r++) {
      const outcome = await repetition(shift, deviation, from + 2 * LOOKS[1] * r);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    return outcomes;
  };
  const nulls = await counts(0, FIRST_SEED);
  const effects = await counts(deviation, FIRST_SEED + 2 * LOOKS[1] * repeats);
  options.log(`planted nulls claimed: ${claimedIn(nulls)} of ${repeats} (at most ${TARGETS.nullsClaimed} of ${REPEATS})`);
  options.log(`planted effects found on ${LOOKS[1]} seeds: ${claimedIn(effects)} of ${repeats}`);
  const met = isMet(simulated, nulls, effects);
  return { seed: SEED, simulated: { ...simulated }, repeats, score: mean(sample), deviation, nulls, effects, targets: TARGETS, met };
}
