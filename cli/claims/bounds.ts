/**
 * What random play gets in the world of an arm, and the best possible score, in the unit of its quantity: as its environment states them, or,
 * for random play, measured by the policy that draws legal actions evenly. A card that gives them itself is not asked here.
 */
import { isReturn, quantityOfArm, statedBounds } from '#claims/facts.ts';
import { isDrawn, quantityOf } from '#claims/quantity.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { getEnv } from '#core/envs/all.ts';
import { completeRun } from '#core/run/loaded.ts';
import { readCurves } from '../kit/curves.ts';
import type { BatchJob, Runs } from '../train/batch.ts';
import { completeArm, folderOf, PILOT_SEEDS } from './arm-config.ts';

export type Bounds = Pick<ArmResult, 'random' | 'ceiling'>;

/** Steps of random play: hundreds of episodes in most worlds; its greedy episodes at the end are as many as the arm's. */
const STEPS = 10_000;
function stated(paper: JudgedCard, k: number): Bounds {
  const { env } = completeArm(paper, paper.arms[k]!, false);
  return statedBounds(paper, k, getEnv(env.id).meta(env.config).references);
}

/**
 * Random play for an arm; null where it has no number of that kind: steps to a level, what is kept of a sequence, a question about a trained team, a return that is to
 * be low because others are attacked.
 */
function randomJob(paper: JudgedCard, k: number, cache: string): BatchJob | null {
  const arm = paper.arms[k]!;
  const quantity = quantityOfArm(paper, k);
  if ('reaches' in quantity || 'tasks' in quantity || ('of' in quantity && quantity.of === 'explained')) return null;
  if (isReturn(quantity) && paper.scale.better === 'less') return null;
  const { env, run } = completeArm(paper, arm, false);
  const { against } = arm;
  const sampled = isDrawn(quantity);
  const asked = { steps: Math.min(STEPS, run.steps), evalEpisodes: run.evalEpisodes, seeds: 1, seedStart: PILOT_SEEDS[0] };
  const config = completeRun({ v: 1, env: { id: env.id, config: env.config }, algo: { id: 'random' }, run: asked });
  const folder = folderOf(cache, { random: configHash(config), against: against ?? null, sampled });
  return {
    config,
    seed: PILOT_SEEDS[0],
    folder,
    kind: `random play in ${env.id}`,
    ...(against && { against }),
    ...(sampled && { sampled }),
  };
}

/** Bounds by paper and arm, of arms whose card leaves one out. Random play that is not stated is measured. Throws Interrupted. */
export async function measureBounds(
  papers: readonly JudgedCard[],
  runs: Runs,
  { cache, warn }: { readonly cache: string; readonly warn: (text: string) => void },
): Promise<ReadonlyMap<string, readonly Bounds[]>> {
  const plans = papers.map((paper) => ({
    paper,
    arms: paper.arms.map((arm, k) => {
      const told = stated(paper, k);
      const known = { ...paper.scale, ...arm.scale };
      const job = known.random === undefined && told.random === undefined ? randomJob(paper, k, cache) : null;
      return { told, job };
    }),
  }));
  const jobs = plans.flatMap(({ arms }) => arms.flatMap(({ job }) => job ?? []));
  for (const { job, failure } of await runs.run(jobs, 'random play'))
    warn(`Random play in ${job.config.env.id} failed: ${failure.message}`);
  return new Map(
    plans.map(({ paper, arms }) => [
      paper.id,
      arms.map(({ told, job }, k): Bounds => {
        const outcome = job && runs.outcome(job.folder, job.seed);
        if (!job || !outcome) return told;
        const { better } = paper.scale;
        const value = quantityOf(quantityOfArm(paper, k), better, outcome, readCurves(job.folder, job.seed), job.config.run.steps);
        return value === null ? told : { ...told, random: { value, from: 'measured: legal actions drawn evenly' } };
      }),
    ]),
  );
}
