/**
 * The switch of MANSA: a Q-learner whose state is everybody's observations, and the share of calls that is left where they are
 * limited, and which chooses in every step who acts: g = 0 each agent by its own values, g = 1 by the central learner's.
 *   y = R - c g + gamma max_g' Q(s', g')      R is the team's reward as the environment scores it, c the cost of a call
 * Double Q, a dueling head (a call changes little of what an episode is worth), n-step returns if asked.
 */
import type { Saved } from '#contract/events.ts';
import { concat, mean, sliceAxis, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Graph, ParamGroup, Program, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { maskLogits } from '#core/nets/heads.ts';
import { qNetwork } from '#core/nets/mlp.ts';
import { partOf, restoreStates, statesOf } from '#core/state/saved.ts';
import { Rng } from '#math/rng.ts';
import { checkFinite } from '../../api/guards.ts';
import { jointObs, jointObsSize, membersOf } from '../../lib/joint.ts';
import { ReplayBuffer } from '../../lib/replay/buffers.ts';
import { shareNetworks } from '../../lib/sharing.ts';
import { moveTarget } from '../../lib/target.ts';
import { dqnLoss, dqnTarget } from './dqn-loss.ts';
import type { MansaConfig } from './mansa-config.ts';

const EPISODES = 100; // as the return's

/** Calls that one episode may make; infinite without a budget. */
export function callsAllowed(meta: EnvMeta, { callBudget }: MansaConfig): number {
  return callBudget === null ? Number.POSITIVE_INFINITY : Math.floor(callBudget * (meta.maxSteps || meta.evalMaxSteps));
}

/** Columns of what the switch sees: everybody's observations, and the share of calls left. */
export const switchWidth = (meta: EnvMeta, { callBudget }: MansaConfig): number =>
  meta.agentCount * meta.obsSize + (callBudget === null ? 0 : 1);

/** What each agent's reward adds to the score of a step. */
function scoreWeights({ score, agentCount: A }: EnvMeta): Float64Array {
  const counted = score === 'shared' ? [0] : typeof score === 'string' ? Array.from({ length: A }, (_, a) => a) : score;
  const weights = new Float64Array(A);
  for (const agent of counted) weights[agent] = score === 'sum' ? 1 : 1 / counted.length;
  return weights;
}

export interface SwitchNetworks {
  readonly online: ParamGroup;
  readonly target: ParamGroup;
  /** Values of both choices in this program's input `name` [rows, W]: [rows, 2]. */
  values(g: Graph, name: string, rows: number): Tensor;
  slowValues(g: Graph, name: string, rows: number): Tensor;
}

export function switchNetworks(engine: Engine, meta: EnvMeta, c: MansaConfig, rng: Rng): SwitchNetworks {
  const width = switchWidth(meta, c);
  const seen = meta.agentCount * meta.obsSize;
  const members = membersOf(shareNetworks(meta, 'grouped'));
  const sizes = [jointObsSize(members) + width - seen, ...c.switchHidden, 2];
  const online = engine.group('switch q');
  const target = engine.group('switch target');
  const q = qNetwork(online, rng, sizes, { dueling: true });
  const slow = qNetwork(target, Rng.from(0), sizes, { dueling: true }); // overwritten by a copy before the first use
  const state = (g: Graph, name: string, rows: number): Tensor => {
    const all = g.input(name, [rows, width]);
    const joint = jointObs(g, all, members, meta);
    return width === seen ? joint : concat([joint, sliceAxis(all, 1, seen, 1)], 1);
  };
  return {
    online,
    target,
    values: (g, name, rows) => q(state(g, name, rows)),
    slowValues: (g, name, rows) => slow(state(g, name, rows)),
  };
}

export const compileSwitch = (engine: Engine, nets: SwitchNetworks, rows: number): Program =>
  engine.compile((g) => ({ q: nets.values(g, 'obs', rows) }), { name: 'switch' });

function compileLearner(engine: Engine, nets: SwitchNetworks, c: MansaConfig): Program {
  const M = c.switchBatch;
  const legal = (g: Graph, q: Tensor): Tensor => (c.callBudget === null ? q : maskLogits(q, g.input('nextMask', [M, 2])));
  const build = (g: Graph): { readonly [name: string]: Tensor } => {
    const next = legal(g, nets.slowValues(g, 'nextObs', M));
    const chooser = legal(g, nets.values(g, 'nextObs', M));
    const y = dqnTarget(g.input('reward', [M]), g.input('discount', [M]), next, chooser);
    const q = nets.values(g, 'obs', M);
    const { loss, qMean } = dqnLoss(q, g.input('action', [M]), y, 'mse', null);
    return { loss, qMean, gain: mean(sub(sliceAxis(q, 1, 1, 1), sliceAxis(q, 1, 0, 1))) };
  };
  return engine.compile(build, { minimise: 'loss', group: nets.online, with: adam(), maxGradNorm: c.maxGradNorm, name: 'switch learn' });
}

export interface SwitchReport {
  readonly centralShare: number;
  readonly callsPerEpisode: number;
  readonly switchValue: number;
  readonly switchGain: number;
  readonly switchLoss: number;
}

export interface Switch {
  readonly nets: SwitchNetworks;
  /** Once, before a run that starts anew. */
  start(): Promise<void>;
  /** Looks at what the copies see; await it if it is a promise, then `decide()`. */
  look(): Promise<void> | undefined;
  /** [B] 1: the central learner acts in this step. `epsilon`: share of choices that are a toss of a coin. */
  decide(epsilon: number): Uint8Array;
  /** After the step. */
  remember(): void;
  /** `gradientSteps` updates. */
  learn(): Promise<void>;
  /** Since the last report; throws LabError('nan-loss'). */
  report(step: number): SwitchReport;
  kept(): {
    readonly meta: { readonly updates: number; readonly episodes: number };
    readonly parts: { readonly memory: Saved };
    readonly arrays: Saved['arrays'];
  };
  load(saved: Saved): void;
}

/** `c` may be live; streams `init`, `replay` and `choices` are split off `rng`. */
export function learnedSwitch(engine: Engine, env: VectorEnv, c: MansaConfig, rng: Rng): Switch {
  const { meta, buffers, batch: B } = env;
  const seenWidth = meta.agentCount * meta.obsSize;
  const W = switchWidth(meta, c);
  const limited = c.callBudget !== null;
  const allowed = callsAllowed(meta, c);
  const weights = scoreWeights(meta);
  const nets = switchNetworks(engine, meta, c, rng.split('init'));
  const act = compileSwitch(engine, nets, B);
  const program = compileLearner(engine, nets, c);
  const copy = engine.polyak(nets.target, nets.online);
  const streams = { choosing: rng.split('choices'), replaying: rng.split('replay') };
  const { choosing, replaying } = streams;
  const memory = new ReplayBuffer({ capacity: c.switchMemory, rows: B, obsSize: W, maskSize: limited ? 2 : 0 });
  const seen = new Float32Array(B * W);
  const after = new Float32Array(B * W);
  const nextMask = limited ? new Uint8Array(2 * B).fill(1) : undefined;
  const chosen = new Uint8Array(B);
  const actions = new Int32Array(B);
  const rewards = new Float32Array(B);
  const made = new Int32Array(B); // calls in this episode
  const recent = new Float64Array(EPISODES); // calls in the newest episodes
  const sums = { switchLoss: 0, switchValue: 0, switchGain: 0 };
  let [reported, steps, calls, updates, episodes] = [0, 0, 0, 0, 0];

  /** Row b of what the switch sees. */
  const write = (out: Float32Array, obs: Float32Array, b: number): void => {
    for (let j = 0; j < seenWidth; j++) out[b * W + j] = obs[b * seenWidth + j]!;
    if (limited) out[b * W + seenWidth] = (allowed - made[b]!) / allowed;
  };

  return {
    nets,
    start: async () => moveTarget(copy, 1),
    look() {
      for (let b = 0; b < B; b++) write(seen, buffers.obs, b);
      act.in.obs!.set(seen);
      return act.run();
    },
    decide(epsilon) {
      const q = act.out.q!;
      for (let b = 0; b < B; b++) {
        const toss = choosing.uniform() < epsilon;
        const wanted = toss ? choosing.int(2) : q[2 * b + 1]! > q[2 * b]! ? 1 : 0;
        chosen[b] = made[b]! < allowed ? wanted : 0;
        calls += chosen[b]!;
      }
      steps += B;
      return chosen;
    },
    remember() {
      const { terminated, truncated, reward, obs, finalObs } = buffers;
      const A = weights.length;
      for (let b = 0; b < B; b++) {
        actions[b] = chosen[b]!;
        made[b]! += chosen[b]!;
        let scored = -c.switchCost * chosen[b]!;
        for (let a = 0; a < A; a++) scored += weights[a]! * reward[b * A + a]!;
        rewards[b] = scored;
        const ended = terminated[b] !== 0 || truncated[b] !== 0;
        write(after, ended ? finalObs : obs, b); // the successor is what was seen before any reset
        if (nextMask !== undefined) nextMask[2 * b + 1] = made[b]! < allowed ? 1 : 0;
        if (!ended) continue;
        recent[episodes % EPISODES] = made[b]!;
        episodes++;
        made[b] = 0;
      }
      memory.add({ obs: seen, action: actions, reward: rewards, nextObs: after, terminated, truncated, nextMask });
    },
    async learn() {
      if (memory.size < c.switchBatch) return;
      const { in: feed, out: said } = program; // read anew: compiling another program in between may have moved them
      feed.lr![0] = c.switchLr;
      for (let k = 0; k < c.gradientSteps; k++) {
        for (let m = 0; m < c.switchBatch; m++) memory.read(memory.draw(replaying), m, c.switchNStep, c.gamma, feed as never);
        const read = k === c.gradientSteps - 1; // a round trip on a GPU
        const learned = program.run({ read });
        if (learned) await learned;
        updates++;
        if (updates % c.targetEvery === 0) await moveTarget(copy, c.tau);
        if (!read) continue;
        sums.switchLoss += said.loss![0]!;
        sums.switchValue += said.qMean![0]!;
        sums.switchGain += said.gain![0]!;
        reported++;
      }
    },
    report(step) {
      if (reported > 0) checkFinite(step, sums);
      const { switchLoss, switchValue, switchGain } = sums;
      const over = (sum: number, n: number): number => (n === 0 ? Number.NaN : sum / n);
      const kept = Math.min(episodes, EPISODES);
      const said = {
        centralShare: over(calls, steps),
        callsPerEpisode: over(
          recent.subarray(0, kept).reduce((a, b) => a + b, 0),
          kept,
        ),
        switchValue: over(switchValue, reported),
        switchGain: over(switchGain, reported),
        switchLoss: over(switchLoss, reported),
      };
      Object.assign(sums, { switchLoss: 0, switchValue: 0, switchGain: 0 });
      [reported, steps, calls] = [0, 0, 0];
      return said;
    },
    kept() {
      return {
        meta: { updates, episodes },
        parts: { memory: memory.save() },
        arrays: { ...statesOf(streams), made: made.slice(), recent: recent.slice() },
      };
    },
    load(saved) {
      memory.load(partOf(saved, 'memory'));
      restoreStates(streams, saved);
      made.set(saved.arrays.made as Int32Array);
      recent.set(saved.arrays.recent as Float64Array);
      updates = saved.meta.updates as number;
      episodes = saved.meta.episodes as number;
    },
  };
}
