/** Names that a page gives to runs: what learns on what, with a number where that name is taken. */

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
