/**
 * A set of policies for teams of any size (after MRA: Zhang et al. 2021). One network over things is trained on teams of several sizes at once;
 * each agent draws a code z for an episode, acts by pi(a | o, z), and is paid more where what it sees tells its code: the codes become ways to
 * play that differ, on top of what they share.
 *   r' = r + diversity (ln q(z | o) + ln K),   q descends -ln q(z | o);   z uniform of K in training
 *   playing: the code whose value V(o, z) is highest at the first view of the episode, kept to its end
 *   K = 1    no code, no q, no further pay: independent PPO on several sizes at once (the rival, of the same network)
 * That the expected further pay is a lower bound of the mutual information of z and o is Barber and Agakov 2003. The authors' code
 * (shenao-zhang/MRA at 7617821) has one code for each agent too; there its chances are learned from the number of agents, it chooses a head of
 * attention, and actions are to tell it, not views. The choice by value and a fixed weight in place of a constraint are our own choices.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     for each size
 *       play T steps of B environments, every agent by pi(a | o, z) of the code that it drew when the episode began
 *       reward += diversity (ln q(z | o) + ln K); one step of Adam on -ln q(z | o) for each part of what was seen
 *       advantages A by GAE(lambda) on V(o, z), returns = A + V
 *     for each size
 *       PPO's epochs of shuffled minibatches on pi and V, which all sizes share
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { fail, present } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import type { ExtraCard } from '#contract/session/session.ts';
import { log } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { annealed } from '#math/schedules.ts';
import { logSoftmax, mean, neg, pick, reshape, sliceAxis } from '../../engine/ops.ts';
import { adam } from '../../engine/optimisers.ts';
import type { Engine, ParamGroup, Tensor } from '../../engine/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { bodyFront } from '../../nets/body.ts';
import { dense } from '../../nets/mlp.ts';
import { registerState } from '../../state/checkpoint.ts';
import { loadGroups } from '../../state/params.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkFinite } from '../api/guards.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Act, Policy, Progress, Run } from '../api/types.ts';
import { collect, createCollector, updateEpochs } from '../lib/ppo/collect.ts';
import { commonFields, ppoMetrics, type UpdateReport } from '../lib/ppo/common.ts';
import * as team from '../lib/ppo/team.ts';
import { type ParameterSharing, shareNetworks } from '../lib/sharing.ts';
import { metaWithCodes, widthsOf, withCodes, writeCoded } from './lib/policy-codes.ts';

const own = 'own choice';
const { valueNorm: _v, agentId: _i, shapingUntil: _s, ...teamFields } = team.teamFields;
const { normaliseObs: _n, ...ppoFields } = commonFields;
const config = z.strictObject({
  codes: fields.integer(4, {
    min: 1,
    max: 16,
    title: 'policies of the set',
    description: 'Codes of which each agent draws one for an episode; 1: one policy for all sizes.',
    source: own,
    depth: 'teach',
    group: 'team',
  }),
  diversity: fields.real(0.05, {
    min: 0,
    max: 10,
    title: 'pay for differing',
    description: 'Weight of ln q(code | seen) + ln(codes) in the reward.',
    source: own,
    slider: [0, 0.5],
    depth: 'teach',
    group: 'team',
  }),
  readerLr: fields.real(1e-3, {
    above: 0,
    max: 1,
    title: 'learning rate of the reader',
    description: 'Step size of Adam of the network that tells codes from what is seen.',
    source: own,
    depth: 'stored',
    group: 'optimisation',
  }),
  trainOn: z.array(z.record(z.string(), z.json())).max(8).default([]).meta({
    title: 'train on',
    description: 'What is different in each world that is trained on: [{"agents": 2}, {"agents": 4}]; empty: the environment as it is.',
    source: 'MRA: games of several sizes',
    depth: 'research',
    group: 'team',
  }),
  ...ppoFields,
  envs: fields.numEnvs(16, 'JaxMARL ippo_ff_mpe'),
  ...teamFields,
  body: fields.body(),
});
type Config = z.infer<typeof config>;

const CLOSED = { valueNorm: false, agentId: false, shapingUntil: 0, normaliseObs: false } as const;
const asTeam = (c: Config): team.TeamConfig => ({ ...c, ...CLOSED });

/** A group whose second network of a kind reads the parameters of the first: sizes differ in what is seen, and in no parameter. */
function shared(group: ParamGroup): ParamGroup {
  return {
    name: group.name,
    params: group.params,
    param(key, shape, init) {
      const known = group.params.find(({ name }) => name === key);
      if (known === undefined) return group.param(key, shape, init);
      if (known.shape.join() === shape.join()) return known;
      const why =
        'The worlds that are trained on and the one that is judged differ in what an agent sees, and dense layers have a weight for each number.';
      throw fail('config-invalid', why, 'Choose the body of entities.', 'algo.body');
    },
  };
}

interface Networks {
  readonly sharing: ParameterSharing;
  readonly pairs: readonly team.ActorCriticPair[];
}

/** Policies and values of each world over the same parameters. */
function networksOf(engine: Engine, worlds: readonly EnvMeta[], c: Config, rng: Rng): readonly Networks[] {
  const groups = new Map<string, ParamGroup>();
  const groupOf = (name: string): ParamGroup => {
    const known = groups.get(name);
    if (known !== undefined) return known;
    const made = engine.group(name);
    groups.set(name, made);
    return made;
  };
  const one = { group: (name: string) => shared(groupOf(name)) };
  return worlds.map((meta) => {
    const wide = metaWithCodes(meta, c.codes);
    const sharing = shareNetworks(wide, c.sharing);
    const pairs = team.buildPairs(one, wide, sharing, asTeam(c), 'own', rng);
    const real = <T extends { readonly group: ParamGroup }>(part: T): T => ({ ...part, group: groupOf(part.group.name) });
    return { sharing, pairs: pairs.map(({ actor, critic }) => ({ actor: real(actor), critic: real(critic) })) };
  });
}

/** ln q(code | seen) of a network's agents, from rows [M, O + K] whose code is cut off: [M, K]. */
function readerOf(group: ParamGroup, meta: EnvMeta, agent: number, c: Config, rng: Rng): (rows: Tensor) => Tensor {
  const { obs } = meta.agents.flatMap((of) => Array.from({ length: of.count }, () => of))[agent]!;
  const width = widthsOf(meta)[agent]!;
  const front = bodyFront(obs, c, { act: c.activation })?.(group, 'reader', rng, width);
  const first = dense(group, 'reader.first', rng, front?.size ?? width, 32, { act: 'tanh' });
  const last = dense(group, 'reader.last', rng, 32, c.codes, { gain: 0.01 });
  return (rows) => {
    const seen = sliceAxis(rows, 1, 0, width);
    return logSoftmax(last(first(front === undefined ? seen : front.net(seen))));
  };
}

/** The further pay of one network's rows in a world, and what teaches its reader. */
function openReader(engine: Engine, group: ParamGroup, read: (rows: Tensor) => Tensor, learner: team.AgentLearner, c: Config) {
  const { rollout, network } = learner;
  const total = rollout.steps * rollout.rows;
  const size = total / c.minibatches;
  const program = engine.compile(
    { obs: [size, network.inputs], code: [size] },
    (x) => {
      const named = pick(read(x.obs), x.code);
      return { loss: reshape(neg(mean(named)), []), named };
    },
    { minimise: 'loss', group, with: adam({ eps: c.adamEps }), name: 'code reader' },
  );
  const codes = new Float32Array(total);
  return {
    codes,
    /** Adds the further pay to the rewards by the reader as it was, which then learns; the mean of ln q(z | o) + ln K. */
    async pay(diversity: number, lr: number): Promise<number> {
      let sum = 0;
      for (let from = 0; from < total; from += size) {
        program.in.lr[0] = lr;
        program.in.obs.set(rollout.obs.subarray(from * network.inputs, (from + size) * network.inputs));
        program.in.code.set(codes.subarray(from, from + size));
        const pending = program.run();
        if (pending) await pending;
        for (let i = 0; i < size; i++) {
          const told = program.out.named[i]! + log(c.codes);
          sum += told;
          rollout.rewards[from + i] = rollout.rewards[from + i]! + diversity * told;
        }
      }
      return sum / total;
    },
  };
}

/** Each agent plays by the code that it values most at its first view. */
function choosingPolicy(inner: Policy, meta: EnvMeta, codes: number): Policy {
  if (codes === 1) return inner;
  const wide = metaWithCodes(meta, codes);
  const widths = widthsOf(meta);
  const extras: readonly ExtraCard[] = [
    {
      id: 'policyCode',
      kind: 'choice',
      title: 'policy of the set',
      description: 'The one that this agent valued most at its first view of the episode, and keeps.',
      labels: Array.from({ length: codes }, (_, k) => `${k + 1}`),
    },
  ];
  const coded = (obs: Float32Array, agent: Int32Array, codeOf: (row: number) => number): Float32Array => {
    const out = new Float32Array(agent.length * wide.obsSize);
    for (let row = 0; row < agent.length; row++)
      writeCoded(obs, row * meta.obsSize, widths[agent[row]!]!, { code: codeOf(row), codes }, out, row * wide.obsSize);
    return out;
  };
  return {
    extras,
    initial: (rows) => new Float32Array(rows), // 0: not chosen yet, else 1 + its code
    async act(query): Promise<Act> {
      const { rows, obs, agent } = query;
      const hidden = query.hidden.slice();
      if (hidden.some((kept) => kept === 0)) {
        const best = new Float32Array(rows).fill(Number.NEGATIVE_INFINITY);
        const chosen = new Float32Array(rows);
        for (let k = 0; k < codes; k++) {
          const { valueless: _, ...valued } = query;
          const { value } = await inner.act({ ...valued, obs: coded(obs, agent, () => k), hidden: inner.initial(rows), greedy: true });
          for (let row = 0; row < rows; row++) {
            if (value === undefined || value[row]! <= best[row]!) continue;
            best[row] = value[row]!;
            chosen[row] = k + 1;
          }
        }
        for (let row = 0; row < rows; row++) if (hidden[row] === 0) hidden[row] = chosen[row]!;
      }
      const act = await inner.act({ ...query, obs: coded(obs, agent, (row) => hidden[row]! - 1), hidden: inner.initial(rows) });
      return { ...act, hidden, extras: { policyCode: Float32Array.from(hidden, (kept) => kept - 1) } };
    },
    dispose: () => inner.dispose(),
  };
}

/** Nothing is normalised: running moments and scales of values belong to one size. */
const PLAIN: team.Normalisers = { moments: null, norm: null };

function policyOf(engine: Engine, meta: EnvMeta, { sharing, pairs }: Networks, codes: number, dispose?: () => void): Policy {
  const wide = metaWithCodes(meta, codes);
  const inner = team.pairsPolicy(
    engine,
    wide,
    sharing,
    pairs,
    pairs.map(() => PLAIN),
    dispose,
  );
  return choosingPolicy(inner, meta, codes);
}

/** The worlds that are trained on, as settings of the environment; undefined: the run's own. */
const worldsOf = ({
  envEntry,
  envConfig,
  config: c,
}: Pick<Run<Config>, 'envEntry' | 'envConfig' | 'config'>): (JsonObject | undefined)[] =>
  c.trainOn.length === 0 ? [undefined] : c.trainOn.map((differs) => envEntry.parse({ ...envConfig, ...(differs as JsonObject) }));

async function* train(run: Run<Config>, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const c = run.config;
  const engine = await run.makeEngine();
  const played = worldsOf(run).map((envConfig) => {
    const plain = envConfig === undefined ? run.makeEnv(c.envs) : run.makeEnv(c.envs, envConfig);
    team.checkTeam(plain.meta, asTeam(c), 'A policy set');
    return plain;
  });
  const metas = played.map(({ meta }) => meta);
  const init = run.rng.split('init');
  const all = networksOf(engine, [...metas, run.meta], c, init);
  const networks = all.slice(0, -1);
  const sampling = run.rng.split('sampling');
  const shuffling = run.rng.split('shuffling');
  const several = c.codes > 1;
  const readerGroups = networks[0]!.sharing.networks.map(({ name }) => (several ? engine.group(`${name}.reader`) : null));
  const readers = networks.map(({ sharing }, w) =>
    sharing.networks.map(({ agents }, k) => {
      const group = readerGroups[k] ?? null;
      return group === null ? null : { group, read: readerOf(shared(group), metas[w]!, agents[0]!, c, init.split('reader', k)) };
    }),
  );
  const worlds = networks.map(({ sharing, pairs }, w) => {
    const coded = several ? withCodes(played[w]!, c.codes, run.rng.split('codes', w)) : null;
    const env = coded?.env ?? played[w]!;
    const learners = pairs.map((pair) => team.openLearner(engine, pair, asTeam(c)));
    const opened = learners.map((learner, k) => {
      const reader = readers[w]![k] ?? null;
      return reader === null ? null : openReader(engine, reader.group, reader.read, learner, c);
    });
    const note = (t: number): void => {
      for (const [k, { agents }] of sharing.networks.entries()) {
        const into = opened[k]?.codes;
        if (into === undefined || coded === null) continue;
        const rows = c.envs * agents.length;
        for (let row = 0; row < rows; row++)
          into[t * rows + row] = coded.drawn[Math.floor(row / agents.length) * env.meta.agentCount + agents[row % agents.length]!]!;
      }
    };
    let t = 0;
    const noting = {
      ...env,
      step(actions: Parameters<typeof env.step>[0]) {
        note(t++ % c.rolloutSteps); // rollouts are whole between two saves
        env.step(actions);
      },
    };
    const named = (layout: ReturnType<typeof team.learnerState>) => ({
      arrays: Object.fromEntries(Object.entries(layout.arrays ?? {}).map(([name, array]) => [`${w}.${name}`, array])),
    });
    const layouts = [...learners.map(team.learnerState), ...(coded === null ? [] : [coded.state])].map(named);
    return { env, learners, opened, collector: createCollector(noting, learners, null, sampling), layouts };
  });
  const state = registerState(
    {
      counters: { step: 0 },
      parts: { engine, ...Object.fromEntries(worlds.map(({ env }, w) => [`env${w}`, env])) },
      arrays: { sampling, shuffling },
    },
    ...worlds.flatMap(({ layouts }) => layouts),
  );
  const { counters } = state;
  const judged = present(all.at(-1), 'networks of the world that is judged');
  const point = safePoint({
    state,
    engine,
    snapshot: () =>
      team.snapshotOf(
        engine,
        judged.pairs,
        judged.pairs.map(() => PLAIN),
      ),
    policy: () => policyOf(engine, run.meta, judged, c.codes),
  });
  if (resume === undefined) for (const { env } of worlds) env.reset();
  else state.load(resume);
  while (counters.step < run.steps) {
    const lr = c.annealLr ? annealed(c.lr, run.steps, counters.step) : c.lr;
    const reports: UpdateReport[] = [];
    let told = 0;
    for (const { collector, learners: own, opened } of worlds) {
      await collect(collector, { ...c, rewards: undefined, shaping: 0 });
      for (const [k, learner] of own.entries()) {
        told += ((await opened[k]?.pay(c.diversity, c.readerLr)) ?? 0) / (own.length * worlds.length);
        team.computeAdvantages(learner.rollout, learner.norm, c);
      }
    }
    for (const { learners: own } of worlds) for (const learner of own) reports.push(await updateEpochs(learner, { ...c, lr }, shuffling));
    counters.step += c.rolloutSteps * c.envs * worlds.length;
    checkFinite(counters.step, { codeTold: told });
    const rows = worlds.map(({ env }) => episodeRow(env));
    const meanOf = (key: 'episodicReturn' | 'episodeLength'): number => rows.reduce((sum, row) => sum + row[key], 0) / rows.length;
    const learned = team.reportOf(
      counters.step,
      reports,
      worlds.flatMap(({ learners: all }) => all.map(({ rollout }) => rollout)),
    );
    yield {
      step: counters.step,
      metrics: {
        episodicReturn: meanOf('episodicReturn'),
        episodeLength: meanOf('episodeLength'),
        episodes: rows.reduce((sum, row) => sum + row.episodes, 0),
        ...learned,
        learningRate: lr,
        codeTold: several ? told : Number.NaN,
      },
      ...point,
    };
  }
}

export const policySet = defineAlgo<Config>({
  spec: {
    id: 'policy-set',
    version: 1,
    title: 'Policy set over team sizes',
    summary: 'One network learns several ways to play on teams of several sizes, and picks one in a team of any size.',
    source: {
      title: 'Learning Meta Representations for Agents in Multi-Agent Reinforcement Learning',
      authors: 'Zhang et al.',
      year: 2021,
      url: 'https://arxiv.org/abs/2108.12988',
    },
    config,
    presets: [
      {
        id: 'sizes',
        title: 'Spread: learn with 2 and 4 agents',
        config: {
          gamma: 0.9,
          lr: 1e-3,
          trainOn: [{ agents: 2 }, { agents: 4 }],
          body: { kind: 'entities', units: 16, heads: 2, blocks: 1 },
        },
      },
      {
        id: 'single',
        title: 'Spread: the same sizes, one policy',
        config: {
          codes: 1,
          gamma: 0.9,
          lr: 1e-3,
          trainOn: [{ agents: 2 }, { agents: 4 }],
          body: { kind: 'entities', units: 16, heads: 2, blocks: 1 },
        },
      },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'mpe-simple-spread',
      steps: 1280,
      config: { envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8], codes: 2 },
    },
    probes: [
      { on: ['bandit', 'cued', 'masked', 'team'], steps: 8000 },
      { on: ['roles'], steps: 12_000, config: { codes: 1 } },
      { on: ['pointingTeam'], steps: 16_000, atLeast: 0.95 },
    ],
    probeConfig: {
      ...{ envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
      ...{ codes: 2, diversity: 0.01 },
    },
    metrics: [
      ...ppoMetrics,
      {
        id: 'codeTold',
        title: 'code told from what is seen',
        description: 'Mean of ln q(code | seen) + ln(codes): 0 nothing, ln(codes) all. At most the mutual information of both.',
        unit: 'nats',
      },
    ],
  },

  fits(meta, c) {
    team.checkTeam(meta, asTeam(c), 'A policy set');
    const plain = meta.agents.every(({ obs }) => obs.kind === 'box' && obs.shape.length === 1);
    if (c.codes === 1 || plain) return;
    const why = 'A code stands beside plain numbers, and agents see something else here.';
    throw fail('incompatible', why, 'Choose one policy, or another environment.', 'algo.codes');
  },

  train,

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const one = present(networksOf(engine, [meta], c, Rng.from(0))[0], 'networks');
    loadGroups(engine, Object.fromEntries(one.pairs.map(({ actor }) => [actor.network.name, actor.group])), saved);
    return policyOf(engine, meta, one, c.codes, () => engine.dispose());
  },
});
