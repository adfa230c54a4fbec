/** The door rl-workbench/testing: what every environment and every method must hold, asked of one that a person writes. */
export type { Finding } from '../own/check.ts';
export { type AlgoFinding, checkAlgo } from './check-algo.ts';
export { checkEnv, type EnvFinding } from './check-env.ts';
