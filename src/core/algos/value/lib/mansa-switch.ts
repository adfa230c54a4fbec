/**
 * The switch of MANSA and the policy that asks it. The switch is a Q-learner over two actions, g = 0: every agent acts by its own
 * values, g = 1: the central learner acts. Its state is all agents' observations and, under a call budget, the share of calls left.
 *   y = R - c g + gamma max_g' Q(s', g')      R: the team's score of the step as the environment counts it, c: the cost of a call
 * Double Q; a dueling head, because one call changes little of an episode's value; n-step returns if asked.
 */
import { present } from '#contract/kit/errors.ts';
import type { ExtraCard } from '#contract/session/session.ts';
import { add, concat, mean, mul, pick, sliceAxis, square, stopGradient, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, ParamGroup, Tensor } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { qNetwork } from '#core/nets/mlp.ts';
import { nextValue } from '#core/nets/q-values.ts';
import { updateTarget } from '#core/nets/target.ts';
import type { StateLayout } from '#core/state/checkpoint.ts';
import { ReplayBuffer } from '#core/state/replay-buffer.ts';
import { Rng } from '#math/rng.ts';
import { RowMeans } from '../../api/metrics.ts';
import type { Act, ActQuery, Hidden, Policy } from '../../api/types.ts';
import { jointObs, jointObsSize, membersOf } from '../../lib/joint.ts';
import { shareNetworks, teamsOf } from '../../lib/sharing.ts';
import { maskActions } from './team-q.ts';

/** What the switch needs of MANSA's config. */
export interface SwitchConfig {
  readonly envs: number;
  readonly gamma: number;
  readonly gradientSteps: number;
  readonly targetEvery: number;
  readonly tau: number;
  readonly maxGradNorm: number;
  readonly switchCost: number;
  readonly callBudget: number | null;
  readonly switchLr: number;
  readonly switchHidden: readonly number[];
  readonly switchMemory: number;
  readonly switchBatch: number;
  readonly switchNStep: number;
}

const EPISODES = 100; // calls per episode are averaged over as many as the return

/** Calls that one episode may make; infinite without a budget. */
export function callsAllowed(meta: EnvMeta, { callBudget }: SwitchConfig): number {
  return callBudget === null ? Number.POSITIVE_INFINITY : Math.floor(callBudget * (meta.maxSteps || meta.evalMaxSteps));
}

/** Columns of the switch's state: all observations and, under a budget, the share of calls left. */
export const switchWidth = (meta: EnvMeta, { callBudget }: SwitchConfig): number =>
  meta.agentCount * meta.obsSize + (callBudget === null ? 0 : 1);

/** Weight of each agent's reward in the score of a step. */
function scoreWeights({ score, agentCount: A }: EnvMeta): Float64Array {
  const scored = score === 'shared' ? [0] : typeof score === 'string' ? Array.from({ length: A }, (_, a) => a) : score;
  const weights = new Float64Array(A);
  for (const agent of scored) weights[agent] = score === 'sum' ? 1 : 1 / scored.length;
  return weights;
}

export interface SwitchNetworks {
  readonly width: number; // W, columns of the switch's state
  readonly online: ParamGroup;
  readonly target: ParamGroup;
  /** Values of both actions in these states [rows, W]: [rows, 2]. */
  values(states: Tensor): Tensor;
  targetValues(states: Tensor): Tensor;
}

export function switchNetworks(engine: Engine, meta: EnvMeta, c: SwitchConfig, rng: Rng): SwitchNetworks {
  const width = switchWidth(meta, c);
  const obsColumns = meta.agentCount * meta.obsSize;
  const members = membersOf(shareNetworks(meta, 'grouped'));
  const sizes = [jointObsSize(members) + width - obsColumns, ...c.switchHidden, 2];
  const online = engine.group('switch q');
  const target = engine.group('switch target');
  const q = qNetwork(online, rng, sizes, { dueling: true });
  const targetQ = qNetwork(target, Rng.from(0), sizes, { dueling: true }); // overwritten by a copy before its first use
  const encode = (states: Tensor): Tensor => {
    const joint = jointObs(states.graph, states, members, meta);
    return width === obsColumns ? joint : concat([joint, sliceAxis(states, 1, obsColumns, 1)], 1);
  };
  return {
    online,
    target,
    width,
    values: (states) => q(encode(states)),
    targetValues: (states) => targetQ(encode(states)),
  };
}

const compileSwitch = (engine: Engine, nets: SwitchNetworks, rows: number) =>
  engine.compile({ obs: [rows, nets.width] }, ({ obs }) => ({ q: nets.values(obs) }), { name: 'switch' });

function compileLearner(engine: Engine, nets: SwitchNetworks, c: SwitchConfig) {
  const M = c.switchBatch;
  const rows: [number, number] = [M, nets.width];
  return engine.compile(
    { obs: rows, action: [M], reward: [M], discount: [M], nextObs: rows, nextMask: c.callBudget === null ? null : [M, 2] },
    (x) => {
      const targetQ = maskActions(nets.targetValues(x.nextObs), x.nextMask);
      const onlineQ = maskActions(nets.values(x.nextObs), x.nextMask);
      const y = stopGradient(add(x.reward, mul(x.discount, nextValue(targetQ, onlineQ))));
      const q = nets.values(x.obs);
      const chosen = pick(q, x.action);
      const advantage = sub(sliceAxis(q, 1, 1, 1), sliceAxis(q, 1, 0, 1)); // of calling over not calling
      return { loss: mean(square(sub(chosen, y))), qMean: mean(chosen), gain: mean(advantage) };
    },
    { minimise: 'loss', group: nets.online, with: adam(), maxGradNorm: c.maxGradNorm, name: 'switch learn' },
  );
}

export interface SwitchMetrics {
  readonly centralShare: number;
  readonly callsPerEpisode: number;
  readonly switchValue: number;
  readonly switchGain: number;
  readonly switchLoss: number;
}

export interface Switch {
  readonly nets: SwitchNetworks;
  /** Copies the online into the target network; once, at the start of a new run. */
  start(): Promise<void>;
  /** Runs the online network on the current observations; await the promise, if any, before selectCalls(). */
  forward(): Promise<void> | undefined;
  /** [B] 1: the central learner acts in this step. Epsilon-greedy: with probability `epsilon` a uniformly random choice. */
  selectCalls(epsilon: number): Uint8Array;
  /** After env.step(): stores the transitions. */
  add(): void;
  /** `gradientSteps` updates. */
  update(): Promise<void>;
  /** Since the last call; throws LabError('nan-loss') if a loss is not finite. */
  metrics(step: number): SwitchMetrics;
  /** What to register for checkpoints: all but the networks, which are saved with the engine. */
  readonly state: StateLayout;
}

/** `c` may be live; streams `init`, `replay` and `choices` are split off `rng`. */
export function learnedSwitch(engine: Engine, env: VectorEnv, c: SwitchConfig, rng: Rng): Switch {
  const { meta, buffers, batch: B } = env;
  const obsColumns = meta.agentCount * meta.obsSize;
  const W = switchWidth(meta, c);
  const limited = c.callBudget !== null;
  const allowed = callsAllowed(meta, c);
  const weights = scoreWeights(meta);
  const nets = switchNetworks(engine, meta, c, rng.split('init'));
  const act = compileSwitch(engine, nets, B);
  const learn = compileLearner(engine, nets, c);
  const targetUpdate = engine.polyak(nets.target, nets.online);
  const choosing = rng.split('choices');
  const replaying = rng.split('replay');
  const replay = new ReplayBuffer({ capacity: c.switchMemory, rows: B, obsSize: W, maskSize: limited ? 2 : 0 });
  const current = new Float32Array(B * W);
  const next = new Float32Array(B * W);
  const nextMask = limited ? new Uint8Array(2 * B).fill(1) : undefined;
  const chosen = new Uint8Array(B);
  const actions = new Int32Array(B);
  const rewards = new Float32Array(B);
  const made = new Int32Array(B); // calls in the current episode
  const recent = new Float64Array(EPISODES); // calls in the newest episodes
  const means = new RowMeans(['switchValue', 'switchGain', 'switchLoss']);
  const counters = { updates: 0, episodes: 0 };
  let [steps, calls] = [0, 0];

  /** State of the switch in environment b. */
  const write = (out: Float32Array, obs: Float32Array, b: number): void => {
    for (let j = 0; j < obsColumns; j++) out[b * W + j] = obs[b * obsColumns + j]!;
    if (limited) out[b * W + obsColumns] = (allowed - made[b]!) / allowed;
  };

  return {
    nets,
    state: { counters, parts: { memory: replay }, arrays: { choosing, replaying, made, recent } },
    start: async () => updateTarget(targetUpdate, 1),
    forward() {
      for (let b = 0; b < B; b++) write(current, buffers.obs, b);
      act.in.obs.set(current);
      return act.run();
    },
    selectCalls(epsilon) {
      const { q } = act.out;
      for (let b = 0; b < B; b++) {
        const random = choosing.uniform() < epsilon;
        const wanted = random ? choosing.int(2) : q[2 * b + 1]! > q[2 * b]! ? 1 : 0;
        chosen[b] = made[b]! < allowed ? wanted : 0;
        calls += chosen[b]!;
      }
      steps += B;
      return chosen;
    },
    add() {
      const { terminated, truncated, reward, obs, finalObs } = buffers;
      const A = weights.length;
      for (let b = 0; b < B; b++) {
        actions[b] = chosen[b]!;
        made[b]! += chosen[b]!;
        let scored = -c.switchCost * chosen[b]!;
        for (let a = 0; a < A; a++) scored += weights[a]! * reward[b * A + a]!;
        rewards[b] = scored;
        const ended = terminated[b] !== 0 || truncated[b] !== 0;
        write(next, ended ? finalObs : obs, b); // from before a reset
        if (nextMask !== undefined) nextMask[2 * b + 1] = made[b]! < allowed ? 1 : 0;
        if (!ended) continue;
        recent[counters.episodes % EPISODES] = made[b]!;
        counters.episodes++;
        made[b] = 0;
      }
      replay.add({ obs: current, action: actions, reward: rewards, nextObs: next, terminated, truncated, nextMask });
    },
    async update() {
      if (replay.size < c.switchBatch) return;
      const { in: feed, out } = learn; // read anew: compiling another program in between may have moved them
      feed.lr[0] = c.switchLr;
      for (let k = 0; k < c.gradientSteps; k++) {
        for (let m = 0; m < c.switchBatch; m++) replay.read(replay.draw(replaying), m, c.switchNStep, c.gamma, feed);
        const read = k === c.gradientSteps - 1; // reading is a round trip on a GPU
        const pending = learn.run({ read });
        if (pending) await pending;
        counters.updates++;
        if (counters.updates % c.targetEvery === 0) await updateTarget(targetUpdate, c.tau);
        if (!read) continue;
        means.add('switchLoss', out.loss[0]!);
        means.add('switchValue', out.qMean[0]!);
        means.add('switchGain', out.gain[0]!);
      }
    },
    metrics(step) {
      const ratio = (sum: number, n: number): number => (n === 0 ? Number.NaN : sum / n);
      const stored = Math.min(counters.episodes, EPISODES);
      const callsOfAll = recent.subarray(0, stored).reduce((a, b) => a + b, 0);
      const shares = { centralShare: ratio(calls, steps), callsPerEpisode: ratio(callsOfAll, stored) };
      [steps, calls] = [0, 0];
      return { ...shares, ...means.take(step) };
    },
  };
}

/** What the switch reports. Both are NaN in rows of agents without their team. */
const EXTRAS: readonly ExtraCard[] = [
  {
    id: 'called',
    kind: 'choice',
    title: 'acts by',
    description: 'Whether the switch lets the central learner act for the team here.',
    labels: ['its own values', 'the central learner'],
  },
  {
    id: 'switchValues',
    kind: 'values',
    title: 'switch values',
    description: 'Expected return, the cost of calls subtracted, if the central learner is not called here, and if it is.',
    labels: ['no call', 'call'],
  },
];

const CHUNK = 64; // teams per forward pass of the switch

export interface SwitchedOptions {
  readonly engine: Engine;
  readonly meta: EnvMeta;
  readonly config: SwitchConfig;
  readonly independent: Policy;
  readonly central: Policy;
  readonly nets: SwitchNetworks;
  /** Probability of a uniformly random choice of the switch when not greedy. */
  readonly epsilon: () => number;
  dispose?(): void;
}

/**
 * Rows of a query are taken team by team: consecutive rows of agents 0 .. A - 1 are one team, for which the switch chooses; any
 * other row is an agent without its team and acts by its own values. A row's hidden state: the independent policy's, the central
 * one's and, under a call budget, the calls of this episode.
 */
export function switchedPolicy(options: SwitchedOptions): Policy {
  const { engine, meta, config, independent, central, nets, epsilon } = options;
  const { agentCount: A, obsSize: O, actionCount: N } = meta;
  const W = switchWidth(meta, config);
  const allowed = callsAllowed(meta, config);
  const limited = W > A * O;
  const ownSize = independent.initial(1).length;
  const centralSize = central.initial(1).length;
  const width = ownSize + centralSize + (limited ? 1 : 0);
  const programs = new Map<number, ReturnType<typeof compileSwitch>>();

  /** Columns `from` .. `from + size` of every row's hidden state. */
  function columns(hidden: Hidden, rows: number, from: number, size: number): Hidden {
    const out = new Float32Array(rows * size);
    for (let row = 0; row < rows; row++) for (let j = 0; j < size; j++) out[row * size + j] = hidden[row * width + from + j]!;
    return out;
  }

  /** Values of both actions for the teams that begin at these rows, [teams, 2]. */
  async function valuesOf({ obs, hidden }: ActQuery, teams: readonly number[]): Promise<Float32Array> {
    const size = teams.length === 1 ? 1 : CHUNK;
    const program = programs.get(size) ?? compileSwitch(engine, nets, size);
    programs.set(size, program);
    const out = new Float32Array(2 * teams.length);
    for (let from = 0; from < teams.length; from += size) {
      const part = teams.slice(from, from + size);
      for (const [i, row] of part.entries()) {
        program.in.obs.set(obs.subarray(row * O, (row + A) * O), i * W);
        if (limited) program.in.obs[i * W + A * O] = (allowed - hidden[row * width + width - 1]!) / allowed;
      }
      const pending = program.run();
      if (pending) await pending;
      out.set(program.out.q.subarray(0, 2 * part.length), 2 * from);
    }
    return out;
  }

  return {
    extras: EXTRAS,
    initial: (rows) => new Float32Array(rows * width),
    async act(query): Promise<Act> {
      const { rows, hidden, greedy, rng } = query;
      const own = await independent.act({ ...query, hidden: columns(hidden, rows, 0, ownSize) });
      const joint = await central.act({ ...query, hidden: columns(hidden, rows, ownSize, centralSize) });
      const teams = teamsOf(query, A).flatMap(({ first, size }) => (size === A ? [first] : []));
      const values = await valuesOf(query, teams);
      const actions = own.actions.slice();
      const q = present(own.q, 'q of the agents').slice();
      const value = present(own.value, 'the value of the agents').slice();
      const called = new Float32Array(rows).fill(Number.NaN);
      const switchValues = new Float32Array(2 * rows).fill(Number.NaN);
      for (const [i, first] of teams.entries()) {
        const left = limited ? allowed - hidden[first * width + width - 1]! : allowed;
        const random = !greedy && rng.uniform() < epsilon();
        const wanted = random ? rng.int(2) : values[2 * i + 1]! > values[2 * i]! ? 1 : 0;
        for (let row = first; row < first + A; row++) {
          switchValues.set(values.subarray(2 * i, 2 * i + 2), 2 * row);
          called[row] = 0;
          if (wanted === 0 || left <= 0) continue;
          called[row] = 1;
          actions[row] = joint.actions[row]!;
          value[row] = present(joint.value, 'the value of the central learner')[row]!;
          q.set(present(joint.q, 'q of the central learner').subarray(row * N, (row + 1) * N), row * N);
        }
      }
      const next = new Float32Array(rows * width);
      for (let row = 0; row < rows; row++) {
        next.set(own.hidden.subarray(row * ownSize, (row + 1) * ownSize), row * width);
        next.set(joint.hidden.subarray(row * centralSize, (row + 1) * centralSize), row * width + ownSize);
        if (limited) next[row * width + width - 1] = hidden[row * width + width - 1]! + (called[row] === 1 ? 1 : 0);
      }
      return { actions, hidden: next, q, value, extras: { called, switchValues } };
    },
    dispose() {
      options.dispose?.();
    },
  };
}
