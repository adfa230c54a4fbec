/** A player who thinks of one of 2^attributes numbers: the game `twenty` of games.ts, its rules and draws, as a talk with a partner. */
import { Xorshift } from '#math/xorshift.ts';
import { halfOf, lineOfCards } from './cards.ts';
import type { Talk } from './define.ts';
import { DEFAULT_GAME_KNOBS, GAMES, type GameKnobs, type Twenty } from './games.ts';
import { FACE_DOWN, NOTHING, numbersBelow, numerals, type PartnerKind, refused, type TalkConfig } from './partners.ts';

const knobsOf = ({ attributes, distractors, turns }: TalkConfig): GameKnobs => ({
  ...DEFAULT_GAME_KNOBS,
  bits: attributes,
  noise: distractors,
  T: turns,
});
const gameOf = (c: TalkConfig, seed: number): Twenty => GAMES.twenty.create(knobsOf(c), new Xorshift(seed));

/** Cards in a line of the picture at most. */
const LINE = 16;

export const thinker: PartnerKind = {
  sizes(c) {
    const { prompt, turn, reply } = GAMES.twenty.sizes(knobsOf(c));
    return { prompt, written: c.turns * turn, replies: c.turns * reply };
  },
  structure(c, seed) {
    const text = String(gameOf(c, seed).secret);
    return { first: text, last: text };
  },
  picture({ attributes }) {
    const numbers = 2 ** attributes;
    const faces = numerals(numbers);
    const width = Math.min(numbers, LINE);
    const half = halfOf(width);
    const lines = numbers / width;
    return {
      kind: 'table',
      items: [
        ...Array.from({ length: lines }, (_, i) =>
          lineOfCards(i === 0 ? 'can be' : '', faces, { n: width, width, y: 1.6 * (lines - i) }),
        ).flat(),
        ...lineOfCards('thinks of', faces, { n: 1, width, y: 0 }),
        ...numbersBelow(half),
      ],
      bounds: [-half, -2, half, 1.6 * lines + 1],
    };
  },
  begin(c, seed): Talk {
    const game = gameOf(c, seed);
    const { secret } = game;
    let [questions, over] = [0, false];
    const fits = (number: number): boolean => [...game.told].every(([i, bit]) => i >= c.attributes || (number >> i) % 2 === bit);
    const possible = (): number => 2 ** (c.attributes - [...game.told.keys()].filter((i) => i < c.attributes).length);
    return {
      prompt: game.prompt,
      ends: (turn) => game.ends(turn),
      play(turn, ended) {
        const said = game.play(turn, ended);
        over = said.done;
        if (said.format === 0) return refused(c, questions + 1);
        if (said.text === '') return said;
        questions++;
        return { ...said, reward: said.reward - c.price, terms: [said.reward, -c.price] };
      },
      suggest: (how, luck) => game.suggest(how === 'novice' && luck.draw(1000) < 1000 * c.mistakes ? 'random' : 'expert', luck),
      draw(_, out) {
        const cards = Array.from({ length: 2 ** c.attributes }, (_, number) => (fits(number) ? number : NOTHING));
        out.set([...cards, over ? secret : FACE_DOWN, questions, possible()]);
      },
      measured: () => [questions, possible()],
    };
  },
};
