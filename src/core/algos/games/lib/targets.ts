/**
 * Target actions (AMI: Li et al. 2025). Beside the adversary, from nothing but what it observes:
 *   model   q_i(. | o, a): what victim i does next, fitted by cross entropy to what victims did; o: all observations, a: all actions
 *   oracle  m_i(. | o, a): names an action for each victim, what it shall do next; learned by PPO on the adversary's reward without this term
 *   G = mean over victims i of q_i(g_i | o, a) - 1/|L| sum_b q_i(g_i | o, (b, a others)),   g_i ~ m_i,   b over L, the legal actions of k
 * Where actions are numbers, q_i gives a mean, fitted by squared error, m_i is a Gaussian, and
 *   G = mean over victims i of mean over b |g_i - q_i(o, (b, a others))| - |g_i - q_i(o, a)|,   b: ten draws, evenly from the range of k's actions
 * A named action is credited with the advantage of the step that follows it. The named action is not executed, so a draw of the oracle says
 * nothing about that advantage; with credit 'taken' the oracle learns from the actions that victims took in its place.
 */
import { add, div, maximum, mul, reshape, sum } from '#core/engine/ops.ts';
import { adam } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import type { Actions } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import { mlp } from '#core/nets/mlp.ts';
import { type RegisteredState, registerState } from '#core/state/checkpoint.ts';
import { gae } from '#math/gae.ts';
import type { Rng } from '#math/rng.ts';
import { gatherRows } from '#math/rows.ts';
import type { CommsConfig } from '../../lib/messages/learner.ts';
import type { TeamNetwork } from '../../lib/messages/networks.ts';
import {
  lossInputs,
  minibatchEpochs,
  policyObjective,
  sampleActions,
  standardiseMasked,
  valueObjective,
  weightedMean,
} from '../../lib/ppo/common.ts';
import { listedTargets, numberTargets } from './target-actions.ts';

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

/** Its networks are groups of `engine`, so it is created before a saved state is loaded. Where actions are numbers, all have as many. */
export function createTargets(
  engine: Engine,
  net: TeamNetwork,
  env: VectorEnv,
  c: CommsConfig,
  { agent, credit }: TargetOptions,
  rng: Rng,
): Targets {
  const { agentCount: A, obsSize: O } = env.meta;
  const { networks, agentToNetwork } = net.sharing;
  const choices = Array.from(agentToNetwork, (network) => networks[network]!.choices);
  const victims = Array.from({ length: A }, (_, i) => i).filter((i) => i !== agent);
  const V = victims.length;
  const B = env.batch;
  const T = c.rolloutSteps;
  const total = T * B;
  const rows = total / c.minibatches;

  const modelGroup = engine.group('victim model');
  const oracleGroup = engine.group('oracle');
  const team = { env, agent, victims, kept: total * V };
  const kind = env.meta.actionCount > 0 ? listedTargets(team, choices) : numberTargets(team, oracleGroup, rng.split('tried'));
  const { columns: C, size: S, outputs: W, tried: K } = kind;
  const width = A * (O + C);
  const model = mlp(modelGroup, 'model', rng.split('model'), [width, c.width, c.width, V * W], { outGain: 0.01 });
  const oracle = mlp(oracleGroup, 'oracle', rng.split('oracle'), [width, c.width, c.width, V * W], { outGain: 0.01 });
  const critic = mlp(oracleGroup, 'critic', rng.split('critic'), [A * O, c.width, c.width, 1], { outGain: 1 });

  const guess = engine.compile({ seen: [B * K, width] }, ({ seen }) => ({ head: kind.guess(reshape(model(seen), [B * K * V, W])) }), {
    name: 'victim model',
  });
  const name = engine.compile({ seen: [B, width] }, ({ seen }) => kind.offer(reshape(oracle(seen), [B * V, W])), { name: 'oracle' });
  const judge = engine.compile({ obs: [B, A * O] }, ({ obs }) => ({ value: reshape(critic(obs), [B]) }), { name: 'oracle value' });

  const action = env.meta.actionCount > 0 ? [rows * V] : [rows * V, S];
  const fit = engine.compile(
    { seen: [rows, width], action, weight: [rows * V] },
    ({ seen, action: next, weight }) => {
      const error = kind.error(reshape(model(seen), [rows * V, W]), next);
      return { policyLoss: reshape(div(sum(mul(error, weight)), maximum(sum(weight), 1)), []) };
    },
    { minimise: 'policyLoss', group: modelGroup, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'victim model learn' },
  );
  const improve = engine.compile(
    {
      ...lossInputs(rows * V, false),
      target: [rows],
      seen: [rows, width],
      obs: [rows, A * O],
      action,
      weight: [rows * V],
    },
    (x) => {
      const policy = policyObjective(x, kind.evaluate(reshape(oracle(x.seen), [rows * V, W]), x.action), {
        average: (all) => weightedMean(all, x.weight),
        advantage: c.normaliseAdvantages ? standardiseMasked(x.advantage, x.weight) : x.advantage,
      });
      const valueLoss = valueObjective({ target: x.target, clip: x.clip, oldValue: undefined }, reshape(critic(x.obs), [rows]));
      return { ...policy, valueLoss, loss: reshape(add(policy.loss, mul(x.valueCoef, valueLoss)), []) };
    },
    { minimise: 'loss', group: oracleGroup, with: adam({ eps: c.adamEps }), maxGradNorm: c.maxGradNorm, name: 'oracle learn' },
  );

  // One rollout: T steps of B copies.
  const seen = new Float32Array(total * width);
  const obs = new Float32Array(total * A * O);
  const taken = new Float32Array(total * V * S); // by the victims in that step
  const credited = new Float32Array(total * V * S); // named after a step, or taken in the next
  const next = new Float32Array(total * V * S); // taken in the next step
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
  const drawn = new Float32Array(B * V * S);
  const drawnLogProbs = new Float32Array(B * V);
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
    state: registerState({
      counters: {},
      arrays: { targetOrder: order, naming, targetShuffling: shuffling, ...(kind.draws && { tried: kind.draws }) },
    }),

    async before(actions) {
      const { alive: living } = env.buffers;
      const at = t * B;
      obs.set(env.buffers.obs, at * A * O);
      for (let b = 0; b < B; b++) {
        const row = (at + b) * width;
        seen.set(env.buffers.obs.subarray(b * A * O, (b + 1) * A * O), row);
        seen.fill(0, row + A * O, row + width);
        for (let i = 0; i < A; i++) kind.write(actions, b, i, seen, row + A * O + i * C);
        for (let j = 0; j < V; j++) {
          kind.keep(actions, b, victims[j]!, taken, ((at + b) * V + j) * S);
          alive[(at + b) * V + j] = living?.[b * A + victims[j]!] ?? 1;
        }
        for (let v = 0; v < K; v++) {
          const to = (b * K + v) * width;
          guess.in.seen.set(seen.subarray(row, row + width), to);
          kind.tryOne(v, guess.in.seen, to + A * O + agent * C);
        }
      }
      judge.in.obs.set(env.buffers.obs);
      name.in.seen.set(seen.subarray(at * width, (at + B) * width));
      await run(judge);
      await run(name);
      await run(guess);
      values.set(judge.out.value, at);
      kind.keepOffer(name.out, at * V);
      sampleActions(name.out, W, B * V, naming, drawn, drawnLogProbs, 0);
      credited.set(drawn, at * V * S);
      oldLogProb.set(drawnLogProbs, at * V);
      for (let b = 0; b < B; b++) {
        gain[b] = 0;
        for (let j = 0; j < V; j++) {
          if (alive[(at + b) * V + j] === 0) continue;
          gain[b]! += kind.gain(guess.out.head, b, j, actions, drawn) / V;
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
          for (let d = row * S; d < (row + 1) * S; d++) next[d] = goesOn ? taken[d + B * V * S]! : 0;
          paid[row] = goesOn ? advantages[i + B]! : 0;
          if (credit === 'named') continue;
          for (let d = row * S; d < (row + 1) * S; d++) credited[d] = next[d]!;
          oldLogProb[row] = kind.logProb(row, next);
        }
      }
      const settings = { ...c, lr };
      const shuffle = (): void => {
        shuffling.shuffle(order);
      };
      const found = await minibatchEpochs(fit, rows, settings, shuffle, (from) => {
        gatherRows(order, from, rows, seen, width, fit.in.seen);
        gatherRows(order, from, rows, next, V * S, fit.in.action);
        gatherRows(order, from, rows, weight, V, fit.in.weight);
      });
      await minibatchEpochs(improve, rows, settings, shuffle, (from) => {
        gatherRows(order, from, rows, seen, width, improve.in.seen);
        gatherRows(order, from, rows, obs, A * O, improve.in.obs);
        gatherRows(order, from, rows, credited, V * S, improve.in.action);
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
