/**
 * PPO whose policy also sees a code of the partner (after CLAM: Ma et al. 2024). The code z is made from what the ego saw and did so far in the
 * episode, from its first step on, and from nothing else; partners differ from episode to episode (seats given to a pool).
 *   pi(a | o, z),   V(o, z),   z = f(the last `history` steps of this episode);   the loss of PPO does not reach f
 *   none            no z: PPO, bit for bit
 *   contrastive     f descends InfoNCE: two moments of one episode are to have codes alike, and unlike those of other episodes
 *   reconstruction  f and a decoder d descend the squared error of d(z) from the steps that z was made of
 *   oracle          z is the number of the partner, one-hot, which the environment tells (`tell` of the pool); trained as the others
 * Where the environment tells, all codes but the oracle are cut off from it: arms of a comparison may have the same environment.
 * Encoder and losses: lib/partner-code.ts. The idea is the paper's (contrast between
 * episodes, from the ego's view alone); the encoder, the two views of an episode and that the loss of PPO does not reach f are our own choices.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     play T steps of B environments with pi(a | o, z), z by f as it is
 *     PPO's epochs on pi and V; z as it was played with
 *     `partnerCode.steps` times
 *       in each environment draw an episode of the rollout, and two moments of it behind its first step
 *       one step of Adam on InfoNCE of their codes, or on the error of the reconstruction
 *     (a reader of z learns to name the partner; what it reads is reported and moves nothing else)
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { fail, present } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import type { ExtraCard } from '#contract/session/session.ts';
import { amax, concat, ge, logSoftmax, mean, neg, pick, reshape, sliceAxis, stopGradient } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Tensor } from '#core/engine/types.ts';
import { createBuffers } from '#core/envs/api/buffers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { kind, variant } from '#core/envs/api/variant.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { chunkSize, policyPrograms } from '#core/nets/chunks.ts';
import { dense } from '#core/nets/mlp.ts';
import type { StateLayout } from '#core/state/checkpoint.ts';
import { loadGroups } from '#core/state/params.ts';
import { RunningMoments } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import type { Attached, Declared, Places, Rollout, RolloutHost, Setting } from '../api/extension.ts';
import * as fields from '../api/fields.ts';
import { checkFinite, checkSameAgents } from '../api/guards.ts';
import { addTo } from '../api/standing.ts';
import type { Policy, Progress, Run } from '../api/types.ts';
import { type PolicyNetwork, policyNetwork, policyOfNetwork } from '../lib/network-policy.ts';
import { CLIP_NORMALISED, checkMinibatches, checkNormalised, ppoMetrics, savedPacked } from '../lib/ppo/common.ts';
import { Histories, type Layout, layoutFor, metaOfWidth } from './lib/histories.ts';
import { infoNce, partnerDecoder, partnerEncoder, reconstruction } from './lib/partner-code.ts';
import { ppoConfig, trainPpo } from './ppo.ts';

const own = 'own choice';
const group = 'partner';
const encoderFields = {
  size: fields.integer(8, {
    min: 1,
    max: 64,
    title: 'numbers of the code',
    description: 'Of the code of the partner.',
    source: own,
    slider: [2, 16],
    depth: 'teach',
    group,
  }),
  history: fields.integer(16, {
    min: 1,
    max: 128,
    title: 'history',
    unit: 'steps',
    description: 'Last steps of the episode from which the code is made.',
    source: own,
    slider: [4, 32],
    depth: 'teach',
    group,
  }),
  lr: fields.real(1e-3, {
    above: 0,
    max: 1,
    title: 'learning rate of the encoder',
    description: 'Step size of Adam.',
    source: own,
    slider: [1e-4, 1e-2],
    log: true,
    depth: 'stored',
    group,
  }),
  steps: fields.integer(8, {
    min: 1,
    max: 1000,
    title: 'encoder steps',
    description: 'Of Adam, after each update of the policy.',
    source: own,
    slider: [1, 32],
    depth: 'stored',
    group,
  }),
};
const { body: _, ...ppoFields } = ppoConfig.shape; // a code is one row of numbers beside what is seen, not one more thing
const config = z.strictObject({
  partnerCode: variant(
    'contrastive',
    [
      kind('contrastive', {
        ...encoderFields,
        temperature: fields.real(0.1, {
          above: 0,
          max: 100,
          title: 'temperature',
          description: 'By which the likeness of two codes is divided.',
          source: own,
          slider: [0.02, 1],
          log: true,
          depth: 'teach',
          group,
        }),
      }),
      kind('reconstruction', encoderFields),
      kind('oracle', {}),
      kind('none', {}),
    ],
    {
      title: 'code of the partner',
      description:
        'Learned by contrast between episodes, learned by reconstruction of what was seen, told by the environment, or none (PPO).',
      source: 'CLAM, Ma et al. 2024',
      depth: 'teach',
      group,
    },
  ),
  ...ppoFields,
});
type Config = z.infer<typeof config>;
type Learned = Extract<Config['partnerCode'], { readonly size: number }>;

const learned = ({ partnerCode: code }: Config): Learned | null =>
  code.kind === 'contrastive' || code.kind === 'reconstruction' ? code : null;

/** How many of the last numbers of an observation say who plays. */
const toldNumbers = ({ partners = [] }: EnvMeta): number =>
  partners.reduce((sum, { members, told }) => sum + (told ? members.length : 0), 0);

const layoutOf = (meta: EnvMeta, code: Learned): Layout =>
  layoutFor(meta, { told: toldNumbers(meta), code: 0, steps: code.history, marked: true });

/** `base` behind a view of wider observations. */
function behind(base: PolicyNetwork, width: number, view: (obs: Tensor) => Tensor): PolicyNetwork {
  return {
    ...base,
    inputs: (rows) => ({ ...base.inputs(rows), obs: [rows, width] }),
    apply: ({ obs, mask }, g) => base.apply({ obs: view(obs), mask }, g),
    outputs: ({ obs, mask }, g) => base.outputs({ obs: view(obs), mask }, g),
    evaluate: ({ obs, mask }, action, g) => base.evaluate({ obs: view(obs), mask }, action, g),
  };
}

/** Policy and value, and where they learn to read one, the encoder of the code: [M, wide] -> [M, size]. */
interface Networks {
  readonly net: PolicyNetwork;
  readonly encode: ((wide: Tensor) => Tensor) | null;
  /** Wide observations -> the loss of the encoder for pairs of rows i and i + M / 2 of one episode each, and the share of pairs that found each other. */
  readonly codeLoss: ((wide: Tensor, temperature: Tensor) => { readonly loss: Tensor; readonly found?: Tensor }) | null;
}

function networksOf(engine: Engine, meta: EnvMeta, c: Config, rng: Rng): Networks {
  const code = learned(c);
  const told = toldNumbers(meta);
  if (code === null) {
    if (told === 0 || c.partnerCode.kind === 'oracle') return { net: policyNetwork(engine, meta, c, rng), encode: null, codeLoss: null };
    const seen = meta.obsSize - told;
    const base = policyNetwork(engine, metaOfWidth(meta, seen), c, rng);
    return { net: behind(base, meta.obsSize, (obs) => sliceAxis(obs, 1, 0, seen)), encode: null, codeLoss: null };
  }
  const layout = layoutOf(meta, code);
  const base = policyNetwork(engine, metaOfWidth(meta, layout.seen + code.size), c, rng);
  const model = engine.group('model');
  const drawn = rng.split('code');
  const past = (wide: Tensor): Tensor => sliceAxis(wide, 1, layout.width - layout.past, layout.past);
  const encoder = partnerEncoder(model, drawn, layout, code.size);
  const decode = code.kind === 'reconstruction' ? partnerDecoder(model, drawn, layout, code.size) : null;
  const encode = (wide: Tensor): Tensor => encoder(past(wide));
  const net = behind(base, layout.width, (wide) => concat([sliceAxis(wide, 1, 0, layout.seen), stopGradient(encode(wide))], 1));
  return {
    net: { ...net, parts: { group: model, read: (_seen, build) => build() } },
    encode,
    codeLoss(wide, temperature) {
      const codes = encode(wide);
      if (decode !== null) return { loss: reconstruction(past(wide), decode(codes), layout) };
      const half = codes.shape[0]! / 2;
      return infoNce(sliceAxis(codes, 0, 0, half), sliceAxis(codes, 0, half, half), temperature);
    },
  };
}

/** The same copies, whose observations are wide; what is kept between steps stands in `state`. */
function withHistories(inner: VectorEnv, layout: Layout): { readonly env: VectorEnv; readonly state: StateLayout } {
  const { meta, batch } = inner;
  const many = batch * meta.agentCount;
  const histories = new Histories(meta, layout);
  const rows = new Float32Array(many * histories.size);
  const wide = metaOfWidth(meta, layout.width);
  const { obs, finalObs } = createBuffers(wide, batch);
  const begin = (): void => void histories.widen(rows, many, inner.buffers.obs, obs);
  const env: VectorEnv = {
    ...inner,
    meta: wide,
    buffers: { ...inner.buffers, obs, finalObs },
    reset() {
      inner.reset();
      rows.fill(0);
      begin();
    },
    step(actions) {
      for (let row = 0; row < many; row++) histories.act(rows, row, actions);
      inner.step(actions);
      const { terminated, truncated } = inner.buffers;
      for (let row = 0; row < many; row++) {
        const copy = Math.floor(row / meta.agentCount);
        if ((terminated[copy]! | truncated[copy]!) === 0) continue;
        histories.observe(rows, row, inner.buffers.finalObs);
        histories.write(rows, row, inner.buffers.finalObs, finalObs);
        rows.fill(0, row * histories.size, (row + 1) * histories.size);
      }
      begin();
    },
  };
  return { env, state: { arrays: { histories: rows, wideObs: obs, wideFinalObs: finalObs } } };
}

/** Two moments of one episode in each environment of a rollout, drawn anew for each step of the encoder. */
function pairsOf(host: RolloutHost, layout: Layout, rng: Rng) {
  const { rows, steps: T, meta } = host;
  const agents = meta.agentCount;
  const envs = rows / agents;
  const marked = layout.width - layout.past + layout.entry - 1; // 1 where the newest entry is there
  return {
    count: envs,
    /** Places t * rows + row of both, [2 envs]: the first moments, then the second. */
    draw({ obs, terminated, truncated }: Pick<Rollout, 'obs' | 'terminated' | 'truncated'>, into: Int32Array): void {
      for (let b = 0; b < envs; b++) {
        const row = b * agents + (agents > 1 ? rng.int(agents) : 0);
        const ends = (t: number): boolean => (terminated[t * rows + row]! | truncated[t * rows + row]!) !== 0;
        const around = rng.int(T);
        let [from, to] = [around, around];
        while (from > 0 && !ends(from - 1)) from--;
        while (to < T - 1 && !ends(to)) to++;
        if (from < to && obs[(from * rows + row) * layout.width + marked] === 0) from++; // at the start nothing is known yet
        const first = from + rng.int(to - from + 1);
        const second = from === to ? first : from + ((first - from + 1 + rng.int(to - from)) % (to - from + 1));
        into[b] = first * rows + row;
        into[envs + b] = second * rows + row;
      }
    },
  };
}

/** What the training of the encoder needs, once the run has made it. */
type Parts = Networks & { readonly state: StateLayout };

/** What trains the encoder beside PPO's loop. */
function codeTraining(code: Learned, layout: Layout, partsOf: () => Parts): Declared<Setting> {
  const attach = (host: RolloutHost): Attached => {
    const { net, encode, codeLoss, state } = partsOf();
    const model = net.parts?.group;
    if (encode === null || codeLoss === null || !model) throw new Error('A code that is learned has an encoder.');
    const { engine, env, rows, steps: T, meta } = host;
    const rng = host.rng.split('pairs');
    const pairs = pairsOf(host, layout, rng);
    const many = 2 * pairs.count;
    const members = meta.partners?.[0]?.members.length ?? 0;
    return {
      places(): Places {
        const learn = engine.compile(
          { wide: [many, layout.width], temperature: [1] },
          (x) => {
            const { loss, found } = codeLoss(x.wide, x.temperature);
            return { loss: reshape(loss, []), ...(found !== undefined && { found: reshape(found, []) }) };
          },
          { minimise: 'loss', group: model, with: adam({ eps: host.config.adamEps }), name: 'partner code' },
        );
        const reader = engine.group('reader');
        const read = dense(reader, 'read', rng.split('reader'), code.size, Math.max(1, members), { gain: 0.01 });
        const reads = engine.compile(
          { wide: [many, layout.width], member: [many] },
          (x) => {
            const named = logSoftmax(read(stopGradient(encode(x.wide))));
            const right = pick(named, x.member);
            return { loss: reshape(neg(mean(right)), []), share: reshape(mean(ge(right, amax(named, 1))), []) };
          },
          { minimise: 'loss', group: reader, with: adam(), name: 'partner reader' },
        );
        const playing = new Float32Array(T * pairs.count); // who played in each environment, before each step
        const places = new Int32Array(many);
        let rollout: Rollout | null = null;
        let row: { [name: string]: number } = {};
        return {
          state: { ...state, arrays: { ...state.arrays, pairs: rng } },
          beforeStep(t) {
            for (let b = 0; b < pairs.count; b++) playing[t * pairs.count + b] = env.env.partner?.(b, 0) ?? 0;
          },
          advantages(now) {
            rollout = now;
          },
          async afterUpdates({ now }) {
            if (rollout === null) return;
            let [loss, found, share] = [0, 0, 0];
            for (let k = 0; k < code.steps; k++) {
              pairs.draw(rollout, places);
              learn.in.lr[0] = code.lr;
              learn.in.temperature[0] = code.kind === 'contrastive' ? code.temperature : 1;
              reads.in.lr[0] = 1e-2;
              for (let i = 0; i < many; i++) {
                const place = places[i]!;
                const seen = rollout.obs.subarray(place * layout.width, (place + 1) * layout.width);
                learn.in.wide.set(seen, i * layout.width);
                reads.in.wide.set(seen, i * layout.width);
                const copy = Math.floor((place % rows) / meta.agentCount);
                reads.in.member[i] = playing[Math.floor(place / rows) * pairs.count + copy]!;
              }
              if (members > 0) {
                const reading = reads.run();
                if (reading) await reading;
                share += reads.out.share[0]! / code.steps;
              }
              const pending = learn.run();
              if (pending) await pending;
              loss += learn.out.loss[0]! / code.steps;
              found += (learn.out.found?.[0] ?? Number.NaN) / code.steps;
            }
            checkFinite(now, { codeLoss: loss });
            row = { codeLoss: loss, codeFound: found, partnerRead: members > 0 ? share : Number.NaN };
          },
          metrics: () => row,
        };
      },
    };
  };
  return {
    id: 'partnerCode',
    field: () => null,
    load: async () => () => ({
      attach(host) {
        if (host.loop !== 'rollout') throw new Error('The code of a partner is learned in the loop of PPO.');
        return attach(host);
      },
    }),
  };
}

/** The policy alone: it makes the history itself, and says the code it acts on. */
function codedPolicy(engine: Engine, meta: EnvMeta, code: Learned, { net, encode }: Networks, dispose?: () => void): Policy {
  const layout = layoutOf(meta, code);
  const histories = new Histories(meta, layout);
  const inner = policyOfNetwork(engine, metaOfWidth(meta, layout.width), net, null, CLIP_NORMALISED);
  const { whole } = policyPrograms((rows) =>
    engine.compile({ wide: [rows, layout.width] }, (x) => ({ code: present(encode, 'an encoder')(x.wide) }), { name: 'partner code' }),
  );
  const extras: readonly ExtraCard[] = [
    {
      id: 'partnerCode',
      kind: 'values',
      title: 'code of the partner',
      description: 'Made from what this agent saw and did so far in the episode.',
      labels: Array.from({ length: code.size }, (_, i) => `${i + 1}:`),
      plane: true,
    },
  ];
  async function codes(wide: Float32Array, rows: number): Promise<Float32Array> {
    const all = new Float32Array(rows * code.size);
    for (let from = 0; from < rows; ) {
      const size = chunkSize(rows - from);
      const count = Math.min(size, rows - from);
      const program = whole(size);
      program.in.wide.set(wide.subarray(from * layout.width, (from + count) * layout.width));
      const pending = program.run();
      if (pending) await pending;
      all.set(present(program.out.code, 'a code').subarray(0, count * code.size), from * code.size);
      from += count;
    }
    return all;
  }
  return {
    extras,
    initial: (rows) => new Float32Array(rows * histories.size),
    async act(query) {
      const { rows, obs } = query;
      const hidden = query.hidden.slice();
      const wide = histories.widen(hidden, rows, obs);
      const act = await inner.act({ ...query, obs: wide });
      for (let row = 0; row < rows; row++) histories.act(hidden, row, act.actions);
      if (query.valueless === true) return { ...act, hidden }; // no view shows it
      return { ...act, hidden, extras: { partnerCode: await codes(wide, rows) } };
    },
    dispose: () => dispose?.(),
  };
}

/** PPO's settings, which follow live edits: an object of each run's own, so that what is added to it is added to that run alone. */
function ppoSettings(c: Config) {
  const all = { ...c, body: { kind: 'dense' } as const };
  for (const key of config.keyof().options) Object.defineProperty(all, key, { enumerable: true, get: () => c[key] });
  return all;
}

async function* train(run: Run<Config>, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const { config: c, meta } = run;
  const code = learned(c);
  if (code === null) {
    yield* trainPpo({ ...run, config: ppoSettings(c) }, resume, (engine, rng) => networksOf(engine, meta, c, rng).net);
    return;
  }
  const layout = layoutOf(meta, code);
  const settings = ppoSettings(c);
  const made: { env?: ReturnType<typeof withHistories>; engine?: Engine; networks?: Networks } = {};
  addTo(
    settings,
    codeTraining(code, layout, () => ({ ...present(made.networks, 'networks'), state: present(made.env, 'environments').state })),
  );
  const wide = {
    ...run,
    config: settings,
    meta: metaOfWidth(meta, layout.width),
    makeEnv(batch: number) {
      made.env = withHistories(run.makeEnv(batch), layout);
      return made.env.env;
    },
  };
  const loop = trainPpo(wide, resume, (engine, rng) => {
    made.engine = engine;
    made.networks = networksOf(engine, meta, c, rng);
    return made.networks.net;
  });
  let policy: Policy | null = null;
  for await (const progress of loop) {
    policy ??= codedPolicy(present(made.engine, 'an engine'), meta, code, present(made.networks, 'networks'));
    const now = policy;
    yield { ...progress, policy: () => now };
  }
}

/** What a policy is saved with: its networks, and the encoder. */
const savedGroups = ({ group: net, parts }: PolicyNetwork) => ({ net, ...(parts?.group && { packed: parts.group }) });

export const agentModelling = defineAlgo<Config>({
  spec: {
    id: 'agent-modelling',
    version: 1,
    title: 'PPO with a code of the partner',
    summary: 'Learns from its own view who it plays with, and acts on it.',
    source: {
      title: 'Contrastive learning-based agent modeling for deep reinforcement learning',
      authors: 'Ma et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2401.00132',
    },
    config,
    presets: [
      { id: 'reconstruction', title: 'a code that reconstructs what was seen', config: { partnerCode: { kind: 'reconstruction' } } },
      { id: 'oracle', title: 'told who plays', config: { partnerCode: { kind: 'oracle' } } },
      { id: 'none', title: 'without a code (PPO)', config: { partnerCode: { kind: 'none' } } },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'level-based-foraging',
      envConfig: { seats: { 'player 2': { pool: ['random', 'idle', 'modest-patient'] } } },
      steps: 1280,
      config: {
        ...{ envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8] },
        partnerCode: { kind: 'contrastive', size: 2, history: 4, steps: 2 },
      },
    },
    probes: [
      { on: ['bandit', 'cued'], steps: 6000 },
      { on: ['memoryOne'], steps: 20_000, config: { partnerCode: { kind: 'reconstruction', history: 4 } } },
      { on: ['pointing'], steps: 12_000, config: { partnerCode: 'none' }, atLeast: 0.98 },
    ],
    probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
    metrics: [
      ...ppoMetrics,
      { id: 'codeLoss', title: 'loss of the encoder', description: 'InfoNCE, or the squared error of the reconstruction.' },
      {
        id: 'codeFound',
        title: 'pairs found',
        description: 'Share of moments whose nearest code is of their own episode; contrastive only.',
      },
      {
        id: 'partnerRead',
        title: 'partner read from the code',
        description:
          'Share of moments in which a linear reader of the code names the player of the first pool; learns beside and moves nothing.',
      },
    ],
  },

  fits(meta, c) {
    checkSameAgents(meta, 'PPO with a code of the partner');
    checkNormalised(meta, c.normaliseObs);
    checkMinibatches(c.envs * c.rolloutSteps * meta.agentCount, c.minibatches);
    const told = toldNumbers(meta);
    if (c.partnerCode.kind === 'oracle' && told === 0)
      throw fail(
        'incompatible',
        'The environment does not tell who plays, so there is nothing an oracle could know.',
        'Give a seat to a pool with "tell": true, { "pool": ["random", "idle"], "tell": true }, or choose another code.',
        'algo.partnerCode.kind',
      );
    const plain = meta.agents.every(({ obs }) => obs.kind === 'box' && obs.shape.length === 1);
    if (!plain && (learned(c) !== null || told > 0))
      throw fail(
        'incompatible',
        'A code of the partner is made from plain numbers, and agents see something else here.',
        'Choose code "none", or another environment.',
        'env.id',
      );
    if (learned(c) !== null && c.normaliseObs)
      throw fail(
        'config-invalid',
        'Histories cannot be normalised.',
        'Set normaliseObs to false, or choose code "none".',
        'algo.normaliseObs',
      );
    if (learned(c) !== null && c.filters > 0)
      throw fail(
        'config-invalid',
        'A convolution reads pictures, and a code is made from plain numbers.',
        'Set filters to 0.',
        'algo.filters',
      );
  },

  train,

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const networks = networksOf(engine, meta, c, Rng.from(0));
    loadGroups(engine, savedGroups(networks.net), saved);
    const code = learned(c);
    const dispose = (): void => engine.dispose();
    if (code !== null) return codedPolicy(engine, meta, code, networks, dispose);
    const moments = savedPacked(saved, 'moments', new RunningMoments(meta.obsSize));
    return policyOfNetwork(engine, meta, networks.net, moments, CLIP_NORMALISED, dispose);
  },
});
