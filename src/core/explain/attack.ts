/**
 * Attacks on observations (Goodfellow et al. 2015; Madry et al. 2018; Huang et al. 2017): o' = o + eps sigma sign(grad L), with L the
 * surprise -ln p of what the policy would do (for continuous actions the squared distance from its mean action, from a random start,
 * because there the gradient begins at 0); PGD repeats smaller steps and stays within eps sigma. sigma is the deviation of each number
 * over clean episodes, so that numbers that never change are never touched. Other aims than "any other action" (Broda-Milian et al. 2024) say what to
 * do instead, where actions have an order: with y = 2 a - (N - 1) the place of a discrete action, or the mean of a continuous one,
 *   other side   L = -sign(y) [ mean of the scores above the middle - mean of those below ],   continuous: L = -sign(y) y, from (y, -y)
 *   farthest     L = ln p(the last action on the other side),   continuous: L = -(y + sign(y) far)^2
 * Their slopes are found by trying. Policies that cannot give a gradient are asked with every
 * number a little larger and a little smaller (that way an agent's own choice only, by the gradient those of all who hear it).
 */
import { z } from 'zod';
import { AIMS, ATTACK, type AttackAim, type AttackQuestion, type AttackTest } from '#contract/explain/attack.ts';
import { fail, present } from '#contract/kit/errors.ts';
import { exp, log } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import type { Act, ActQuery, Policy } from '../algos/api/types.ts';
import type { EnvEntry, EnvMeta } from '../envs/api/types.ts';
import { evaluate } from '../run/evaluate.ts';
import { defineExplainer } from './api/define.ts';
import { episodes } from './api/fields.ts';
import { pausable } from './api/pausable.ts';
import type { Scene } from './api/scene.ts';

const WIDEST = 64; // numbers of an observation that are tried one by one
const PROBE = 0.01; // in deviations

/** What an attack needs to know of an environment: how many agents, and how wide their rows are. */
export type Widths = Pick<EnvMeta, 'agentCount' | 'obsSize' | 'actionCount' | 'actionSize'>;

/** What an attack makes larger, of one row of an answer. */
function surprise(act: Act, row: number, aim: Act['actions'], meta: Widths): number {
  const { actionCount: N, actionSize: D } = meta;
  if (act.mean !== undefined) {
    let sum = 0;
    for (let d = 0; d < D; d++) sum += (act.mean[row * D + d]! - aim[row * D + d]!) ** 2;
    return sum;
  }
  const scores = present(act.logits ?? act.q, 'logits or action values'); // of action values: as if the policy drew by their softmax
  let top = Number.NEGATIVE_INFINITY;
  for (let a = 0; a < N; a++) top = Math.max(top, scores[row * N + a]!);
  let sum = 0;
  for (let a = 0; a < N; a++) sum += exp(scores[row * N + a]! - top);
  return top + log(sum) - scores[row * N + aim[row]!]!;
}

/** Where a mean is the farthest: beyond the bounds of every box that is scaled to -1 to 1, whether it is cut or squashed. */
const FAR = 3;

/** What an attack that says what to do instead makes larger, of one row of an answer. `own`: what the policy does without it. */
function elsewhere(act: Act, row: number, own: Act['actions'], meta: Widths, aim: Exclude<AttackAim, 'any other'>): number {
  const { actionCount: N, actionSize: D } = meta;
  if (act.mean !== undefined) {
    let sum = 0;
    for (let d = 0; d < D; d++) {
      const side = own[row * D + d]! < 0 ? -1 : 1;
      const mean = act.mean[row * D + d]!;
      sum += aim === 'other side' ? -side * mean : -((mean + side * FAR) ** 2);
    }
    return sum;
  }
  const scores = present(act.logits ?? act.q, 'logits or action values');
  const side = 2 * own[row]! < N - 1 ? -1 : 1;
  if (aim === 'farthest') return -surprise(act, row, new Int32Array(row + 1).fill(side > 0 ? 0 : N - 1), meta);
  let [above, below] = [0, 0];
  for (let a = 0; a < N; a++) {
    const place = 2 * a - (N - 1);
    if (place > 0) above += scores[row * N + a]!;
    else if (place < 0) below += scores[row * N + a]!;
  }
  return (-side * (above - below)) / Math.floor(N / 2);
}

/** Slopes of what an attack makes larger by every number of every row, by trying. */
async function measuredGradient(
  policy: Policy,
  query: ActQuery,
  gain: (act: Act, row: number) => number,
  meta: Widths,
  sigma: Float64Array,
): Promise<Float32Array> {
  const { obsSize: O, agentCount: A } = meta;
  const out = new Float32Array(query.rows * O);
  for (let i = 0; i < O; i++) {
    const ask = async (sign: number): Promise<Act> => {
      const obs = query.obs.slice(0, query.rows * O);
      for (let row = 0; row < query.rows; row++) obs[row * O + i]! += sign * PROBE * sigma[(query.agent[row]! % A) * O + i]!;
      return policy.act({ ...query, obs });
    };
    const up = await ask(1);
    const above = Float64Array.from({ length: query.rows }, (_, row) => gain(up, row));
    const down = await ask(-1);
    for (let row = 0; row < query.rows; row++) out[row * O + i] = above[row]! - gain(down, row);
  }
  return out;
}

/** Throws LabError('incompatible') where observations are too wide to try every number of them. */
function checkWidth(policy: Policy, { obsSize }: EnvMeta, aim: AttackAim = 'any other'): void {
  if ((policy.gradient !== undefined && aim === 'any other') || obsSize <= WIDEST) return;
  const fix = 'Choose an environment with a shorter observation, or a method whose networks give gradients.';
  throw fail('incompatible', `Observations of ${obsSize} numbers are too wide to try each of them.`, fix, 'observation');
}

export interface Attack {
  readonly eps: number;
  readonly steps: number;
  readonly sigma: Float64Array; // [A, O]
  /** Missing: any other action. */
  readonly aim?: AttackAim;
}

/** Observations that differ by at most eps sigma and come as near to the aim as that allows; without one the policy's own choice becomes unlikely. */
export async function attackedObs(
  policy: Policy,
  query: ActQuery,
  meta: Widths,
  { eps, steps, sigma, aim: wanted = 'any other' }: Attack,
  rng: Rng,
): Promise<Float32Array> {
  const { obsSize: O } = meta;
  const clean = query.obs.subarray(0, query.rows * O);
  const first = await policy.act({ ...query, greedy: true });
  const aim = first.mean === undefined ? first.actions.slice() : first.mean.slice();
  const gain = (act: Act, row: number): number =>
    wanted === 'any other' ? surprise(act, row, aim, meta) : elsewhere(act, row, aim, meta, wanted);
  const reach = (i: number): number => eps * sigma[query.agent[Math.floor(i / O)]! * O + (i % O)]!;
  const climb = async (obs: Float32Array): Promise<Float32Array> => {
    for (let s = 0; s < steps; s++) {
      const asked = { ...query, obs };
      const slope =
        policy.gradient === undefined || wanted !== 'any other'
          ? await measuredGradient(policy, asked, gain, meta, sigma)
          : await policy.gradient(asked, aim);
      const pace = steps === 1 ? 1 : 2.5 / steps;
      for (let i = 0; i < obs.length; i++) {
        const most = reach(i);
        const moved = obs[i]! + pace * most * Math.sign(slope[i]!);
        obs[i] = Math.min(clean[i]! + most, Math.max(clean[i]! - most, moved));
      }
    }
    return obs;
  };
  if (first.mean === undefined || wanted !== 'any other') return climb(clean.slice());
  // At a mean action every way leads up: one is drawn, its opposite is tried as well, and each row keeps the better of the two.
  const start = Float32Array.from(clean, (_, i) => 0.1 * reach(i) * (2 * rng.uniform() - 1));
  const found = await climb(clean.map((value, i) => value + start[i]!));
  const other = await climb(clean.map((value, i) => value - start[i]!));
  const one = await policy.act({ ...query, obs: found, greedy: true });
  const far = Float64Array.from({ length: query.rows }, (_, row) => surprise(one, row, aim, meta));
  const two = await policy.act({ ...query, obs: other, greedy: true });
  for (let row = 0; row < query.rows; row++)
    if (surprise(two, row, aim, meta) > far[row]!) found.set(other.subarray(row * O, (row + 1) * O), row * O);
  return found;
}

/**
 * How much an attack changes one decision: 1 or 0 where actions are numbered, else the mean change of its numbers as a share of their range, which is
 * -1 to 1 in every box.
 */
function changeOf(before: Act['actions'], after: Act['actions'], row: number, { actionCount, actionSize: D }: Widths): number {
  if (actionCount > 0) return before[row * D] === after[row * D] ? 0 : 1;
  const within = (x: number): number => Math.min(1, Math.max(-1, x));
  let sum = 0;
  for (let d = 0; d < D; d++) sum += Math.abs(within(after[row * D + d]!) - within(before[row * D + d]!)) / 2;
  return sum / D;
}

/** The policy with something between it and the world. */
function through(policy: Policy, see: (query: ActQuery) => Promise<Float32Array> | Float32Array): Policy {
  return {
    initial: (rows) => policy.initial(rows),
    act: async (query) => policy.act({ ...query, obs: await see(query) }),
    dispose() {},
  };
}

/** Throws LabError('incompatible') where observations are too wide to try every number of them. */
export async function attackTest(
  policy: Policy,
  entry: EnvEntry,
  config: unknown,
  question: AttackQuestion,
  pace?: Scene['pace'],
): Promise<AttackTest> {
  const meta = entry.meta(config);
  const { obsSize: O, agentCount: A } = meta;
  const { eps, steps, episodes, aim = 'any other' } = question;
  checkWidth(policy, meta, aim);
  const sums = new Float64Array(A * O);
  const squares = new Float64Array(A * O);
  let count = 0;
  const watched = through(policy, ({ obs, rows, agent }) => {
    for (let row = 0; row < rows; row++)
      for (let i = 0; i < O; i++) {
        const at = agent[row]! * O + i;
        sums[at]! += obs[row * O + i]!;
        squares[at]! += obs[row * O + i]! * obs[row * O + i]!;
      }
    count += rows / A;
    return obs;
  });
  const clean = await evaluate(pausable(watched, pace), entry, config, { episodes });
  const sigma = sums.map((sum, i) => Math.sqrt(Math.max(0, squares[i]! / count - (sum / count) ** 2)));
  const rng = Rng.from(1).split('attack');
  const noise = await evaluate(
    through(pausable(policy, pace), ({ obs, rows, agent }) =>
      Float32Array.from({ length: rows * O }, (_, i) => {
        const size = eps * sigma[agent[Math.floor(i / O)]! * O + (i % O)]!;
        return obs[i]! + (rng.int(2) === 0 ? size : -size);
      }),
    ),
    entry,
    config,
    { episodes },
  );
  let changed = 0;
  let asked = 0;
  const attack = { eps, steps, sigma, aim };
  const attacked = await evaluate(
    through(pausable(policy, pace), async (query) => {
      const obs = await attackedObs(policy, query, meta, attack, rng);
      const before = (await policy.act({ ...query, greedy: true })).actions.slice();
      const after = (await policy.act({ ...query, obs, greedy: true })).actions;
      for (let row = 0; row < query.rows; row++) changed += changeOf(before, after, row, meta);
      asked += query.rows;
      return obs;
    }),
    entry,
    config,
    { episodes },
  );
  const losses = clean.scores.map((score, i) => score - attacked.scores[i]!);
  const mean = losses.reduce((a, b) => a + b, 0) / episodes;
  const variance = losses.reduce((sum, d) => sum + (d - mean) * (d - mean), 0) / Math.max(1, episodes - 1);
  return {
    question,
    clean: clean.score,
    noise: noise.score,
    attacked: attacked.score,
    halfWidth: 1.96 * Math.sqrt(variance / episodes),
    flipped: asked === 0 ? 0 : changed / asked,
    ...(meta.actionCount === 0 && { moved: true }),
    gradient: policy.gradient === undefined || aim !== 'any other' ? 'measured' : 'exact',
  };
}

/** What the attack changed, in a sentence. */
const changeWords = ({ flipped, moved }: AttackTest): string =>
  moved
    ? `moves actions by ${(100 * flipped).toPrecision(2)} % of their range`
    : `changes ${(100 * flipped).toFixed(0)} % of all decisions`;

const config = z.strictObject({
  eps: z
    .number()
    .min(0)
    .max(10)
    .default(0.2)
    .meta({
      title: 'strength (epsilon)',
      description: 'Largest change of every number of the observation.',
      unit: 'standard deviations',
      slider: [0, 1],
    }),
  steps: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .meta({ title: 'steps', description: '1: FGSM; more: PGD, smaller steps, kept within epsilon.' }),
  aim: z.enum(AIMS).default('any other').meta({
    title: 'aim',
    description: 'Any other action; those on the other side of the middle, as a group; or the farthest one there. Actions need an order.',
    source: 'Broda-Milian et al. 2024',
  }),
  episodes: episodes(50),
});

export const attack = defineExplainer<AttackQuestion, AttackTest>({
  ref: ATTACK,
  title: 'Adversarial attack on observations',
  summary: 'What small changes of the observation cost, chosen along the gradient (FGSM, PGD) or at random.',
  source: {
    title: 'Adversarial Attacks on Neural Network Policies',
    authors: 'Huang, Papernot, Goodfellow, Duan, Abbeel',
    year: 2017,
    url: 'https://arxiv.org/abs/1702.02284',
  },
  config,
  answers: 'bars',
  team: 'learned',
  frame: 'none',
  trial: {
    env: { id: 'cartpole', config: {} },
    algo: { id: 'ppo', config: {} },
    steps: 2048,
    config: { episodes: 4 },
    refuses: { env: { id: 'minigrid-empty', config: {} }, algo: 'ppo' },
  },
  fits: (meta, policy) => policy && checkWidth(policy, meta),
  async *explain(scene, question) {
    const detail = await attackTest(scene.learned, scene.entry, scene.config, question, scene.pace);
    const bar = (label: string, value: number) => ({ label, agent: null, value, halfWidth: null });
    yield {
      title: 'Mean return',
      unit: 'return',
      words: [
        `The attack costs ${(detail.clean - detail.attacked).toPrecision(3)} ± ${detail.halfWidth.toPrecision(2)} and ${changeWords(detail)}.`,
        `${question.episodes} episodes on the same seeds; gradient ${detail.gradient}.`,
      ],
      end: 'done',
      data: {
        kind: 'bars',
        bars: [
          bar('clean', detail.clean),
          bar('random noise', detail.noise),
          bar('attacked', detail.attacked),
          { label: 'cost of the attack', agent: null, value: detail.clean - detail.attacked, halfWidth: detail.halfWidth },
        ],
      },
      detail,
    };
  },
});
