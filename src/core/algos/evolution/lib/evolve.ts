/**
 * What methods without gradients share: a network that acts without chance and whose parameters are one vector, candidates that each play
 * whole episodes, and the loop that asks a search for candidates and tells it what they returned. More return is better.
 * One agent; discrete actions (the largest logit) or numbers with bounds (tanh, scaled to them; of a linear policy, cut at them).
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import type { VersionChange } from '#contract/run/versions.ts';
import { clip } from '#core/engine/ops.ts';
import type { Engine, ParamGroup, Tensor } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import { maskLogits } from '#core/nets/heads.ts';
import { mlp, type Net } from '#core/nets/mlp.ts';
import { registerState, type StateLayout } from '#core/state/checkpoint.ts';
import { loadGroups, readVector, saveGroups, writeVector } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { argmax } from '#math/sampling.ts';
import { mean, std } from '#math/stats.ts';
import { defineAlgo } from '../../api/define.ts';
import * as fields from '../../api/fields.ts';
import { checkFinite, checkOneReward } from '../../api/guards.ts';
import { episodeMetrics, episodeRow } from '../../api/metrics.ts';
import { safePoint } from '../../api/safe-point.ts';
import type { AlgoEntry, AlgoSpec, Policy, PolicyContext, Progress, Run } from '../../api/types.ts';
import { boxPolicy, createBoxActions, isBounded } from '../../lib/box.ts';
import { networkPolicy } from '../../lib/network-policy.ts';

const played = {
  episodes: fields.integer(1, {
    min: 1,
    max: 100,
    title: 'episodes per candidate',
    description: 'Whole episodes whose mean return says how good a candidate is. More where chance decides much.',
    source: 'own choice',
    slider: [1, 10],
    group: 'population',
  }),
};
const shared = {
  ...played,
  hidden: z.array(z.int().min(1).max(256)).max(4).default([16]).meta({
    title: 'hidden layers',
    description: 'Units of each layer, tanh between them. None: a linear policy.',
    source: 'own choice',
    group: 'network',
  }),
};

type SharedConfig = { readonly [K in keyof typeof shared]: z.infer<(typeof shared)[K]> };
/** Of a method with a linear policy, `hidden` is missing. */
type PlayedConfig = Pick<SharedConfig, 'episodes'> & Partial<SharedConfig>;

const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'generation', title: 'generation', description: 'Populations tried so far.' },
  { id: 'populationMean', title: 'population mean', description: 'Mean return of the candidates of the last generation.' },
  {
    id: 'populationBest',
    title: 'population best',
    description: 'Return of its best candidate; lucky where an episode is a matter of chance.',
  },
  { id: 'populationSpread', title: 'population spread', description: 'Standard deviation of their returns.' },
];

/** A search over vectors of parameters [n]. */
export interface Search {
  readonly state: StateLayout;
  /** The candidates of the next generation; arrays stay valid until `tell`. */
  ask(): readonly Float64Array[];
  /** An observation on which a candidate is about to act. */
  seen?(obs: Float32Array): void;
  /** Their returns and mean lengths, in that order. `evaluate` plays further episodes, which count as steps of the run. */
  tell(returns: Float64Array, evaluate: (parameters: Float64Array) => Promise<number>, lengths: Float64Array): void | Promise<void>;
  /** The parameters that act from now on. */
  readonly best: Float64Array;
  /** Further metrics of the last generation. */
  report(): { readonly [metric: string]: number };
}

interface DirectNetwork {
  readonly group: ParamGroup;
  /** Logits [rows, N], illegal ones -1e8, or actions [rows, D] in [-1, 1]. */
  readonly head: (x: { readonly obs: Tensor; readonly mask?: Tensor | undefined }) => Tensor;
}

/** `hidden` missing: a linear policy, whose actions are cut at the bounds. */
function directNetwork(engine: Engine, meta: EnvMeta, hidden: readonly number[] | undefined, rng: Rng): DirectNetwork {
  const space = meta.agents[0]!.obs;
  const group = engine.group('policy');
  const discrete = meta.actionCount > 0;
  const sizes = [encodedSize(space), ...(hidden ?? []), discrete ? meta.actionCount : meta.actionSize];
  const cut = !discrete && hidden === undefined;
  const net: Net = mlp(group, 'actor', rng, sizes, { act: 'tanh', init: 'xavier', outAct: discrete || cut ? 'none' : 'tanh' });
  return {
    group,
    head({ obs, mask }) {
      const out = net(encode(obs.graph, obs, space));
      if (cut) return clip(out, -1, 1);
      return mask === undefined ? out : maskLogits(out, mask);
    },
  };
}

const inputs = (meta: EnvMeta, rows: number) =>
  ({ obs: [rows, meta.obsSize], mask: meta.masked ? [rows, meta.actionCount] : null }) as const;

function directPolicy(engine: Engine, meta: EnvMeta, { head }: DirectNetwork, dispose?: () => void): Policy {
  const end = dispose && { dispose };
  if (meta.actionCount === 0) {
    const compile = (rows: number) => engine.compile({ obs: [rows, meta.obsSize] }, (x) => ({ mean: head(x) }), { name: 'policy' });
    return boxPolicy({ meta, compile, ...end });
  }
  const compile = (rows: number) => engine.compile(inputs(meta, rows), (x) => ({ logits: head(x) }), { name: 'policy' });
  const policy = networkPolicy({ meta, compile, ...end });
  // What was searched for is the policy that takes the largest logit.
  return { ...policy, act: (query) => policy.act({ ...query, greedy: true }) };
}

/**
 * Plays one episode and answers its return; adds the steps to the counter. An episode without an end is cut after `evalMaxSteps` and the
 * environment starts again, so that every candidate begins in a first state.
 */
function player(engine: Engine, meta: EnvMeta, { head }: DirectNetwork, env: VectorEnv, counters: { step: number }, seen: Search['seen']) {
  const { buffers } = env;
  const act = engine.compile(inputs(meta, 1), (x) => ({ head: head(x) }), { name: 'evolution act' });
  const discrete = meta.actionCount > 0;
  const actions = createActions(meta, 1);
  const box = createBoxActions(meta, 1);
  const row = Uint8Array.of(1);
  return async (): Promise<number> => {
    let total = 0;
    for (let t = 0; t < meta.evalMaxSteps; t++) {
      act.in.obs.set(buffers.obs);
      seen?.(buffers.obs);
      if (buffers.mask !== undefined) act.in.mask?.set(buffers.mask);
      const pending = act.run();
      if (pending) await pending;
      if (discrete) {
        actions[0] = argmax(act.out.head, 0, meta.actionCount);
        env.step(actions);
      } else {
        box.unit.set(act.out.head);
        env.step(box.scaled());
      }
      counters.step++;
      total += buffers.reward[0]!;
      if (buffers.terminated[0] !== 0 || buffers.truncated[0] !== 0) return total;
    }
    env.cut(row);
    env.env.restart(row, buffers);
    return total;
  };
}

/** Throws LabError('incompatible') where a network of this kind cannot act. */
function checkActions(meta: EnvMeta, title: string): void {
  checkOneReward(meta, title);
  if (meta.actionCount > 0 || isBounded(meta)) return;
  throw fail('incompatible', `${title} needs actions with bounds.`, 'Choose another environment.', 'env.id');
}

/** `inputs`: numbers that the network sees of an observation. */
type Begin<C> = (start: Float64Array, rng: Rng, config: C, inputs: number) => Search;

async function* evolve<C extends PlayedConfig>(
  run: Run<C>,
  resume: Saved | undefined,
  begin: Begin<C>,
): AsyncGenerator<Progress, void, void> {
  const { meta, config: c } = run;
  const engine = await run.makeEngine();
  const env = run.makeEnv(1);
  const network = directNetwork(engine, meta, c.hidden, run.rng.split('init'));
  const { group } = network;
  const searching = run.rng.split('search');
  const search = begin(await readVector(engine, group.params), searching, c, encodedSize(meta.agents[0]!.obs));
  const counters = { step: 0, generation: 0 };
  const state = registerState({ counters, parts: { env, engine }, arrays: { searching } }, search.state);
  const play = player(engine, meta, network, env, counters, search.seen);
  const evaluate = async (parameters: Float64Array): Promise<number> => {
    writeVector(engine, group.params, parameters);
    let total = 0;
    for (let k = 0; k < c.episodes; k++) total += await play();
    return total / c.episodes;
  };
  const point = safePoint({
    state,
    engine,
    snapshot: () => saveGroups(engine, { net: group }),
    policy: () => directPolicy(engine, meta, network),
  });
  if (resume === undefined) env.reset();
  else state.load(resume);

  while (counters.step < run.steps) {
    const candidates = search.ask();
    const returns = new Float64Array(candidates.length);
    const lengths = new Float64Array(candidates.length);
    for (let k = 0; k < candidates.length; k++) {
      const before = counters.step;
      returns[k] = await evaluate(candidates[k]!);
      lengths[k] = (counters.step - before) / c.episodes;
    }
    await search.tell(returns, evaluate, lengths);
    writeVector(engine, group.params, search.best);
    counters.generation++;
    const { step, generation } = counters;
    const report = {
      generation,
      populationMean: mean(returns),
      populationBest: returns.reduce((a, b) => Math.max(a, b)),
      populationSpread: std(returns, 1),
      ...search.report(),
    };
    checkFinite(step, report);
    yield { step, metrics: { ...episodeRow(env), ...report }, ...point };
  }
}

async function evolvedPolicy({ config: c, meta, makeEngine }: PolicyContext<PlayedConfig>, saved: Saved): Promise<Policy> {
  const engine = await makeEngine();
  const network = directNetwork(engine, meta, c.hidden, Rng.from(0));
  loadGroups(engine, { net: network.group }, saved);
  return directPolicy(engine, meta, network, () => engine.dispose());
}

/** What a method declares; the settings, metrics and probes that all of them have come by themselves. */
interface Own<C>
  extends Pick<AlgoSpec<C>, 'id' | 'title' | 'summary' | 'source' | 'presets' | 'trial' | 'probeConfig'>,
    Partial<Pick<AlgoSpec<C>, 'version' | 'changes' | 'probes'>> {
  readonly fields: { readonly [K in keyof C]: z.ZodType<C[K]> };
  readonly metrics: readonly MetricCard[];
}

const changes: readonly VersionChange[] = [
  {
    version: 2,
    what: 'After an episode that is cut for its length the next candidate begins in a first state, not where that episode stopped.',
    whereEndless: true,
    rerun: true,
  },
];

/**
 * A method by its search, which `begin` makes from the first parameters [n]. Safe points are between generations. `check` refuses further
 * environments and settings.
 */
export function evolutionMethod<C extends object>(
  own: Own<C>,
  begin: Begin<C & SharedConfig>,
  check?: (meta: EnvMeta, config: C) => void,
): AlgoEntry {
  return methodOf<C & SharedConfig>({ version: 2, changes, ...own }, shared, begin, check);
}

/** The same of a linear policy: an observation [I] times a matrix [I, N], plus numbers [N]. */
export function linearMethod<C extends object>(
  own: Own<C>,
  begin: Begin<C & PlayedConfig>,
  check?: (meta: EnvMeta, config: C) => void,
): AlgoEntry {
  return methodOf<C & PlayedConfig>({ version: 1, ...own }, played, begin, check);
}

function methodOf<C extends PlayedConfig>(
  { fields: own, metrics: more, ...spec }: Omit<Own<C>, 'fields'> & { readonly fields: object; readonly version: number },
  common: { readonly [name: string]: z.ZodType },
  begin: Begin<C>,
  check?: (meta: EnvMeta, config: C) => void,
): AlgoEntry {
  // zod cannot say the sum of a fixed shape and a generic one
  const config: z.ZodType<unknown> = z.strictObject({ ...(own as { readonly [name: string]: z.ZodType }), ...common });
  return defineAlgo<C>({
    spec: {
      probes: [
        { on: ['bandit', 'cued', 'delayed', 'masked'], steps: 20_000 },
        { on: ['pointing'], steps: 20_000, atLeast: 0.9 },
      ],
      ...spec,
      config: config as z.ZodType<C>,
      metrics: [...metrics, ...more],
      action: 'any',
      learner: 'network',
      agents: 'one',
    },
    fits(meta, c) {
      checkActions(meta, spec.title);
      check?.(meta, c);
    },
    train: (run, resume) => evolve(run, resume, begin),
    policy: evolvedPolicy,
  });
}
