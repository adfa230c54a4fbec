/**
 * HIRO (Nachum, Gu, Lee & Levine 2018): two TD3s. Every `every` steps the upper one sets a goal g as an offset of a part s of what is seen; the lower
 * one is paid for being there. The part is what the environment calls achieved, else all that is seen.
 *   goal of the next step    h(s, g, s') = s + g - s'
 *   lower reward             -||s + g - s'||
 *   upper reward             scale sum of the rewards until the next goal
 * The lower policy changes, so that an old goal no longer explains what was done under it. A replayed goal is therefore replaced by the likeliest of
 * ten: the stored one, s_n - s_0, and eight drawn around that, by -1/2 sum_i ||a_i - mu(o_i, g_i)||^2 with g_i = s_0 + g - s_i (their equation 5).
 * Own choices: both levels have the same layers and step size; goals lie in a box of half width `reach`, and the eight are drawn with half of it as
 * their deviation, cut to the box. One agent, continuous actions.
 * Pseudo-code:
 *   target networks = networks, of both levels
 *   repeat until the budget is spent
 *     every `every` steps: store the goal before with what was seen and done under it; g = upper(o) + noise, within reach
 *     a = lower(o, g) + noise; random while fewer than learningStarts steps are played
 *     step; store o, g, a, -||s + g - s'||, o', h(s, g, s')
 *     lower: one TD3 update from a minibatch of steps
 *     every `every` steps, upper: one TD3 update from a minibatch of goals, each the likeliest of ten
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { concat, mean, minimum, neg } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import { nextObservations } from '#core/envs/api/buffers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { mlp } from '#core/nets/mlp.ts';
import { descend, updateTarget } from '#core/nets/target.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { Rng } from '#math/rng.ts';
import { normal } from '#math/sampling.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkOneReward } from '../api/guards.ts';
import { episodeMetrics, episodeRow, RowMeans } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy } from '../api/types.ts';
import { boxOf, checkBox, createBoxActions } from '../lib/box.ts';
import * as ac from '../off-policy/lib/actor-critic.ts';
import { far, goalMemory, goalPart, LIKELIEST_OF, stepMemory } from './lib/goal-memory.ts';

const source = 'Nachum et al. 2018';

const config = z.strictObject({
  every: fields.integer(10, {
    min: 1,
    max: 100,
    title: 'steps to a new goal',
    description: 'The upper level sets a goal every so many steps.',
    unit: 'steps',
    slider: [1, 50],
    source,
    depth: 'teach',
    group: 'decisions',
  }),
  reach: fields.real(1, {
    above: 0,
    max: 1000,
    title: 'reach of goals',
    description: 'A goal moves each number of its part of the observation by at most so much.',
    slider: [0.1, 10],
    log: true,
    source: 'own choice; 10 m for their ants',
    depth: 'teach',
    group: 'decisions',
  }),
  relabel: z.boolean().default(true).meta({
    title: 'relabel goals',
    description: 'A replayed goal is replaced by the one of ten under which the actions taken are likeliest now.',
    source,
    depth: 'teach',
    group: 'decisions',
  }),
  rewardScale: fields.real(0.1, {
    above: 0,
    max: 1000,
    title: 'scale of the upper reward',
    description: 'Rewards are multiplied by it before the upper level learns from them.',
    log: true,
    slider: [0.01, 10],
    source,
    group: 'returns',
  }),
  lr: fields.lr(3e-4, 'own choice', { description: 'Step size of Adam, for the policies and critics of both levels.' }),
  gamma: fields.gamma(0.99, source, { description: 'Of the upper level, from goal to goal.' }),
  lowerGamma: fields.gamma(0.95, source, { title: 'lower discount', description: 'Weight of being nearer one step later.' }),
  tau: fields.tau(0.005, source),
  explorationNoise: ac.explorationNoise('own choice', {
    description: 'Standard deviation of the noise on actions and goals; 1 is half the width of their boxes.',
  }),
  smoothing: fields.real(0.2, {
    min: 0,
    max: 2,
    title: 'target policy smoothing',
    description: 'Standard deviation of the noise on the targets’ actions and goals; 0: none.',
    source: 'Fujimoto et al. 2018',
    live: true,
    slider: [0, 0.5],
    group: 'variant',
  }),
  actorEvery: fields.integer(2, {
    min: 1,
    max: 64,
    title: 'policy update interval',
    unit: 'critic updates',
    description: 'Critic updates for one of the policy and of the targets, at each level.',
    source: 'Fujimoto et al. 2018',
    slider: [1, 4],
    group: 'variant',
  }),
  ...fields.replay('own choice', { batchSize: 128, learningStarts: 1000 }),
  ...ac.networkFields('own choice'),
});
type Config = z.infer<typeof config>;

const SMOOTHING_LIMIT = 0.5;

/** A TD3 from rows [M, inputs] to actions [M, outputs] in [-1, 1]. Groups are called `<name>Actor` and so on. */
function level(engine: Engine, name: 'lower' | 'upper', inputs: number, outputs: number, c: Config, rng: Rng) {
  const part = (which: string, from: Rng) => {
    const actor = engine.group(`${name}Actor${which}`);
    const critic = engine.group(`${name}Critic${which}`);
    const mu = mlp(actor, 'actor', from, [inputs, ...c.hidden, outputs], { ...ac.layersOf(c), outAct: 'tanh' });
    return { actor, critic, mu, q: ac.criticPair(critic, from, inputs + outputs, c) };
  };
  const online = part('', rng);
  return { name, inputs, outputs, ...online, target: part('Target', Rng.from(0)) }; // overwritten by a copy before its first use
}
type Level = ReturnType<typeof level>;

const compileActing = (engine: Engine, { name, mu, inputs }: Level, rows: number) =>
  engine.compile({ obs: [rows, inputs] }, ({ obs }) => ({ mean: mu(obs) }), { name: `${name} act` });

function compileCritics(engine: Engine, { name, inputs, outputs, critic, q, target }: Level, M: number) {
  return engine.compile(
    {
      obs: [M, inputs],
      action: [M, outputs],
      reward: [M],
      discount: [M],
      nextObs: [M, inputs],
      uniform: ac.uniformShape(M, outputs),
      smoothing: [1],
    },
    (x) => {
      const noise = ac.gaussianNoise(x.uniform, M, outputs);
      const next = ac.smoothedAction(target.mu(x.nextObs), noise, x.smoothing, SMOOTHING_LIMIT);
      const [q1, q2] = target.q(x.nextObs, next);
      const found = q(x.obs, x.action);
      return { loss: ac.criticLoss(found, ac.bootstrapped(x.reward, x.discount, minimum(q1, q2))), qMean: mean(found[0]) };
    },
    { minimise: 'loss', group: critic, with: adam(), name: `${name} critics` },
  );
}

const compileActor = (engine: Engine, { name, inputs, actor, mu, q }: Level, M: number) =>
  engine.compile({ obs: [M, inputs] }, ({ obs }) => ({ loss: neg(mean(q(obs, mu(obs))[0])) }), {
    minimise: 'loss',
    group: actor,
    with: adam(),
    name: `${name} actor`,
  });

/** Programs and counters of a level that learns; `fill` writes a minibatch. */
function learner(engine: Engine, own: Level, c: Config, counters: { lower: number; upper: number }, drawing: Rng) {
  const critics = compileCritics(engine, own, c.batchSize);
  const actor = compileActor(engine, own, c.batchSize);
  const targets = [engine.polyak(own.target.actor, own.actor), engine.polyak(own.target.critic, own.critic)];
  const copy = async (tau: number): Promise<void> => {
    for (const target of targets) await updateTarget(target, tau);
  };
  return {
    copy,
    /** The loss of the critics. */
    async update(fill: (into: typeof critics.in) => void | Promise<void>): Promise<number> {
      await fill(critics.in);
      ac.fillUniform(drawing, critics.in.uniform);
      critics.in.smoothing[0] = c.smoothing;
      await descend(critics, c.lr);
      const loss = critics.out.loss[0]!;
      counters[own.name]++;
      if (counters[own.name] % c.actorEvery === 0) {
        actor.in.obs.set(critics.in.obs);
        await descend(actor, c.lr);
        await copy(c.tau);
      }
      return loss;
    },
  };
}

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const part = goalPart(meta);
  return {
    part,
    lower: level(engine, 'lower', meta.obsSize + part.size, meta.actionSize, c, rng),
    upper: level(engine, 'upper', meta.obsSize, part.size, c, rng),
  };
}
type Networks = ReturnType<typeof networks>;

const saved = ({ lower, upper }: Networks) => ({ lower: lower.actor, upper: upper.actor, upperCritic: upper.critic });

/** Rows remember the place that they go to, the steps that they have gone there, and whether they have begun. */
function hiroPolicy(engine: Engine, nets: Networks, meta: EnvMeta, c: Config, dispose: () => void): Policy {
  const { part, lower, upper } = nets;
  const { obsSize: O, actionSize: D } = meta;
  const { centre, half } = boxOf(meta);
  const G = part.size;
  const H = G + 2;
  const compile = (rows: number) => ({
    upper: engine.compile({ obs: [rows, O] }, ({ obs }) => {
      const goal = upper.mu(obs);
      const [q1, q2] = upper.q(obs, goal);
      return { goal, value: minimum(q1, q2) };
    }),
    lower: engine.compile({ obs: [rows, O], goal: [rows, G] }, (x) => ({ mean: lower.mu(concat([x.obs, x.goal], 1)) })),
  });
  const programs = new Map<number, ReturnType<typeof compile>>();
  return {
    initial: (rows) => new Float32Array(rows * H),
    async act({ rows, obs, rng, greedy, hidden: before, agent }) {
      const found = programs.get(rows) ?? compile(rows);
      programs.set(rows, found);
      const hidden = before.slice();
      found.upper.in.obs.set(obs.subarray(0, rows * O));
      const chosen = found.upper.run();
      if (chosen) await chosen;
      for (let row = 0; row < rows; row++) {
        const at = row * H;
        const anew = hidden[at + G + 1] === 0 || hidden[at + G]! >= c.every;
        if (anew) hidden[at + G] = 0;
        for (let j = 0; j < G; j++) {
          const s = obs[row * O + part.from + j]!;
          if (anew) hidden[at + j] = s + c.reach * found.upper.out.goal[row * G + j]!;
          found.lower.in.goal[row * G + j] = (hidden[at + j]! - s) / c.reach;
        }
        hidden[at + G]!++;
        hidden[at + G + 1] = 1;
      }
      found.lower.in.obs.set(obs.subarray(0, rows * O));
      const value = found.upper.out.value.slice(0, rows).map((v) => v / c.rewardScale);
      const acted = found.lower.run();
      if (acted) await acted;
      const actions = new Float32Array(rows * D);
      const mean = new Float32Array(rows * D);
      for (let i = 0; i < rows * D; i++) {
        const at = (agent[Math.floor(i / D)]! % meta.agentCount) * D + (i % D);
        const m = found.lower.out.mean[i]!;
        mean[i] = centre[at]! + half[at]! * m;
        const unit = greedy ? m : Math.min(1, Math.max(-1, m + c.explorationNoise * normal(rng)));
        actions[i] = centre[at]! + half[at]! * unit;
      }
      return { actions, hidden, mean, value };
    },
    dispose,
  };
}

const metrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'lowerLoss', title: 'lower critic loss', description: 'Squared error of the lower critics, added, mean since the last row.' },
  { id: 'upperLoss', title: 'upper critic loss', description: 'Squared error of the upper critics, added, mean since the last row.' },
  {
    id: 'goalDistance',
    title: 'distance to goals',
    description: 'How far from its goal the agent was after a step, mean since the last row.',
  },
  { id: 'relabelled', title: 'goals relabelled', description: 'Share of replayed goals that another one replaced.' },
];

export const hiro = defineAlgo<Config>({
  spec: {
    id: 'hiro',
    version: 1,
    title: 'HIRO',
    summary: 'An upper policy sets places to be as goals, a lower one learns to be there; both learn from replayed steps.',
    source: {
      title: 'Data-Efficient Hierarchical Reinforcement Learning',
      authors: 'Nachum et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1805.08296',
    },
    config,
    presets: [
      {
        id: 'point-maze',
        title: 'the U of the quick point maze (80,000 steps)',
        config: { hidden: [64, 64], batchSize: 64, lr: 1e-3, reach: 2, rewardScale: 1, explorationNoise: 0.3 },
      },
    ],
    action: 'box',
    learner: 'network',
    agents: 'one',
    metrics,
    trial: { env: 'pendulum', steps: 700, config: { ...ac.trialConfig, every: 3 } },
    probes: [], // the lower level is paid for places alone, and in the probes an action changes none
  },

  fits(meta, c) {
    checkOneReward(meta, 'HIRO');
    checkBox(meta, 'HIRO', c.bufferSize);
  },

  async *train(run, resume) {
    const c = run.config; // fields marked live may change between iterations
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers, batch: B } = env;
    const { obsSize: O, actionSize: D } = meta;
    const nets = networks(engine, meta, c, run.rng.split('init'));
    const { part, lower, upper } = nets;
    const { from, size: G } = part;
    const counters = { step: 0, updates: 0, lower: 0, upper: 0 }; // of both levels: updates of their critics
    const { exploring, replaying } = ac.streamsOf(run.rng);
    const drawing = run.rng.split('noise');
    const lowerLearner = learner(engine, lower, c, counters, drawing);
    const upperLearner = learner(engine, upper, c, counters, drawing);
    const act = compileActing(engine, lower, B);
    const choose = compileActing(engine, upper, B);
    const steps = stepMemory({ capacity: c.bufferSize, obsSize: O, actionSize: D, goalSize: G });
    const goals = goalMemory({
      capacity: Math.max(100, Math.ceil(c.bufferSize / c.every)),
      obsSize: O,
      actionSize: D,
      goalSize: G,
      every: c.every,
    });
    const likely = compileActing(engine, lower, c.batchSize * LIKELIEST_OF * c.every);
    const actions = createBoxActions(meta, B);
    const { unit } = actions;
    const open = {
      place: new Float32Array(B * G), // where the goal lies
      goal: new Float32Array(B * G), // as it was set, in [-1, 1]
      age: new Int32Array(B).fill(-1), // steps with it; -1: none yet
      obs: new Float32Array(B * c.every * O),
      actions: new Float32Array(B * c.every * D),
      earned: new Float32Array(B),
    };
    const state = registerState({
      counters,
      parts: { env, engine, steps, goals },
      arrays: { exploring, replaying, drawing, ...Object.fromEntries(Object.entries(open).map(([name, data]) => [`open.${name}`, data])) },
    });
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, saved(nets)),
      policy: () => hiroPolicy(engine, nets, meta, c, () => {}),
    });
    if (resume === undefined) {
      env.reset();
      await lowerLearner.copy(1);
      await upperLearner.copy(1);
    } else state.load(resume);
    const means = new RowMeans(['lowerLoss', 'upperLoss', 'goalDistance', 'relabelled']);
    const before = new Float32Array(B * O);
    const after = new Float32Array(B * O);
    const goal = new Float32Array(G);
    const nextGoal = new Float32Array(G);
    const within = (x: number): number => Math.min(1, Math.max(-1, x));

    const setGoals = async (warmUp: boolean): Promise<void> => {
      if (!open.age.includes(-1)) return;
      choose.in.obs.set(buffers.obs);
      const pending = choose.run();
      if (pending) await pending;
      for (let b = 0; b < B; b++) {
        if (open.age[b] !== -1) continue;
        open.age[b] = 0;
        open.earned[b] = 0;
        for (let j = 0; j < G; j++) {
          const best = choose.out.mean[b * G + j]!;
          const g = warmUp ? 2 * exploring.uniform() - 1 : within(best + c.explorationNoise * normal(exploring));
          open.goal[b * G + j] = g;
          open.place[b * G + j] = buffers.obs[b * O + from + j]! + c.reach * g;
        }
      }
    };
    const move = async (warmUp: boolean) => {
      if (warmUp) actions.drawUniform(exploring);
      else {
        for (let b = 0; b < B; b++) {
          act.in.obs.set(buffers.obs.subarray(b * O, (b + 1) * O), b * (O + G));
          for (let j = 0; j < G; j++) act.in.obs[b * (O + G) + O + j] = (open.place[b * G + j]! - buffers.obs[b * O + from + j]!) / c.reach;
        }
        const pending = act.run();
        if (pending) await pending;
        for (let i = 0; i < unit.length; i++) unit[i] = within(act.out.mean[i]! + c.explorationNoise * normal(exploring));
      }
      return actions.scaled();
    };
    const store = (): void => {
      for (let b = 0; b < B; b++) {
        const age = open.age[b]!;
        const terminated = buffers.terminated[b] === 1;
        for (let j = 0; j < G; j++) {
          const place = open.place[b * G + j]!;
          goal[j] = (place - before[b * O + from + j]!) / c.reach;
          nextGoal[j] = (place - after[b * O + from + j]!) / c.reach; // h(s, g, s'), in units of the reach
        }
        const distance = far(nextGoal);
        means.add('goalDistance', distance * c.reach);
        const [obs, nextObs] = [before.subarray(b * O, (b + 1) * O), after.subarray(b * O, (b + 1) * O)];
        const action = unit.subarray(b * D, (b + 1) * D);
        steps.add(obs, goal, action, -distance, terminated, nextObs, nextGoal);
        open.obs.set(obs, (b * c.every + age) * O);
        open.actions.set(action, (b * c.every + age) * D);
        open.earned[b] = open.earned[b]! + buffers.reward[b]!;
        open.age[b] = age + 1;
        const over = terminated || buffers.truncated[b] === 1;
        if (!over && age + 1 < c.every) continue;
        const list = open.obs.subarray(b * c.every * O, (b * c.every + age + 1) * O);
        const done = open.actions.subarray(b * c.every * D, (b * c.every + age + 1) * D);
        goals.add(list, done, open.goal.subarray(b * G, (b + 1) * G), c.rewardScale * open.earned[b]!, terminated, nextObs);
        open.age[b] = -1;
      }
    };
    const update = async (): Promise<void> => {
      const loss = await lowerLearner.update((into) => steps.sample(replaying, c.batchSize, c.lowerGamma, into));
      means.add('lowerLoss', loss);
      counters.updates++;
      if (counters.updates % c.every !== 0 || goals.size < c.batchSize) return;
      const upperLoss = await upperLearner.update(async (into) => {
        const relabelled = await goals.sample(replaying, c.batchSize, c.gamma, part, c.reach, c.relabel ? likely : null, into);
        means.add('relabelled', relabelled);
      });
      means.add('upperLoss', upperLoss);
    };

    const each = c.envs * Math.max(1, Math.ceil(200 / c.envs));
    while (counters.step < run.steps) {
      const until = Math.min(run.steps, counters.step + each);
      while (counters.step < until) {
        const warmUp = counters.step < c.learningStarts;
        await setGoals(warmUp);
        const acted = await move(warmUp);
        before.set(buffers.obs);
        env.step(acted);
        nextObservations(buffers, meta, after);
        store();
        counters.step += B;
        if (counters.step <= c.learningStarts || steps.size < c.batchSize || (counters.step / B) % c.trainEvery !== 0) continue;
        for (let k = 0; k < c.gradientSteps; k++) await update();
      }
      const step = counters.step;
      yield { step, metrics: { ...episodeRow(env), ...means.take(step) }, ...point };
    }
  },

  async policy({ config: c, meta, makeEngine }, snapshot) {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, saved(nets), snapshot);
    return hiroPolicy(engine, nets, meta, c, () => engine.dispose());
  },

  benchmark({ config: c, meta, engine }) {
    const critics = compileCritics(engine, networks(engine, meta, c, Rng.from(0)).lower, c.batchSize);
    return { run: () => critics.run() };
  },
});
