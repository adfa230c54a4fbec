/**
 * What if: from one moment of an episode the world goes on many times, as it was and with one thing changed, each pair of futures by the
 * same chances (common random numbers), so that their difference has a narrow interval. The first pair keeps the state's own generator:
 * where the team is greedy, its first side is what really happened.
 */
import { z } from 'zod';
import {
  type Change,
  COUNTERFACTUAL,
  type Counterfactual,
  type CounterfactualQuestion,
  type Future,
} from '#contract/explain/counterfactual.ts';
import type { Payoff } from '#contract/explain/explain.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Replay } from '#contract/run/events.ts';
import { Rng } from '#math/rng.ts';
import { createActions, createBuffers } from '../envs/api/buffers.ts';
import { withSeed } from '../envs/api/state.ts';
import type { Actions, EnvEntry, EnvMeta } from '../envs/api/types.ts';
import { agentRewards, Recorder } from '../run/replay.ts';
import type { Actor } from './api/actors.ts';
import { defineExplainer } from './api/define.ts';
import { spreadOf } from './api/estimate.ts';
import { greedy, payoff, replacement, seed } from './api/fields.ts';
import { noReplacement, type Replacement } from './api/replacement.ts';
import { moveThing, swapCells } from './lib/arrange.ts';
import { CoalitionEpisodes } from './lib/episodes.ts';

const MOST_ROWS = 128;

interface CounterfactualOptions {
  readonly entry: EnvEntry;
  readonly config: Replay['env']['config'];
  readonly meta: EnvMeta;
  readonly question: Pick<CounterfactualQuestion, 'change' | 'continuations'>;
  readonly payoff: Payoff;
  readonly seed: number;
  readonly team: (batch: number, memory?: Float32Array) => Actor;
  readonly absent: (batch: number, players: readonly number[]) => Replacement;
  readonly from: Uint8Array;
  readonly memory?: Float32Array;
  readonly pace?: () => Promise<void> | undefined;
}

/** Throws LabError('incompatible') for a change that cannot be made there. */
export async function compareFutures(options: CounterfactualOptions): Promise<Counterfactual> {
  const { entry, config, meta, question, from } = options;
  const { change, continuations: count } = question;
  checkAgent(meta, change);
  if (change.kind === 'action') checkAction(entry, config, meta, change, from);
  const changed = arranged(entry, config, from, change);
  const rng = Rng.from(options.seed).split('futures');
  const chance = Uint32Array.from({ length: count }, () => rng.next());
  const sides = [from, changed] as const;
  const start = (job: number): Uint8Array => {
    const k = job % count;
    const state = sides[job < count ? 0 : 1]!;
    return k === 0 ? state : withSeed(state, chance[k]!);
  };
  const players = change.kind === 'remove' ? [change.agent] : [];
  const batch = Math.min(MOST_ROWS, 2 * count);
  const act = (job: number, step: number, actions: Actions, at: number): void => {
    if (change.kind !== 'action' || job < count || step > 0) return;
    change.action.forEach((x, d) => {
      actions[at + change.agent * meta.actionSize + d] = x;
    });
  };
  const episodes = (rows: number): CoalitionEpisodes =>
    new CoalitionEpisodes({
      entry,
      config,
      batch: rows,
      team: options.team(rows, options.memory),
      absent: players.length === 0 ? noReplacement : options.absent(rows, players),
      players,
      payoff: options.payoff,
      start,
      intervene: act,
      ...(options.pace && { pace: options.pace }),
    });
  const game = episodes(batch);
  const worth = new Float64Array(2 * count);
  const seeds = Uint32Array.from({ length: 2 * count }, (_, job) => chance[job % count]!);
  const members = Uint8Array.from({ length: 2 * count * players.length }, (_, job) => (job < count ? 1 : 0));
  await game.play(seeds, members, worth);
  const future = async (side: 0 | 1): Promise<Future> => {
    const values = Array.from(worth.subarray(side * count, (side + 1) * count));
    const replay = await play(options, sides[side]!, chance[0]!, side === 1 ? change : null);
    return { returns: values, ...spreadOf(values), replay };
  };
  const asItWas = await future(0);
  const other = await future(1);
  const pairs = spreadOf(asItWas.returns.map((w, i) => other.returns[i]! - w));
  return { asItWas, changed: other, difference: pairs.mean, differenceHalfWidth: pairs.halfWidth, steps: game.steps };
}

function arranged(entry: EnvEntry, config: unknown, from: Uint8Array, change: Change): Uint8Array {
  if (change.kind === 'move') return moveThing(entry, config, from, change.thing, change.x, change.y);
  if (change.kind === 'swap') return swapCells(entry, config, from, change.from, change.to);
  return from;
}

function checkAgent(meta: EnvMeta, change: Change): void {
  if (change.kind !== 'action' && change.kind !== 'remove') return;
  if (!(Number.isInteger(change.agent) && change.agent >= 0 && change.agent < meta.agentCount))
    throw fail('incompatible', `There is no agent ${change.agent}.`, `Agents are numbered from 0 to ${meta.agentCount - 1}.`, 'change');
}

function checkAction(entry: EnvEntry, config: unknown, meta: EnvMeta, change: Extract<Change, { kind: 'action' }>, from: Uint8Array): void {
  const { agent, action } = change;
  if (meta.actionCount === 0) {
    if (action.length !== meta.actionSize || !action.every(Number.isFinite))
      throw fail('incompatible', `An action here is ${meta.actionSize} numbers.`, 'Give one for each dimension.', 'change');
    return;
  }
  const env = entry.create(config, 1);
  const buffers = createBuffers(meta, 1);
  env.reset(Uint32Array.of(1), buffers);
  env.load(0, from, buffers);
  const a = action[0] ?? -1;
  const known = Number.isInteger(a) && a >= 0 && a < meta.actionCount;
  if (!known || buffers.mask?.[agent * meta.actionCount + a] === 0)
    throw fail('incompatible', 'This action is not allowed at this moment.', 'Choose another one.', 'change');
}

/** The first continuation of one side, recorded. */
async function play(options: CounterfactualOptions, state: Uint8Array, seed: number, change: Change | null): Promise<Replay> {
  const { entry, config, meta, memory } = options;
  const env = entry.create(config, 1);
  const buffers = createBuffers(meta, 1);
  const actions = createActions(meta, 1);
  const clock = { seed: Uint32Array.of(seed), step: new Int32Array(1) };
  const team = options.team(1, memory);
  const players = change?.kind === 'remove' ? [change.agent] : [];
  const absent = players.length === 0 ? noReplacement : options.absent(1, players);
  const present = new Uint8Array(meta.agentCount).fill(1);
  for (const agent of players) present[agent] = 0;
  const all = Uint8Array.of(1);
  env.reset(clock.seed, buffers);
  env.load(0, state, buffers);
  team.begin(all);
  absent.begin(all);
  const recorder = new Recorder(entry, config, seed, env);
  for (let t = 0; t < meta.evalMaxSteps; t++) {
    clock.step[0] = t;
    await team.act(env, buffers, clock, actions);
    await absent.apply(env, buffers, clock, present, actions);
    if (t === 0 && change?.kind === 'action')
      change.action.forEach((x, d) => {
        actions[change.agent * meta.actionSize + d] = x;
      });
    env.step(actions, buffers);
    recorder.push(actions, agentRewards(env, buffers));
    if (buffers.terminated[0] !== 0) return recorder.end('terminated');
    if (buffers.truncated[0] !== 0) return recorder.end('truncated');
  }
  return recorder.end('cut');
}

const change = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('action'), agent: z.int().min(0), action: z.array(z.number()) }),
    z.object({ kind: z.literal('remove'), agent: z.int().min(0) }),
    z.object({ kind: z.literal('move'), thing: z.int().min(0), x: z.number(), y: z.number() }),
    z.object({ kind: z.literal('swap'), from: z.int().min(0), to: z.int().min(0) }),
  ])
  .default({ kind: 'action', agent: 0, action: [0] })
  .meta({ title: 'change', description: 'The one thing that differs from the frame: an action, an absent agent, a place, or two cells.' });

const config = z.strictObject({
  change,
  continuations: z
    .int()
    .min(2)
    .max(10_000)
    .default(64)
    .meta({ title: 'continuations', description: 'Episodes played from the frame on, on each side, in pairs by the same random numbers.' }),
  replacement,
  payoff,
  greedy: greedy(true),
  seed,
});

export const counterfactual = defineExplainer<CounterfactualQuestion, Counterfactual>({
  ref: COUNTERFACTUAL,
  title: 'Counterfactual futures',
  summary: 'What would have come of a frame with one thing changed, beside what comes of it as it was.',
  source: {
    title: 'Explainable Reinforcement Learning Through a Causal Lens',
    authors: 'Madumal, Miller, Sonenberg, Vetere',
    year: 2020,
    url: 'https://arxiv.org/abs/1905.10958',
  },
  config,
  answers: 'replays',
  team: 'any',
  frame: 'required',
  trial: {
    env: { id: 'cartpole', config: {} },
    algo: { id: 'ppo', config: {} },
    steps: 2048,
    config: { change: { kind: 'action', agent: 0, action: [1] }, continuations: 8 },
  },
  async *explain(scene, question) {
    const { entry, config: envConfig, meta, pace } = scene;
    const detail = await compareFutures({
      entry,
      config: envConfig,
      meta,
      question,
      payoff: question.payoff,
      seed: question.seed,
      team: scene.team(question.greedy),
      absent: scene.replacement(question.replacement, question.greedy),
      ...(await scene.standing()),
      ...(pace && { pace }),
    });
    const side = (label: string, { returns, mean, halfWidth, replay }: Future) => ({ label, value: mean, halfWidth, returns, replay });
    yield {
      title: 'Return from the frame on',
      unit: 'return',
      words: [`${question.continuations} continuations on each side, in pairs by the same random numbers; ${detail.steps} steps.`],
      end: 'done',
      data: {
        kind: 'replays',
        sides: [side('as it was', detail.asItWas), side('changed', detail.changed)],
        difference: { value: detail.difference, halfWidth: detail.differenceHalfWidth },
      },
      detail,
    };
  },
});
