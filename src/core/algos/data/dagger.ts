/**
 * DAgger (Ross, Gordon and Bagnell 2011): the learner plays, the expert says at every state what it would have done, and all that was said
 * so far is cloned. So the learner learns what to do in the states that its own mistakes lead to, which cloning alone never sees.
 *   round i: play with pi_i = beta_i expert + (1 - beta_i) learner, beta_1 = 1 and beta_i = mixing^(i-1); add (s, expert(s)); clone all
 * The expert is the environment's own scripted player, who may be made to err. Several agents that are alike share the network.
 * Pseudo-code:
 *   repeat for rounds i = 1, 2, .. until the budget is spent
 *     beta = 1 in the first round, else mixing^(i-1)
 *     for each of rolloutSteps steps of B environments
 *       ask the expert what it would do; if errors: a share of its answers is random
 *       store (s, answer) of every agent in a buffer that forgets the oldest
 *       each environment, with probability beta: play the answer, else the learner's greedy action
 *     repeat `updates` times
 *       draw a minibatch from the buffer with replacement
 *       descend -mean ln pi(answer | s), or mean ||pi(s) - answer||^2 of continuous actions, with Adam
 * Throws LabError('nan-loss'), and LabError('incompatible') where the environment has no player.
 */
import { z } from 'zod';
import { createActions } from '#core/envs/api/buffers.ts';
import { descend } from '#core/nets/target.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkBufferSize } from '../api/guards.ts';
import { episodeMetrics, episodeRow, RowMeans } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import { boxOf, checkRecordable } from '../lib/box.ts';
import { compileCloning, dataActor, savedActor } from '../lib/data/networks.ts';
import { erring, scriptedMover } from '../lib/data/recording.ts';

const source = 'Ross et al. 2011';
const cloning = 'CORL any_percent_bc.py';

const config = z.strictObject({
  errors: fields.real(0, {
    min: 0,
    max: 1,
    title: 'errors of the expert',
    description: 'Share of its answers that are random.',
    slider: [0, 1],
    source,
    live: true,
    depth: 'teach',
    group: 'expert',
  }),
  mixing: fields.real(0, {
    min: 0,
    max: 1,
    title: 'mixing',
    description:
      'Share of the steps that the expert plays in the second round, squared in the third, and so on; 0: it plays the first round alone.',
    slider: [0, 1],
    source: 'Ross et al. 2011, whose best choice is 0',
    group: 'expert',
  }),
  envs: fields.numEnvs(8, 'own choice', { max: 256 }),
  rolloutSteps: fields.rolloutSteps(64, 'own choice', { max: 4096, description: 'Steps of every parallel environment in a round.' }),
  updates: fields.integer(64, {
    min: 1,
    max: 10_000,
    title: 'updates per round',
    description: 'Minibatches that are cloned after each round.',
    slider: [8, 512],
    source: 'own choice',
    depth: 'stored',
    group: 'replay',
  }),
  bufferSize: fields.bufferSize(50_000, 'own choice'),
  lr: fields.lr(1e-3, 'own choice'),
  batchSize: fields.batchSize(256, cloning),
  hidden: fields.hidden([64, 64], 'own choice', { description: 'Units of each layer; ReLU between them.' }),
});
type Config = z.infer<typeof config>;

export const dagger = defineAlgo<Config>({
  spec: {
    id: 'dagger',
    version: 1,
    title: 'DAgger',
    summary: 'Plays its own policy, asks an expert for the right action in every state, and clones all answers so far.',
    source: {
      title: 'A Reduction of Imitation Learning and Structured Prediction to No-Regret Online Learning',
      authors: 'Ross et al.',
      year: 2011,
      url: 'https://arxiv.org/abs/1011.0686',
    },
    config,
    presets: [
      { id: 'mixed', title: 'the expert plays half of the second round, a quarter of the third, ..', config: { mixing: 0.5 } },
      { id: 'erring', title: 'an expert who answers at random three times in ten', config: { errors: 0.3 } },
    ],
    action: 'any',
    learner: 'network',
    agents: 'many',
    shown: true,
    trial: {
      env: 'cartpole',
      steps: 1024,
      config: { envs: 4, rolloutSteps: 32, updates: 8, bufferSize: 1000, hidden: [16], batchSize: 32 },
    },
    probes: [], // there is no expert of the probes to ask
    metrics: [
      ...episodeMetrics,
      { id: 'loss', title: 'loss', description: 'Minus the log-probability of the expert’s answers, or the squared distance to them.' },
      {
        id: 'agreement',
        title: 'agreement',
        description: 'Share of the expert’s answers that are also the policy’s; minus the squared distance where actions are continuous.',
      },
      { id: 'answers', title: 'answers', description: 'Answers of the expert that are kept.' },
    ],
  },

  fits(meta, c) {
    checkRecordable(meta, 'DAgger');
    checkBufferSize(c.bufferSize, meta.obsSize + meta.actionSize);
  },

  async *train(run, resume) {
    const c = run.config;
    const { meta } = run;
    const [O, D] = [meta.obsSize, meta.actionCount > 0 ? 1 : meta.actionSize];
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers } = env;
    const rows = env.batch * meta.agentCount;
    const actor = dataActor(engine, meta, c.hidden, run.rng.split('init'));
    const learn = compileCloning(engine, actor, meta, c.batchSize);
    const player = actor.policy();
    const [mixing, misleading, drawing] = [run.rng.split('mixing'), run.rng.split('errors'), run.rng.split('replay')];
    const right = scriptedMover(run.envEntry, run.envConfig);
    const { centre, half } = boxOf(meta);
    const [answers, actions] = [createActions(meta, env.batch), createActions(meta, env.batch)];
    const [obs, labels] = [new Float32Array(c.bufferSize * O), new Float32Array(c.bufferSize * D)];
    const agent = Int32Array.from({ length: rows }, (_, i) => i % meta.agentCount);
    const state = registerState({
      counters: { step: 0, round: 0, kept: 0, next: 0 },
      parts: { env, engine },
      arrays: { mixing, misleading, drawing, obs, labels },
    });
    const { counters } = state;
    const means = new RowMeans(['loss', 'agreement']);
    const point = safePoint({ state, engine, snapshot: () => saveGroups(engine, { actor: actor.group }), policy: () => actor.policy() });
    if (resume === undefined) env.reset();
    else state.load(resume);

    const remember = (row: number): void => {
      const at = counters.next;
      obs.set(buffers.obs.subarray(row * O, (row + 1) * O), at * O);
      for (let d = 0; d < D; d++) {
        const i = row * D + d;
        const k = (row % meta.agentCount) * D + d;
        labels[at * D + d] = meta.actionCount > 0 ? answers[i]! : Math.min(1, Math.max(-1, (answers[i]! - centre[k]!) / half[k]!));
      }
      counters.next = (at + 1) % c.bufferSize;
      counters.kept = Math.min(c.bufferSize, counters.kept + 1);
    };

    while (counters.step < run.steps) {
      const beta = counters.round === 0 ? 1 : c.mixing ** counters.round;
      const expert = erring(right, c.errors, meta, misleading, env.batch);
      for (let t = 0; t < c.rolloutSteps; t++) {
        await expert(env.env, buffers, answers, false);
        for (let row = 0; row < rows; row++) remember(row);
        const query = { obs: buffers.obs, agent, hidden: player.initial(rows), rng: mixing, rows, greedy: true, valueless: true };
        actions.set((await player.act(query)).actions);
        for (let b = 0; b < env.batch; b++) {
          if (mixing.uniform() >= beta) continue;
          const [from, to] = [b * meta.agentCount * D, (b + 1) * meta.agentCount * D];
          for (let i = from; i < to; i++) actions[i] = answers[i]!;
        }
        env.step(actions);
      }
      if (beta === 1) env.episodes.forget();
      counters.step += c.rolloutSteps * env.batch;
      counters.round++;
      for (let k = 0; k < c.updates; k++) {
        for (let row = 0; row < c.batchSize; row++) {
          const i = drawing.int(counters.kept);
          for (let j = 0; j < O; j++) learn.in.obs[row * O + j] = obs[i * O + j]!;
          for (let d = 0; d < D; d++) learn.in.action[row * D + d] = labels[i * D + d]!;
        }
        const pending = descend(learn, c.lr);
        if (pending) await pending;
        means.add('loss', learn.out.loss[0]!);
        means.add('agreement', learn.out.agreement[0]!);
      }
      const { step } = counters;
      yield { step, metrics: { ...episodeRow(env), ...means.take(step), answers: counters.kept }, ...point };
    }
  },

  policy: savedActor,

  benchmark({ config: c, meta, engine }) {
    const learn = compileCloning(engine, dataActor(engine, meta, c.hidden, Rng.from(0)), meta, c.batchSize);
    return { run: () => learn.run() };
  },
});
