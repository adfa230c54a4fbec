/** Episodes that all give the same return: there is nothing to tell a good action from a bad one by. */
import type { EnvMeta } from '../../envs/api/types.ts';
import { lower, type Rule, say, setting } from './types.ts';

/** Of the budget, without any difference between episodes: what falls upon a reward by chance needs its time. */
const SHARE = 0.5;
const EPISODES = 50;
const ROWS = 10;

/** Nothing known is better, while a script is copied, say: then there is nothing to find. */
function isBest(value: number, { references }: EnvMeta): boolean {
  const known = references.map((reference) => reference.value);
  const best = Math.max(...known);
  return best > Math.min(...known) && value >= best;
}

export const sameReturn: Rule = {
  id: 'same-return',
  title: 'Every episode so far gave the same return',
  over: 'Returns differ between episodes now: there is something to learn from.',
  explainedBy: ['learning-rate', 'reward-scale', 'entropy'],
  look(s) {
    const { returns } = s;
    // A method that learns from recordings is not taught by the return.
    if (s.algo.dataset !== undefined) return null;
    if (returns === null || s.share < SHARE || s.episodes < EPISODES || s.rows < ROWS || returns.low !== returns.high) return null;
    if (isBest(returns.low, s.meta)) return null;
    const bonus = setting(s, 'entropyCoef');
    const epsilon = setting(s, 'epsilon');
    return {
      evidence: [
        `All ${s.episodes.toLocaleString('en')} episodes returned ${say(returns.low)}: the agent has found nothing to learn from.`,
      ],
      sure: 'likely',
      ways: [
        ...(bonus !== undefined && bonus < 0.05
          ? [{ text: 'entropy coefficient 0.05', path: 'algo.entropyCoef', value: 0.05, begin: 'state' } as const]
          : []),
        ...(epsilon !== undefined && epsilon < 0.3
          ? [{ text: 'exploration 0.3', path: 'algo.epsilon', value: 0.3, begin: 'state' } as const]
          : []),
        ...(bonus === undefined && epsilon === undefined ? lower(s, 'lr') : []),
      ],
    };
  },
};
