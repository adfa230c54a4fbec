/**
 * Several environments in one run, each with layers of its own in front (perception) and heads of its own, over one trunk that decides; then the
 * trunk is kept under new front layers in another environment (after Wang et al. 2024, "Multi-Task Multi-Agent Shared Layers are Universal Cognition
 * of Multi-Agent Coordination", on MAPPO of Yu et al. 2022).
 *   pi_w(a|o) = head_w(trunk(front_w(o))),   V_w likewise with a trunk of the critics,   w: an environment
 *   L = mean over w of L_w,   L_w: PPO's loss of the steps of w (lib/ppo/common.ts);   one step of Adam on L for all layers together
 * Of the dense layers 0 .. H (H: the heads) those from `trunkFrom` to H - 1 are the trunk. With one environment whose agents are alike it is IPPO, or
 * MAPPO where critics see all, bit for bit. Where agents of an environment differ, each kind has its own front and heads, as environments have.
 * What is carried over (`carry`), after `sourceShare` of the budget was spent in the other environments:
 *   together  nothing: all of them and the run's own learn at the same time, to the end
 *   trunk     the trunk, under front layers and heads drawn anew
 *   ends      the wrong half: front and heads of the first environment, as many inputs and actions as both have, over a trunk drawn anew
 *   nothing   all layers are drawn anew
 * The paper's equations were not read: its abstract and summaries; one optimiser for all environments and equal weights are our own choices.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     for each environment that learns now: play T steps of B copies by pi_w; advantages by GAE(lambda), returns
 *     for each epoch, for each k: minibatch k of every environment; one step of Adam on L
 *     once sourceShare of the budget is spent: keep what is carried over; new layers for the run's own environment, which alone learns on
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { OUTPUT_NAMES } from '#contract/game/network-view.ts';
import { fail, present } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import { add, mul, stopGradient } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import { sizeOf } from '#core/engine/shapes.ts';
import type { Engine, Graph, Param, ParamGroup, Shape, Tensor, Views } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { layersOf } from '#core/nets/layers.ts';
import { registerState, savedNumber } from '#core/state/checkpoint.ts';
import { loadGroups, readParams } from '#core/state/params.ts';
import { joinSaved, partOf } from '#core/state/saved.ts';
import { ValueNorm } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { annealed } from '#math/schedules.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy, Progress, Run } from '../api/types.ts';
import { collect, createCollector, minibatchFeed, type Rollout } from '../lib/ppo/collect.ts';
import { commonFields, lossInputs, minibatchEpochs, ppoLoss, ppoMetrics, savedPacked, weightedMean } from '../lib/ppo/common.ts';
import * as team from '../lib/ppo/team.ts';
import { type ParameterSharing, shareNetworks } from '../lib/sharing.ts';

const own = 'own choice';
const MOST_WORLDS = 4;
const { normaliseObs: _n, ...ppoFields } = commonFields;
const { shapingUntil: _s, ...teamFields } = team.teamFields;
const config = z.strictObject({
  worlds: z.array(z.record(z.string(), z.json())).max(MOST_WORLDS).default([]).meta({
    title: 'other environments',
    description: 'Where it also learns: [{"env": "mpe-simple-tag", "config": {"obstacles": 0}}, ...]; empty: nowhere.',
    source: 'Wang et al. 2024: several maps at once',
    depth: 'teach',
    group: 'team',
  }),
  carry: z.enum(['together', 'trunk', 'ends', 'nothing']).default('together').meta({
    title: 'carried over',
    description:
      'together: all environments learn at once, to the end. Else the others first, and then the run’s own one with their trunk, with the front and heads of the first (the wrong half), or with nothing of it.',
    source: 'Wang et al. 2024',
    depth: 'teach',
    group: 'team',
  }),
  sourceShare: fields.real(0.5, {
    min: 0.05,
    max: 0.95,
    title: 'share for the other environments',
    description: 'Share of the budget that is spent there before something is carried over.',
    source: own,
    slider: [0.1, 0.9],
    depth: 'teach',
    group: 'team',
  }),
  trunkFrom: fields.integer(1, {
    min: 1,
    max: 8,
    title: 'first layer of the trunk',
    description: 'Hidden layers before it belong to one environment each; 1: all but the first are shared.',
    source: own,
    depth: 'teach',
    group: 'network',
  }),
  sharedHeads: z.boolean().default(true).meta({
    title: 'heads shared too',
    description: 'Heads of the policy belong to the trunk where environments have as many actions; those of the value never do.',
    source: own,
    depth: 'stored',
    group: 'network',
  }),
  frozen: z.boolean().default(false).meta({
    title: 'trunk stays as it was',
    description: 'A trunk that is carried over learns nothing more.',
    source: own,
    depth: 'stored',
    group: 'network',
  }),
  criticSees: z.enum(['own', 'joint']).default('own').meta({
    title: 'critic input',
    description: 'What the agent itself sees, or the observations of all agents, its own first.',
    source: 'IPPO; joint in MAPPO',
    group: 'team',
  }),
  ...ppoFields,
  envs: fields.numEnvs(16, 'JaxMARL ippo_ff_mpe'),
  ...teamFields,
});
type Config = z.infer<typeof config>;

const asTeam = (c: Config): team.TeamConfig => ({ ...c, shapingUntil: 0, normaliseObs: false });
const trunkEnd = ({ hidden }: Config): number => hidden.length - 1;

/** The layer that a parameter belongs to (actor.1.w: 1); null: none of the stacked ones. */
function layerOf(name: string): number | null {
  const found = /^(?:actor|critic)\.(\d+)\./.exec(name);
  return found === null ? null : Number(found[1]);
}
const inTrunk = (name: string, c: Config): boolean => {
  const layer = layerOf(name);
  return layer !== null && layer >= c.trunkFrom && layer <= trunkEnd(c);
};

/** What else is trained in: an id, and settings. Throws LabError('config-invalid'). */
function worldsOf({ worlds }: Config): { readonly env: string; readonly config: JsonObject }[] {
  return worlds.map((world) => {
    const { env, config: settings = {}, ...rest } = world as { readonly env?: unknown; readonly config?: JsonObject };
    if (typeof env === 'string' && Object.keys(rest).length === 0) return { env, config: settings };
    const fix = 'Write {"env": "mpe-simple-tag", "config": {}} for each.';
    throw fail('config-invalid', 'Other environments are named by their ids, with settings.', fix, 'algo.worlds');
  });
}

/** Whether environments may share it: layers of the trunk, and heads of as many actions where those are shared too. */
const isCommon = (name: string, c: Config): boolean =>
  inTrunk(name, c) || (c.sharedHeads && name.startsWith('actor.') && layerOf(name) === trunkEnd(c) + 1);

/** A group whose common layers are the first ones of that name and shape, and whose other parameters begin with `prefix`. */
function layersOfWorld(group: ParamGroup, prefix: string, c: Config): ParamGroup {
  return {
    name: group.name,
    params: group.params,
    param(name, shape, init) {
      const common = isCommon(name, c);
      const known = common
        ? group.params.find((one) => (one.name === name || one.name.endsWith(`.${name}`)) && one.shape.join() === shape.join())
        : undefined;
      return known ?? group.param(`${prefix}${name}`, shape, init);
    },
  };
}

/** An environment's networks over the common trunk: one for each kind of its agents. */
interface Networks {
  readonly meta: EnvMeta;
  readonly sharing: ParameterSharing;
  readonly pairs: readonly team.ActorCriticPair[];
}

/** Of each environment, the run's own first: its layers have the plain names of IPPO's. */
function networksOf(group: ParamGroup, metas: readonly EnvMeta[], c: Config, rng: Rng): readonly Networks[] {
  return metas.map((meta, w) => {
    const sharing = shareNetworks(meta, c.sharing, c.agentId);
    let k = 0;
    const one = {
      group: () => {
        const prefix = w === 0 && k === 0 ? '' : `${w}.${k}.`;
        k++;
        return layersOfWorld(group, prefix, c);
      },
    };
    const drawn = w === 0 ? rng : rng.split('world', w);
    const pairs = team.buildPairs(one, meta, sharing, asTeam(c), c.criticSees, drawn).map(({ actor, critic }) => ({
      actor: { ...actor, group },
      critic: { ...critic, group },
    }));
    return { meta, sharing, pairs };
  });
}

const SCALARS = ['clip', 'entropyCoef', 'valueCoef'] as const;
/** The input of part p of a joint program; scalars are the same for all. */
const inputOf = (part: number, name: string): string =>
  part === 0 || SCALARS.some((scalar) => scalar === name) ? name : `${part}.${name}`;

/** One optimiser step on the mean of the losses of all parts, minibatches of `rows` rows each. */
function compileJoint(
  engine: Engine,
  group: ParamGroup,
  parts: readonly { readonly pair: team.ActorCriticPair; readonly rows: number }[],
  c: Config,
  still: readonly Param[],
) {
  const shapesOf = ({ pair: { actor, critic }, rows }: (typeof parts)[number]): { readonly [name: string]: Shape | null } => ({
    ...actor.learnInputs(rows),
    ...lossInputs(rows, c.clipValue),
    critic: critic.inputShape(rows),
    policyMask: [rows],
    valueMask: [rows],
  });
  const shapes = parts.map(shapesOf);
  const inputs: { [name: string]: Shape | null } = {};
  for (const [p, named] of shapes.entries()) for (const [name, shape] of Object.entries(named)) inputs[inputOf(p, name)] = shape;
  const lossOf = (x: { readonly [name: string]: Tensor | undefined }, p: number, g: Graph) => {
    const { actor, critic } = present(parts[p], 'a part').pair;
    const at = (name: string): Tensor => present(x[inputOf(p, name)], name);
    const seen = { obs: at('obs'), mask: x[inputOf(p, 'mask')], critic: x[inputOf(p, 'critic')] };
    const policyMask = at('policyMask');
    const valueMask = at('valueMask');
    const given = {
      ...{ oldLogProb: at('oldLogProb'), advantage: at('advantage'), target: at('target'), oldValue: x[inputOf(p, 'oldValue')] },
      ...{ clip: at('clip'), entropyCoef: at('entropyCoef'), valueCoef: at('valueCoef') },
    };
    const of = actor.evaluate(seen, at('action'), g);
    return ppoLoss(
      given,
      { ...of, value: critic.value(seen.critic ?? seen.obs) },
      {
        average: (values) => weightedMean(values, policyMask),
        valueAverage: (values) => weightedMean(values, valueMask),
        huberDelta: c.huberDelta,
      },
    );
  };
  const program = engine.compile(
    inputs,
    (x, g) =>
      g.substitute(new Map(still.map((param) => [param, stopGradient(g.read(param))])), () => {
        const [first, ...rest] = parts.map((_, p) => lossOf(x, p, g));
        const all = present(first, 'an environment');
        if (rest.length === 0) return all;
        const mean = (of: (one: typeof all) => Tensor): Tensor =>
          mul(
            rest.reduce((sum, one) => add(sum, of(one)), of(all)),
            1 / parts.length,
          );
        return {
          loss: mean(({ loss }) => loss),
          policyLoss: mean(({ policyLoss }) => policyLoss),
          valueLoss: mean(({ valueLoss }) => valueLoss),
          entropy: mean(({ entropy }) => entropy),
          approxKl: mean(({ approxKl }) => approxKl),
          clipFraction: mean(({ clipFraction }) => clipFraction),
        };
      }),
    { minimise: 'loss', group, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'learn' },
  );
  return {
    program,
    /** The inputs of part p by their own names. */
    feedOf(p: number): Views {
      const found: { [name: string]: Float32Array } = {};
      for (const name of Object.keys(present(shapes[p], 'a part'))) {
        const view = program.in[inputOf(p, name)];
        if (view !== undefined) found[name] = view;
      }
      return found;
    },
  };
}

/** Steps in which some environments learn: all of a run, or one of its two stages. */
interface Stage {
  readonly engine: Engine;
  /** All layers, of all environments. */
  readonly group: ParamGroup;
  /** The run's own environment first. */
  readonly worlds: readonly VectorEnv[];
  /** Which of them learn. */
  readonly learning: readonly number[];
  readonly steps: number;
  readonly rng: Rng;
  readonly carried: Carried | null;
}
interface Carried {
  readonly weights: Saved;
  readonly as: Config['carry'];
}

/** Writes as much of `from` as both matrices have: [I, O] or [O]. */
function overlap(from: Float32Array, shape: Shape, into: Float32Array, here: Shape): Float32Array {
  const columns = shape.at(-1) ?? 1;
  const own = here.at(-1) ?? 1;
  const rows = Math.min(from.length / columns, into.length / own);
  const found = into.slice();
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < Math.min(columns, own); column++) found[row * own + column] = from[row * columns + column]!;
  return found;
}

/** Gives the layers of the run's own environment what is carried over. */
async function takeOver(engine: Engine, group: ParamGroup, { weights, as }: Carried, c: Config): Promise<void> {
  for (const param of group.params) {
    const shared = isCommon(param.name, c) && weights.arrays[param.name]?.length === sizeOf(param.shape);
    if (as === 'trunk' && shared) engine.write(param, present(weights.arrays[param.name], param.name) as Float32Array);
    const from = weights.arrays[`1.0.${param.name}`];
    if (as !== 'ends' || shared || !(from instanceof Float32Array)) continue;
    const width = param.name.endsWith('.w') ? from.length / rowsBefore(weights, param.name) : from.length;
    engine.write(param, overlap(from, [from.length / width, width], await engine.read(param), param.shape));
  }
}

/** Rows of a stored matrix of the first environment: its biases tell how many columns it has. */
const rowsBefore = ({ arrays }: Saved, name: string): number => {
  const from = present(arrays[`1.0.${name}`], name);
  return from.length / present(arrays[`1.0.${name.slice(0, -1)}b`], name).length;
};

async function* learnStage(run: Run<Config>, stage: Stage, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const c = run.config; // fields marked live may change between iterations
  const { engine, group, worlds, learning, rng } = stage;
  const metas = worlds.map(({ meta }) => meta);
  const networks = networksOf(group, metas, c, rng.split('init'));
  const sampling = rng.split('sampling');
  const shuffling = rng.split('shuffling');
  const structure = asTeam(c);
  const parts = learning.flatMap((w) =>
    present(networks[w], 'networks').pairs.map((pair, k) => ({
      ...{ w, k, pair },
      rows: (c.rolloutSteps * c.envs * pair.actor.network.agents.length) / c.minibatches,
    })),
  );
  const still = c.frozen && stage.carried?.as === 'trunk' ? group.params.filter(({ name }) => inTrunk(name, c)) : [];
  const workers = parts.map(({ pair }) => team.openWorker(engine, pair, structure));
  const joint = compileJoint(engine, group, parts, c, still);
  const playing = learning.map((w) => {
    const env = present(worlds[w], 'an environment');
    const acting = workers.filter((_, p) => parts[p]?.w === w);
    return { w, env, collector: createCollector(env, acting, null, sampling) };
  });
  const layouts = workers.map((worker, p) => {
    const { arrays = {} } = team.learnerState(worker);
    const { w, k } = present(parts[p], 'a part');
    return { arrays: Object.fromEntries(Object.entries(arrays).map(([name, array]) => [`${w}.${k}.${name}`, array])) };
  });
  const state = registerState(
    {
      counters: { step: 0 },
      parts: { engine, ...Object.fromEntries(playing.map(({ w, env }) => [`env${w}`, env])) },
      arrays: { sampling, shuffling },
    },
    ...layouts,
  );
  const { counters } = state;
  const here = present(networks[0], 'networks');
  const normOf = (w: number, k: number): ValueNorm | null => workers.find((_, p) => parts[p]?.w === w && parts[p]?.k === k)?.norm ?? null;
  const lit = playing.map(({ w }) => {
    const p = parts.findIndex((part) => part.w === w);
    return { w, measure: activityOf(engine, present(parts[p], 'a part').pair, present(workers[p], 'a worker').rollout, c) };
  });
  const activities = async (): Promise<Readonly<Record<string, Float32Array>>> => {
    const found: Record<string, Float32Array> = {};
    for (const { w, measure } of lit) found[activityIn(w)] = await measure();
    return found;
  };
  const point = safePoint({
    state,
    engine,
    async snapshot() {
      const arrays: Record<string, Float32Array | Float64Array> = { ...(await activities()) };
      for (const [k] of here.pairs.entries()) {
        const norm = normOf(0, k);
        if (norm !== null) arrays[`norm${k}`] = norm.pack();
      }
      return joinSaved({}, { policy: await readParams(engine, group) }, arrays);
    },
    policy: () => policyOf(engine, here, (k) => normOf(0, k)),
  });
  if (stage.carried !== null) await takeOver(engine, group, stage.carried, c);
  if (resume === undefined) for (const { env } of playing) env.reset();
  else state.load(resume);

  while (counters.step < stage.steps) {
    const lr = c.annealLr ? annealed(c.lr, stage.steps, counters.step) : c.lr;
    for (const { collector } of playing) await collect(collector, { ...c, rewards: undefined, shaping: 0 });
    for (const { rollout, norm } of workers) team.computeAdvantages(rollout, norm, c);
    const feeds = workers.map((worker, p) => minibatchFeed(worker, joint.feedOf(p), c, shuffling));
    const report = await minibatchEpochs(
      joint.program,
      1,
      { ...c, lr },
      () => {
        for (const feed of feeds) feed.shuffle();
      },
      (k) => {
        for (const feed of feeds) feed.gather(k * feed.size);
      },
    );
    counters.step += c.rolloutSteps * c.envs * playing.length;
    const learned = team.reportOf(
      counters.step,
      [report],
      workers.map(({ rollout }) => rollout),
    );
    const returns = Object.fromEntries(playing.flatMap(({ w, env }) => (w === 0 ? [] : [[returnIn(w), env.episodes.meanReturn()]])));
    yield {
      step: counters.step,
      metrics: { ...episodeRow(present(worlds[0], 'the environment')), ...learned, learningRate: lr, ...returns },
      ...point,
    };
  }
}

/**
 * Mean absolute output of each unit of the actor's trunk over steps of the last rollout, chosen evenly; layer after layer [layers, units]. Where
 * agents of an environment differ, of the first kind.
 */
function activityOf(engine: Engine, { actor }: team.ActorCriticPair, rollout: Rollout, c: Config): () => Promise<Float32Array> {
  const whole = team.compileActor(engine, actor, null, 1);
  const names: string[] = [];
  const program = whole.derive((all) => {
    const outputs = new Map(OUTPUT_NAMES.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const])));
    const found: Record<string, Tensor> = {};
    for (const { weights, value } of layersOf(outputs).layers) {
      const named = weights.find(({ weights: { name } }) => inTrunk(name, c))?.weights.name;
      if (named === undefined) continue;
      names.push(named);
      found[named] = value;
    }
    return found;
  });
  const { inputs } = actor.network;
  const rows = rollout.steps * rollout.rows;
  const count = Math.min(rows, MOST_ROWS);
  return async () => {
    const sums: number[] = [];
    program.in.mask?.fill(1);
    for (let i = 0; i < count; i++) {
      const from = Math.floor((i * rows) / count) * inputs;
      present(program.in.obs, 'the input "obs"').set(rollout.obs.subarray(from, from + inputs));
      const pending = program.run();
      if (pending) await pending;
      names
        .flatMap((name) => Array.from(present(program.out[name], name)))
        .forEach((value, unit) => {
          sums[unit] = (sums[unit] ?? 0) + Math.abs(value) / count;
        });
    }
    return Float32Array.from(sums);
  };
}
const MOST_ROWS = 256;

/** Of a snapshot: what the trunk does in environment w (0: the run's own), as `activityOf` gives it. */
const activityIn = (w: number): string => `activity${w}`;
const returnIn = (w: number): string => `return${w}`;

function policyOf(
  engine: Engine,
  { meta, sharing, pairs }: Networks,
  normOf: (k: number) => ValueNorm | null,
  dispose?: () => void,
): Policy {
  const normalisers = pairs.map((_, k): team.Normalisers => ({ moments: null, norm: normOf(k) }));
  return team.pairsPolicy(engine, meta, sharing, pairs, normalisers, dispose);
}

/** What a stage yields as the whole run yields it. `kept`: all layers as they were when the first stage ended; a policy has what they did alone. */
function within(progress: Progress, stage: 1 | 2, before: number, kept: Saved): Progress {
  const wrap = async (inner: Saved | Promise<Saved>, part: Saved): Promise<Saved> =>
    joinSaved({ stage, before, done: progress.step }, { inner: await inner, kept: part });
  const did = Object.fromEntries(Object.entries(kept.arrays).filter(([name]) => !name.includes('/')));
  return {
    ...progress,
    step: before + progress.step,
    snapshot: () => wrap(progress.snapshot(), { meta: {}, arrays: did }),
    save: () => wrap(progress.save(), kept),
  };
}
const EMPTY: Saved = { meta: {}, arrays: {} };

async function* train(run: Run<Config>, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const c = run.config;
  const here = run.makeEnv(c.envs);
  const inner = resume && partOf(resume, 'inner');
  const two = c.carry !== 'together' && c.worlds.length > 0;
  const late = resume !== undefined && savedNumber(resume, 'stage') === 2;
  let kept = late ? partOf(resume, 'kept') : EMPTY;
  let before = resume === undefined ? 0 : savedNumber(resume, late ? 'before' : 'done');
  if (!late) {
    const worlds = [here];
    for (const { env, config: settings } of worldsOf(c)) worlds.push(await otherWorld(run, env, settings));
    const engine = await run.makeEngine();
    const group = engine.group('policy');
    const all = worlds.map((_, w) => w);
    const learning = two ? all.slice(1) : all;
    const steps = two ? Math.round(run.steps * c.sourceShare) : run.steps;
    let last: Saved | null = null;
    for await (const progress of learnStage(run, { engine, group, worlds, learning, steps, rng: run.rng, carried: null }, inner)) {
      if (two && progress.step >= steps) last = await progress.snapshot();
      before = progress.step;
      yield within(progress, 1, 0, EMPTY);
    }
    if (!two || before >= run.steps) return;
    // as the last policy of the stage holds it: all layers, and what they did in each environment
    kept = present(last, 'an iteration');
  }
  const engine = await run.makeEngine();
  const rest = {
    ...{ engine, group: engine.group('policy') },
    worlds: [here],
    learning: [0],
    steps: run.steps - before,
    rng: run.rng.split('carried'),
    carried: { weights: partOf(kept, 'policy'), as: c.carry },
  };
  for await (const progress of learnStage(run, rest, late ? inner : undefined)) yield within(progress, 2, before, kept);
}

/** Throws LabError('incompatible') where a run knows no environment but its own, or this one does not suit. */
async function otherWorld(run: Run<Config>, env: string, settings: JsonObject): Promise<VectorEnv> {
  if (run.makeOther === undefined) {
    const why = 'A run that is started this way knows no environment but its own.';
    throw fail('incompatible', why, 'Leave the list of other environments empty.', 'algo.worlds');
  }
  const made = await run.makeOther(env, run.config.envs, settings);
  team.checkTeam(made.meta, asTeam(run.config), 'A shared trunk');
  return made;
}

export const sharedTrunk = defineAlgo<Config>({
  spec: {
    id: 'shared-trunk',
    version: 1,
    title: 'Shared trunk over environments',
    summary: 'Several environments learn at once with layers of their own around one trunk, which then serves another one.',
    source: {
      title: 'Multi-Task Multi-Agent Shared Layers are Universal Cognition of Multi-Agent Coordination',
      authors: 'Wang et al.',
      year: 2023,
      url: 'https://arxiv.org/abs/2312.15674',
    },
    config,
    presets: [
      {
        id: 'three',
        title: 'Spread, tag and foraging first, then their trunk here',
        config: {
          carry: 'trunk',
          worlds: [
            { env: 'mpe-simple-spread', config: {} },
            { env: 'mpe-simple-tag', config: { seats: { agent_0: 'scripted' } } },
            { env: 'level-based-foraging', config: {} },
          ],
          ...{ gamma: 0.95, lr: 1e-3, valueNorm: true, hidden: [64, 64, 64] },
        },
      },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: { env: 'mpe-simple-spread', steps: 1280, config: { envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8, 8] } },
    probes: [
      { on: ['bandit', 'cued', 'masked', 'team'], steps: 6000 },
      { on: ['delayed'], steps: 8000 },
      { on: ['roles'], steps: 10_000 },
      { on: ['climbing'], steps: 8000, config: { criticSees: 'joint' } },
    ],
    probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16, 16] },
    metrics: [
      ...ppoMetrics,
      ...Array.from({ length: MOST_WORLDS }, (_, i) => ({
        id: returnIn(i + 1),
        title: `return in other environment ${i + 1}`,
        description: 'Mean score of its last 100 training episodes, while it learns.',
      })),
    ],
  },

  fits(meta, c) {
    team.checkTeam(meta, asTeam(c), 'A shared trunk');
    worldsOf(c);
    if (c.trunkFrom <= trunkEnd(c)) return;
    const why = `There are ${c.hidden.length} hidden layers: from ${c.trunkFrom} on none is left for a trunk.`;
    throw fail('config-invalid', why, 'Give more hidden layers, or begin the trunk earlier.', 'algo.trunkFrom');
  },

  train,

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const group = engine.group('policy');
    const networks = present(networksOf(group, [meta], c, Rng.from(0))[0], 'networks');
    const inner = partOf(saved, 'inner');
    loadGroups(engine, { policy: group }, inner);
    const norms = networks.pairs.map((_, k) => savedPacked(inner, `norm${k}`, new ValueNorm()));
    return policyOf(
      engine,
      networks,
      (k) => norms[k] ?? null,
      () => engine.dispose(),
    );
  },
});
