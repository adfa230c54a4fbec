/**
 * Target actions (AMI: Li et al. 2025). Beside the adversary, from nothing but what it observes:
 *   model   q_i(. | o, a): what victim i does next, fitted by cross entropy to what victims did; o: all observations, a: all actions
 *   oracle  m_i(. | o, a): names an action for each victim, what it shall do next; learned by PPO on the adversary's reward without this term
 *   G = mean over victims i of q_i(g_i | o, a) - 1/|L| sum_b q_i(g_i | o, (b, a others)),   g_i ~ m_i,   b over L, the legal actions of k
 * A named action is credited with the advantage of the step that follows it. What is named is not done, so a draw of the oracle says
 * nothing about that advantage; with credit 'taken' the oracle learns from the actions that victims took in its place.
 */
import { add, div, logSoftmax, maximum, mul, neg, pick, reshape, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine, Tensor } from '#core/engine/types.ts';
import type { Actions } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { categoricalEntropy, categoricalLogProb } from '#core/nets/heads.ts';
import { mlp } from '#core/nets/mlp.ts';
import { type RegisteredState, registerState } from '#core/state/checkpoint.ts';
import { exp } from '#math/functions.ts';
import { gae } from '#math/gae.ts';
import type { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import { sampleCategories } from '#math/sampling.ts';
import type { CommsConfig } from '../../lib/messages/learner.ts';
import type { TeamNetwork } from '../../lib/messages/networks.ts';
import { lossInputs, minibatchEpochs, policyObjective, standardiseMasked, valueObjective, weightedMean } from '../../lib/ppo/common.ts';

export interface TargetOptions {
  readonly agent: number;
  readonly credit: 'taken' | 'named';
}

export interface Targets {
  /** What the adversary is paid beside the loss for the step that follows, G of each copy [B]. */
  readonly gain: Float32Array;
  /** The actions [B, A] that are about to be taken: names targets and fills `gain`. */
  before(actions: Actions): Promise<void>;
  /** The step is taken: the adversary's reward without G, [B]. */
  after(rewards: Float32Array): Promise<void>;
  /** After T steps: an update of the model and of the oracle. */
  learn(lr: number): Promise<void>;
  /** Of the last rollout and update. */
  metrics(): { readonly steering: number; readonly victimLoss: number };
  readonly state: RegisteredState<object>;
}

/** G of one victim: ln q [variants, n], variants `stride` apart from `at` on; `legal` [variants] marks those that count. */
export function steeringGain(
  logProbs: Float32Array,
  at: number,
  stride: number,
  legal: ArrayLike<number>,
  chosen: number,
  target: number,
): number {
  let sum = 0;
  let count = 0;
  for (let v = 0; v < legal.length; v++) {
    if (legal[v] === 0) continue;
    sum += exp(logProbs[at + v * stride + target]!);
    count++;
  }
  return count === 0 ? 0 : exp(logProbs[at + chosen * stride + target]!) - sum / count;
}

/** Its networks are groups of `engine`, so it is created before a saved state is loaded. Discrete actions only. */
export function createTargets(
  engine: Engine,
  net: TeamNetwork,
  env: VectorEnv,
  c: CommsConfig,
  { agent, credit }: TargetOptions,
  rng: Rng,
): Targets {
  const { agentCount: A, actionCount: N, obsSize: O } = env.meta;
  const { networks, agentToNetwork } = net.sharing;
  const choices = Array.from(agentToNetwork, (network) => networks[network]!.choices);
  const victims = Array.from({ length: A }, (_, i) => i).filter((i) => i !== agent);
  const V = victims.length;
  const B = env.batch;
  const T = c.rolloutSteps;
  const total = T * B;
  const width = A * (O + N);
  const rows = total / c.minibatches;

  const modelGroup = engine.group('victim model');
  const oracleGroup = engine.group('oracle');
  const model = mlp(modelGroup, 'model', rng.split('model'), [width, c.width, c.width, V * N], { outGain: 0.01 });
  const oracle = mlp(oracleGroup, 'oracle', rng.split('oracle'), [width, c.width, c.width, V * N], { outGain: 0.01 });
  const critic = mlp(oracleGroup, 'critic', rng.split('critic'), [A * O, c.width, c.width, 1], { outGain: 1 });
  /** What no victim of that number can do is never named. */
  const missing = Float32Array.from({ length: V * N }, (_, j) => (j % N < choices[victims[Math.floor(j / N)]!]! ? 0 : -1e8));
  const named = (seen: Tensor): Tensor => {
    const logits = oracle(seen);
    return reshape(add(logits, seen.graph.constant(missing, [1, V * N])), [seen.shape[0]! * V, N]);
  };

  const guess = engine.compile({ seen: [B * N, width] }, ({ seen }) => ({ logProbs: logSoftmax(reshape(model(seen), [B * N * V, N])) }), {
    name: 'victim model',
  });
  const name = engine.compile({ seen: [B, width] }, ({ seen }) => ({ logProbs: logSoftmax(named(seen)) }), { name: 'oracle' });
  const judge = engine.compile({ obs: [B, A * O] }, ({ obs }) => ({ value: reshape(critic(obs), [B]) }), { name: 'oracle value' });

  const fit = engine.compile(
    { seen: [rows, width], action: [rows * V], weight: [rows * V] },
    ({ seen, action, weight }) => {
      const surprise = neg(pick(logSoftmax(reshape(model(seen), [rows * V, N])), action));
      return { policyLoss: reshape(div(sum(mul(surprise, weight)), maximum(sum(weight), 1)), []) };
    },
    { minimise: 'policyLoss', group: modelGroup, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'victim model learn' },
  );
  const improve = engine.compile(
    {
      ...lossInputs(rows * V, false),
      target: [rows],
      seen: [rows, width],
      obs: [rows, A * O],
      action: [rows * V],
      weight: [rows * V],
    },
    (x) => {
      const logits = named(x.seen);
      const policy = policyObjective(
        x,
        { logProb: categoricalLogProb(logits, x.action), entropy: categoricalEntropy(logits) },
        {
          average: (all) => weightedMean(all, x.weight),
          advantage: c.normaliseAdvantages ? standardiseMasked(x.advantage, x.weight) : x.advantage,
        },
      );
      const valueLoss = valueObjective({ target: x.target, clip: x.clip, oldValue: undefined }, reshape(critic(x.obs), [rows]));
      return { ...policy, valueLoss, loss: reshape(add(policy.loss, mul(x.valueCoef, valueLoss)), []) };
    },
    { minimise: 'loss', group: oracleGroup, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'oracle learn' },
  );

  // One rollout: T steps of B copies.
  const seen = new Float32Array(total * width);
  const obs = new Float32Array(total * A * O);
  const taken = new Float32Array(total * V); // by the victims in that step
  const credited = new Float32Array(total * V); // named after a step, or taken in the next
  const next = new Float32Array(total * V); // taken in the next step
  const chances = new Float32Array(total * V * N); // ln m of every action
  const oldLogProb = new Float32Array(total * V);
  const alive = new Float32Array(total * V); // 1 where the victim acts in that step
  const weight = new Float32Array(total * V); // 1 where a next action is known
  const values = new Float32Array(total);
  const rewards = new Float32Array(total);
  const terminated = new Uint8Array(total);
  const truncated = new Uint8Array(total);
  const finalValues = new Float32Array(total);
  const lastValues = new Float32Array(B);
  const advantages = new Float32Array(total);
  const targets = new Float32Array(total);
  const paid = new Float32Array(total * V); // the advantage of the next step

  const naming = rng.split('naming');
  const shuffling = rng.split('shuffling');
  const order = Int32Array.from({ length: total }, (_, i) => i);
  const drawn = new Float32Array(B * V);
  const drawnLogProbs = new Float32Array(B * V);
  const legal = new Uint8Array(N);
  const gain = new Float32Array(B);
  let t = 0;
  let gained = 0;
  let steering = 0;
  let victimLoss = 0;

  const run = async (program: { run(): unknown }): Promise<void> => {
    const pending = program.run();
    if (pending) await pending;
  };

  return {
    gain,
    state: registerState({ counters: {}, arrays: { targetOrder: order, naming, targetShuffling: shuffling } }),

    async before(actions) {
      const { mask, alive: living } = env.buffers;
      const at = t * B;
      obs.set(env.buffers.obs, at * A * O);
      for (let b = 0; b < B; b++) {
        const row = (at + b) * width;
        seen.set(env.buffers.obs.subarray(b * A * O, (b + 1) * A * O), row);
        seen.fill(0, row + A * O, row + width);
        for (let i = 0; i < A; i++) seen[row + A * O + i * N + actions[b * A + i]!] = 1;
        for (let j = 0; j < V; j++) {
          taken[(at + b) * V + j] = actions[b * A + victims[j]!]!;
          alive[(at + b) * V + j] = living?.[b * A + victims[j]!] ?? 1;
        }
        // the same with every action of the adversary
        const own = A * O + agent * N;
        for (let v = 0; v < N; v++) {
          const to = (b * N + v) * width;
          guess.in.seen.set(seen.subarray(row, row + width), to);
          guess.in.seen.fill(0, to + own, to + own + N);
          guess.in.seen[to + own + v] = 1;
        }
      }
      judge.in.obs.set(env.buffers.obs);
      name.in.seen.set(seen.subarray(at * width, (at + B) * width));
      await run(judge);
      await run(name);
      await run(guess);
      values.set(judge.out.value, at);
      chances.set(name.out.logProbs, at * V * N);
      sampleCategories(name.out.logProbs, N, B * V, naming, drawn, drawnLogProbs, 0);
      credited.set(drawn, at * V);
      oldLogProb.set(drawnLogProbs, at * V);
      for (let b = 0; b < B; b++) {
        for (let v = 0; v < N; v++) legal[v] = Number(v < choices[agent]! && mask?.[(b * A + agent) * N + v] !== 0);
        gain[b] = 0;
        for (let j = 0; j < V; j++) {
          if (alive[(at + b) * V + j] === 0) continue;
          const from = (b * N * V + j) * N;
          gain[b]! += steeringGain(guess.out.logProbs, from, V * N, legal, actions[b * A + agent]!, drawn[b * V + j]!) / V;
        }
        gained += gain[b]!;
      }
    },

    async after(given) {
      const { buffers } = env;
      const at = t * B;
      rewards.set(given, at);
      terminated.set(buffers.terminated, at);
      let late = false;
      for (let b = 0; b < B; b++) {
        truncated[at + b] = buffers.terminated[b] === 0 ? buffers.truncated[b]! : 0;
        if (truncated[at + b] !== 0) late = true;
      }
      if (late && c.bootstrapAtTruncation) {
        judge.in.obs.set(buffers.finalObs);
        await run(judge);
        finalValues.set(judge.out.value, at);
      }
      t++;
    },

    async learn(lr) {
      judge.in.obs.set(env.buffers.obs);
      await run(judge);
      lastValues.set(judge.out.value);
      const { gamma, lambda, bootstrapAtTruncation } = c;
      const rollout = { rewards, values, terminated, truncated, finalValues, lastValues };
      gae({ ...rollout, rows: B, gamma, lambda, bootstrapAtTruncation }, advantages, targets);
      // What is said after the last step of a rollout or of an episode has no next step to be held against.
      for (let i = 0; i < total; i++) {
        const goesOn = i + B < total && terminated[i] === 0 && truncated[i] === 0;
        for (let j = 0; j < V; j++) {
          const row = i * V + j;
          weight[row] = goesOn ? alive[row + B * V]! : 0;
          next[row] = goesOn ? taken[row + B * V]! : 0;
          paid[row] = goesOn ? advantages[i + B]! : 0;
          if (credit === 'named') continue;
          credited[row] = next[row]!;
          oldLogProb[row] = chances[row * N + next[row]!]!;
        }
      }
      const settings = { ...c, lr };
      const shuffle = (): void => {
        shuffling.shuffle(order);
      };
      const found = await minibatchEpochs(fit, rows, settings, shuffle, (from) => {
        gatherRows(order, from, rows, seen, width, fit.in.seen);
        gatherRows(order, from, rows, next, V, fit.in.action);
        gatherRows(order, from, rows, weight, V, fit.in.weight);
      });
      await minibatchEpochs(improve, rows, settings, shuffle, (from) => {
        gatherRows(order, from, rows, seen, width, improve.in.seen);
        gatherRows(order, from, rows, obs, A * O, improve.in.obs);
        gatherRows(order, from, rows, credited, V, improve.in.action);
        gatherRows(order, from, rows, weight, V, improve.in.weight);
        gatherRows(order, from, rows, oldLogProb, V, improve.in.oldLogProb);
        gatherRows(order, from, rows, paid, V, improve.in.advantage);
        gatherRows(order, from, rows, targets, 1, improve.in.target);
      });
      victimLoss = found.policyLoss ?? Number.NaN;
      steering = gained / total;
      gained = 0;
      t = 0;
    },

    metrics: () => ({ steering, victimLoss }),
  };
}
