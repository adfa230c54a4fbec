/**
 * One learner of a team's action values with all it keeps: networks, programs, replay memory, what its agents remember. It values
 * what the copies of an environment see, remembers what came of any actions taken there (its own or another's), and learns from
 * minibatches of replayed pieces, unrolled from empty memories, online and target network alike; padded steps do not count.
 * `terminated` alone stops the bootstrap.
 */
import type { Saved } from '#contract/events.ts';
import { adam, radam } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { partOf, restoreRng } from '#core/state/saved.ts';
import { RunningMoments } from '#math/normalise.ts';
import type { Rng } from '#math/rng.ts';
import { checkFinite } from '../../api/guards.ts';
import { EpisodeMemory, type EpisodeShape } from '../../lib/replay/replay-episodes.ts';
import { moveTarget } from '../../lib/target.ts';
import { teamReward } from './acting.ts';
import type { ReplayedConfig } from './replayed-config.ts';
import { compileActor, compileLearner, type Mixing, type Networks, networks, sequenceLength } from './replayed-nets.ts';

const UNCLIPPED = 1e30;

/** What the memory keeps: everybody's observations, and behind them the global state where the environment has one. */
export function memoryShape(meta: EnvMeta, c: ReplayedConfig, team: boolean): EpisodeShape {
  const { agentCount: A, obsSize: O, actionCount: N, globalSize: S } = meta;
  return {
    capacity: c.bufferSize,
    rows: c.envs,
    length: sequenceLength(c),
    obsSize: A * O + S,
    actionSize: A,
    rewardSize: team ? 1 : A,
    maskSize: meta.masked ? A * N : 0,
  };
}

/** Means over the updates since the last report; NaN if there were none. */
export interface LearnerReport {
  readonly loss: number;
  readonly qMean: number;
  readonly tdError: number;
  readonly gradNorm: number;
}

export interface ReplayedLearner {
  readonly nets: Networks;
  /** There is enough in the memory for a minibatch. */
  readonly ready: boolean;
  /** Once, before a run that starts anew. */
  start(): Promise<void>;
  /** Looks at what the copies see; await it if it is a promise, then read `values()`. */
  look(): Promise<void> | undefined;
  /** Action values of what was looked at, [B, A, N], illegal actions at -1e8; the agents' memories go on by one step. Call it once per step. */
  values(): Float32Array;
  /** After the step: what came of these actions [B, A]. */
  remember(actions: Int32Array): void;
  /** `gradientSteps` updates. */
  learn(lr: number): Promise<void>;
  /** Throws LabError('nan-loss') if something is no longer finite. */
  report(step: number): LearnerReport;
  /** All but the networks (they are the engine's): meta, parts and arrays for joinSaved; `load` takes what was joined. */
  kept(): { readonly meta: { readonly updates: number }; readonly parts: { readonly memory: Saved }; readonly arrays: Saved['arrays'] };
  load(saved: Saved): void;
}

/** `c` may be live; streams `init` and `replay` are split off `rng`; groups of parameters are called `<prefix>q`, `<prefix>target`. */
export function replayedLearner<C extends ReplayedConfig>(
  engine: Engine,
  env: VectorEnv,
  c: C,
  mixing: Mixing<C>,
  rng: Rng,
  prefix = '',
): ReplayedLearner {
  const { meta, buffers, batch: B } = env;
  const { agentCount: A, obsSize: O, globalSize: G } = meta;
  const team = mixing.joint !== null;
  const nets = networks(engine, meta, c, mixing, rng.split('init'), prefix);
  const S = nets.q.stateSize;
  const act = compileActor(engine, nets, meta, B);
  const program = compileLearner(engine, nets, meta, c, c.optimiser === 'adam' ? adam() : radam());
  const copy = engine.polyak(nets.target, nets.online);
  const replaying = rng.split('replay');
  const shape = memoryShape(meta, c, team);
  const memory = new EpisodeMemory(shape);
  const moments = c.standardiseReward ? new RunningMoments(shape.rewardSize) : null;
  const seen = new Float32Array(B * shape.obsSize);
  const next = new Float32Array(B * shape.obsSize);
  const masks = buffers.mask === undefined ? undefined : buffers.mask.slice();
  const rewards = new Float32Array(B * shape.rewardSize);
  const state = new Float32Array(B * A * S); // what every agent remembers
  const sums = { loss: 0, qMean: 0, tdError: 0, gradNorm: 0 };
  let reported = 0;
  let updates = 0;

  return {
    nets,
    get ready() {
      return memory.size >= c.batchSize;
    },
    start: async () => moveTarget(copy, 1),
    look() {
      act.in.obs!.set(buffers.obs);
      if (S > 0) act.in.state!.set(state);
      if (masks !== undefined) {
        act.in.mask!.set(buffers.mask!);
        masks.set(buffers.mask!);
      }
      writeRows(seen, buffers.obs, buffers.state, B, A * O, G);
      return act.run();
    },
    values() {
      if (S > 0) state.set(act.out.state!);
      return act.out.q!;
    },
    remember(actions) {
      const { terminated, truncated, reward } = buffers;
      writeRows(next, buffers.obs, buffers.state, B, A * O, G);
      for (let b = 0; b < B; b++) {
        if (team) rewards[b] = teamReward(reward, b * A, A);
        else for (let a = 0; a < A; a++) rewards[b * A + a] = reward[b * A + a]!;
        if (terminated[b] === 0 && truncated[b] === 0) continue;
        writeRow(next, buffers.finalObs, buffers.finalState, b, A * O, G); // what was seen before the reset
        state.fill(0, b * A * S, (b + 1) * A * S);
      }
      moments?.update(rewards, B);
      const after = { action: actions, reward: rewards, nextObs: next, terminated, truncated };
      memory.add({ obs: seen, ...after, mask: masks, nextMask: buffers.mask });
    },
    async learn(lr) {
      const { in: feed, out: said } = program; // read anew: compiling another program in between may have moved them
      feed.lr![0] = lr;
      feed.gamma![0] = c.gamma;
      for (let k = 0; k < c.gradientSteps; k++) {
        for (let m = 0; m < c.batchSize; m++) memory.read(memory.draw(replaying), m, c.batchSize, feed as never);
        moments?.normalise(feed.reward!, feed.reward!, UNCLIPPED);
        const read = k === c.gradientSteps - 1; // a round trip on a GPU
        const learned = program.run({ read });
        if (learned) await learned;
        updates++;
        if (updates % c.targetEvery === 0) await moveTarget(copy, c.tau);
        if (!read) continue;
        sums.loss += said.loss![0]!;
        sums.qMean += said.qMean![0]!;
        sums.tdError += said.errorMean![0]!;
        sums.gradNorm += said.gradNorm![0]!;
        reported++;
      }
    },
    report(step) {
      if (reported > 0) checkFinite(step, sums);
      const mean = (sum: number): number => (reported === 0 ? Number.NaN : sum / reported);
      const { loss, qMean, tdError, gradNorm } = sums;
      const means = { loss: mean(loss), qMean: mean(qMean), tdError: mean(tdError), gradNorm: mean(gradNorm) };
      Object.assign(sums, { loss: 0, qMean: 0, tdError: 0, gradNorm: 0 });
      reported = 0;
      return means;
    },
    kept: () => ({
      meta: { updates },
      parts: { memory: memory.save() },
      arrays: { replaying: replaying.state.slice(), state: state.slice(), ...(moments && { moments: moments.pack() }) },
    }),
    load(saved) {
      memory.load(partOf(saved, 'memory'));
      moments?.unpack(saved.arrays.moments as Float64Array);
      state.set(saved.arrays.state as Float32Array);
      restoreRng(replaying, saved.arrays.replaying);
      updates = saved.meta.updates as number;
    },
  };
}

/** Observations of a team and the global state (if there is one) side by side, for copy b. */
function writeRow(out: Float32Array, obs: Float32Array, state: Float32Array | undefined, b: number, width: number, G: number): void {
  const at = b * (width + G);
  for (let j = 0; j < width; j++) out[at + j] = obs[b * width + j]!;
  if (state !== undefined) for (let j = 0; j < G; j++) out[at + width + j] = state[b * G + j]!;
}

function writeRows(out: Float32Array, obs: Float32Array, state: Float32Array | undefined, B: number, width: number, G: number): void {
  if (G === 0) out.set(obs);
  else for (let b = 0; b < B; b++) writeRow(out, obs, state, b, width, G);
}
