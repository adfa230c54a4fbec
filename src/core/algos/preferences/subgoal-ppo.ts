/**
 * Subgoals of a teacher that is there in training only (Words as Beacons; Ruiz-Gonzalez et al. 2024). At the start of every episode the
 * teacher splits the task into steps; reaching one pays beside the reward of the environment, and PPO climbs both
 * (../lib/ppo/learned-reward.ts). The policy never sees a subgoal, so it acts alone afterwards: what is saved and evaluated knows no
 * teacher.
 *   position  to stand in the cell in which the expert stands then
 *   object    to face that thing: its kind and colour
 *   words     to do what an instruction says: "opens the green door" (lib/captions.ts)
 *   r = r_environment + weight [a subgoal that is left was reached]
 * Differs: in the main runs of the paper the policy reads the subgoal too, and only the next one pays, less the longer it took.
 * Each pays once; reaching one drops those before it, so that a wrong one bars none behind it. The teacher is the scripted expert of the
 * environment, who knows the map and plays the episode through on a copy, in a language model's place: picking up, opening,
 * unlocking and walking through become subgoals, and a share of them is made wrong.
 * Pseudo-code:
 *   at the start of every episode: load its state into a copy of the world
 *     play the expert on the copy; each promising deed gives a subgoal, equal neighbours count once
 *     with probability teacherErrors: a wrong subgoal in its place (another cell, thing or deed)
 *   repeat until the budget is spent
 *     for each of T steps of B environments
 *       act by pi; r = r_environment
 *       if the episode goes on and the step reached a subgoal that is left
 *         r += weight; drop that subgoal and those before it
 *     advantages by GAE(lambda) of r, targets = advantages + V
 *     for each epoch, for each shuffled minibatch
 *       standardise its advantages
 *       ascend the clipped objective and the entropy bonus; descend the value loss
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { cellsOf } from '#contract/game/frames.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { createActions, createBuffers } from '#core/envs/api/buffers.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import type { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import type { Run } from '../api/types.ts';
import { scriptedMover } from '../lib/data/recording.ts';
import * as ppo from '../lib/ppo/common.ts';
import {
  checkLearnedReward,
  type LearnedReward,
  learnedRewardBenchmark,
  learnedRewardPolicy,
  trainOnLearnedReward,
} from '../lib/ppo/learned-reward.ts';
import { captionFor, otherThing, promising, thingAhead, thingOf, viewOf, withThing } from './lib/captions.ts';

const source = 'Ruiz-Gonzalez et al. 2024';
const own = 'own choice';
const TITLE = 'Subgoals of a teacher';

const KINDS = ['position', 'object', 'words'] as const;
export type SubgoalKind = (typeof KINDS)[number];

const config = z.strictObject({
  subgoals: z.enum(KINDS).default('words').meta({
    title: 'subgoals',
    description: 'position: a cell to stand in; object: a thing to face; words: a deed, such as opening the green door.',
    source,
    depth: 'teach',
    group: 'preferences',
  }),
  teacherErrors: fields.real(0.2, {
    min: 0,
    max: 1,
    title: 'errors of the teacher',
    description: 'Share of the subgoals that are wrong: a cell up to two away, or another thing.',
    slider: [0, 1],
    source: own,
    depth: 'teach',
    group: 'preferences',
  }),
  subgoalWeight: fields.real(0.2, {
    min: 0,
    max: 100,
    title: 'weight of a subgoal',
    description: 'Paid for reaching one, beside the reward of the environment.',
    slider: [0, 1],
    source: own,
    depth: 'teach',
    group: 'reward',
  }),
  ...ppo.commonFields,
  ...fields.stored({ normaliseObs: ppo.commonFields.normaliseObs }), // codes of MiniGrid are not normalised
});
type Config = z.infer<typeof config>;

const MOST = 32; // subgoals of an episode
const ASTRAY = 2; // cells that a wrong position is away at most, in each direction

interface Site {
  readonly width: number;
  readonly height: number;
}

/** A subgoal in the place of the right one: a cell up to ASTRAY away in each direction, another thing, or the same deed with another thing. */
export function wrongSubgoal(kind: SubgoalKind, right: number, { width, height }: Site, rng: Rng): number {
  if (kind === 'object') return otherThing(right, rng);
  if (kind === 'words') return withThing(right, otherThing(thingOf(right), rng));
  for (;;) {
    const x = (right % width) + rng.int(2 * ASTRAY + 1) - ASTRAY;
    const y = Math.floor(right / width) + rng.int(2 * ASTRAY + 1) - ASTRAY;
    if (x >= 0 && y >= 0 && x < width && y < height && y * width + x !== right) return y * width + x;
  }
}

/** Says the subgoals of the episode that begins in a saved state, in the order in which the expert reaches them. */
export function createTeacher(
  entry: EnvEntry,
  envConfig: JsonObject,
  { subgoals: kind, teacherErrors }: Pick<Config, 'subgoals' | 'teacherErrors'>,
  rng: Rng,
): (state: Uint8Array) => readonly number[] {
  const env = entry.create(envConfig, 1);
  const { meta } = env;
  const size = viewOf(meta, TITLE);
  const site = cellsOf(meta.frame) ?? { width: 1, height: 1 };
  const [buffers, actions] = [createBuffers(meta, 1), createActions(meta, 1)];
  return (state) => {
    const move = scriptedMover(entry, envConfig); // a new one: an expert remembers its plan, and a resumed run has to hear the same
    env.load(0, state, buffers);
    const told: number[] = [];
    let last = -1;
    for (let t = 0; t < meta.maxSteps && told.length < MOST; t++) {
      const before = buffers.obs.slice();
      void move(env, buffers, actions, t === 0);
      env.step(actions, buffers);
      if (buffers.terminated[0] === 1 || buffers.truncated[0] === 1) break; // the end is what the environment itself pays for
      const caption = captionFor(before, 0, actions[0]!, buffers.obs, 0, size);
      if (!promising(caption)) continue;
      const right = kind === 'position' ? (env.cellOf?.(0) ?? 0) : kind === 'object' ? thingOf(caption) : caption;
      if (right === last) continue; // to face a door that one opens and then walks through is one subgoal
      last = right;
      told.push(rng.uniform() < teacherErrors ? wrongSubgoal(kind, right, site, rng) : right);
    }
    return told;
  };
}

/** Subgoals of the running episodes, and which of them are left. */
export function agenda(rows: number) {
  const goals = new Int32Array(rows * MOST);
  const [told, next, reached] = [new Int32Array(rows), new Int32Array(rows), new Int32Array(rows)];
  return {
    told,
    reached,
    arrays: { subgoals: goals, subgoalsTold: told, subgoalsNext: next, subgoalsReached: reached },
    begin(row: number, list: readonly number[]): void {
      goals.set(list, row * MOST);
      [told[row], next[row], reached[row]] = [list.length, 0, 0];
    },
    /** Whether `what` is a subgoal that is left; it and those before it no longer are. */
    reach(row: number, what: number): boolean {
      const found = goals.subarray(row * MOST + next[row]!, row * MOST + told[row]!).indexOf(what);
      if (found < 0) return false;
      next[row] = next[row]! + found + 1;
      reached[row] = reached[row]! + 1;
      return true;
    },
  };
}

function rewardOfSubgoals(run: Run<Config>, total: number): LearnedReward {
  const { config: c, meta } = run;
  const size = viewOf(meta, TITLE);
  const rng = run.rng.split('teacher');
  const ask = createTeacher(run.envEntry, run.envConfig, c, rng);
  const list = agenda(c.envs);
  const paid = new Float32Array(total);
  const over = { told: 0, reached: 0 }; // in episodes that ended in this rollout
  /** What a step came to, as a number like the subgoals. */
  const outcome = ({ env, buffers }: VectorEnv, row: number, obs: Float32Array, action: number): number => {
    const at = row * meta.obsSize;
    if (c.subgoals === 'position') return env.cellOf?.(row) ?? -1;
    return c.subgoals === 'object' ? thingAhead(buffers.obs, at, size) : captionFor(obs, at, action, buffers.obs, at, size);
  };
  return {
    state: { arrays: { teacher: rng, ...list.arrays } },
    watch: {
      begin({ env }) {
        for (let row = 0; row < c.envs; row++) list.begin(row, ask(env.save(row)));
      },
      step(env, t, obs, action) {
        const { terminated, truncated } = env.buffers;
        for (let row = 0; row < c.envs; row++) {
          const goesOn = terminated[row] === 0 && truncated[row] === 0;
          paid[t * c.envs + row] = goesOn && list.reach(row, outcome(env, row, obs, action[row]!)) ? 1 : 0;
          if (goesOn) continue;
          over.told += list.told[row]!;
          over.reached += list.reached[row]!;
          list.begin(row, ask(env.env.save(row)));
        }
      },
    },
    async judge({ reward }) {
      const rewards = reward.map((r, i) => r + c.subgoalWeight * paid[i]!);
      const subgoalsReached = over.told === 0 ? Number.NaN : over.reached / over.told;
      [over.told, over.reached] = [0, 0];
      return { rewards, metrics: { subgoalsReached } };
    },
  };
}

export const subgoalPpo = defineAlgo<Config>({
  spec: {
    id: 'subgoal-ppo',
    version: 1,
    title: TITLE,
    summary: 'Subgoal rewards from a teacher, during training only.',
    source: {
      title: 'Words as Beacons: Guiding RL Agents with High-Level Language Prompts',
      authors: 'Ruiz-Gonzalez et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2410.08632',
    },
    config,
    presets: [
      { id: 'position', title: 'cells to stand in', config: { subgoals: 'position' } },
      { id: 'object', title: 'things to face', config: { subgoals: 'object' } },
      { id: 'unsure', title: 'a teacher who is wrong half of the time', config: { teacherErrors: 0.5 } },
    ],
    action: 'discrete',
    learner: 'network',
    agents: 'one',
    trial: {
      env: 'minigrid-unlock',
      steps: 1024,
      config: { envs: 4, rolloutSteps: 64, minibatches: 4, epochs: 2, hidden: [8] },
    },
    probes: [], // nothing is handled in the probes: there is nothing to tell
    metrics: [
      ...ppo.ppoMetrics,
      {
        id: 'subgoalsReached',
        title: 'subgoals reached',
        description: 'Share of those told for the episodes that ended in this update.',
      },
    ],
  },

  fits(meta, c) {
    checkLearnedReward(meta, c, TITLE);
    viewOf(meta, TITLE);
  },

  train: (run, resume) => trainOnLearnedReward(run, resume, async (_, total) => rewardOfSubgoals(run, total)),
  policy: learnedRewardPolicy,
  benchmark: ({ config: c, meta, engine }) => learnedRewardBenchmark(c, meta, engine),
});
