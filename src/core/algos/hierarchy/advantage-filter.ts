/**
 * Plans that a planner proposes to the agents of a team are taken or refused by a sequential advantage, fitted to recorded play (ReAd-S; Zhang et
 * al. 2024). One network values the world and the plans of the agents that have one; with N plans and A agents its input is the environment's base
 * numbers and A slots of N (meta.plans), 0 where an agent has no plan yet.
 *   Q(s, a_1..a_i) = E[sum_k gamma^k r_{t+k} | s, plans of agents 1..i; those of the others are still to come]
 *   A_i(s, a_1..a_{i-1}, a_i) = Q(s, a_1..a_i) - Q(s, a_1..a_{i-1})
 *   take a_i if A_i >= threshold, else ask again
 *   L = mean (Q - G)^2 over decisions recorded while every plan was taken, each with the agent's own plan and without it
 *   G_t = r_t + gamma ((1 - lambda) V_{t+1} + lambda G_{t+1}),   V: Q of the plans that run
 * An agent whose plan runs is no part of the choice: its plan stands in its slot. Behind the recording nothing is learned.
 * Differs from the paper: there a language model proposes, is told the advantages, and each text is fed to the critic; here plans are few and named.
 * Pseudo-code:
 *   repeat until the budget is spent
 *     for T steps of B environments
 *       for each agent that is proposed a plan, one after the other
 *         recording: take it; later: take it if A_i >= threshold, else ask again
 *       play one step; keep rewards
 *     recording: returns G backwards, behind the last step V of what stands there
 *       store the decisions with G; gradientSteps times: one step of Adam on L over a minibatch of what is stored
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import { fail, present } from '#contract/kit/errors.ts';
import type { ExtraCard } from '#contract/session/session.ts';
import { mean, reshape, square, sub } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, ParamGroup, Program } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { chunkSize } from '#core/nets/chunks.ts';
import { mlp } from '#core/nets/mlp.ts';
import { registerState } from '#core/state/checkpoint.ts';
import { loadGroups, saveGroups } from '#core/state/params.ts';
import { gae } from '#math/gae.ts';
import { Rng } from '#math/rng.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { episodeMetrics, episodeRow, RowMeans } from '../api/metrics.ts';
import { safePoint } from '../api/safe-point.ts';
import type { Policy } from '../api/types.ts';
import { teamsOf } from '../lib/sharing.ts';

const source = 'own choice';
const group = 'decisions';
const config = z.strictObject({
  threshold: fields.real(-0.3, {
    min: -1000,
    max: 1000,
    title: 'least advantage',
    description: 'A plan with a smaller advantage is refused, in units of the return. Below 0 where a refusal costs a step.',
    source,
    live: true,
    slider: [-2, 2],
    depth: 'teach',
    group,
  }),
  recorded: fields.real(0.8, {
    min: 0,
    max: 1,
    title: 'recorded share',
    description:
      'Share of the budget in which every plan is taken and the advantage is learned; behind it plans are refused and nothing is learned.',
    source,
    slider: [0.1, 1],
    depth: 'teach',
    group,
  }),
  gamma: fields.gamma(0.99, source),
  lambda: fields.gaeLambda(0.95, source),
  lr: fields.lr(1e-3, source),
  annealLr: fields.annealLr(true, source, { description: 'The step size falls in a straight line to 0 over the recording.' }),
  envs: fields.numEnvs(16, source),
  rolloutSteps: fields.rolloutSteps(128, source),
  memory: fields.bufferSize(200_000, source, {
    description: 'Decisions that are kept, each with the plan and without it; the oldest go first.',
    unit: 'rows',
  }),
  batchSize: fields.batchSize(256, source),
  gradientSteps: fields.gradientSteps(128, source, { description: 'Steps of Adam behind each rollout that is recorded.', max: 10_000 }),
  hidden: fields.hidden([64, 64], source),
});
type Config = z.infer<typeof config>;

/** Where plans stand in what an agent sees. Throws LabError('incompatible') where none are proposed. */
function plansOf(meta: EnvMeta) {
  if (meta.plans === undefined)
    throw fail('incompatible', 'A filter of plans needs a planner that proposes them.', 'Try the kitchen with a planner.', 'env.id');
  const { names, base } = meta.plans;
  if (meta.obsSize < base + 2 * meta.agentCount * names.length || meta.obsSize >= 2 * base + 2 * meta.agentCount * names.length)
    throw fail('incompatible', 'A filter of plans reads one frame at a time.', 'Set the stacked frames to 1.', 'env.frameStack');
  return { names, base, N: names.length, width: base + meta.agentCount * names.length };
}

/** The critic: [rows, base + A N] -> values [rows]. */
function criticOf(engine: Engine, meta: EnvMeta, hidden: readonly number[], rng: Rng) {
  const { width } = plansOf(meta);
  const params: ParamGroup = engine.group('critic');
  const net = mlp(params, 'value', rng, [width, ...hidden, 1], { outGain: 1 });
  const compile = (rows: number) =>
    engine.compile({ x: [rows, width] }, ({ x }) => ({ value: reshape(net(x), [rows]) }), { name: 'plans' });
  const programs = new Map<number, Program<{ x: Float32Array }, { value: Float32Array }>>();
  return {
    params,
    /** Values of so many rows. */
    async values(x: Float32Array, rows: number): Promise<Float32Array> {
      const found = new Float32Array(rows);
      for (let from = 0; from < rows; ) {
        const size = chunkSize(rows - from);
        const count = Math.min(size, rows - from);
        const program = programs.get(size) ?? compile(size);
        programs.set(size, program);
        program.in.x.set(x.subarray(from * width, (from + count) * width));
        const pending = program.run();
        if (pending) await pending;
        found.set(program.out.value.subarray(0, count), from);
        from += count;
      }
      return found;
    },
    learner: (rows: number) =>
      engine.compile(
        { x: [rows, width], target: [rows] },
        ({ x, target }) => ({ loss: mean(square(sub(reshape(net(x), [rows]), target))) }),
        { minimise: 'loss', group: params, with: adam(), maxGradNorm: 10, name: 'learn plans' },
      ),
  };
}
type Critic = ReturnType<typeof criticOf>;

/** What is asked of the critic about a team, agent by agent. */
function questions(meta: EnvMeta) {
  const { base, N, width } = plansOf(meta);
  const { agentCount: A, obsSize: O } = meta;
  const seen = base + A * N; // proposals begin there
  /** The number of the slot of agent q in what agent p sees. */
  const slot = (p: number, q: number) => (q === p ? 0 : q < p ? q + 1 : q);
  /** What is proposed to the agent that sees obs[o ..]; -1: nothing. */
  const proposed = (obs: Float32Array, o: number): number => {
    for (let plan = 0; plan < N; plan++) if (obs[o + seen + plan] === 1) return plan;
    return -1;
  };
  return {
    proposed,
    /** Writes into x[at ..] what agent p sees, with the plans `taken` [A] in this step (-1: none), its own plan as told. */
    write(obs: Float32Array, o: number, p: number, taken: Int32Array, own: number, x: Float32Array, at: number): void {
      for (let i = 0; i < width; i++) x[at + i] = obs[o + i]!;
      for (let q = 0; q < taken.length; q++) {
        const plan = q === p ? own : taken[q]!;
        if (plan >= 0) x[at + base + N * slot(p, q) + plan] = 1;
      }
    },
    O,
    A,
    width,
  };
}

const extrasOf = (names: readonly string[]): readonly ExtraCard[] => [
  { id: 'plan', kind: 'choice', title: 'plan proposed', description: 'What the planner proposes to this agent now.', labels: names },
  {
    id: 'advantage',
    kind: 'values',
    title: 'advantage of the plan',
    description: 'Return with the plan less return before it is known, given the plans of the agents before.',
    labels: ['A'],
  },
];

/** Takes or refuses, agent after agent. */
function filterPolicy(meta: EnvMeta, critic: Critic, threshold: () => number, dispose: () => void = () => {}): Policy {
  const { names } = plansOf(meta);
  const { proposed, write, O, A, width } = questions(meta);
  return {
    extras: extrasOf(names),
    initial: () => new Float32Array(0),
    async act(query) {
      const { rows, obs, mask } = query;
      const actions = new Int32Array(rows);
      const [q, value] = [new Float32Array(2 * rows), new Float32Array(rows)];
      const [plan, advantage] = [new Float32Array(rows).fill(Number.NaN), new Float32Array(rows).fill(Number.NaN)];
      const teams = teamsOf(query, A);
      const taken = new Map(teams.map(({ first }) => [first, new Int32Array(A).fill(-1)]));
      for (let place = 0; place < A; place++) {
        // a row alone is asked about when its turn comes
        const asked = teams.flatMap(({ first, size }) => {
          const row = size === A ? first + place : first;
          return (size === A || query.agent[first] === place) && row < rows ? [{ row, first }] : [];
        });
        if (asked.length === 0) continue;
        const x = new Float32Array(2 * asked.length * width);
        for (const [i, { row, first }] of asked.entries()) {
          const known = present(taken.get(first), 'a team');
          write(obs, row * O, place, known, proposed(obs, row * O), x, 2 * i * width);
          write(obs, row * O, place, known, -1, x, (2 * i + 1) * width);
        }
        const found = await critic.values(x, 2 * asked.length);
        for (const [i, { row, first }] of asked.entries()) {
          const which = proposed(obs, row * O);
          value[row] = found[2 * i + 1]!;
          q[2 * row + 1] = threshold();
          if (which < 0) {
            q[2 * row] = threshold();
            continue;
          }
          plan[row] = which;
          advantage[row] = found[2 * i]! - found[2 * i + 1]!;
          q[2 * row] = advantage[row]!;
          const may = mask === undefined || mask[2 * row + 1] === 1;
          actions[row] = may && advantage[row]! < threshold() ? 1 : 0;
          if (actions[row] === 0) present(taken.get(first), 'a team')[place] = which;
        }
      }
      return { actions, hidden: new Float32Array(0), q, value, extras: { plan, advantage } };
    },
    dispose,
  };
}

export const advantageFilter = defineAlgo<Config>({
  spec: {
    id: 'advantage-filter',
    version: 1,
    title: 'Advantage filter of plans',
    summary: 'Learns from recorded play which proposed plans are worth taking, refuses the others and asks again.',
    source: {
      title: 'Towards Efficient LLM Grounding for Embodied Multi-Agent Collaboration',
      authors: 'Zhang et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2405.14314',
    },
    config,
    presets: [{ id: 'strict', title: 'refuses more: least advantage 0.5', config: { threshold: 0.5 } }],
    action: 'discrete',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'planned-kitchen',
      steps: 2048,
      config: { envs: 4, rolloutSteps: 64, gradientSteps: 8, batchSize: 32, memory: 1000, hidden: [8] },
    },
    probes: [],
    metrics: [
      ...episodeMetrics,
      { id: 'loss', title: 'loss', description: 'Mean squared error of the critic on returns, while it learns.' },
      {
        id: 'advantage',
        title: 'mean advantage',
        description: 'Of the plans proposed since the last update; below 0: most are worse than what is to come.',
      },
    ],
  },

  fits(meta) {
    plansOf(meta);
  },

  async *train(run, resume) {
    const c = run.config; // fields marked live may change between iterations
    const { meta } = run;
    const engine = await run.makeEngine();
    const env = run.makeEnv(c.envs);
    const { buffers } = env;
    const { proposed, write, O, A, width } = questions(meta);
    const [T, B] = [c.rolloutSteps, c.envs];
    const critic = criticOf(engine, meta, c.hidden, run.rng.split('init'));
    const learn = critic.learner(c.batchSize);
    const policy = filterPolicy(meta, critic, () => c.threshold);
    const drawing = run.rng.split('replay');
    const stored = { x: new Float32Array(c.memory * width), target: new Float32Array(c.memory) };
    const state = registerState({
      counters: { step: 0, rows: 0, next: 0, filters: 0 },
      parts: { env, engine },
      arrays: { drawing, ...stored },
    });
    const { counters } = state;
    const point = safePoint({
      state,
      engine,
      snapshot: () => saveGroups(engine, { critic: critic.params }),
      policy: () => policy,
    });
    const means = new RowMeans(['loss', 'advantage']);
    const actions = createActions(meta, B);
    const rewards = new Float32Array(T * B);
    const ends = new Uint8Array(T * B); // a time limit is told to agents: nothing follows it
    const none = new Uint8Array(T * B);
    const [advantages, target] = [new Float32Array(T * B), new Float32Array(T * B)];
    const agent = Int32Array.from({ length: B * A }, (_, i) => i % A);
    if (resume === undefined) env.reset();
    else state.load(resume);

    /** Decisions of this rollout: rows of the critic with the plan and without it, and when each was made. */
    let decisions: { t: number; b: number; x: Float32Array }[] = [];
    const nothing = new Int32Array(A).fill(-1);
    const stands = new Float32Array((T + 1) * B * width);
    /** What the critic is asked about where no agent has taken a plan yet. */
    const stand = (t: number): void => {
      for (let b = 0; b < B; b++) write(buffers.obs, b * A * O, 0, nothing, -1, stands, (t * B + b) * width);
    };
    const record = (t: number): void => {
      stand(t);
      for (let b = 0; b < B; b++) {
        const taken = new Int32Array(A).fill(-1);
        for (let p = 0; p < A; p++) {
          const row = b * A + p;
          const plan = proposed(buffers.obs, row * O);
          if (plan < 0) continue;
          const x = new Float32Array(2 * width);
          write(buffers.obs, row * O, p, taken, plan, x, 0);
          write(buffers.obs, row * O, p, taken, -1, x, width);
          decisions.push({ t, b, x });
          taken[p] = plan;
        }
      }
    };
    const store = (target: Float32Array): void => {
      for (const { t, b, x } of decisions) {
        for (let i = 0; i < 2; i++) {
          stored.x.set(x.subarray(i * width, (i + 1) * width), counters.next * width);
          stored.target[counters.next] = target[t * B + b]!;
          counters.next = (counters.next + 1) % c.memory;
          counters.rows = Math.min(c.memory, counters.rows + 1);
        }
      }
      decisions = [];
    };

    while (counters.step < run.steps) {
      const recording = counters.step < c.recorded * run.steps;
      if (!recording && counters.filters === 0) {
        counters.filters = 1;
        env.episodes.forget(); // returns are those of the filter
      }
      for (let t = 0; t < T; t++) {
        if (recording) {
          record(t);
          actions.fill(0);
        } else {
          const query = { obs: buffers.obs, agent, hidden: new Float32Array(0), rng: drawing, rows: B * A, greedy: true };
          const { actions: chosen, extras } = await policy.act(buffers.mask === undefined ? query : { ...query, mask: buffers.mask });
          actions.set(chosen);
          for (const one of extras?.advantage ?? []) if (Number.isFinite(one)) means.add('advantage', one);
        }
        env.step(actions);
        for (let b = 0; b < B; b++) {
          let sum = 0;
          for (let p = 0; p < A; p++) sum += buffers.reward[b * A + p]! / A;
          rewards[t * B + b] = sum;
          ends[t * B + b] = buffers.terminated[b]! || buffers.truncated[b]! ? 1 : 0;
        }
      }
      if (recording) {
        stand(T);
        const values = await critic.values(stands, (T + 1) * B);
        const all = { rewards, values, terminated: ends, truncated: none, finalValues: rewards, lastValues: values.subarray(T * B) };
        gae({ ...all, rows: B, gamma: c.gamma, lambda: c.lambda, bootstrapAtTruncation: false }, advantages, target);
        store(target);
        learn.in.lr[0] = c.annealLr ? c.lr * (1 - counters.step / (c.recorded * run.steps)) : c.lr;
        for (let k = 0; k < c.gradientSteps; k++) {
          for (let i = 0; i < c.batchSize; i++) {
            const at = drawing.int(counters.rows);
            learn.in.x.set(stored.x.subarray(at * width, (at + 1) * width), i * width);
            learn.in.target[i] = stored.target[at]!;
          }
          const pending = learn.run();
          if (pending) await pending;
          means.add('loss', learn.out.loss[0]!);
        }
      }
      counters.step += T * B;
      const { step } = counters;
      yield { step, metrics: { ...episodeRow(env), ...means.take(step) }, ...point };
    }
  },

  async policy({ meta, makeEngine, config: c }, saved) {
    const engine = await makeEngine();
    const critic = criticOf(engine, meta, c.hidden, Rng.from(0));
    loadGroups(engine, { critic: critic.params }, saved);
    return filterPolicy(
      meta,
      critic,
      () => c.threshold,
      () => engine.dispose(),
    );
  },
});
