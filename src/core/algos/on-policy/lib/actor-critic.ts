/**
 * What actor-critics without clipping and epochs share: a few steps of many copies (PPG plays by them too), and one step of gradient on them.
 *   L = -mean A ln pi(a|s) + valueCoef mean (V(s) - target)^2 / 2 - entropyCoef mean H(pi)
 */
import type { MetricCard } from '#contract/catalog/catalog.ts';
import { add, mul, neg, reshape, square, sub } from '#core/engine/ops.ts';
import { rmsprop } from '#core/engine/optimisers.ts';
import type { Engine } from '#core/engine/types.ts';
import { createActions } from '#core/envs/api/buffers.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import type { Rng } from '#math/rng.ts';
import { episodeMetrics } from '../../api/metrics.ts';
import type { compileActor, PolicyNetwork } from '../../lib/network-policy.ts';
import { averagesOf, sampleActions } from '../../lib/ppo/common.ts';
import { createLiving, type Living, livingInputs } from '../../lib/ppo/living.ts';

export const actorCriticMetrics: readonly MetricCard[] = [
  ...episodeMetrics,
  { id: 'policyLoss', title: 'policy loss', description: 'Mean of -A ln pi of the last update.' },
  { id: 'valueLoss', title: 'value loss', description: 'Half the mean squared error of the value.' },
  { id: 'entropy', title: 'entropy', description: 'Of the action distribution; ln(number of actions) is uniform.', unit: 'nats' },
  {
    id: 'explainedVariance',
    title: 'explained variance',
    description: 'Share of the variance of returns that the value predicts; 1 is perfect.',
  },
  { id: 'gradNorm', title: 'gradient norm', description: 'Before clipping, of the last update.' },
  { id: 'learningRate', title: 'learning rate', description: 'After annealing.' },
];

export interface LearnerOptions {
  readonly rows: number;
  readonly maxGradNorm: number;
  readonly name: string;
  /** Several agents: rows of dead ones are not learned from. */
  readonly many: boolean;
}

export function compileLearner(engine: Engine, net: PolicyNetwork, { rows, maxGradNorm, name, many }: LearnerOptions) {
  return engine.compile(
    {
      ...net.inputs(rows),
      ...livingInputs(rows, many),
      action: net.actionShape(rows),
      advantage: [rows],
      target: [rows],
      entropyCoef: [1],
      valueCoef: [1],
    },
    (x, g) => {
      const { logProb, entropy, value } = net.evaluate(x, x.action, g);
      const { average, valueAverage } = averagesOf(x);
      const policyLoss = neg(average(mul(x.advantage, logProb)));
      const valueLoss = mul(valueAverage(square(sub(value, x.target))), 0.5);
      const meanEntropy = average(entropy);
      const loss = sub(add(policyLoss, mul(x.valueCoef, valueLoss)), mul(x.entropyCoef, meanEntropy));
      return { loss: reshape(loss, []), policyLoss, valueLoss, entropy: meanEntropy };
    },
    { minimise: 'loss', group: net.group, with: rmsprop({ decay: 0.99, eps: 1e-5 }), maxGradNorm, name },
  );
}

export interface Learning {
  readonly advantages: Float32Array; // [T, rows]
  readonly targets: Float32Array; // [T, rows]
  readonly entropyCoef: number;
  readonly valueCoef: number;
  readonly lr: number;
}

/** One step of gradient on a rollout; answers what it reports. */
export async function learnFrom(learn: ReturnType<typeof compileLearner>, rollout: Rollout, given: Learning) {
  const feed = learn.in;
  feed.obs.set(rollout.obs);
  feed.mask?.set(rollout.masks);
  feed.action.set(rollout.actions);
  feed.advantage.set(given.advantages);
  feed.target.set(given.targets);
  if (rollout.living !== null) {
    feed.policyMask?.set(rollout.living.policyMask);
    feed.valueMask?.set(rollout.living.valueMask);
  }
  feed.entropyCoef[0] = given.entropyCoef;
  feed.valueCoef[0] = given.valueCoef;
  feed.lr[0] = given.lr;
  const pending = learn.run();
  if (pending) await pending;
  const { out } = learn;
  return { policyLoss: out.policyLoss[0]!, valueLoss: out.valueLoss[0]!, entropy: out.entropy[0]!, gradNorm: out.gradNorm[0]! };
}

/** Values [rows] of observations by a compiled actor; valid until its next run. */
export const valuesBy =
  (act: ReturnType<typeof compileActor>): RolloutOptions['valuesAt'] =>
  async (obs, mask) => {
    act.in.obs.set(obs);
    if (mask !== undefined) act.in.mask?.set(mask);
    const pending = act.run();
    if (pending) await pending;
    return act.out.value;
  };

/** A few steps of all rows, time-major; rows are environments times agents. */
export interface Rollout {
  readonly obs: Float32Array; // [T, rows, O]
  readonly masks: Float32Array; // [T, rows, N], empty without masks
  readonly actions: Float32Array; // [T, rows, D], as drawn
  readonly logProbs: Float32Array; // [T, rows] of the policy that drew them
  readonly values: Float32Array; // [T, rows] by the network that acts
  readonly rewards: Float32Array; // [T, rows]
  readonly terminated: Uint8Array; // [T, rows]
  readonly truncated: Uint8Array; // [T, rows] 1: only a time limit ended the episode
  readonly finalValues: Float32Array; // [T, rows] value of the last state, where truncated
  readonly lastValues: Float32Array; // [rows] value of the state after the rollout
  readonly living: Living | null; // of several agents
  collect(): Promise<void>;
}

export interface RolloutOptions {
  readonly env: VectorEnv;
  readonly net: PolicyNetwork;
  /** Draws the actions. */
  readonly act: ReturnType<typeof compileActor>;
  /** Values [rows] of observations, by the network whose values count. */
  readonly valuesAt: (obs: Float32Array, mask: Uint8Array | undefined) => Promise<Float32Array>;
  readonly steps: number; // T
  readonly sampling: Rng;
  /** Notes which rows are of living agents, and ends an agent’s episode with its death, where the learner leaves the others out. */
  readonly masksDead?: true;
}

export function createRollout({ env, net, act, valuesAt, steps, sampling, masksDead }: RolloutOptions): Rollout {
  const { buffers, meta, batch } = env;
  const agents = meta.agentCount;
  const rows = batch * agents;
  const total = steps * rows;
  const [O, D, N] = [meta.obsSize, meta.actionSize, meta.actionCount];
  const floats = () => new Float32Array(total);
  const [rewards, values, finalValues, logProbs] = [floats(), floats(), floats(), floats()];
  const [terminated, truncated] = [new Uint8Array(total), new Uint8Array(total)];
  const obs = new Float32Array(total * O);
  const actions = new Float32Array(total * D);
  const masks = new Float32Array(meta.masked ? total * N : 0);
  const lastValues = new Float32Array(rows);
  const envActions = createActions(meta, batch);
  const { action } = meta.agents[0]!;
  const acted = valuesBy(act);
  const living = masksDead === true ? createLiving(env, steps) : null;

  async function step(at: number): Promise<void> {
    values.set(await acted(buffers.obs, buffers.mask), at);
    obs.set(buffers.obs, at * O);
    if (act.in.mask !== undefined) masks.set(act.in.mask, at * N);
    sampleActions(act.out, net.discrete ? N : D, rows, sampling, actions, logProbs, at);
    for (let i = 0; i < rows * D; i++) {
      const drawn = actions[at * D + i]!; // learned from as drawn; only the environment gets it clipped
      envActions[i] = action.kind === 'discrete' ? drawn : Math.min(action.high[i % D]!, Math.max(action.low[i % D]!, drawn));
    }
    living?.before();
    env.step(envActions);
    for (let row = 0; row < rows; row++) {
      const b = Math.floor(row / agents);
      rewards[at + row] = buffers.reward[row]!;
      terminated[at + row] = buffers.terminated[b]!;
      truncated[at + row] = buffers.terminated[b] === 0 ? buffers.truncated[b]! : 0;
    }
    living?.after(at, terminated, truncated);
    if (truncated.subarray(at, at + rows).includes(1)) finalValues.set(await valuesAt(buffers.finalObs, buffers.finalMask), at);
  }

  return {
    obs,
    masks,
    actions,
    logProbs,
    values,
    rewards,
    terminated,
    truncated,
    finalValues,
    lastValues,
    living,
    async collect() {
      for (let t = 0; t < steps; t++) await step(t * rows);
      lastValues.set(await valuesAt(buffers.obs, buffers.mask));
    },
  };
}
