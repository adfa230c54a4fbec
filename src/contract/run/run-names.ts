/** Names and ids of runs: what learns on what, with a number where that name is taken. */
import type { RunConfig } from './config.ts';

export const nameOfRun = (algo: string, env: string): string => `${algo} on ${env}`;

/** "PPO on CartPole", then "PPO on CartPole 2", and so on. */
export function freeName(base: string, taken: Iterable<string>): string {
  const known = new Set(taken);
  let free = base;
  for (let n = 2; known.has(free); n++) free = `${base} ${n}`;
  return free;
}

/** Whether `freeName` gives this name for this base. */
export function isFreeName(name: string, base: string): boolean {
  return name === base || (name.startsWith(`${base} `) && /^\d+$/.test(name.slice(base.length + 1)));
}

/** A run id: when and a few random digits, sortable, safe as a file name. `random` in [0, 1). */
export function newRunId(config: RunConfig, now: number, random: number): string {
  const suffix = Math.floor(random * 36 ** 4)
    .toString(36)
    .padStart(4, '0');
  return `${now.toString(36)}-${config.env.id}-${config.algo.id}-${suffix}`;
}
