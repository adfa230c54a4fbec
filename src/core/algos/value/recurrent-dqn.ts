/**
 * Recurrent DQN in the manner of R2D2 (Kapturowski et al. 2019): DQN with a memory, learned from stretches of steps instead of single
 * ones. A stretch begins with the memory that was there when it was played (stored state), which went stale since; the network runs over
 * its first `burnIn` steps to freshen it, without learning from them, and learns from the `unroll` steps behind. Double Q over n steps:
 *   y_t = h(sum_{k<n} gamma^k r_{t+k} + gamma^n h^-1(Qtarget(s_{t+n}, argmax_b Q(s_{t+n}, b))))
 *   h(x) = sign(x) (sqrt(|x| + 1) - 1) + x / 1000
 * loss: mean of w (Q_t - y_t)^2 / 2 over the steps that count. Each parallel environment explores with an epsilon of its own,
 * epsilon^(1 + 7 i / (B - 1)). Windows end with their episode or stretch; steps whose window meets a time limit are left out, since
 * what lies behind it was not kept.
 * Pseudo-code:
 *   target network = network
 *   repeat until the budget is spent
 *     play one step of B environments epsilon-greedily, memories starting an episode at 0
 *     every `unroll` steps: store the last burnIn + unroll steps and the memory before them
 *       if prioritised: at the largest priority so far
 *     once learningStarts steps are played
 *       every trainEvery steps: draw M stretches; if prioritised: by priority, weights w correct it
 *         Q and Qtarget of all their states, from the stored memory
 *         y_t of the steps behind the burn-in; if rescale is off: h(x) = x
 *         run the network over the burn-in without gradient, then over the steps behind it
 *         one step of Adam on the loss
 *         if prioritised: priority = 0.9 times a stretch's largest error + 0.1 times its mean one
 *       every targetEvery steps: target network = network
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { present } from '#contract/kit/errors.ts';
import { updateTarget } from '#core/nets/target.ts';
import { pow } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { argmax, randomAction } from '#math/sampling.ts';
import { linear } from '#math/schedules.ts';
import { abs, div, maximum, mul, pick, reshape, sliceAxis, square, stopGradient, sub, sum, where } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine, ParamGroup, Tensor } from '../../engine/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import { convFront } from '../../nets/conv.ts';
import { encode, encodedSize } from '../../nets/encoder.ts';
import { maskLogits } from '../../nets/heads.ts';
import { dense, mlp, qNetwork } from '../../nets/mlp.ts';
import { maxQ, nextValue } from '../../nets/q-values.ts';
import { gruCell, lstmCell, step, unroll } from '../../nets/recurrent.ts';
import { registerState } from '../../state/checkpoint.ts';
import { loadGroups, saveGroups } from '../../state/params.ts';
import { Priorities } from '../../state/priorities.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkBufferSize, checkFilters, checkSameAgents } from '../api/guards.ts';
import { episodeMetrics, episodeRow, RowMeans } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy } from '../api/types.ts';
import { updatesDue } from '../lib/replay/transitions.ts';
import { shareNetworks, teamPolicy } from '../lib/sharing.ts';
import { SequenceMemory } from './lib/sequences.ts';

const source = 'Kapturowski et al. 2019';
const own = 'own choice';

const config = z.strictObject({
  lr: fields.lr(1e-3, `${own}; 1e-4 in ${source}`),
  gamma: fields.gamma(0.99, `${own}; 0.997 in ${source}`),
  cell: z.enum(['lstm', 'gru']).default('lstm').meta({ title: 'memory cell', description: 'LSTM or GRU.', source, group: 'network' }),
  units: fields.integer(64, {
    min: 1,
    max: 1024,
    title: 'units of the memory',
    description: 'Outputs of the cell.',
    source: `512 in ${source}`,
    slider: [8, 256],
    group: 'network',
  }),
  hidden: fields.hidden([64], own, { description: 'Units of the layers in front of the memory.' }),
  filters: fields.filters(0, '16 in MinAtar (Young & Tian 2019)'),
  unroll: fields.integer(16, {
    min: 1,
    max: 80,
    title: 'steps learned from',
    unit: 'steps',
    description: 'Of a stretch, behind those that freshen the memory. Nothing is learned over longer times.',
    source: `80 in all in ${source}`,
    slider: [4, 40],
    depth: 'teach',
    group: 'memory',
  }),
  burnIn: fields.integer(8, {
    min: 0,
    max: 80,
    title: 'burn-in',
    unit: 'steps',
    description: 'Steps in front that only freshen the stored memory.',
    source: `40 of 80 in ${source}`,
    slider: [0, 40],
    depth: 'teach',
    group: 'memory',
  }),
  nStep: fields.integer(5, {
    min: 1,
    max: 50,
    title: 'n-step returns',
    unit: 'steps',
    description: 'Rewards summed before the bootstrap.',
    source,
    slider: [1, 10],
    group: 'variant',
  }),
  rescale: z
    .boolean()
    .default(true)
    .meta({
      title: 'rescaled values',
      description: 'The network learns about the root of a return, so that no reward need be clipped.',
      source: `${source}; Pohlen et al. 2018`,
      group: 'variant',
    }),
  dueling: z.boolean().default(true).meta({
    title: 'dueling heads',
    description: 'Separate heads for the value of the state and the advantage of each action.',
    source,
    group: 'variant',
  }),
  prioritised: variant(
    'on',
    [
      kind('off', {}),
      kind('on', {
        alpha: fields.real(0.9, {
          min: 0,
          max: 1,
          title: 'priority exponent (alpha)',
          description: '0 is uniform, 1 fully proportional to the error.',
          source,
          depth: 'research',
          group: 'variant',
        }),
        beta: fields.real(0.6, {
          min: 0,
          max: 1,
          title: 'importance-sampling exponent (beta)',
          description: 'At the start; grows linearly to 1 at the end of the budget.',
          source,
          depth: 'research',
          group: 'variant',
        }),
      }),
    ],
    {
      title: 'prioritised replay',
      description: 'Stretches of large error are replayed more often: 0.9 times their largest and 0.1 times their mean one.',
      source,
      group: 'variant',
    },
  ),
  epsilon: fields.real(0.4, {
    min: 0,
    max: 1,
    title: 'epsilon of the first environment',
    description: 'Share of random actions; the others explore less and less, the last by its eighth power.',
    source,
    live: true,
    depth: 'teach',
    group: 'exploration',
  }),
  envs: fields.numEnvs(8, own, { max: 256, group: 'replay' }),
  sequences: fields.integer(4000, {
    min: 10,
    max: 100_000,
    title: 'stretches kept',
    description: 'The newest that are replayed.',
    source: own,
    slider: [500, 20_000],
    log: true,
    depth: 'stored',
    group: 'replay',
  }),
  learningStarts: fields.learningStarts(2000, own),
  batchSize: fields.batchSize(32, `64 in ${source}`),
  trainEvery: fields.trainEvery(16, own, { slider: [1, 128] }),
  targetEvery: fields.targetEvery(2000, own),
  maxGradNorm: fields.maxGradNorm(10, 'Stable-Baselines3'),
});
type Config = z.infer<typeof config>;

const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'loss', title: 'loss', description: 'Squared error of the rescaled values, mean since the last row.' },
  { id: 'qMean', title: 'mean Q', description: 'Mean predicted value of the replayed actions, as the network learns it.' },
  { id: 'tdError', title: 'TD error (absolute)', description: 'Mean absolute temporal-difference error.' },
  { id: 'gradNorm', title: 'gradient norm', description: 'Norm of the gradient before clipping.' },
];

/** Spread of the environments' epsilons, and the share of the largest error in a priority (Kapturowski et al. 2019). */
const LADDER = 7;
const LARGEST_SHARE = 0.9;
const H_SLOPE = 1e-3;

/** Values as the network learns them, and back. */
export const squeezed = (x: number): number => Math.sign(x) * (Math.sqrt(Math.abs(x) + 1) - 1) + H_SLOPE * x;
export const unsqueezed = (y: number): number => {
  const root = (Math.sqrt(1 + 4 * H_SLOPE * (Math.abs(y) + 1 + H_SLOPE)) - 1) / (2 * H_SLOPE);
  return Math.sign(y) * (root * root - 1);
};

const stateSizeOf = (c: Config): number => (c.cell === 'lstm' ? 2 : 1) * c.units;

function network(group: ParamGroup, meta: EnvMeta, c: Config, rng: Rng) {
  const space = meta.agents[0]!.obs;
  const inputs = encodedSize(space);
  const front = convFront(space, c.filters, { act: 'relu', init: 'torch' })?.(group, 'front', rng, inputs);
  const sizes = [front?.size ?? inputs, ...c.hidden];
  const body = c.hidden.length === 0 ? null : mlp(group, 'body', rng, sizes, { act: 'relu', init: 'torch', outAct: 'relu' });
  const cell = (c.cell === 'lstm' ? lstmCell : gruCell)(
    group,
    'memory',
    rng,
    present(sizes.at(-1), 'the width in front of the memory'),
    c.units,
  );
  const head = c.dueling
    ? qNetwork(group, rng, [c.units, c.units, meta.actionCount], { dueling: true })
    : dense(group, 'q', rng, c.units, meta.actionCount, { init: 'torch' });
  const see = (obs: Tensor): Tensor => {
    const encoded = encode(obs.graph, obs, space);
    const seen = front?.net(encoded) ?? encoded;
    return body?.(seen) ?? seen;
  };
  return {
    /** One step of rows [R]. */
    step(obs: Tensor, state: Tensor) {
      const next = step(cell, see(obs), state);
      return { q: head(next.output), state: next.state };
    },
    /** obs [T, M, O], starts [T, M] -> q [T, M, N] and the state behind. */
    over(obs: Tensor, state: Tensor, starts: Tensor) {
      const [T, M, O] = obs.shape as [number, number, number];
      const seen = see(reshape(obs, [T * M, O]));
      const { outputs, state: after } = unroll(cell, reshape(seen, [T, M, seen.shape[1]!]), state, starts);
      return { q: reshape(head(reshape(outputs, [T * M, c.units])), [T, M, meta.actionCount]), state: after };
    },
  };
}
type Network = ReturnType<typeof network>;

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const [online, target] = [engine.group('q'), engine.group('target')];
  return { online, target, q: network(online, meta, c, rng), targetQ: network(target, meta, c, Rng.from(0)) };
}

const compileActor = (engine: Engine, net: Network, meta: EnvMeta, c: Config, rows: number) =>
  engine.compile(
    { obs: [rows, meta.obsSize], mask: meta.masked ? [rows, meta.actionCount] : null, state: [rows, stateSizeOf(c)] },
    (x) => {
      const { q, state } = net.step(x.obs, x.state);
      return { q, value: maxQ(x.mask === undefined ? q : maskLogits(q, x.mask)), state };
    },
    { name: 'recurrent dqn act' },
  );

const policyOf = (engine: Engine, net: Network, meta: EnvMeta, c: Config, epsilon: () => number, dispose?: () => void): Policy =>
  teamPolicy({
    meta,
    sharing: shareNetworks(meta, 'shared'),
    stateSize: stateSizeOf(c),
    epsilon,
    compile: (_, rows) => compileActor(engine, net, meta, c, rows),
    ...(c.rescale && { restore: (_: number, values: Float32Array) => values.set(values.map(unsqueezed)) }),
    ...(dispose && { dispose }),
  });

/** Values of the last state of every window, and the learning step. W steps and one more observation of M stretches. */
function compileLearner(engine: Engine, meta: EnvMeta, c: Config, nets: ReturnType<typeof networks>) {
  const [M, W, N] = [c.batchSize, c.burnIn + c.unroll, meta.actionCount];
  const S = stateSizeOf(c);
  const stretch = { obs: [W + 1, M, meta.obsSize], starts: [W + 1, M], state: [M, S] } as const;
  const values = engine.compile(
    { ...stretch, mask: meta.masked ? [W + 1, M, N] : null },
    (x) => {
      const legal = (q: Tensor): Tensor => (x.mask === undefined ? q : where(x.mask, q, -1e8));
      const online = legal(nets.q.over(x.obs, x.state, x.starts).q);
      return { value: nextValue(legal(nets.targetQ.over(x.obs, x.state, x.starts).q), online) };
    },
    { name: 'recurrent dqn values' },
  );
  const learn = engine.compile(
    { ...stretch, action: [c.unroll, M], target: [c.unroll, M], weight: [c.unroll, M] },
    (x) => {
      const part = (of: Tensor, from: number, count: number): Tensor => sliceAxis(of, 0, from, count);
      const ready =
        c.burnIn === 0 ? x.state : stopGradient(nets.q.over(part(x.obs, 0, c.burnIn), x.state, part(x.starts, 0, c.burnIn)).state);
      const { q } = nets.q.over(part(x.obs, c.burnIn, c.unroll), ready, part(x.starts, c.burnIn, c.unroll));
      const rows = c.unroll * M;
      const chosen = reshape(pick(reshape(q, [rows, N]), reshape(x.action, [rows])), [c.unroll, M]);
      const error = sub(chosen, x.target);
      const count = maximum(sum(where(x.weight, 1, 0)), 1);
      const over = (each: Tensor): Tensor => div(sum(mul(each, where(x.weight, 1, 0))), count);
      return {
        loss: mul(div(sum(mul(x.weight, square(error))), count), 0.5),
        error: mul(abs(error), where(x.weight, 1, 0)),
        qMean: over(chosen),
        errorMean: over(abs(error)),
      };
    },
    { minimise: 'loss', group: nets.online, with: adam({ eps: 1e-3 }), maxGradNorm: c.maxGradNorm, name: 'recurrent dqn learn' },
  );
  return { values, learn };
}

export const recurrentDqn = defineAlgo<Config>({
  spec: {
    id: 'recurrent-dqn',
    version: 1,
    title: 'Recurrent DQN',
    summary: 'Recurrent DQN trained on replayed sequences (R2D2).',
    source: {
      title: 'Recurrent Experience Replay in Distributed Reinforcement Learning',
      authors: 'Kapturowski et al.',
      year: 2019,
      url: 'https://openreview.net/forum?id=r1lyTjAqYX',
    },
    config,
    presets: [
      { id: 'long', title: 'Memories of 40 steps', config: { unroll: 40, burnIn: 0, units: 32, cell: 'gru' } },
      {
        id: 'r2d2',
        title: 'R2D2’s stretches: 40 steps behind 40 of burn-in',
        config: { unroll: 40, burnIn: 40, gamma: 0.997, lr: 1e-4, batchSize: 64 },
      },
    ],
    action: 'discrete',
    learner: 'network',
    agents: 'one',
    trial: {
      env: 'memory-chain',
      steps: 4000,
      config: { units: 8, hidden: [8], unroll: 4, burnIn: 2, batchSize: 8, sequences: 50, learningStarts: 200, envs: 4 },
    },
    probes: [
      { on: ['bandit', 'cued'], steps: 6000 },
      { on: ['delayed', 'masked', 'memoryOne'], steps: 10_000 },
    ],
    probeConfig: {
      lr: 1e-2,
      gamma: 0.9,
      hidden: [16],
      units: 16,
      cell: 'gru',
      unroll: 4,
      burnIn: 2,
      sequences: 500,
      learningStarts: 200,
      batchSize: 16,
      trainEvery: 8,
      targetEvery: 200,
    },
    metrics,
  },

  fits(meta, c) {
    checkSameAgents(meta, 'Recurrent DQN');
    checkFilters(meta, c.filters);
    checkBufferSize(c.sequences, (c.burnIn + c.unroll + 1) * (meta.obsSize + 4 + (meta.masked ? meta.actionCount / 4 : 0)));
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const { obsSize: O, actionCount: N } = meta;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers, batch: B } = env;
    const [S, W, M] = [stateSizeOf(c), c.burnIn + c.unroll, c.batchSize];
    const nets = networks(engine, meta, c, run.rng.split('init'));
    const act = compileActor(engine, nets.q, meta, c, B);
    const { values, learn } = compileLearner(engine, meta, c, nets);
    const targetUpdate = engine.polyak(nets.target, nets.online);
    const [exploring, replaying] = [run.rng.split('exploration'), run.rng.split('replay')];
    const memory = new SequenceMemory({
      capacity: c.sequences,
      rows: B,
      steps: W,
      every: c.unroll,
      obsSize: O,
      maskSize: meta.masked ? N : 0,
      stateSize: S,
    });
    const { prioritised } = c;
    const priorities = prioritised.kind === 'on' ? new Priorities(c.sequences, prioritised.alpha) : null;
    const betaStart = prioritised.kind === 'on' ? prioritised.beta : 1;
    const [remembered, starts, actions] = [new Float32Array(B * S), new Uint8Array(B).fill(1), new Int32Array(B)];
    const means = new RowMeans(['loss', 'qMean', 'tdError', 'gradNorm']);
    const state = registerState(
      {
        counters: { step: 0 },
        parts: { env, engine },
        arrays: { exploring, replaying, priorities, remembered, starts, ...memory.arrays },
      },
      { counters: memory.counters },
    );
    const { counters } = state;
    const epsilonOf = (row: number): number => pow(c.epsilon, 1 + (B > 1 ? (LADDER * row) / (B - 1) : 0));
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { net: nets.online }),
      policy: () => policyOf(engine, nets.q, meta, c, () => 0),
    });
    if (resume === undefined) {
      env.reset();
      await updateTarget(targetUpdate, 1);
    } else state.load(resume);

    async function play(): Promise<void> {
      const feed = act.in;
      for (let b = 0; b < B; b++) if (starts[b] !== 0) remembered.fill(0, b * S, (b + 1) * S);
      feed.obs.set(buffers.obs);
      feed.state.set(remembered);
      if (buffers.mask !== undefined) feed.mask?.set(buffers.mask);
      const pending = act.run();
      if (pending) await pending;
      for (let b = 0; b < B; b++) {
        const random = exploring.uniform() < epsilonOf(b);
        actions[b] = random ? randomAction(exploring, N, buffers.mask, b * N) : argmax(act.out.q, b * N, N, buffers.mask, b * N);
      }
      memory.before(buffers, remembered, starts);
      remembered.set(act.out.state);
      env.step(actions);
      for (let b = 0; b < B; b++) starts[b] = buffers.terminated[b]! | buffers.truncated[b]!;
      memory.after(buffers, actions, remembered, starts, (id) => priorities?.addNew(id));
      counters.step += B;
    }

    /** Stretch `id` as the m-th of both programs' inputs. */
    function read(id: number, m: number): void {
      const { stretches: s } = memory;
      const slot = id % c.sequences;
      for (let t = 0; t <= W; t++) {
        const from = slot * (W + 1) + t;
        const row = t * M + m;
        for (const into of [values.in, learn.in]) {
          into.obs.set(s.obs.subarray(from * O, (from + 1) * O), row * O);
          into.starts[row] = s.starts[from]!;
        }
        values.in.mask?.set(s.mask.subarray(from * N, (from + 1) * N), row * N);
      }
      for (const into of [values.in, learn.in]) into.state.set(s.state.subarray(slot * S, (slot + 1) * S), m * S);
    }

    /** Targets and weights of the m-th stretch, from the values of all its states. */
    function aim(id: number, m: number, weight: number): void {
      const { stretches: s } = memory;
      const slot = id % c.sequences;
      for (let t = c.burnIn; t < W; t++) {
        let [reward, power, at, ended] = [0, 1, t, 0];
        for (; at < Math.min(t + c.nStep, W) && ended === 0; at++) {
          reward += power * s.reward[slot * W + at]!;
          power *= c.gamma;
          ended = s.ended[slot * W + at]!;
        }
        const later = values.out.value[at * M + m]!;
        const goal = reward + (ended === 0 ? power * (c.rescale ? unsqueezed(later) : later) : 0);
        const to = (t - c.burnIn) * M + m;
        learn.in.action[to] = s.action[slot * W + t]!;
        learn.in.target[to] = c.rescale ? squeezed(goal) : goal;
        learn.in.weight[to] = ended === 2 ? 0 : weight;
      }
    }

    async function update(): Promise<void> {
      const beta = linear(betaStart, 1, 1, counters.step / run.steps);
      const newest = memory.counters.kept - 1;
      const ids = Array.from({ length: M }, (_, m) => {
        const slot = priorities === null ? replaying.int(memory.size) : priorities.find((priorities.total * (m + replaying.uniform())) / M);
        return newest - ((((newest - slot) % c.sequences) + c.sequences) % c.sequences);
      });
      ids.forEach(read);
      const valued = values.run();
      if (valued) await valued;
      const weights = ids.map((id) => priorities?.weight(id, memory.size, beta) ?? 1);
      const most = Math.max(...weights);
      ids.forEach((id, m) => {
        aim(id, m, weights[m]! / most);
      });
      learn.in.lr[0] = c.lr;
      const pending = learn.run();
      if (pending) await pending;
      const { out } = learn;
      ids.forEach((id, m) => {
        let [largest, total] = [0, 0];
        for (let t = 0; t < c.unroll; t++) {
          const error = out.error[t * M + m]!;
          largest = Math.max(largest, error);
          total += error;
        }
        priorities?.update(id, LARGEST_SHARE * largest + ((1 - LARGEST_SHARE) * total) / c.unroll);
      });
      means.add('loss', out.loss[0]!);
      means.add('qMean', out.qMean[0]!);
      means.add('tdError', out.errorMean[0]!);
      means.add('gradNorm', out.gradNorm[0]!);
    }

    while (counters.step < run.steps) {
      for (const until = Math.min(run.steps, counters.step + 1000); counters.step < until; ) {
        const before = counters.step;
        await play();
        if (counters.step <= c.learningStarts || memory.size === 0) continue;
        for (let due = updatesDue(before, counters.step, { trainEvery: c.trainEvery, gradientSteps: 1 }); due > 0; due--) await update();
        if (Math.floor(counters.step / c.targetEvery) > Math.floor(before / c.targetEvery)) await updateTarget(targetUpdate, 1);
      }
      const { step } = counters;
      yield { step, metrics: { ...episodeRow(env), ...means.take(step) }, ...point };
    }
  },

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, { net: nets.online }, saved);
    return policyOf(
      engine,
      nets.q,
      meta,
      c,
      () => 0,
      () => engine.dispose(),
    );
  },

  benchmark({ config: c, meta, engine }) {
    const { learn } = compileLearner(engine, meta, c, networks(engine, meta, c, Rng.from(0)));
    return { run: () => learn.run(), seen: () => [learn.in.obs] };
  },
});
