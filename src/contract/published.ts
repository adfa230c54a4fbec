/** Published settings that methods, papers, lessons and the page share. A change of them changes the rule of every paper that uses them. */
import type { JsonObject } from './json.ts';

/** PPO on Pendulum, 100,000 steps. Source: RL Baselines3 Zoo, hyperparams/ppo.yml, Pendulum-v1. */
export const ZOO_PENDULUM: JsonObject = {
  lr: 1e-3,
  annealLr: false,
  envs: 4,
  rolloutSteps: 1024,
  minibatches: 64,
  epochs: 10,
  gamma: 0.9,
  entropyCoef: 0,
  clipValue: false,
};

/** PQN on CartPole, 500,000 steps. Source: PureJaxQL, purejaxql/config/alg/pqn_cartpole.yaml. */
export const PUREJAXQL_CARTPOLE: JsonObject = {
  envs: 32,
  rolloutSteps: 64,
  minibatches: 16,
  lr: 1e-4,
  lambda: 0.95,
  epsilonEnd: 0.2,
  epsilonFraction: 0.2,
  hidden: [256, 256],
  rewardScale: 0.1,
};

/** SAC on a quadrotor, 280,000 steps. Source: RLtools, learning to fly (Eschmann et al. 2024). */
export const RLTOOLS_QUADROTOR: JsonObject = {
  lr: 1e-3,
  criticLr: 2e-3,
  gamma: 0.98,
  temperature: 0.5,
  envs: 8,
  bufferSize: 80_000,
  learningStarts: 1600,
  batchSize: 32,
  trainEvery: 16,
  actorEvery: 2,
  hidden: [16, 16, 16, 16],
};
