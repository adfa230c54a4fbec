/**
 * An attacker that learns from answers what it wants (after RAT: Bai et al. 2024; in two parts as in Sun et al. 2022). First a victim learns (PPO) and is frozen.
 * Then an intention policy g learns, by PPO again, which actions the victim should take: from answers about what the attacked victim did, or from
 * what the victim loses. In every step each number that the victim sees is changed by at most eps of its own deviation, so that the
 * victim's action comes as near as that allows to what g wants.
 *   o' = clip(o' + c eps sigma sign(dF / do'), o - eps sigma, o + eps sigma), `attackSteps` times;   c = 2.5 / attackSteps, 1 for one step
 *   F = -|mu(o') - u|^2, of discrete actions ln pi(u | o');   u drawn from g(. | o);   a = the victim's greedy action at o'
 *   g climbs the reward that explains the answers (lib/reward-ensemble.ts), or minus what the environment pays
 * sigma: the deviation of each number over the victim's last rollout. The scripted rater wants one observed number on one side of a level, and prefers the
 * segment in which it falls less short of it; people answer about recorded episodes on the Data page. What is judged is what the victim
 * did, not what g wanted. At last the victim may learn on, now from what g makes it see (adversarial training; Zhang et al. 2021); what is played
 * and judged then is the victim alone. The attacker reads the victim's network: it is no black box. Differs from RAT (train_RAT_mani.py): the
 * perturbation is found by its slope in place of a third network, all play is the victim's, and states have no weights.
 * Pseudo-code:
 *   for the share victimShare of the budget: PPO on what the environment pays; sigma of its last rollout
 *   attack is none: stop here
 *   freeze the victim; make g and its critic
 *   repeat until the budget is spent
 *     for each of T steps of B environments
 *       draw u from g; change what the victim sees along the slope of F; random: by signs that are drawn
 *       the environment gets the victim's greedy action
 *     answers: ask about pairs of segments that are due, fit the reward networks, r = their mean; else r = -reward
 *     advantages by GAE(lambda) of r, targets = advantages + V
 *     for each epoch, for each shuffled minibatch: PPO's step of g and its critic
 *   for the share retrainShare of the budget: freeze g; PPO of the victim on what the environment pays, where it sees what g makes of it
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { fail, present } from '#contract/kit/errors.ts';
import { ZOO_PENDULUM } from '#contract/papers/published.ts';
import type { Saved } from '#contract/run/events.ts';
import { gradients } from '#core/engine/autodiff.ts';
import { logSoftmax, neg, pick, square, sub, sum } from '#core/engine/ops.ts';
import type { Engine } from '#core/engine/types.ts';
import type { Actions, EnvMeta } from '#core/envs/api/types.ts';
import { chunkSize } from '#core/nets/chunks.ts';
import { loadGroups, writeParams } from '#core/state/params.ts';
import { joinSaved, partOf } from '#core/state/saved.ts';
import { RunningMoments } from '#math/normalise.ts';
import { Rng } from '#math/rng.ts';
import { mean, std } from '#math/stats.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import type { Policy, Progress, Run } from '../api/types.ts';
import { type PolicyNetwork, policyNetwork, policyOfNetwork } from '../lib/network-policy.ts';
import * as ppo from '../lib/ppo/common.ts';
import {
  checkLearnedReward,
  type LearnedReward,
  learnedRewardBenchmark,
  learnedRewardPolicy,
  type Played,
  rewardFields,
  trainOnLearnedReward,
  trialConfig,
} from '../lib/ppo/learned-reward.ts';
import { askingFields, openAnswers } from './lib/answers.ts';
import { dueAnswers, Questions } from './lib/questions.ts';
import { ensembleField, rewardEnsemble } from './lib/reward-ensemble.ts';

const source = 'Bai et al. 2024';
const own = 'own choice';

const { rater: _, ...asking } = askingFields;
const attack = 'attack';
const behaviour = 'behaviour';
const config = z.strictObject({
  attack: z.enum(['answers', 'loss', 'random', 'none']).default('answers').meta({
    title: 'attack',
    description: 'Learns from answers, learns to make the victim lose, changes what it sees at random, or leaves it as it is.',
    source,
    depth: 'teach',
    group: attack,
  }),
  eps: fields.real(0.5, {
    min: 0,
    max: 10,
    title: 'strength (epsilon)',
    unit: 'standard deviations',
    description: 'Largest change of every number that the victim sees.',
    slider: [0, 1],
    source: own,
    depth: 'teach',
    group: attack,
  }),
  attackSteps: fields.integer(3, {
    min: 1,
    max: 50,
    title: 'attack steps',
    description: '1: one step along the sign of the slope; more: smaller ones, kept within epsilon.',
    slider: [1, 10],
    source: own,
    depth: 'stored',
    group: attack,
  }),
  victimShare: fields.real(0.5, {
    above: 0,
    max: 0.95,
    title: 'victim’s training fraction',
    description: 'Share of the steps in which the victim learns, before it is frozen; the rest is the attacker’s.',
    slider: [0.2, 0.8],
    source: own,
    group: attack,
  }),
  retrainShare: fields.real(0, {
    min: 0,
    max: 0.95,
    title: 'victim’s retraining fraction',
    description:
      'Share of the steps, at the end, in which the victim learns on under the attack as it then stands; what is played then is the victim alone.',
    slider: [0, 0.5],
    source: 'Zhang et al. 2021, alternating training; 0: the victim stays frozen',
    group: attack,
  }),
  number: fields.integer(0, {
    min: 0,
    max: 4095,
    title: 'observed number',
    description: 'By which the scripted rater judges: its place in the observation, from 0.',
    source: own,
    depth: 'teach',
    group: behaviour,
  }),
  side: z.enum(['above', 'below']).default('above').meta({
    title: 'wanted side',
    description: 'Of the level.',
    source: own,
    depth: 'teach',
    group: behaviour,
  }),
  level: fields.real(0, {
    min: -1e6,
    max: 1e6,
    title: 'level',
    description: 'The rater prefers the segment in which the number falls less short of it.',
    slider: [-1, 1],
    source: own,
    depth: 'teach',
    group: behaviour,
  }),
  ...asking,
  candidates: fields.integer(10, {
    min: 1,
    max: 100,
    title: 'candidate pairs',
    description: 'Of so many random pairs the one is asked about on which the networks disagree most.',
    slider: [1, 20],
    source: own,
    depth: 'stored',
    group: 'preferences',
  }),
  ensemble: ensembleField('answers', own),
  ...rewardFields({ update: 'Minibatches of 16 answers after every round of questions.' }),
  ...ppo.commonFields,
});
type Config = z.infer<typeof config>;

const NET = { sharedTrunk: false } as const;

type Wanted = Pick<Config, 'number' | 'side' | 'level'>;

/** By how much the number of each row [M] falls short of the level: 0 on the wanted side, else less. */
export function shortfall(obs: Float32Array, width: number, { number, side, level }: Wanted): Float32Array {
  const sign = side === 'above' ? 1 : -1;
  return Float32Array.from({ length: obs.length / width }, (_row, i) => Math.min(0, sign * (obs[i * width + number]! - level)));
}

/** Share of rows on the wanted side. */
const wantedShare = (short: Float32Array): number => mean(short.map((by) => (by === 0 ? 1 : 0)));

/** Deviation of each number over rows [M, O]. */
export function deviations(obs: Float32Array, width: number): Float64Array {
  const rows = obs.length / width;
  return Float64Array.from({ length: width }, (_number, i) => std(Float64Array.from({ length: rows }, (_row, m) => obs[m * width + i]!)));
}

interface Victim {
  readonly policy: Policy;
  /** The perturbed observation, [rows, O], for which the victim's action comes near to `wanted` [rows, D]; at random with `attack` random. */
  see(obs: Float32Array, wanted: Actions, rows: number, rng: Rng): Promise<Float32Array>;
}

type Sight = Pick<Config, 'attack' | 'eps' | 'attackSteps'>;

/** The frozen victim, and what stands between it and the world. Exported for its test. */
export function frozenVictim(
  engine: Engine,
  meta: EnvMeta,
  net: PolicyNetwork,
  moments: RunningMoments | null,
  sigma: Float64Array,
  c: Sight,
): Victim {
  const { obsSize: O, actionSize: D } = meta;
  const compile = (rows: number) =>
    engine.compile(
      { obs: [rows, O], wanted: net.actionShape(rows) },
      (x, g) => {
        const { head } = net.apply({ obs: x.obs, mask: undefined }, g);
        const near = net.discrete ? pick(logSoftmax(head), x.wanted) : neg(sum(square(sub(head, x.wanted)), 1));
        return { slope: present(gradients(sum(near), [x.obs])[0], 'the slope of an attack') };
      },
      { name: 'attack slope' },
    );
  const programs = new Map<number, ReturnType<typeof compile>>();
  const programOf = (rows: number): ReturnType<typeof compile> => {
    const found = programs.get(rows) ?? compile(rows);
    programs.set(rows, found);
    return found;
  };

  /** One step of rows from..from + count of `seen`, at most `reach` from what is there. */
  async function climb(seen: Float32Array, obs: Float32Array, wanted: Actions, from: number, count: number, pace: number): Promise<void> {
    const program = programOf(chunkSize(count));
    const { obs: into, wanted: aim } = program.in;
    into.fill(0);
    aim.fill(0);
    into.set(seen.subarray(from * O, (from + count) * O));
    moments?.normalise(into, into, ppo.CLIP_NORMALISED); // divides by what is positive: signs of slopes stay
    aim.set(wanted.subarray(from * D, (from + count) * D));
    const pending = program.run();
    if (pending) await pending;
    for (let i = 0; i < count * O; i++) {
      const at = from * O + i;
      const most = c.eps * sigma[i % O]!;
      const moved = seen[at]! + pace * most * Math.sign(program.out.slope[i]!);
      seen[at] = Math.min(obs[at]! + most, Math.max(obs[at]! - most, moved));
    }
  }

  return {
    policy: policyOfNetwork(engine, meta, net, moments, ppo.CLIP_NORMALISED),
    async see(obs, wanted, rows, rng) {
      const seen = obs.slice(0, rows * O);
      if (c.attack === 'random') {
        for (let i = 0; i < seen.length; i++) seen[i] = seen[i]! + (rng.int(2) === 0 ? 1 : -1) * c.eps * sigma[i % O]!;
        return seen;
      }
      for (let s = 0; s < c.attackSteps; s++) {
        for (let from = 0; from < rows; ) {
          const count = Math.min(rows - from, chunkSize(rows - from));
          await climb(seen, obs, wanted, from, count, c.attackSteps === 1 ? 1 : 2.5 / c.attackSteps);
          from += count;
        }
      }
      return seen;
    },
  };
}

/** What the victim does when what it sees is changed towards what the intention wants. */
function attackedPolicy(intention: Policy, victim: Victim, meta: EnvMeta, dispose?: () => void): Policy {
  const [group] = meta.agents;
  const labels =
    group?.obs.kind === 'box' && group.obs.labels !== undefined
      ? group.obs.labels
      : Array.from({ length: meta.obsSize }, (_number, i) => `number ${i}`);
  return {
    extras: [
      { id: 'true', kind: 'values', title: 'what is there', description: 'The observation before the attack.', labels },
      { id: 'seen', kind: 'values', title: 'what the victim sees', description: 'The observation after the attack.', labels },
    ],
    initial: (rows) => intention.initial(rows),
    async act(query) {
      const { obs, rows, rng } = query;
      const { actions, value } = await intention.act(query);
      const seen = await victim.see(obs, actions, rows, rng);
      const { value: _own, ...done } = await victim.policy.act({ ...query, obs: seen, greedy: true });
      return { ...done, ...(value !== undefined && { value }), extras: { true: obs.slice(0, rows * meta.obsSize), seen } };
    },
    dispose: () => dispose?.(),
  };
}

/** PPO on what the environment pays; `sigma` gets the deviations over each rollout. */
const plainReward = (c: Config, meta: EnvMeta, sigma: Float64Array): LearnedReward => ({
  state: { counters: {}, arrays: { sigma } },
  async judge({ obs, reward }) {
    sigma.set(deviations(obs, meta.obsSize));
    return { rewards: reward, metrics: { behaviour: wantedShare(shortfall(obs, meta.obsSize, c)) } };
  },
});

async function rewardOfAttack(run: Run<Config>, engine: Engine, total: number, victim: Victim): Promise<LearnedReward> {
  const { config: c, meta, rng } = run;
  const noise = rng.split('noise');
  const through: LearnedReward['through'] = async (obs, actions) => {
    const rows = actions.length / meta.actionSize;
    const seen = await victim.see(obs, actions, rows, noise);
    const query = { obs: seen, agent: new Int32Array(rows), hidden: victim.policy.initial(rows), rng: noise, rows, greedy: true };
    actions.set((await victim.policy.act({ ...query, valueless: true })).actions);
  };
  const shortOf = ({ obs }: Played): Float32Array => shortfall(obs, meta.obsSize, c);
  if (c.attack !== 'answers')
    return {
      state: { counters: {}, arrays: { noise } },
      through,
      judge: async (played) => ({ rewards: played.reward.map((paid) => -paid), metrics: { behaviour: wantedShare(shortOf(played)) } }),
    };
  const ensemble = rewardEnsemble(engine, meta, { size: c.ensemble, hidden: c.rewardHidden, segment: c.segment }, rng.split('reward'));
  const [questioning, drawing, checking] = [rng.split('asking'), rng.split('drawing'), rng.split('checking')];
  const { answers, given } = await openAnswers(run, c.ensemble);
  const each = new Float32Array(total * c.ensemble); // what every network says of the rollout's rows
  const counters = { fitted: 0 };
  return {
    state: { counters, arrays: { noise, asking: questioning, drawing, checking, rewardScale: ensemble.scale, ...answers.arrays } },
    through,
    async judge(played, step) {
      const { obs, action } = played;
      const short = shortOf(played);
      await ensemble.predict(obs, action, total, each);
      const questions = new Questions(c, meta, { ...played, reward: short }, questioning);
      const before = answers.count;
      if (!given) questions.ask(Math.max(0, dueAnswers(c.answers, step, run.steps) - before), answers, each, questions.by('return'));
      let rewardLoss = Number.NaN;
      if (answers.count > before || counters.fitted === 0) {
        rewardLoss = await ensemble.fit(answers, (counters.fitted === 0 ? 5 : 1) * c.rewardUpdates, c.rewardLr, drawing);
        counters.fitted = 1;
      }
      const rewards = await ensemble.predict(obs, action, total);
      const rewardAgreement = questions.agreement(rewards, checking);
      return { rewards, metrics: { behaviour: wantedShare(short), answers: answers.count, rewardLoss, rewardAgreement } };
    },
  };
}

/** PPO of the victim on what the environment pays, where it sees what a frozen intention makes of what is there. */
function underAttack(c: Config, meta: EnvMeta, intention: Policy, victim: Victim, noise: Rng): LearnedReward {
  return {
    state: { counters: {}, arrays: { noise } },
    async sees(obs) {
      const rows = obs.length / meta.obsSize;
      const query = { obs, agent: new Int32Array(rows), hidden: intention.initial(rows), rng: noise, rows, greedy: false };
      const { actions } = await intention.act({ ...query, valueless: true });
      return victim.see(obs, actions, rows, noise);
    },
    judge: async ({ obs, reward }) => ({ rewards: reward, metrics: { behaviour: wantedShare(shortfall(obs, meta.obsSize, c)) } }),
  };
}

/** The victim of a snapshot: its network and moments, and what its numbers deviate by. `into`: those that learn on. */
function thaw(engine: Engine, meta: EnvMeta, c: Config, net: PolicyNetwork, saved: Saved, into?: RunningMoments | null): Victim {
  writeParams(engine, net.group, partOf(saved, 'net'));
  const moments = into === null ? null : ppo.savedPacked(saved, 'moments', into ?? new RunningMoments(meta.obsSize));
  const { sigma } = saved.arrays;
  if (!(sigma instanceof Float64Array) || sigma.length !== meta.obsSize)
    throw fail('file-invalid', 'This policy does not fit its own settings: its deviations are missing.', 'Save it again.');
  return frozenVictim(engine, meta, net, moments, sigma, c);
}

export const observationAttacker = defineAlgo<Config>({
  spec: {
    id: 'observation-attacker',
    version: 1,
    title: 'Targeted attack from answers',
    summary:
      'A victim learns and is frozen; an attacker learns from answers which behaviour to force on it by small changes of what it sees.',
    source: {
      title: 'RAT: Adversarial Attacks on Deep Reinforcement Agents for Targeted Behaviors',
      authors: 'Bai et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2412.10713',
    },
    config,
    presets: [
      { id: 'continuous', title: 'continuous control (RL Zoo’s settings for Pendulum)', config: { ...ZOO_PENDULUM, gamma: 0.95 } },
      {
        id: 'pendulum',
        title: 'Pendulum: made to turn left (200,000 steps)',
        config: { ...ZOO_PENDULUM, gamma: 0.95, number: 2, level: 3 },
      },
      { id: 'loss', title: 'makes the victim lose', config: { attack: 'loss' } },
      { id: 'random', title: 'changes at random', config: { attack: 'random' } },
      { id: 'retrained', title: 'the victim learns on under attack', config: { attack: 'loss', victimShare: 0.4, retrainShare: 0.3 } },
      { id: 'none', title: 'the victim alone', config: { attack: 'none' } },
    ],
    continuous: 'continuous',
    action: 'any',
    learner: 'network',
    agents: 'one',
    trial: {
      env: 'pendulum',
      steps: 1536,
      config: trialConfig,
    },
    probes: [],
    metrics: [
      ...ppo.ppoMetrics,
      {
        id: 'behaviour',
        title: 'wanted behaviour',
        description: 'Share of the steps of the newest rollout in which the observed number lies on the wanted side.',
      },
      { id: 'answers', title: 'answers', description: 'Answers so far.' },
      { id: 'rewardLoss', title: 'reward loss', description: 'Cross-entropy of the answers; ln 2 says nothing about them.' },
      {
        id: 'rewardAgreement',
        title: 'reward agreement',
        description: 'Share of pairs of the newest segments that the learned reward orders as the scripted rater does.',
      },
    ],
  },

  fits(meta, c) {
    checkLearnedReward(meta, c, 'An attack on observations');
    const [group] = meta.agents;
    if (meta.agentCount > 1 || meta.masked || group?.obs.kind !== 'box')
      throw fail(
        'incompatible',
        'An attack on observations changes the numbers that one agent sees, whose actions are all legal.',
        'Choose another environment, such as the pendulum.',
        'env.id',
      );
    if (c.victimShare + c.retrainShare >= 1)
      throw fail(
        'config-invalid',
        'No steps are left in which the attacker learns.',
        'Let the victim’s fractions of the steps be less than 1 together.',
        'algo.retrainShare',
      );
    if (c.number >= meta.obsSize)
      throw fail('config-invalid', `Here are the numbers 0 to ${meta.obsSize - 1}.`, 'Choose one of them.', 'algo.number');
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const perUpdate = c.envs * c.rolloutSteps;
    const victimSteps = Math.max(1, Math.round((run.steps * c.victimShare) / perUpdate)) * perUpdate;
    const inner = resume === undefined ? undefined : partOf(resume, 'inner');
    let frozen: Saved | null = null;

    if (resume === undefined || resume.meta.stage === 'victim') {
      const sigma = new Float64Array(meta.obsSize);
      const frozenOf = async (progress: Progress): Promise<Saved> => {
        const { arrays, meta: parts } = await progress.snapshot();
        return { meta: parts, arrays: { ...arrays, sigma: sigma.slice() } };
      };
      let last: Progress | null = null;
      for await (const progress of trainOnLearnedReward({ ...run, steps: victimSteps }, inner, async () => plainReward(c, meta, sigma))) {
        last = progress;
        yield {
          ...progress,
          snapshot: async () => joinSaved({ stage: 'victim' }, { inner: await progress.snapshot() }),
          save: async () => joinSaved({ stage: 'victim' }, { inner: await progress.save(), victim: await frozenOf(progress) }),
        };
      }
      // A run saved at the last step of this stage has nothing left to train here.
      frozen = last === null ? partOf(present(resume, 'what was saved'), 'victim') : await frozenOf(last);
    } else frozen = partOf(resume, 'victim');
    if (c.attack === 'none') return;

    const victim = frozen;
    const retrains = c.retrainShare > 0;
    const retrainSteps = retrains ? Math.max(1, Math.round((run.steps * c.retrainShare) / perUpdate)) * perUpdate : 0;
    const attackSteps = run.steps - victimSteps - retrainSteps;
    let learned: Saved | null = null; // the intention, where the victim learns on
    if (resume?.meta.stage !== 'retrain') {
      const attackRun = { ...run, steps: attackSteps, rng: run.rng.split('attack') };
      let attacked: Victim | null = null;
      const learner = trainOnLearnedReward(
        attackRun,
        resume?.meta.stage === 'attack' ? inner : undefined,
        async (engine, total, { copy }) => {
          attacked = thaw(engine, meta, c, copy('victim'), victim);
          return rewardOfAttack(attackRun, engine, total, attacked);
        },
      );
      for await (const progress of learner) {
        if (retrains) learned = await progress.snapshot();
        const intention = learned === null ? {} : { intention: learned };
        yield {
          ...progress,
          step: victimSteps + progress.step,
          snapshot: async () => joinSaved({ stage: 'attack' }, { inner: await progress.snapshot(), victim }),
          save: async () => joinSaved({ stage: 'attack' }, { inner: await progress.save(), victim, ...intention }),
          policy: async () => attackedPolicy(await progress.policy(), present(attacked, 'the victim'), meta),
        };
      }
    }
    if (!retrains) return;

    const intention = learned ?? partOf(present(resume, 'what was saved'), 'intention');
    const before = victimSteps + Math.ceil(attackSteps / perUpdate) * perUpdate;
    const retrainRun = { ...run, steps: run.steps - before, rng: run.rng.split('retrain') };
    const retraining = trainOnLearnedReward(
      retrainRun,
      resume?.meta.stage === 'retrain' ? inner : undefined,
      async (engine, _, { net, moments, copy }) => {
        const wants = copy('intention');
        writeParams(engine, wants.group, partOf(intention, 'net'));
        const seen = ppo.savedPacked(intention, 'moments', new RunningMoments(meta.obsSize));
        const frozenIntention = policyOfNetwork(engine, meta, wants, seen, ppo.CLIP_NORMALISED);
        const exposed = thaw(engine, meta, c, net, victim, moments);
        return underAttack(c, meta, frozenIntention, exposed, retrainRun.rng.split('noise'));
      },
    );
    for await (const progress of retraining)
      yield {
        ...progress,
        step: before + progress.step,
        snapshot: async () => joinSaved({ stage: 'retrain' }, { inner: await progress.snapshot() }),
        save: async () => joinSaved({ stage: 'retrain' }, { inner: await progress.save(), victim, intention }),
      };
  },

  async policy(context, saved) {
    const { config: c, meta } = context;
    const inner = partOf(saved, 'inner');
    if (saved.meta.stage !== 'attack') return learnedRewardPolicy(context, inner);
    const engine = await context.makeEngine();
    const [net, other] = ['policy', 'victim'].map((name) => policyNetwork(engine, meta, { ...c, ...NET }, Rng.from(0), name));
    const intention = present(net, 'the intention’s network');
    loadGroups(engine, { net: intention.group }, inner);
    const victim = thaw(engine, meta, c, present(other, 'the victim’s network'), partOf(saved, 'victim'));
    const moments = ppo.savedPacked(inner, 'moments', new RunningMoments(meta.obsSize));
    return attackedPolicy(policyOfNetwork(engine, meta, intention, moments, ppo.CLIP_NORMALISED), victim, meta, () => engine.dispose());
  },

  benchmark: ({ config: c, meta, engine }) => learnedRewardBenchmark(c, meta, engine),
});
