/**
 * Values and shortest ways: V(s, g) at every place s of a maze with the goal g of the shown frame, beside the fewest steps d(s, g).
 *   wrong sign at s:  V(w, g) <= V(s, g)   for the place w that lies `way` steps from s along the shortest way, or g if that is nearer
 * A two-level policy sends its lower level to a place where V is higher; where the sign is wrong it is sent away from the goal (after Ahn et al.
 * 2025, who count such signs in recordings). Rank correlation: Spearman's, of V and -d over all places. Places: the environment's lattice; the
 * way is walked along it, so `way` is met up to a lattice step. All else the agent observes is as in the frame.
 * plane:  lib/plane.ts of max(0, -V(s, m)), m some of the places as goals: of an embedding (HILP) its main directions
 */
import { z } from 'zod';
import type { Bar } from '#contract/explain/explain-api.ts';
import { GOAL_VALUES, type GoalPlane, type GoalValues, type GoalValuesQuestion } from '#contract/explain/goal-values.ts';
import type { Lattice } from '#contract/game/frames.ts';
import { fail } from '#contract/kit/errors.ts';
import { rankCorrelation } from '#math/resamples.ts';
import { Rng } from '#math/rng.ts';
import type { Policy } from '../algos/api/types.ts';
import type { Environment, EnvMeta } from '../envs/api/types.ts';
import { defineExplainer } from './api/define.ts';
import { planeOf, turned } from './lib/plane.ts';

const config = z.strictObject({
  way: z
    .int()
    .min(1)
    .max(200)
    .default(25)
    .meta({
      title: 'steps ahead',
      description: 'A value must be higher so many steps along the shortest way.',
      unit: 'steps',
      slider: [1, 100],
    }),
  plane: z
    .boolean()
    .default(false)
    .meta({ title: 'plane', description: 'Also where the places lie in a plane whose distances are the policy’s values.' }),
}) satisfies z.ZodType<GoalValuesQuestion>;

/** Rows of one question to a network. */
const ROWS = 1024;

function checkLattice({ lattice, agentCount }: EnvMeta): void {
  if (lattice !== undefined && agentCount === 1) return;
  throw fail('incompatible', 'The shortest ways of this environment are not known.', 'Choose the quick point maze.', 'env.id');
}

/** Values of states obs [N, O]; null: the policy has none. */
async function valuesAt(policy: Policy, obs: Float32Array, width: number): Promise<Float32Array | null> {
  const all = obs.length / width;
  const values = new Float32Array(all);
  for (let from = 0; from < all; from += ROWS) {
    const rows = Math.min(ROWS, all - from);
    const act = await policy.act({
      obs: obs.subarray(from * width, (from + rows) * width),
      agent: new Int32Array(rows),
      hidden: policy.initial(rows),
      rng: Rng.from(0),
      rows,
      greedy: true,
    });
    if (act.value === undefined) return null;
    values.set(act.value.subarray(0, rows), from);
  }
  return values;
}

/** The point `way` steps nearer along falling steps, or where they end. Looks two points around: neighbours may be equally far. No wall is as thin. */
export function ahead(steps: ArrayLike<number>, { columns, lines }: Lattice, from: number, way: number): number {
  let at = from;
  const until = steps[from]! - way;
  while (steps[at]! > until) {
    let best = at;
    const [line, column] = [Math.floor(at / columns), at % columns];
    for (let i = Math.max(0, line - 2); i <= Math.min(lines - 1, line + 2); i++)
      for (let j = Math.max(0, column - 2); j <= Math.min(columns - 1, column + 2); j++)
        if (steps[i * columns + j]! < steps[best]!) best = i * columns + j;
    if (best === at) break;
    at = best;
  }
  return at;
}

/** Places that stand for all as goals. */
const MARKS = 16;

/** The places `places` of a lattice, observed as `obs` [N, O] in their order. null: the policy has no values. */
async function planeAt(
  policy: Policy,
  obs: Float32Array,
  { goals, obsSize: O, lattice }: EnvMeta,
  places: readonly number[],
): Promise<GoalPlane | null> {
  if (lattice === undefined || goals === undefined) return null;
  const { size, achieved, desired } = goals;
  const [n, k] = [places.length, Math.min(MARKS, places.length)];
  const marks = Array.from({ length: k }, (_, j) => Math.floor(((j + 0.5) * n) / k));
  const far = new Float64Array(n * k);
  for (const [j, mark] of marks.entries()) {
    const asked = obs.slice();
    for (let i = 0; i < n; i++) for (let d = 0; d < size; d++) asked[i * O + desired + d] = obs[mark * O + achieved + d]!;
    const values = await valuesAt(policy, asked, O);
    if (values === null) return null;
    for (let i = 0; i < n; i++) far[i * k + j] = Math.max(0, -values[i]!);
  }
  const plane = planeOf(far, marks);
  const maze = Float64Array.from(places.flatMap((i) => [i % lattice.columns, Math.floor(i / lattice.columns)]));
  const lying = turned(plane.at, maze);
  const at = new Array<number>(2 * lattice.columns * lattice.lines).fill(Number.NaN);
  for (const [row, i] of places.entries()) for (const d of [0, 1]) at[2 * i + d] = lying[2 * row + d]!;
  return { at, held: plane.held };
}

/** At the points of the lattice, with everything else as row 0 of `env` has it, whose agent observes `seen`. `policy` null: none is learned. */
export async function mapped(env: Environment, seen: Float32Array, policy: Policy | null, way: number, plane = false): Promise<GoalValues> {
  const { lattice, goals, obsSize: O } = env.meta;
  const { latticeObs, goalDistance } = env;
  if (lattice === undefined || goals === undefined || latticeObs === undefined || goalDistance === undefined)
    throw fail(
      'incompatible',
      'The shortest ways are not known with these settings.',
      'Leave frames of the past and contexts out.',
      'env.id',
    );
  const points = lattice.columns * lattice.lines;
  const obs = new Float32Array(points * O);
  latticeObs(0, obs);
  const steps = Array.from({ length: points }, (_, i) => (Number.isNaN(obs[i * O]!) ? Number.NaN : goalDistance(obs, i * O)));
  const places = steps.flatMap((count, i) => (Number.isFinite(count) ? [i] : []));
  const asked = new Float32Array(places.length * O);
  for (const [k, i] of places.entries()) asked.set(obs.subarray(i * O, (i + 1) * O), k * O);
  const found = policy === null ? null : await valuesAt(policy, asked, O);
  const values = found && new Array<number>(points).fill(Number.NaN);
  const wrong = new Array<number>(points).fill(0);
  if (found !== null && values !== null) {
    for (const [k, i] of places.entries()) values[i] = found[k]!;
    for (const i of places) wrong[i] = falls(values, i, ahead(steps, lattice, i, way));
  }
  const far = (i: number): number => {
    let sum = 0;
    for (let d = goals.achieved; d < goals.achieved + goals.size; d++) sum += (obs[i * O + d]! - seen[d]!) ** 2;
    return sum;
  };
  const least = (of: (i: number) => number): number => places.reduce((best, i) => (of(i) < of(best) ? i : best), places[0] ?? 0);
  return {
    ...lattice,
    steps,
    values,
    wrong,
    here: least(far),
    goal: least((i) => steps[i]!),
    plane: plane && policy !== null ? await planeAt(policy, asked, env.meta, places) : null,
  };
}

export const goalValues = defineExplainer<GoalValuesQuestion, GoalValues>({
  ref: GOAL_VALUES,
  title: 'Values and shortest ways',
  summary: 'What the policy thinks each place of a maze is worth, beside the steps of the shortest way from there.',
  source: {
    title: 'Option-aware Temporally Abstracted Value for Offline Goal-Conditioned Reinforcement Learning',
    authors: 'Ahn et al.',
    year: 2025,
    url: 'https://arxiv.org/abs/2505.12737',
  },
  config,
  answers: 'bars',
  team: 'any',
  frame: 'required',
  trial: {
    env: { id: 'quick-point-maze', config: {} },
    algo: { id: 'ppo', config: {} },
    steps: 4096,
    config: {},
    refuses: { env: { id: 'cartpole', config: {} }, algo: 'ppo' },
  },
  fits: checkLattice,
  async *explain(scene, { way, plane }) {
    const { replay, t } = scene.moment;
    const reader = scene.reader(replay);
    reader.seek(t);
    const detail = await mapped(reader.env, reader.buffers.obs, scene.policy, way, plane);
    const { steps, values } = detail;
    const places = steps.flatMap((count, i) => (Number.isFinite(count) ? [i] : []));
    const share = detail.wrong.reduce((sum, one) => sum + one, 0) / Math.max(1, places.length);
    const bar = (label: string, value: number): Bar => ({ label, agent: null, value, halfWidth: null });
    yield {
      title: 'Values and shortest ways to this goal',
      unit: '',
      words: wordsOf(places.length, share, values !== null, way),
      end: 'done',
      data: { kind: 'bars', bars: values === null ? [] : [bar(WRONG, share), bar(RANKS, rankOf(values, steps, places))] },
      detail,
    };
  },
});

const WRONG = 'share of places with a wrong sign';
const RANKS = 'rank correlation with the shortest way';

const rankOf = (values: readonly number[], steps: readonly number[], places: readonly number[]): number =>
  rankCorrelation(
    Float64Array.from(places, (i) => values[i]!),
    Float64Array.from(places, (i) => -steps[i]!),
  );

/** The goal itself is ahead of every place but its own. */
const falls = (values: readonly number[], from: number, to: number): number => (to !== from && values[to]! <= values[from]! ? 1 : 0);

function wordsOf(places: number, share: number, known: boolean, way: number): string[] {
  if (!known) return [`${places} places; nothing that acts here says what they are worth.`];
  return [`At ${Math.round(share * places)} of ${places} places the value is not higher ${way} steps along the shortest way.`];
}
