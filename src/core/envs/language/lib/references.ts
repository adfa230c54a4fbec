/**
 * Reference returns of worlds on tokens: what uniform tokens earn, what turns of the right form earn, what the scripted expert earns. Each is
 * a mean return with its standard error, or exact; all are played once for each set-up.
 */

import { Xorshift } from '#math/xorshift.ts';
import type { EnvMeta } from '../../api/types.ts';
import type { Answer, Talk } from './define.ts';
import { characterOf, EOS, FIRST, VOCABULARY } from './tokens.ts';

type Reference = EnvMeta['references'][number];

/** A mean return over episodes. */
export interface MeanReturn {
  readonly mean: number;
  /** Standard error of the mean. */
  readonly error: number;
  readonly episodes: number;
}

/** Episodes of scripted players: some of them plan at every turn. */
const SCRIPTED = 64;
/** Episodes of uniform tokens: most of them are a token long, and rarely earn anything. */
const UNIFORM = 1024;

/** Mean of `values`, with its standard error (0 for fewer than two). */
export function meanReturn(values: readonly number[]): MeanReturn {
  const episodes = values.length;
  const mean = values.reduce((sum, x) => sum + x, 0) / episodes;
  const spread = values.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  return { mean, error: episodes < 2 ? 0 : Math.sqrt(spread / (episodes - 1) / episodes), episodes };
}

/** The source line of such a mean; `words`: who played. */
export const sourceOf = ({ error, episodes }: MeanReturn, words: string): string =>
  `mean return of ${episodes} episodes of ${words}, standard error ${error.toPrecision(2)}`;

/** Keeps what a function of a set-up gives: `meta` is asked for often, and references are played. */
export function onceFor<C, K extends string, T>(compute: (c: C, key: K) => T): (c: C, key: K) => T {
  const known = new Map<string, T>();
  return (c, key) => {
    const name = JSON.stringify([key, c]);
    let found = known.get(name);
    if (found === undefined) known.set(name, (found = compute(c, key)));
    return found;
  };
}

/** Returns of scripted episodes, those of seeds 0, 1, .. `begin`: the episode of a seed; what it gives plays the next turn. */
export function scriptedMean(begin: (seed: number) => (luck: Xorshift) => Pick<Answer, 'reward' | 'done'>): MeanReturn {
  return meanReturn(
    Array.from({ length: SCRIPTED }, (_, seed) => {
      const turn = begin(seed);
      const luck = new Xorshift(seed + 1);
      let total = 0;
      for (let done = false; !done; ) {
        const said = turn(luck);
        total += said.reward;
        ({ done } = said);
      }
      return total;
    }),
  );
}

/** What an episode earns whose every token is drawn uniformly from the vocabulary; it has room for `most` of them. */
export function uniformReturn(talk: Talk, most: number, luck: Xorshift): number {
  let total = 0;
  let turn = '';
  for (let written = 0; written < most; written++) {
    const id = luck.draw(VOCABULARY);
    if (id >= FIRST) turn += characterOf(id);
    const stray = id < FIRST && id !== EOS;
    if (!stray && id !== EOS && !talk.ends(turn)) continue;
    const said = stray ? talk.play('', false) : talk.play(turn, id === EOS);
    total += said.reward;
    if (said.done || stray) return total;
    turn = '';
  }
  return total;
}

/** Returns of uniform tokens in the episodes of seeds 0, 1, .. */
export const uniformMean = (begin: (seed: number) => Talk, most: number): MeanReturn =>
  meanReturn(Array.from({ length: UNIFORM }, (_, seed) => uniformReturn(begin(seed), most, new Xorshift(seed + 1))));

/** The mean return of uniform tokens, as the reference `random`. */
export const randomReference = (found: MeanReturn): Reference => ({
  name: 'random',
  value: found.mean,
  source: sourceOf(found, 'uniform tokens'),
});

/** The mean return of the expert, as a reference. */
export const expertReference = (found: MeanReturn): Reference => ({
  name: 'expert',
  value: found.mean,
  source: sourceOf(found, 'the scripted expert'),
});

/** Texts that are tried by `withoutLooking`, the episodes that they are chosen in, and those that the best of them is then measured in. */
const [TEXTS, CHOSEN_IN, MEASURED_IN] = [6, 8, 64];

/**
 * What can be earned without reading anything: the turns that the expert wrote in one episode, written in every other whatever is asked and whatever
 * the world replies; when they are used up the last one again. Of the texts of the first episodes the best, measured in episodes that it was
 * neither written nor chosen in. A policy that stays below it has shown nothing. `begin`: the episode of a seed.
 */
export function withoutLooking<T>(begin: (seed: number) => Fixed<T>): MeanReturn {
  const fixed = (turns: readonly T[], seed: number): number => {
    const episode = begin(seed);
    let total = 0;
    for (let i = 0; ; i++) {
      const said = episode.play(turns[Math.min(i, turns.length - 1)]!);
      total += said.reward;
      if (said.done) return total;
    }
  };
  const texts = Array.from({ length: TEXTS }, (_, seed): readonly T[] => {
    const episode = begin(seed);
    const luck = new Xorshift(seed + 1);
    const turns: T[] = [];
    for (let done = false; !done; ) {
      const turn = episode.expert(luck);
      turns.push(turn);
      ({ done } = episode.play(turn));
    }
    return turns;
  });
  const over = (from: number, count: number, turns: readonly T[]): number[] =>
    Array.from({ length: count }, (_, i) => fixed(turns, from + i));
  const tried = texts.map((turns) => meanReturn(over(TEXTS, CHOSEN_IN, turns)).mean);
  return meanReturn(over(TEXTS + CHOSEN_IN, MEASURED_IN, texts[tried.indexOf(Math.max(...tried))]!));
}

/** An episode that is played turn by turn. */
interface Fixed<T> {
  play(turn: T): Pick<Answer, 'reward' | 'done'>;
  /** The whole turn that the expert would play now. */
  expert(luck: Xorshift): T;
}

/** The same of episodes in tokens. */
export const tokensUnseen = (begin: (seed: number) => Talk): MeanReturn =>
  withoutLooking((seed) => {
    const talk = begin(seed);
    return { play: (turn: string) => talk.play(turn, !talk.ends(turn)), expert: (luck) => talk.suggest('expert', luck) };
  });

/** As a reference: what fixed turns earn, or turns at random where that is more, `words`: what these are drawn from. Neither looks at anything. */
export function unseenReference(fixed: MeanReturn, random: MeanReturn, words: string): Reference {
  const [best, what] = fixed.mean >= random.mean ? [fixed, 'fixed turns, the same whatever is asked'] : [random, words];
  return { name: 'without looking', value: best.mean, source: sourceOf(best, what), stays: true };
}

type Player = 'tokens' | 'turns' | 'unseen' | 'expert';

/**
 * References of a world of turns on tokens: uniform tokens; turns of the right form, which are those of the novice that `careless` makes; the
 * expert. `most`: tokens of an episode; `turns`: what such a turn is drawn from; `best`: the exact value of the expert, where it is known.
 */
export function talkReferences<C>(world: {
  begin(c: C, seed: number): Talk;
  most(c: C): number;
  careless(c: C): C;
  readonly turns: string;
  best?(c: C): number | null;
}): (c: C) => EnvMeta['references'] {
  const played = onceFor<C, Player, MeanReturn>((c, who) => {
    if (who === 'tokens') return uniformMean((seed) => world.begin(c, seed), world.most(c));
    if (who === 'unseen') return tokensUnseen((seed) => world.begin(c, seed));
    const settings = who === 'turns' ? world.careless(c) : c;
    return scriptedMean((seed) => {
      const talk = world.begin(settings, seed);
      return (luck) => {
        const turn = talk.suggest(who === 'turns' ? 'novice' : 'expert', luck);
        return talk.play(turn, !talk.ends(turn));
      };
    });
  });
  return (c) => {
    const turns = played(c, 'turns');
    const exact = world.best?.(c) ?? null;
    return [
      randomReference(played(c, 'tokens')),
      { name: 'random turns', value: turns.mean, source: sourceOf(turns, world.turns) },
      unseenReference(played(c, 'unseen'), turns, world.turns),
      exact === null ? expertReference(played(c, 'expert')) : { name: 'expert', value: exact, source: 'exact, by dynamic programming' },
    ];
  };
}
