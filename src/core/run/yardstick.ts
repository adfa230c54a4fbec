/**
 * How good a policy is where a number of its own training cannot say: whole episodes against a yardstick that never changes. The command line measures
 * recommendations by it (`learn`), the page the kept policies of a run.
 */
import type { Strength } from '#contract/catalog/catalog.ts';
import type { Policy } from '../algos/api/types.ts';
import { randomPolicy } from '../algos/lib/random-policy.ts';
import { namesOf } from '../envs/api/meta.ts';
import type { EnvEntry, EnvMeta } from '../envs/api/types.ts';
import { evaluate, FIRST_SEED } from './evaluate.ts';
import { together } from './lineup.ts';

/** Agents with interests of their own that the score leaves out: they are its opponents. None in games in turn, in which every agent plays for itself, and none where a seat is only watched. */
export function opponentsOf({ score, agents, turns, watched }: Pick<EnvMeta, 'score' | 'agents' | 'turns' | 'watched'>): readonly string[] {
  if (typeof score === 'string' || turns === true || watched !== undefined) return [];
  return namesOf({ agents }).filter((_, agent) => !score.includes(agent));
}

/** What tells how good a policy is in this world. */
export function strengthIn(meta: Pick<EnvMeta, 'score' | 'agents' | 'turns' | 'listed' | 'agentCount' | 'watched'>): Strength {
  const { score, turns, listed, agentCount, watched } = meta;
  // A small game that is solved exactly has hands to be won or lost by chance, and stakes: there returns are counted and not wins.
  if (turns === true && listed !== true && typeof score !== 'string' && agentCount === 2) return 'share of wins against random';
  // a seat that is only watched holds no rival
  const rivals = typeof score === 'string' || watched !== undefined ? 0 : agentCount - score.length;
  return rivals > 0 ? 'return against random' : 'return';
}

/** Those of `names` by this policy, all others by random actions. */
export function besideRandom(policy: Policy, meta: EnvMeta, moves: readonly string[]): Policy {
  return together(meta, [
    { policy, meta, moves },
    { policy: randomPolicy(meta), meta },
  ]);
}

export interface Episodes {
  /** How many whole episodes; where wins are counted the next even number. */
  readonly episodes: number;
  /** So many of the fixed list of episodes are left out: further ones of the same list. 0 without it. */
  readonly after?: number;
}

/**
 * What each of these episodes gave, by the strength of this world: returns of greedy play, or 1, 0.5 and 0 for games won, drawn and lost with actions
 * drawn. Seeds are those of every evaluation, so the same question has the same answer. Throws what the environment throws for its config.
 */
export async function measureStrength(policy: Policy, entry: EnvEntry, config: unknown, asked: Episodes): Promise<Float64Array> {
  const meta = entry.meta(config);
  const kind = strengthIn(meta);
  const firstSeed = FIRST_SEED + (asked.after ?? 0);
  if (kind === 'return') return (await evaluate(policy, entry, config, { episodes: asked.episodes, firstSeed })).scores;
  const names = namesOf(meta);
  if (kind === 'return against random') {
    const own = names.filter((_, agent) => typeof meta.score !== 'string' && meta.score.includes(agent));
    return (await evaluate(besideRandom(policy, meta, own), entry, config, { episodes: asked.episodes, firstSeed })).scores;
  }
  const games = Math.ceil(asked.episodes / 2);
  const won: number[] = [];
  for (const [seat, name] of names.entries()) {
    // Drawn: what is learned of such a game is a mixture, and games of two fixed players would all be the same one.
    const { returns } = await evaluate(besideRandom(policy, meta, [name]), entry, config, { episodes: games, greedy: false, firstSeed });
    for (let game = 0; game < games; game++) {
      const [mine, other] = [returns[2 * game + seat]!, returns[2 * game + 1 - seat]!];
      won.push(mine > other ? 1 : mine === other ? 0.5 : 0);
    }
  }
  return Float64Array.from(won);
}
