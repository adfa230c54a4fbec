/** Mean returns by preset over 1,000 episodes each: uniform actions, and the scripted policy "expert", which sees what a learner sees. */
export const MEMORY_RETURNS: { readonly [preset: string]: { readonly random: number; readonly expert: number } } = {
  't-maze': { random: -2.445, expert: 4 },
  't-maze-50': { random: -10.9881, expert: 4 },
  't-maze-noise': { random: -2.4655, expert: 4 },
  't-maze-rewrite': { random: -2.4204, expert: 4 },
  endless: { random: -0.9615, expert: 4.5 },
  'endless-random': { random: -0.773, expert: 4.7273 },
  'endless-half': { random: -0.965, expert: 4.5 },
  object: { random: 0.56, expert: 1 },
  objects: { random: 1.918, expert: 3 },
  'objects-places': { random: 1.918, expert: 3 },
  'ballet-2': { random: 0.121, expert: 1 },
  'ballet-8': { random: 0.11, expert: 1 },
};
