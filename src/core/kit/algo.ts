/**
 * The door rl-workbench/algo-kit: what docs/adding-an-algorithm.md writes a method with: operations of the engine, optimisers, networks and
 * their heads, fields of settings, replay, checkpoints. `defineAlgo` stands at rl-workbench as well.
 */
export type { MetricCard } from '#contract/catalog/catalog.ts';
export { defineAlgo } from '../algos/api/define.ts';
export { type ExtendedCard, extend } from '../algos/api/extend.ts';
export {
  type Attached,
  defineExtension,
  type Extension,
  type Host,
  type Places,
  type RecordedStep,
  type ReplayHost,
  type Rollout,
  type RolloutHost,
  type Stand,
  type UpdateNumbers,
} from '../algos/api/extension.ts';
export * as fields from '../algos/api/fields.ts';
export { checkFinite, checkOneReward, checkSameAgents } from '../algos/api/guards.ts';
export { episodeMetrics, episodeRow, RowMeans } from '../algos/api/metrics.ts';
export { type SafePointParts, safePoint } from '../algos/api/safe-point.ts';
export type { Act, ActQuery, AlgoDef, AlgoEntry, AlgoSpec, Policy, PolicyContext, ProbeTask, Progress, Run } from '../algos/api/types.ts';
export {
  type NetworkPolicyOptions,
  networkPolicy,
  type PolicyNetwork,
  policyNetwork,
  policyOfNetwork,
} from '../algos/lib/network-policy.ts';
export { collect, createCollector, createRollout } from '../algos/lib/ppo/collect.ts';
export {
  checkMinibatches,
  clippedSurrogate,
  lossInputs,
  minibatchEpochs,
  ppoLoss,
  sampleActions,
} from '../algos/lib/ppo/common.ts';
export { randomPolicy } from '../algos/lib/random-policy.ts';
export * from '../engine/ops.ts';
export { adam, adamW, radam, rmsprop, sgd } from '../engine/optimisers.ts';
export type { Engine, Graph, Optimiser, Param, ParamGroup, Program, Shape, Tensor } from '../engine/types.ts';
export { createActions, createBuffers, nextMasks, nextObservations } from '../envs/api/buffers.ts';
export { kind, variant } from '../envs/api/variant.ts';
export { encode, encodedSize } from '../nets/encoder.ts';
export * from '../nets/heads.ts';
export {
  constant,
  gaussian,
  heNormal,
  kaimingUniform,
  lecunNormal,
  orthogonal,
  uniform,
  xavierUniform,
  zeros,
} from '../nets/init.ts';
export { actorCritic, dense, type MlpOptions, mlp, type Net, norm, qNetwork } from '../nets/mlp.ts';
export { greedyAction, halfMaskedMse, maskedMean, maxQ } from '../nets/q-values.ts';
export { gruCell, lstmCell, step, unroll } from '../nets/recurrent.ts';
export { descend, updateTarget } from '../nets/target.ts';
export { registerState, savedArray, savedNumber } from '../state/checkpoint.ts';
export { loadGroups, saveGroups } from '../state/params.ts';
export { type ReplayBatch, ReplayBuffer, type ReplayRows, type ReplayShape } from '../state/replay-buffer.ts';
