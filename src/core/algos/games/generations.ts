/**
 * Generations in weights (after Cook et al. 2024): a lineage of learners in one run. Each begins with a new network and learns by recurrent PPO; its
 * predecessor, frozen, plays beside it and is seen with a chance that falls over the learner's life. All have the same share of the steps.
 *   p(k) = first + (last - first) k / K   the chance to see it in the k-th of the K updates of a generation;   none in the first generation
 *   generation g + 1 watches generation g as it ended, which draws its actions from its policy and never sees another
 *   one generation: recurrent PPO, bit for bit (where a world has a seat to be watched, its first seat alone learns)
 * Seen always (first = last = 1) or never (both 0) are the two ends, which the paper calls too much and too little social learning.
 * Compared with FLAIROx/cultural-accumulation (`memory_sequence.ipynb`, `goal_seq/in_weights_accumulation.py`): there five learners a generation, of
 * which all are watched; here one. Step sizes are annealed within each generation.
 * Pseudo-code:
 *   for each generation g
 *     a new network, a new optimiser; the predecessor is what g - 1 ended with
 *     until its share of the steps is spent
 *       p from how much of its life is over
 *       play T steps of B environments by pi; beside it the predecessor plays, seen with chance p in each step
 *       advantages A by GAE(lambda), returns = A + V; epochs of recurrent PPO's minibatches
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { fail, present } from '#contract/kit/errors.ts';
import type { Saved } from '#contract/run/events.ts';
import type { Engine, ParamGroup } from '#core/engine/types.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { freshOptimiser, loadGroups, readParams, saveGroups, writeParams } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { annealed, linear } from '#math/schedules.ts';
import { hostGroup } from '../../engine/params.ts';
import type { Actions, EnvMeta } from '../../envs/api/types.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import type { VectorEnv } from '../../envs/api/vector-env.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeRow } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy, Progress, Run } from '../api/types.ts';
import { collect, createCollector, keepValues, prepareRows, recall, updateEpochs } from '../lib/ppo/collect.ts';
import { commonFields, ppoMetrics, sampleActions } from '../lib/ppo/common.ts';
import * as team from '../lib/ppo/team.ts';
import { gatherMasks, gatherObs, type ParameterSharing, scatterActions, shareNetworks } from '../lib/sharing.ts';

const { valueNorm: _v, agentId: _a, shapingUntil: _u, layerNorm: _l, sharing: _s, deathEnds: _d, ...teamFields } = team.teamFields;
const { normaliseObs: _n, ...ppoFields } = commonFields;
const source = 'Cook et al. 2024';
const chance = (value: number, title: string, description: string) =>
  fields.real(value, { min: 0, max: 1, title, description, source, slider: [0, 1], depth: 'teach', group: 'team' });

const config = z.strictObject({
  generations: fields.integer(5, {
    min: 1,
    max: 50,
    title: 'generations',
    description: 'Learners one after another, each with a new network and the same share of the steps.',
    source: 'own choice; 8 in the public code of Cook et al. 2024',
    slider: [1, 10],
    depth: 'teach',
    group: 'team',
  }),
  seenFirst: chance(
    1,
    'predecessor seen at first',
    'Chance in each step that a generation sees its predecessor, at the start of its life.',
  ),
  seenLast: chance(0, 'predecessor seen at last', 'The same at the end of its life; between the two the chance is a straight line.'),
  ...ppoFields,
  envs: fields.numEnvs(16, 'own choice'),
  hidden: fields.hidden([64], 'one layer before the cell'),
  memory: variant('gru', [kind('gru', team.memoryFields), kind('lstm', team.memoryFields)], {
    title: 'recurrent cell',
    description: 'GRU or LSTM.',
    source: 'GRU in the memory sequence of Cook et al. 2024',
    depth: 'research',
    group: 'network',
  }),
  ...teamFields,
});
type Config = z.infer<typeof config>;

const CLOSED = {
  valueNorm: false,
  agentId: false,
  shapingUntil: 0,
  normaliseObs: false,
  layerNorm: false,
  sharing: 'independent',
} as const;
const asTeam = (c: Config): team.TeamConfig => ({ ...c, ...CLOSED });
const PLAIN: team.Normalisers = { moments: null, norm: null };

/** The seats that a method of lineages knows: the learner's, and that of its predecessor; -1: there is none. */
const watchedSeat = (meta: EnvMeta): number => meta.watched?.seat ?? -1;

/** The plan of the learner's network alone. */
function learnerOf(meta: EnvMeta): ParameterSharing {
  const all = shareNetworks(meta, 'independent');
  return { ...all, networks: [present(all.networks[0], 'a learner')] };
}

/** A network and its critic in a group of this name. */
function pairOf(engine: { group(name: string): ParamGroup }, name: string, meta: EnvMeta, c: Config, rng: Rng): team.ActorCriticPair {
  return present(team.buildPairs({ group: () => engine.group(name) }, meta, learnerOf(meta), asTeam(c), 'own', rng)[0], 'a network');
}

/** Where a run is: whole updates are dealt to the generations, the first ones getting those that are left over last. */
export function lifeAt(update: number, updates: number, generations: number): { generation: number; lived: number; life: number } {
  const generation = Math.min(generations - 1, Math.floor((update * generations) / updates));
  const begin = Math.ceil((generation * updates) / generations);
  const end = Math.ceil(((generation + 1) * updates) / generations);
  return { generation, lived: update - begin, life: end - begin };
}

/** The frozen player of a seat beside the learner: acts by its own memory, draws from its own generator. */
function openPredecessor(engine: Engine, env: VectorEnv, seat: number, c: Config, rng: Rng) {
  const { meta, batch } = env;
  const pair = pairOf(engine, 'predecessor', meta, c, Rng.from(0));
  const network = { ...pair.actor.network, agents: [seat] };
  const act = team.compileActor(engine, pair.actor, null, batch);
  const size = pair.actor.stateSize;
  const memory = new Float32Array(batch * size);
  const actions = new Float32Array(batch * network.actionWidth);
  const logProbs = new Float32Array(batch);
  return {
    pair,
    state: { arrays: { 'predecessor.memory': memory, 'predecessor.rng': rng } },
    forget: () => memory.fill(0),
    async act(into: Actions): Promise<void> {
      const { obs, mask, terminated, truncated } = env.buffers;
      for (let b = 0; b < batch; b++) if ((terminated[b]! | truncated[b]!) !== 0) memory.fill(0, b * size, (b + 1) * size);
      gatherObs(network, obs, meta, act.in.obs);
      if (mask !== undefined && act.in.mask !== undefined) gatherMasks(network, mask, meta, act.in.mask);
      act.in.state?.set(memory);
      const pending = act.run();
      if (pending) await pending;
      const { state } = act.out as { readonly state?: Float32Array };
      if (state !== undefined) memory.set(state);
      const { discrete, choices, actionWidth } = network;
      sampleActions(act.out, discrete ? choices : actionWidth, batch, rng, actions, logProbs, 0);
      scatterActions(network, actions, meta, into);
    },
  };
}

/** A policy of both seats: who learns, and who was watched last; where there was none, the learner's own network. */
function policyOf(
  engine: Engine,
  meta: EnvMeta,
  learner: team.ActorCriticPair,
  watched: team.ActorCriticPair | null,
  dispose?: () => void,
): Policy {
  const sharing = shareNetworks(meta, 'independent');
  const pairs = sharing.networks.map(({ agents }) => (watched !== null && agents[0] === watchedSeat(meta) ? watched : learner));
  return team.pairsPolicy(
    engine,
    meta,
    sharing,
    pairs,
    pairs.map(() => PLAIN),
    dispose,
  );
}

const groupsOf = (learner: team.ActorCriticPair, watched: team.ActorCriticPair | null) => ({
  learner: learner.actor.group,
  ...(watched !== null && { predecessor: watched.actor.group }),
});

async function* train(run: Run<Config>, resume: Saved | undefined): AsyncGenerator<Progress, void, void> {
  const c = run.config;
  const { meta } = run;
  const seat = watchedSeat(meta);
  const engine = await run.makeEngine();
  const many = c.generations > 1;
  // Who is seen is set here and not by the world that the run is judged in.
  const setting = many && meta.watched !== undefined ? meta.watched.setting : null;
  const settings = (seen: number) => (setting === null ? run.envConfig : { ...run.envConfig, [setting]: seen });
  const env = setting === null ? run.makeEnv(c.envs) : run.makeEnv(c.envs, settings(0));
  const init = run.rng.split('init');
  const pair = pairOf(engine, 'policy', meta, c, init);
  const sampling = run.rng.split('sampling');
  const shuffling = run.rng.split('shuffling');
  const learner = team.openLearner(engine, pair, asTeam(c));
  const predecessor = many && seat >= 0 ? openPredecessor(engine, env, seat, c, run.rng.split('predecessor')) : null;
  const state = registerState(
    { counters: { step: 0, updates: 0 }, parts: { env, engine }, arrays: { sampling, shuffling } },
    team.learnerState(learner),
    ...(predecessor === null ? [] : [predecessor.state]),
  );
  const { counters } = state;
  const perUpdate = c.envs * c.rolloutSteps;
  const updates = Math.max(1, Math.ceil(run.steps / perUpdate));

  let seenNow = 0; // chance in this rollout

  /** Both choose at once; a predecessor that is not seen need not. */
  async function decide(t: number, actions: Actions): Promise<void> {
    const { network, rollout, act, memory, norm } = learner;
    prepareRows(env, learner, t);
    if (memory !== null && act.in.state !== undefined) recall(memory, t, act.in.state);
    const pending = act.run();
    if (pending) await pending;
    const { value, state: now } = act.out;
    if (value !== undefined) keepValues(value, norm, rollout, t);
    if (now !== undefined) memory?.state.set(now);
    const { choices, actionWidth, discrete } = network;
    sampleActions(act.out, discrete ? choices : actionWidth, rollout.rows, sampling, rollout.actions, rollout.logProbs, t * rollout.rows);
    scatterActions(network, rollout.actions, meta, actions, t * rollout.rows * actionWidth);
    if (seenNow > 0) await predecessor?.act(actions);
  }
  const collector = createCollector(env, [learner], null, sampling, decide);

  /** The learner is frozen and watched from now on; a new network takes its place. */
  async function succeed(generation: number): Promise<void> {
    if (predecessor !== null) {
      writeParams(engine, predecessor.pair.actor.group, await readParams(engine, pair.actor.group));
      predecessor.forget();
    }
    const scratch = pairOf({ group: hostGroup }, 'policy', meta, c, init.split('generation', generation)).actor.group;
    const { initial } = scratch as ReturnType<typeof hostGroup>;
    for (const param of pair.actor.group.params)
      engine.write(
        param,
        present(
          initial.get(
            present(
              scratch.params.find(({ name }) => name === param.name),
              'a parameter',
            ),
          ),
          'its start',
        ),
      );
    await freshOptimiser(engine);
    learner.memory?.state.fill(0);
    learner.memory?.fresh.fill(1);
    env.reset();
  }

  const point = safePoint({
    state,
    engine,
    snapshot: () => saveGroups(engine, groupsOf(pair, predecessor?.pair ?? null)),
    policy: () => policyOf(engine, meta, pair, predecessor?.pair ?? null),
  });
  if (resume === undefined) env.reset();
  else state.load(resume);
  while (counters.step < run.steps) {
    const { generation, lived, life } = lifeAt(counters.updates, updates, c.generations);
    if (generation > 0 && lived === 0) await succeed(generation);
    const seen = generation === 0 || predecessor === null ? 0 : linear(c.seenFirst, c.seenLast, Math.max(1, life - 1), lived);
    seenNow = seen;
    if (setting !== null) env.env.configure?.(settings(seen));
    await collect(collector, { ...c, deathEnds: true, rewards: undefined, shaping: 0 });
    const lr = c.annealLr ? annealed(c.lr, many ? life * perUpdate : run.steps, lived * perUpdate) : c.lr;
    team.computeAdvantages(learner.rollout, learner.norm, c);
    const report = await updateEpochs(learner, { ...c, lr }, shuffling);
    counters.step += perUpdate;
    counters.updates++;
    yield {
      step: counters.step,
      metrics: {
        ...episodeRow(env),
        ...team.reportOf(counters.step, [report], [learner.rollout]),
        learningRate: lr,
        generation: generation + 1,
        predecessorSeen: seen,
      },
      ...point,
    };
  }
}

const memory = { envs: 32, rolloutSteps: 32, lr: 2e-3, annealLr: false, entropyCoef: 0.05 };

export const generations = defineAlgo<Config>({
  spec: {
    id: 'generations',
    version: 1,
    title: 'Generations that watch their predecessor',
    summary: 'Learners one after another, each with a new network, who see the one before them less and less.',
    source: {
      title: 'Artificial Generational Intelligence: Cultural Accumulation in Reinforcement Learning',
      authors: 'Cook et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2406.00392',
    },
    config,
    presets: [
      { id: 'memory', title: 'Memory sequence: five generations', config: memory },
      { id: 'lifetime', title: 'Memory sequence: one lifetime', config: { ...memory, generations: 1 } },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'goal-sequence',
      steps: 1280,
      config: {
        ...{ generations: 2, envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8] },
        memory: { kind: 'gru', units: 8, sequence: 8 },
      },
    },
    probes: [
      { on: ['cued'], steps: 6000, config: { generations: 1 } },
      { on: ['memoryOne'], steps: 10_000, config: { generations: 1, lr: 1e-2, memory: { kind: 'gru', units: 16 } } },
    ],
    probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
    metrics: [
      ...ppoMetrics,
      { id: 'generation', title: 'generation', description: 'Which learner of the lineage learns, from 1.' },
      { id: 'predecessorSeen', title: 'predecessor seen', description: 'Chance in each step that the learner sees its predecessor.' },
    ],
  },

  fits(meta, c) {
    team.checkTeam(meta, asTeam(c), 'A lineage');
    if (c.generations === 1 || meta.watched !== undefined) return;
    const why = 'This world has no seat for a predecessor that may be seen.';
    throw fail('incompatible', why, 'Choose one generation, or a goal sequence with a predecessor.', 'algo.generations');
  },

  train,

  async policy({ config: c, meta, makeEngine }, saved) {
    const engine = await makeEngine();
    const learner = pairOf(engine, 'policy', meta, c, Rng.from(0));
    const watched = c.generations > 1 && watchedSeat(meta) >= 0 ? pairOf(engine, 'predecessor', meta, c, Rng.from(0)) : null;
    loadGroups(engine, groupsOf(learner, watched), saved);
    return policyOf(engine, meta, learner, watched, () => engine.dispose());
  },
});
