/** Published settings that methods, papers, lessons and the page share. A change of them changes the rule of every paper that uses them. */
import type { JsonObject } from '../kit/json.ts';

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

/** PPO on LunarLander, 1,000,000 steps, discrete and continuous. Source: RL Baselines3 Zoo, hyperparams/ppo.yml, LunarLander-v3. */
export const ZOO_LUNAR_LANDER: JsonObject = {
  lr: 3e-4,
  annealLr: false,
  envs: 16,
  rolloutSteps: 1024,
  minibatches: 256,
  epochs: 4,
  gamma: 0.999,
  lambda: 0.98,
  entropyCoef: 0.01,
  clipValue: false,
};

/** DQN on LunarLander, 100,000 steps: as many gradient steps as environment steps between. Source: RL Baselines3 Zoo, hyperparams/dqn.yml, LunarLander-v3. */
export const ZOO_LUNAR_LANDER_DQN: JsonObject = {
  lr: 6.3e-4,
  batchSize: 128,
  bufferSize: 50_000,
  learningStarts: 128,
  targetEvery: 250,
  trainEvery: 4,
  gradientSteps: 4,
  epsilonFraction: 0.12,
  epsilonEnd: 0.1,
  hidden: [256, 256],
  loss: 'huber',
  maxGradNorm: 10,
};

/** SAC and TQC on LunarLanderContinuous, 500,000 steps; their step size falls to 0 there, here it stays. Source: RL Baselines3 Zoo, hyperparams/sac.yml, tqc.yml. */
export const ZOO_LUNAR_LANDER_SAC: JsonObject = {
  lr: 7.3e-4,
  criticLr: 7.3e-4,
  batchSize: 256,
  tau: 0.01,
  learningStarts: 10_000,
  hidden: [400, 300],
};

/** SAC and TQC on BipedalWalker, 500,000 steps, without the state-dependent noise of there. Source: RL Baselines3 Zoo, hyperparams/sac.yml, tqc.yml. */
export const ZOO_BIPEDAL_WALKER_SAC: JsonObject = {
  lr: 7.3e-4,
  criticLr: 7.3e-4,
  batchSize: 256,
  gamma: 0.98,
  tau: 0.02,
  trainEvery: 64,
  gradientSteps: 64,
  learningStarts: 10_000,
  hidden: [400, 300],
};

/** PPO on BipedalWalker, 5,000,000 steps. Source: RL Baselines3 Zoo, hyperparams/ppo.yml, BipedalWalker-v3. */
export const ZOO_BIPEDAL_WALKER: JsonObject = {
  lr: 3e-4,
  annealLr: false,
  envs: 32,
  rolloutSteps: 2048,
  minibatches: 1024,
  epochs: 10,
  gamma: 0.999,
  lambda: 0.95,
  clip: 0.18,
  entropyCoef: 0,
  clipValue: false,
  normaliseObs: true,
  normaliseReward: true,
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

/** PQN on MinAtar with a convolution, ten million steps. Source: PureJaxQL, purejaxql/config/alg/pqn_minatar.yaml. */
export const PUREJAXQL_MINATAR: JsonObject = {
  envs: 128,
  rolloutSteps: 32,
  minibatches: 32,
  epochs: 2,
  lr: 5e-4,
  lambda: 0.65,
  epsilonFraction: 0.1,
  hidden: [128],
  filters: 16,
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

/** PPO on MinAtar, ten million steps, planes flattened. Source: PureJaxRL, purejaxrl/ppo.py with its settings for MinAtar. */
export const PUREJAXRL_MINATAR: JsonObject = {
  envs: 64,
  rolloutSteps: 128,
  minibatches: 8,
  epochs: 4,
  lr: 5e-3,
  hidden: [64, 64],
  activation: 'relu',
};

/** Rules of Breakout under which PureJaxRL and PureJaxQL publish their scores: gymnax, environments/minatar/breakout.py. */
export const GYMNAX_BREAKOUT: JsonObject = { stickyActionProbability: 0, maxSteps: 1000 };
