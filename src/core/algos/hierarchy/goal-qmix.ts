/**
 * Two levels of deep Q-learning whose upper values a mixer joins (after GMAH; Xu et al. 2024). Every `every` steps each agent's upper network
 * says which cell near it to reach, out of all cells within `reach`; the lower network (lib/goal-lower.ts) gets there. What the team earned
 * meanwhile is credited to the goals, through QMIX's mixer (nets/mixing.ts):
 *   Q_tot(s, g) = mix(q_1(o_1, g_1) .. q_A(o_A, g_A); s),   R = sum_{j<n} gamma^j sum_i r_i over the n steps until goals are chosen anew
 *   y = R + gamma^n mix'(v_1 .. v_A; s'),  v_i = q_i'(o_i', argmax_g q_i(o_i', g));   loss: half the mean of (Q_tot - y)^2
 * A goal is a place from where the agent stands, as an offset of the state is in HIRO (Nachum et al. 2018), and stays where it is while the agent
 * moves. Which cells lead on is learned: walls, empty floor and things are goals alike. One agent needs no mixer, and chooses anew as soon as it
 * is there. With `relabel` a goal that was not reached is stored as the cell where the agent ended, if that is a goal (Levy et al. 2019).
 * With goals that are `actions`, the lower level does what it is told; every step, this is QMIX, or deep Q-learning of one agent, bit for bit.
 * Differs from the paper, whose goals are a list made for each world, with a tree of them and an auto-encoder, and whose lower level is PPO: here
 * goals are cells, and both levels replay.
 * Pseudo-code:
 *   target networks = networks, of both levels
 *   repeat until the budget is spent
 *     play rolloutSteps steps of B environments
 *       who has no goal chooses one, epsilon-greedily on q_i(o_i, g); a team all at once
 *       every agent acts epsilon-greedily on the lower values of its observation and its goal's place
 *       store the step, with the cell it reached or changed
 *       goals end after `every` steps, with the episode, or where one agent has reached its own: store o, g, R, n, o'
 *     once learningStarts steps are played, gradientSteps times
 *       one step on the upper loss, from a minibatch of stored goals
 *       one step on the lower loss, from a minibatch of stored steps, of which a share is told other goals
 *       every targetEvery updates: target networks += tau (networks - target networks)
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { fail, present } from '#contract/kit/errors.ts';
import type { ExtraCard } from '#contract/session/session.ts';
import { adam, radam } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import { nextMasks, nextObservations } from '#core/envs/api/buffers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { monotoneMixer } from '#core/nets/mixing.ts';
import { updateTarget } from '#core/nets/target.ts';
import { registerState, savedNumber } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { EpisodeMemory } from '#core/state/replay-episodes.ts';
import { Rng } from '#math/rng.ts';
import { argmax, randomAction } from '#math/sampling.ts';
import { linear } from '#math/schedules.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { checkSameAgents } from '../api/guards.ts';
import { episodeRow, RowMeans } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy } from '../api/types.ts';
import { qLearningTeamFields, qLearningTeamMetrics, STEPS_PER_ROW } from '../value/lib/q-learning-team.ts';
import { checkDiscreteTeam, compileActor, compileLearner, teamNetworks, teamQPolicy, teamReward } from '../value/lib/team-q.ts';
import { advanceOf, cellFrom, goalOffsets, offsetOf, POSE } from './lib/cells.ts';
import { compileLowerActor, compileLowerLearner, lowerMemory, lowerNetwork, nearer } from './lib/goal-lower.ts';

const source = 'own choice';
const { recurrent: _, standardiseReward: __, annealLr: ___, optimiser, double, sharing, agentId } = qLearningTeamFields;

const config = z.strictObject({
  goals: z.enum(['cells', 'actions']).default('cells').meta({
    title: 'goals',
    description: 'Cells near the agent, which the lower level learns to reach; or the actions themselves, which need no lower level.',
    depth: 'teach',
    group: 'decisions',
  }),
  every: fields.integer(8, {
    min: 1,
    max: 100,
    title: 'steps to a new goal',
    description: 'The upper level chooses anew after so many steps; of one agent also when the goal is reached.',
    unit: 'steps',
    slider: [1, 20],
    source: `${source}; HIRO: 10`,
    depth: 'teach',
    group: 'decisions',
  }),
  reach: fields.integer(3, {
    min: 1,
    max: 5,
    title: 'reach of goals',
    description: 'Goals lie at most so many cells to each side and ahead; where agents have no heading, behind too.',
    unit: 'cells',
    slider: [1, 5],
    source,
    depth: 'teach',
    group: 'decisions',
  }),
  relabel: z.boolean().default(true).meta({
    title: 'relabel goals',
    description: 'A goal that was not reached is stored as the cell where the agent ended or what it changed.',
    source: 'Levy et al. 2019 (HAC)',
    depth: 'teach',
    group: 'decisions',
  }),
  hindsight: fields.real(0.8, {
    min: 0,
    max: 1,
    title: 'hindsight goals',
    description: 'Share of replayed steps from which the lower level learns with a cell that was reached soon after as the goal.',
    slider: [0, 1],
    source: 'Andrychowicz et al. 2017',
    group: 'decisions',
  }),
  lowerGamma: fields.gamma(0.9, source, { title: 'lower discount', description: 'Weight of reaching the goal one step later.' }),
  lr: fields.lr(1e-3, source, { description: 'Step size of the optimiser, of both levels.' }),
  optimiser,
  maxGradNorm: fields.maxGradNorm(10, source),
  gamma: fields.gamma(0.99, source, { description: 'Weight of a reward one environment step later, however long goals last.' }),
  epsilonStart: fields.epsilonStart(1, source),
  epsilonEnd: fields.epsilonEnd(0.05, source),
  epsilonFraction: fields.epsilonFraction(0.3, source),
  double,
  hidden: fields.hidden([64, 64], source, { description: 'Units of each layer, of both levels.' }),
  sharing,
  agentId,
  envs: fields.numEnvs(8, source, { max: 256, log: true, group: 'replay' }),
  rolloutSteps: fields.rolloutSteps(4, source, { max: 2048, slider: [1, 128], group: 'replay' }),
  gradientSteps: fields.gradientSteps(4, source, { max: 256, slider: [1, 16], log: false }),
  bufferSize: fields.bufferSize(50_000, source, {
    unit: 'steps',
    description: 'The newest that are kept: goals by the upper level, steps of all agents by the lower one.',
    min: 100,
    max: 200_000,
    slider: [1000, 200_000],
  }),
  batchSize: fields.batchSize(64, source, { slider: [8, 512] }),
  learningStarts: fields.learningStarts(1000, source),
  targetEvery: fields.targetEvery(100, source, { unit: 'updates', slider: [1, 1000] }),
  tau: fields.tau(1, source),
  ...fields.mixer('JaxMARL ql_rnn, MPE'),
});
type Config = z.infer<typeof config>;

/** The same agents, whose actions are goals: what the upper networks are made for. */
function upperMeta(meta: EnvMeta, c: Config): EnvMeta {
  if (c.goals === 'actions') return meta;
  const n = goalOffsets(present(meta.cells, 'cells in observations'), c.reach).length / 2;
  const action = { kind: 'discrete', n, labels: [] } as const;
  return { ...meta, agents: meta.agents.map((group) => ({ ...group, action })), actionSize: 1, actionCount: n, masked: false };
}

const flat = (c: Config) => ({ ...c, recurrent: { kind: 'off' } }) as const;

function networks(engine: Engine, meta: EnvMeta, c: Config, rng: Rng) {
  const seen = upperMeta(meta, c);
  const upper = teamNetworks(engine, seen, flat(c), meta.agentCount > 1 ? monotoneMixer(c) : null, rng);
  if (c.goals === 'actions') return { seen, upper, lower: null };
  const [online, target] = [engine.group('lower'), engine.group('lowerTarget')];
  const q = lowerNetwork(online, rng, meta, c.hidden);
  const targetQ = lowerNetwork(target, Rng.from(0), meta, c.hidden); // overwritten by a copy before its first use
  return { seen, upper, lower: { online, target, q, targetQ } };
}
type Networks = ReturnType<typeof networks>;

const saved = ({ upper, lower }: Networks) => ({ net: upper.online, ...(lower && { lower: lower.online }) });

/** What a row remembers beside its last observation: begun, the last action, pose, goal's cell, steps with it, a person's goal. */
const AT = { begun: 0, action: 1, pose: 2, goal: 5, age: 7, held: 8, size: 9 } as const;
/** A person's goal: as an offset from where the agent stands when it acts next; then as a cell. */
const ASKED = 2;
const HELD = 1;

const extras: readonly ExtraCard[] = [
  {
    id: 'subgoal',
    kind: 'place',
    title: 'subgoal',
    description: 'The cell that it goes to, in cells to the right of the agent and ahead of it.',
    labels: ['to the right', 'ahead'],
  },
];

/** Both levels, from the observations alone. `inner`: the upper values. */
function twoLevelPolicy(engine: Engine, nets: Networks, meta: EnvMeta, c: Config, inner: Policy, epsilon: () => number): Policy {
  const { lower } = nets;
  if (lower === null) return inner;
  const { obsSize: O, actionCount: N, agentCount: A } = meta;
  const sight = present(meta.cells, 'cells in observations');
  const advance = advanceOf(meta, sight);
  const goals = goalOffsets(sight, c.reach);
  const G = goals.length / 2;
  const H = AT.size + O;
  const programs = new Map<number, ReturnType<typeof compileLowerActor>>();
  const programOf = (rows: number) => {
    const found = programs.get(rows) ?? compileLowerActor(engine, lower.q, meta, rows);
    programs.set(rows, found);
    return found;
  };
  const pose = new Int32Array(POSE);
  const goal = new Int32Array(2);
  const touched = new Int32Array(2);
  const place = new Int32Array(2);
  return {
    extras,
    initial: (rows) => new Float32Array(rows * H),
    aim(hidden, row, right, ahead) {
      const at = row * H;
      hidden[at + AT.goal] = right;
      hidden[at + AT.goal + 1] = ahead;
      hidden[at + AT.held] = ASKED;
    },
    async act(query) {
      const { rows, obs, rng, greedy } = query;
      const { mask: _mask, ...seen } = query;
      const { q: upper, value } = await inner.act({ ...seen, hidden: new Float32Array(0), greedy: true });
      const hidden = query.hidden.slice();
      const program = programOf(rows);
      const subgoal = new Float32Array(rows * 2);
      for (let row = 0; row < rows; row++) {
        const at = row * H;
        pose.set(hidden.subarray(at + AT.pose, at + AT.pose + POSE));
        goal.set(hidden.subarray(at + AT.goal, at + AT.goal + 2));
        let there = false;
        if (hidden[at] !== 0) {
          const changed = advance(hidden, at + AT.size, obs, row * O, hidden[at + AT.action]!, pose, 0, touched, 0);
          there = (pose[0] === goal[0] && pose[1] === goal[1]) || (changed && touched[0] === goal[0] && touched[1] === goal[1]);
        }
        const asked = hidden[at + AT.held] === ASKED; // from where it stands now
        if (asked) cellFrom(pose, 0, goal[0]!, goal[1]!, goal);
        hidden[at + AT.held] = asked || (hidden[at + AT.held] === HELD && !there) ? HELD : 0;
        const late = hidden[at + AT.age]! >= c.every || (there && A === 1);
        // before its first step a person may have set a goal already
        if (hidden[at + AT.held] === 0 && (hidden[at] === 0 || late)) {
          const best = greedy || rng.uniform() >= epsilon();
          const k = best ? argmax(present(upper, 'values of goals'), row * G, G) : randomAction(rng, G);
          cellFrom(pose, 0, goals[2 * k]!, goals[2 * k + 1]!, goal);
          hidden[at + AT.age] = 0;
        } else if (late) hidden[at + AT.age] = 0;
        hidden[at + AT.age]!++;
        hidden[at] = 1;
        hidden.set(pose, at + AT.pose);
        hidden.set(goal, at + AT.goal);
        for (let j = 0; j < O; j++) hidden[at + AT.size + j] = obs[row * O + j]!;
        offsetOf(pose, 0, goal[0]!, goal[1]!, place);
        subgoal.set(place, 2 * row);
        for (let j = 0; j < 2; j++) program.in.goal[2 * row + j] = nearer(place[j]!);
      }
      program.in.obs.set(obs.subarray(0, rows * O));
      const pending = program.run();
      if (pending) await pending;
      const q = program.out.q.slice(0, rows * N);
      const actions = new Int32Array(rows);
      for (let row = 0; row < rows; row++) {
        const best = greedy || rng.uniform() >= epsilon();
        actions[row] = best ? argmax(q, row * N, N) : randomAction(rng, N);
        hidden[row * H + AT.action] = actions[row]!;
      }
      return { actions, hidden, q, extras: { subgoal }, ...(value && { value }) };
    },
    dispose: () => inner.dispose(),
  };
}

const metrics: readonly MetricCard[] = [
  ...qLearningTeamMetrics,
  { id: 'goalsReached', title: 'goals reached', description: 'Share of the goals that ended which were reached.' },
  {
    id: 'goalSteps',
    title: 'steps of a goal',
    description: 'Mean number of environment steps until goals are chosen anew.',
    unit: 'steps',
  },
  { id: 'lowerLoss', title: 'lower loss', description: 'Half the squared error of the lower values, mean since the last row.' },
];

export const goalQmix = defineAlgo<Config>({
  spec: {
    id: 'goal-qmix',
    version: 1,
    title: 'Goal QMIX',
    summary: 'An upper level sets cells as goals for each agent, credited through QMIX; a lower level learns to reach them.',
    source: {
      title: 'Subgoal-based Hierarchical Reinforcement Learning for Multi-Agent Collaboration',
      authors: 'Xu et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2408.11416',
    },
    config,
    presets: [
      { id: 'far', title: 'goals as far as five cells', config: { reach: 5, every: 10 } },
      { id: 'actions', title: 'goals are actions: QMIX, or deep Q-learning of one agent', config: { goals: 'actions', every: 1 } },
    ],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    metrics,
    trial: {
      env: 'level-based-foraging',
      steps: 1024,
      config: { envs: 4, gradientSteps: 1, batchSize: 32, bufferSize: 2000, learningStarts: 100, every: 4 },
    },
    probes: [{ on: ['bandit', 'cued', 'delayed', 'masked', 'team', 'xorTeam', 'roles'], steps: 6000 }],
    probeConfig: {
      goals: 'actions',
      every: 1,
      envs: 4,
      gradientSteps: 1,
      hidden: [16],
      lr: 1e-2,
      batchSize: 32,
      bufferSize: 500,
      learningStarts: 100,
      targetEvery: 20,
      gamma: 0.9,
      epsilonFraction: 0.5,
      epsilonEnd: 0.1,
      mixerUnits: 8,
      hyperUnits: 8,
      mixerScale: 1,
    },
  },

  fits(meta, c) {
    checkDiscreteTeam(meta, 'Goal QMIX');
    if (c.goals === 'actions') {
      if (c.every !== 1)
        throw fail('config-invalid', 'Goals that are actions last one step.', 'Set the steps to a new goal to 1.', 'algo.every');
      return;
    }
    checkSameAgents(meta, 'Goal QMIX');
    if (meta.cells === undefined || meta.masked)
      throw fail(
        'incompatible',
        'Goals are cells, and the observations of this environment do not tell which cell an agent reached.',
        'Choose a room of MiniGrid, or foraging in which all is seen; or set goals to actions and steps to a new goal to 1.',
        'env.id',
      );
  },

  async *train(run, resume) {
    const c = run.config; // fields marked live may change between iterations
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers, batch: B } = env;
    const { agentCount: A, obsSize: O, globalSize: S } = meta;
    const rows = B * A;
    const nets = networks(engine, meta, c, run.rng.split('init'));
    const { upper, lower, seen } = nets;
    const G = seen.actionCount;
    const sight = lower === null ? null : present(meta.cells, 'cells in observations');
    const goals = sight === null ? null : goalOffsets(sight, c.reach);
    const advance = sight === null ? null : advanceOf(meta, sight);
    const optimise = () => (c.optimiser === 'adam' ? adam() : radam());
    const choose = compileActor(engine, upper, seen, B);
    const learn = compileLearner(engine, upper, seen, flat(c), optimise());
    const act = lower && compileLowerActor(engine, lower.q, meta, rows);
    const lowerLearn = lower && compileLowerLearner(engine, lower, meta, c.batchSize, optimise(), c.maxGradNorm);
    const targets = [engine.polyak(upper.target, upper.online), ...(lower ? [engine.polyak(lower.target, lower.online)] : [])];
    const updateTargets = async (tau: number): Promise<void> => {
      for (const target of targets) await updateTarget(target, tau);
    };
    const [exploring, replaying] = [run.rng.split('exploration'), run.rng.split('replay')];
    const [lowerExploring, lowerReplaying] = [run.rng.split('lower exploration'), run.rng.split('lower replay')];
    const K = upper.mixer === null ? A : 1;
    // A piece is one choice of a team: behind its rewards stands gamma^(n - 1).
    const width = A * O + S;
    const N = seen.masked ? A * G : 0;
    const memory = new EpisodeMemory({
      capacity: c.bufferSize,
      rows: 1,
      length: 1,
      obsSize: width,
      actionSize: A,
      rewardSize: K + 1,
      maskSize: N,
    });
    const steps = lower && lowerMemory(meta, c.bufferSize, rows);
    const goal = {
      chosen: new Int32Array(rows), // its number; -1: none yet
      cell: new Int32Array(rows * 2),
      start: new Int32Array(rows * POSE), // poses when it was chosen
      pose: new Int32Array(rows * POSE),
      reached: new Uint8Array(rows),
      changed: new Uint8Array(rows), // it changed a cell since then
      ended: new Int32Array(rows * 2), // what it changed last since then, else where it stands
      age: new Int32Array(B),
      earned: new Float32Array(B * K),
      obs: new Float32Array(B * width),
      mask: new Uint8Array(B * N),
    };
    const counters = { step: 0, updates: 0 };
    const state = registerState(
      {
        counters,
        parts: { env, engine, memory },
        arrays: {
          exploring,
          replaying,
          lowerExploring,
          lowerReplaying,
          ...Object.fromEntries(Object.entries(goal).map(([n, a]) => [`goal.${n}`, a])),
        },
      },
      ...(steps
        ? [
            {
              counters: steps.state.counters,
              arrays: Object.fromEntries(Object.entries(steps.state.arrays).map(([n, a]) => [`steps.${n}`, a])),
            },
          ]
        : []),
    );
    const epsilon = (): number => linear(c.epsilonStart, c.epsilonEnd, c.epsilonFraction * run.steps, counters.step);
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, saved(nets), { epsilon: epsilon() }),
      policy: () => twoLevelPolicy(engine, nets, meta, c, teamQPolicy(engine, upper.q, upper.sharing, seen, epsilon), epsilon),
    });
    if (resume === undefined) {
      env.reset();
      goal.chosen.fill(-1);
      await updateTargets(1);
    } else state.load(resume);

    const means = new RowMeans(['loss', 'qMean', 'tdError', 'gradNorm', 'goalsReached', 'goalSteps', 'lowerLoss']);
    const before = new Float32Array(B * A * O);
    const after = new Float32Array(B * A * O);
    const afterMask = buffers.mask?.slice();
    const from = new Int32Array(rows * POSE);
    const touched = new Int32Array(rows * 2);
    const place = new Int32Array(2);
    const actions = new Int32Array(rows);
    const stored = {
      obs: new Float32Array(width),
      action: new Int32Array(A),
      reward: new Float32Array(K + 1),
      nextObs: new Float32Array(width),
      terminated: new Uint8Array(1),
      truncated: new Uint8Array(1),
      mask: N > 0 ? new Uint8Array(N) : undefined,
      nextMask: N > 0 ? new Uint8Array(N) : undefined,
    };
    const drawn = new Float32Array(c.batchSize * (K + 1));

    /** Observations of a team, and behind them the global state. */
    const write = (out: Float32Array, at: number, obs: Float32Array, global: Float32Array | undefined, b: number): void => {
      for (let j = 0; j < A * O; j++) out[at + j] = obs[b * A * O + j]!;
      if (global !== undefined) for (let j = 0; j < S; j++) out[at + A * O + j] = global[b * S + j]!;
    };

    /** Teams without goals choose. */
    const decide = async (eps: number): Promise<void> => {
      if (!goal.chosen.includes(-1)) return;
      choose.in.obs.set(buffers.obs);
      if (buffers.mask !== undefined) choose.in.mask?.set(buffers.mask);
      const pending = choose.run();
      if (pending) await pending;
      const { q } = choose.out;
      for (let row = 0; row < rows; row++) {
        if (goal.chosen[row] !== -1) continue;
        const b = Math.floor(row / A);
        const n = upper.sharing.networks[upper.sharing.agentToNetwork[row % A]!]!.choices;
        const mask = N > 0 ? buffers.mask : undefined;
        const random = eps > 0 && exploring.uniform() < eps;
        goal.chosen[row] = random ? randomAction(exploring, n, mask, row * G) : argmax(q, row * G, n, mask, row * G);
        if (row % A === 0) {
          write(goal.obs, b * width, buffers.obs, buffers.state, b);
          if (N > 0 && buffers.mask !== undefined) goal.mask.set(buffers.mask.subarray(b * N, (b + 1) * N), b * N);
          goal.age[b] = 0;
          goal.earned.fill(0, b * K, (b + 1) * K);
        }
        if (goals === null) continue;
        goal.reached[row] = 0;
        goal.changed[row] = 0;
        for (let j = 0; j < POSE; j++) goal.start[row * POSE + j] = goal.pose[row * POSE + j]!;
        cellFrom(goal.pose, row * POSE, goals[2 * goal.chosen[row]!]!, goals[2 * goal.chosen[row]! + 1]!, goal.cell, 2 * row);
        for (let j = 0; j < 2; j++) goal.ended[2 * row + j] = goal.pose[row * POSE + j]!;
      }
    };

    /** Lower actions towards the goals; the goals themselves without a lower level. */
    const move = async (eps: number): Promise<void> => {
      if (act === null) {
        actions.set(goal.chosen);
        return;
      }
      act.in.obs.set(buffers.obs);
      for (let row = 0; row < rows; row++) {
        offsetOf(goal.pose, row * POSE, goal.cell[2 * row]!, goal.cell[2 * row + 1]!, place);
        for (let j = 0; j < 2; j++) act.in.goal[2 * row + j] = nearer(place[j]!);
      }
      const pending = act.run();
      if (pending) await pending;
      for (let row = 0; row < rows; row++) {
        const random = lowerExploring.uniform() < eps;
        const count = meta.actionCount;
        actions[row] = random ? randomAction(lowerExploring, count) : argmax(act.out.q, row * count, count);
      }
    };

    /** Where every agent came by this step, and whether it is there; the step is stored. */
    const arrive = (): void => {
      if (advance === null || steps === null) return;
      for (let row = 0; row < rows; row++) {
        const b = Math.floor(row / A);
        const p = row * POSE;
        for (let j = 0; j < POSE; j++) from[p + j] = goal.pose[p + j]!;
        const changed = advance(before, row * O, after, row * O, actions[row]!, goal.pose, p, touched, 2 * row);
        const ended = (buffers.terminated[b]! | buffers.truncated[b]!) === 1;
        steps.put(row, {
          obs: before,
          o: row * O,
          nextObs: after,
          action: actions[row]!,
          from,
          to: goal.pose,
          goal: goal.cell,
          touched,
          hasTouched: changed,
          ended,
          terminated: buffers.terminated[b] === 1,
        });
        const [x, y] = [goal.cell[2 * row]!, goal.cell[2 * row + 1]!];
        const stands = goal.pose[p] === x && goal.pose[p + 1] === y;
        if (stands || (changed && touched[2 * row] === x && touched[2 * row + 1] === y)) goal.reached[row] = 1;
        if (changed) goal.changed[row] = 1;
        else if (goal.changed[row] === 1) continue;
        for (let j = 0; j < 2; j++) goal.ended[2 * row + j] = changed ? touched[2 * row + j]! : goal.pose[p + j]!;
      }
      steps.next();
    };

    /** The goal as it is stored: the one that was given, or with `relabel` the cell that the agent came to. */
    const storedGoal = (row: number): number => {
      const chosen = goal.chosen[row]!;
      if (goals === null || !c.relabel || goal.reached[row] === 1) return chosen;
      offsetOf(goal.start, row * POSE, goal.ended[2 * row]!, goal.ended[2 * row + 1]!, place);
      for (let k = 0; k < G; k++) if (goals[2 * k] === place[0] && goals[2 * k + 1] === place[1]) return k;
      return chosen;
    };

    /** What each team earned; goals that are over are stored. */
    const earn = (): void => {
      const { terminated, truncated, reward } = buffers;
      for (let b = 0; b < B; b++) {
        const discount = c.gamma ** goal.age[b]!;
        if (upper.mixer === null) for (let a = 0; a < A; a++) goal.earned[b * K + a]! += discount * reward[b * A + a]!;
        else goal.earned[b]! += discount * teamReward(reward, b * A, A);
        goal.age[b]!++;
        const over = terminated[b] === 1 || truncated[b] === 1;
        const there = A === 1 && goal.reached[b] === 1;
        if (!over && !there && goal.age[b]! < c.every) continue;
        for (let j = 0; j < width; j++) stored.obs[j] = goal.obs[b * width + j]!;
        for (let a = 0; a < A; a++) stored.action[a] = storedGoal(b * A + a);
        for (let k = 0; k < K; k++) stored.reward[k] = goal.earned[b * K + k]!;
        stored.reward[K] = discount;
        write(stored.nextObs, 0, after, over ? buffers.finalState : buffers.state, b);
        stored.mask?.set(goal.mask.subarray(b * N, (b + 1) * N));
        if (afterMask !== undefined) stored.nextMask?.set(afterMask.subarray(b * N, (b + 1) * N));
        stored.terminated[0] = terminated[b]!;
        stored.truncated[0] = truncated[b]!;
        memory.add(stored);
        if (goals !== null) {
          for (let a = 0; a < A; a++) means.add('goalsReached', goal.reached[b * A + a]!);
          means.add('goalSteps', goal.age[b]!);
        }
        for (let row = b * A; row < (b + 1) * A; row++) {
          goal.chosen[row] = -1;
          if (over) goal.pose.fill(0, row * POSE, (row + 1) * POSE);
        }
      }
    };

    const update = async (lr: number): Promise<void> => {
      const { in: feed, out } = learn; // read anew: compiling another program in between may have moved them
      feed.lr[0] = lr;
      feed.gamma[0] = c.gamma;
      const into = { obs: feed.obs, action: feed.action, reward: drawn, filled: feed.filled, goesOn: feed.goesOn, mask: feed.mask };
      for (let k = 0; k < c.gradientSteps; k++) {
        for (let m = 0; m < c.batchSize; m++) {
          memory.read(memory.draw(replaying), m, c.batchSize, into);
          for (let j = 0; j < K; j++) feed.reward[m * K + j] = drawn[m * (K + 1) + j]!;
          feed.goesOn[m]! *= drawn[m * (K + 1) + K]!;
        }
        const read = k === c.gradientSteps - 1; // reading is a round trip on a GPU
        const pending = learn.run({ read });
        if (pending) await pending;
        if (lowerLearn !== null && steps !== null) {
          for (let m = 0; m < c.batchSize; m++) steps.read(lowerReplaying, m, c.hindsight, c.every, lowerLearn.in);
          lowerLearn.in.lr[0] = lr;
          lowerLearn.in.gamma[0] = c.lowerGamma;
          const lowerUpdate = lowerLearn.run({ read });
          if (lowerUpdate) await lowerUpdate;
          if (read) means.add('lowerLoss', lowerLearn.out.loss[0]!);
        }
        counters.updates++;
        if (counters.updates % c.targetEvery === 0) await updateTargets(c.tau);
        if (!read) continue;
        means.add('loss', out.loss[0]!);
        means.add('qMean', out.qMean[0]!);
        means.add('tdError', out.errorMean[0]!);
        means.add('gradNorm', out.gradNorm[0]!);
      }
    };

    while (counters.step < run.steps) {
      const until = Math.min(run.steps, counters.step + STEPS_PER_ROW);
      while (counters.step < until) {
        const eps = epsilon();
        for (let t = 0; t < c.rolloutSteps; t++) {
          await decide(eps);
          await move(eps);
          before.set(buffers.obs);
          env.step(actions);
          nextObservations(buffers, meta, after);
          nextMasks(buffers, meta, afterMask);
          arrive();
          earn();
          counters.step += B;
        }
        if (counters.step <= c.learningStarts || memory.size < c.batchSize) continue;
        await update(c.lr);
      }
      const { step } = counters;
      yield { step, metrics: { ...episodeRow(env), ...means.take(step), epsilon: epsilon(), learningRate: c.lr }, ...point };
    }
  },

  async policy({ config: c, meta, makeEngine }, snapshot): Promise<Policy> {
    const engine = await makeEngine();
    const nets = networks(engine, meta, c, Rng.from(0));
    loadGroups(engine, saved(nets), snapshot);
    const epsilon = savedNumber(snapshot, 'epsilon');
    const inner = teamQPolicy(engine, nets.upper.q, nets.upper.sharing, nets.seen, () => epsilon, true);
    return twoLevelPolicy(engine, nets, meta, c, inner, () => epsilon);
  },

  benchmark({ config: c, meta, engine }) {
    const { upper, seen } = networks(engine, meta, c, Rng.from(0));
    const learn = compileLearner(engine, upper, seen, flat(c), adam());
    return { run: () => learn.run() };
  },
});
