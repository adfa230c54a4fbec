/**
 * Go-Explore (Ecoffet et al. 2021) on worlds whose states can be saved and restored, which all of them here can. First return, then
 * explore: an archive keeps, for every cell (observations that round to the same numbers), the state and the best way there; again and
 * again one is drawn, restored, and gone on from by random moves. The best way found so far is learned by a network: cross-entropy of its
 * moves, and its returns as values.
 *   chance of a cell proportional to 1 / sqrt(times drawn + 1);   drawn: 0 again when a better way to it is found
 *   L = -mean ln pi(a|s) + mean (V(s) - G)^2 / 2   over steps of the best way, G its discounted returns
 * All ways begin at one start, that of the first environment: where starts differ, it learns to solve that one. A restored state has its
 * own random numbers with it, so that a way leads to the same place again; the network itself meets others where it is judged, and worlds
 * of much chance would need the second phase of the source, learning by rewards from ever earlier places on the way, which is not here.
 * Pseudo-code:
 *   archive: the cell of the start
 *   repeat until the budget is spent
 *     for about 1000 steps, in every environment
 *       if exploreSteps moves were made or the episode ended: draw a cell, restore its state and way
 *       move: the last one again with chance `repeat`, else a random legal one
 *       way += move; best way: whole ones before unfinished ones, then more reward, then fewer moves
 *       if the episode goes on and the cell is new or this way better (more reward, then shorter)
 *         archive: its state and way, times drawn = 0
 *     if the best way is another one: play it from the start for its observations, moves and returns
 *     cloneUpdates times: one step of Adam on L over a minibatch of its steps
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { exactKey } from '#math/hash.ts';
import { Rng } from '#math/rng.ts';
import { randomAction } from '#math/sampling.ts';
import { add, mean, mul, neg, reshape, square, sub } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine } from '../../engine/types.ts';
import { createActions, createBuffers } from '../../envs/api/buffers.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import type { VectorEnv } from '../../envs/api/vector-env.ts';
import { categoricalLogProb } from '../../nets/heads.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFilters, checkFinite, checkSameAgents } from '../api/guards.ts';
import { episodeMetrics, episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { type PolicyNetwork, policyNetwork, policyOfNetwork } from '../lib/network-policy.ts';
import { CLIP_NORMALISED } from '../lib/ppo/common.ts';
import { Archive, better, type Cell, Trail } from './lib/archive.ts';

const source = 'Ecoffet et al. 2021';

const config = z.strictObject({
  exploreSteps: fields.integer(100, {
    min: 1,
    max: 100_000,
    title: 'steps from a cell',
    unit: 'steps',
    description: 'Random moves after each return, unless the episode ends before.',
    source,
    slider: [1, 200],
    log: true,
    depth: 'teach',
    group: 'exploration',
  }),
  repeat: fields.real(0.95, {
    min: 0,
    max: 1,
    title: 'chance to repeat a move',
    description: 'Instead of drawing a new one. Where the meaning of moves changes from place to place, 0.',
    source,
    group: 'exploration',
  }),
  cellSize: fields.real(0.05, {
    above: 0,
    max: 1e6,
    title: 'size of a cell',
    description: 'Observations that are numbers are rounded to multiples of this; codes and places are taken as they are.',
    source: 'own choice; images of 8x11 with 8 greys for Atari in the source',
    slider: [0.01, 1],
    log: true,
    depth: 'teach',
    group: 'exploration',
  }),
  envs: fields.numEnvs(8, 'own choice', { max: 256 }),
  lr: fields.lr(1e-3, 'own choice'),
  gamma: fields.gamma(0.99, 'own choice', { description: 'Of the values that are learned along the best way.' }),
  cloneUpdates: fields.integer(20, {
    min: 1,
    max: 10_000,
    title: 'updates',
    description: 'Of the network towards the best way, for each row of the curves.',
    source: 'own choice',
    slider: [1, 100],
    depth: 'stored',
    group: 'optimisation',
  }),
  batchSize: fields.batchSize(64, 'own choice'),
  filters: fields.filters(0, '16 in MinAtar (Young & Tian 2019)'),
  hidden: fields.hidden([64, 64], 'CleanRL ppo.py'),
});
type Config = z.infer<typeof config>;

const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'cells', title: 'cells', description: 'In the archive: places that are known and can be returned to.' },
  {
    id: 'bestReturn',
    title: 'best return',
    description: 'Of the best whole way found so far; that of the best unfinished one before the first.',
  },
  { id: 'bestLength', title: 'length of the best way', description: 'Moves of the way that the network learns.', unit: 'steps' },
  { id: 'cloneLoss', title: 'cloning loss', description: 'Cross-entropy of the network against the moves of the best way.' },
];

const STEPS_PER_ROW = 1000;
const VALUE_WEIGHT = 0.5;

const networkOf = (engine: Engine, meta: EnvMeta, c: Config, rng: Rng): PolicyNetwork =>
  policyNetwork(engine, meta, { ...c, activation: 'tanh', sharedTrunk: false }, rng);

function compileLearner(engine: Engine, net: PolicyNetwork, c: Config) {
  const rows = c.batchSize;
  return engine.compile(
    { ...net.inputs(rows), action: [rows], target: [rows] },
    (x, g) => {
      const { head, value } = net.apply(x, g);
      const cloneLoss = neg(mean(categoricalLogProb(head, x.action)));
      return { cloneLoss, loss: reshape(add(cloneLoss, mul(mean(square(sub(value, x.target))), VALUE_WEIGHT)), []) };
    },
    { minimise: 'loss', group: net.group, with: adam(), maxGradNorm: 1, name: 'go-explore learn' },
  );
}

/** The cell of each row: what it sees, rounded where it sees numbers, and where it stands. */
function cellKeys(meta: EnvMeta, size: number) {
  const { obsSize: O } = meta;
  const rounded = new Float32Array(O + 1);
  const numbers = meta.agents[0]!.obs.kind === 'box';
  return (obs: Float32Array, row: number, place: number): number => {
    for (let i = 0; i < O; i++) {
      const x = obs[row * O + i]!;
      rounded[i] = numbers ? Math.round(x / size) : x;
    }
    rounded[O] = place;
    return exactKey(rounded, 0, O + 1);
  };
}

/** What is on a way: observations, legal moves, moves, and the discounted reward that followed. */
function demonstration(env: VectorEnv, make: () => VectorEnv['env'], start: Uint8Array, way: readonly number[], gamma: number) {
  const { meta } = env;
  const { obsSize: O, actionCount: N } = meta;
  const world = make();
  const buffers = createBuffers(meta, 1);
  const actions = createActions(meta, 1);
  world.load(0, start, buffers);
  const [obs, mask] = [new Float32Array(way.length * O), new Float32Array(way.length * N).fill(1)];
  const target = new Float32Array(way.length);
  way.forEach((move, t) => {
    obs.set(buffers.obs, t * O);
    if (buffers.mask !== undefined) mask.set(buffers.mask, t * N);
    actions[0] = move;
    world.step(actions, buffers);
    target[t] = buffers.reward[0]!;
  });
  for (let t = way.length - 2; t >= 0; t--) target[t]! += gamma * target[t + 1]!;
  return { obs, mask, target, action: Float32Array.from(way) };
}

export const goExplore = defineAlgo<Config>({
  spec: {
    id: 'go-explore',
    version: 1,
    title: 'Go-Explore',
    summary: 'Stores a way to every place it has reached, returns there, explores on, and learns the best way found.',
    source: {
      title: 'First return, then explore',
      authors: 'Ecoffet et al.',
      year: 2021,
      url: 'https://doi.org/10.1038/s41586-020-03157-9',
    },
    config,
    presets: [{ id: 'grids', title: 'Deep sea and grids: short walks, no repeated moves', config: { exploreSteps: 10, repeat: 0 } }],
    action: 'discrete',
    learner: 'network',
    agents: 'one',
    trial: { env: 'deep-sea', steps: 4000, config: { exploreSteps: 10, repeat: 0, hidden: [16], envs: 4 } },
    probes: [
      { on: ['bandit'], steps: 4000 },
      { on: ['delayed'], steps: 4000 },
    ],
    probeConfig: { repeat: 0, exploreSteps: 3, hidden: [16], lr: 1e-2 },
    metrics,
  },

  fits(meta, c) {
    checkSameAgents(meta, 'Go-Explore');
    checkFilters(meta, c.filters);
    if (meta.actionCount === 0)
      throw fail('incompatible', 'Go-Explore draws among actions that can be counted.', 'Choose PPO with an exploration bonus.', 'algo.id');
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const { obsSize: O, actionCount: N } = meta;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers, batch: B } = env;
    const net = networkOf(engine, meta, c, run.rng.split('init'));
    const learn = compileLearner(engine, net, c);
    const [exploring, choosing, drawing] = [run.rng.split('moves'), run.rng.split('cells'), run.rng.split('batches')];
    const archive = new Archive(meta.state.bytes);
    const trail = new Trail();
    const keyOf = cellKeys(meta, c.cellSize);
    const start = new Uint8Array(meta.state.bytes);
    const actions = createActions(meta, B);
    // By row: steps left before the next return, the last move, the way so far.
    const [left, last, step, length] = [new Int32Array(B), new Int32Array(B), new Int32Array(B), new Int32Array(B)];
    const score = new Float64Array(B);
    const state = registerState({
      counters: { step: 0, bestStep: -1, bestScore: 0, bestLength: 0, bestWhole: 0 },
      parts: { env, engine, archive, trail },
      arrays: { exploring, choosing, drawing, start, left, last, step, length, score },
    });
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { net: net.group }),
      policy: () => policyOfNetwork(engine, meta, net, null, CLIP_NORMALISED),
    });
    const placeOf = (row: number): number => env.env.cellOf?.(row) ?? -1;
    if (resume === undefined) {
      env.reset();
      start.set(env.env.save(0));
      archive.offer(keyOf(buffers.obs, 0, placeOf(0)), { step: -1, score: 0, length: 0 }, () => start.slice());
    } else state.load(resume);
    let way: { readonly step: number; readonly shown: ReturnType<typeof demonstration> } | null = null;

    function goBack(row: number): void {
      const cell: Cell = archive.choose(choosing);
      env.goOnFrom(row, cell.state, cell);
      [left[row], last[row], step[row], length[row], score[row]] = [c.exploreSteps, -1, cell.step, cell.length, cell.score];
    }

    /** Whole ways before unfinished ones, then by reward, then the shorter. */
    function judge(row: number, whole: boolean): void {
      const found = { score: score[row]!, length: length[row]! };
      const known = { score: counters.bestScore, length: counters.bestLength };
      const [now, before] = [Number(whole), counters.bestWhole];
      if (counters.bestStep >= 0 && (now < before || (now === before && !better(found, known)))) return;
      [counters.bestStep, counters.bestScore, counters.bestLength, counters.bestWhole] = [step[row]!, found.score, found.length, now];
    }

    function explore(): void {
      for (let row = 0; row < B; row++) {
        if (left[row] === 0) goBack(row);
        const legal = last[row]! >= 0 && (buffers.mask === undefined || buffers.mask[row * N + last[row]!] !== 0);
        const again = legal && exploring.uniform() < c.repeat;
        actions[row] = again ? last[row]! : randomAction(exploring, N, buffers.mask, row * N);
      }
      env.step(actions);
      for (let row = 0; row < B; row++) {
        const ended = buffers.terminated[row] !== 0 || buffers.truncated[row] !== 0;
        left[row] = ended ? 0 : left[row]! - 1;
        last[row] = actions[row]!;
        step[row] = trail.add(step[row]!, actions[row]!);
        length[row]!++;
        score[row]! += buffers.reward[row]!;
        judge(row, ended);
        if (ended) continue;
        const cell = { step: step[row]!, score: score[row]!, length: length[row]! };
        archive.offer(keyOf(buffers.obs, row, placeOf(row)), cell, () => env.env.save(row));
      }
      counters.step += B;
    }

    /** Some updates towards the best way; the mean loss. */
    async function clone(): Promise<number> {
      if (way?.step !== counters.bestStep) {
        const moves = trail.wayTo(counters.bestStep);
        way = { step: counters.bestStep, shown: demonstration(env, () => run.envEntry.create(run.envConfig, 1), start, moves, c.gamma) };
      }
      const { obs, mask, action, target } = way.shown;
      const feed = learn.in;
      let sum = 0;
      for (let k = 0; k < c.cloneUpdates; k++) {
        for (let row = 0; row < c.batchSize; row++) {
          const t = drawing.int(action.length);
          feed.obs.set(obs.subarray(t * O, (t + 1) * O), row * O);
          feed.mask?.set(mask.subarray(t * N, (t + 1) * N), row * N);
          feed.action[row] = action[t]!;
          feed.target[row] = target[t]!;
        }
        feed.lr[0] = c.lr;
        const pending = learn.run();
        if (pending) await pending;
        sum += learn.out.cloneLoss[0]!;
      }
      return sum / c.cloneUpdates;
    }

    while (counters.step < run.steps) {
      for (let until = counters.step + STEPS_PER_ROW; counters.step < Math.min(until, run.steps); ) explore();
      const cloneLoss = await clone();
      checkFinite(counters.step, { cloneLoss });
      const { bestScore, bestLength } = counters;
      yield {
        step: counters.step,
        metrics: { ...episodeRow(env), cells: archive.size, bestReturn: bestScore, bestLength, cloneLoss },
        ...point,
      };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const net = networkOf(engine, meta, c, Rng.from(0));
    loadGroups(engine, { net: net.group }, saved);
    return policyOfNetwork(engine, meta, net, null, CLIP_NORMALISED, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const learn = compileLearner(engine, networkOf(engine, meta, c, Rng.from(0)), c);
    return { run: () => learn.run(), seen: () => [learn.in.obs] };
  },
});
