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
