/**
 * Games in turns of tokens: guess a number, walk a grid from text alone, twenty questions, find a word, noughts and crosses, calculate
 * with a calculator. The policy writes a turn, the world replies in tokens, and the outcome is the reward.
 * Obs: the row so far, one token id per place, 0 behind its end: prompt, turns and replies. Actions: the 64 tokens of the vocabulary.
 * Reward at the end: 1 solved, 0 not (noughts and crosses: a draw .5; calculator: 1 minus the price of its calls). Ends when it is solved,
 * at the last turn, or with a turn of the wrong form. Truncates when there is no place left.
 * Rules that a prompt leaves open. guess: a number beyond the last secret, or with a leading zero, is of the wrong form. twenty: a number beyond
 * the last secret is of the right form, and wrong; one with a leading zero is of the wrong form. calc: a call is `{` a number, one of + - * /,
 * a number `}`; numbers have up to eight digits, leading zeros and a minus included. What is no call, or has no whole value, is answered by
 * [!] and is of the wrong form; it counts as a call. The answer is # and a number, and right if it is written as the value is: not 007, not -0.
 * noughts and crosses: a draw is not solved.
 * Source: own games after 20 questions, Wordle and text views of grids.
 */
import { z } from 'zod';
import { kind, variant } from '../api/variant.ts';
import { gameInWords } from './lib/asked.ts';
import { defineTokenEnv, heldOut, type TokenTask } from './lib/define.ts';
import { DEFAULT_GAME_KNOBS, GAME_NAMES, GAMES, type GameKind, type GameKnobs, gameOf } from './lib/games.ts';
import { checkSome, count, splitField } from './lib/knobs.ts';
import {
  expertReference,
  onceFor,
  randomReference,
  scriptedMean,
  sourceOf,
  tokensUnseen,
  uniformMean,
  unseenReference,
} from './lib/references.ts';

/** Of single games. */
const fields = {
  turns: count(10, 16, 'turns', 'At most so many.'),
  size: count(4, 9, 'side', 'In cells.', 2),
  walls: z.int().min(0).max(40).default(0).meta({
    title: 'walls',
    unit: '%',
    description: 'Share of the cells; they are not in the prompt.',
    source: 'own choice',
    group: 'task',
  }),
  secrets: count(16, 1000, 'secrets', 'Numbers from 0 on.', 2),
  attributes: count(3, 6, 'attributes', 'That tell the secret.'),
  distractors: count(2, 6, 'distractors', 'Attributes that say nothing.', 0),
  length: count(3, 5, 'letters of the word', 'As many as it has.'),
  letters: count(5, 10, 'letters', 'That there are.', 2),
  opponent: z
    .enum(['random', 'perfect'])
    .default('random')
    .meta({ title: 'opponent', description: 'Who plays noughts.', source: 'own choice', group: 'task' }),
  calls: count(3, 4, 'calls', 'Of the calculator, at most so many.'),
  cost: z
    .number()
    .min(0)
    .max(0.2)
    .default(0.05)
    .meta({ title: 'price of a call', description: 'Taken from the reward.', source: 'own choice', group: 'reward' }),
  split: splitField.meta({
    title: 'games',
    description: 'A tenth of all games is held out, by what is drawn before the first turn: the secret, the word, the field, the numbers.',
    source: 'own choice',
    group: 'task',
  }),
};
const others = {
  mistakes: z.number().min(0).max(1).default(1).meta({
    title: 'mistakes of the novice',
    description:
      'Share of its turns that are random moves of the right form; else it plays sensibly (guess: anywhere in the known interval).',
    source: 'own choice',
    group: 'scripted policies',
  }),
};
const { turns, split } = fields;
const KINDS = [
  kind('grid', { turns, size: fields.size, walls: fields.walls, split }),
  kind('guess', { turns, secrets: fields.secrets, split }),
  kind('twenty', { turns, attributes: fields.attributes, distractors: fields.distractors, split }),
  kind('wordle', { turns, length: fields.length, letters: fields.letters, split }),
  kind('tictactoe', { opponent: fields.opponent }),
  kind('calc', { calls: fields.calls, cost: fields.cost, split }),
] as const;
const config = z.strictObject({
  game: variant('grid', KINDS, { title: 'game', description: 'What is played.', source: 'own choice', depth: 'teach', group: 'task' }),
  ...others,
});
const flat = z.strictObject({ game: z.enum(GAME_NAMES as [(typeof GAME_NAMES)[number]]), ...fields, ...others });
type Config = z.infer<typeof flat>;

const knobsOf = (c: Config): GameKnobs => ({
  ...DEFAULT_GAME_KNOBS,
  n: c.size,
  wall: c.walls,
  N: c.secrets,
  T: c.turns,
  bits: c.attributes,
  noise: c.distractors,
  L: c.length,
  A: c.letters,
  opp: c.opponent,
  calls: c.calls,
  cost: c.cost,
});

function taskOf(c: Config): TokenTask {
  const k = knobsOf(c);
  const { prompt, turn, reply, turns } = GAMES[c.game].sizes(k);
  const kind: GameKind = GAMES[c.game];
  const { layout } = kind;
  // Where every game begins alike there is nothing to hold out, and the field is not shown.
  const split = gameOf(c.game, k, 0).hidden === '' ? 'all' : c.split;
  const accepts = (seed: number): boolean => split === 'all' || heldOut(gameOf(c.game, k, seed).hidden) === (split === 'held-out');
  checkSome(accepts, 'Choose a game with more to draw.');
  return {
    ...(layout !== undefined && { world: layout(k) }),
    sizes: { prompt, written: turns * turn + 1, replies: turns * reply },
    accepts,
    talk(seed) {
      const game = gameOf(c.game, k, seed);
      return {
        prompt: game.prompt,
        ends: (text) => game.ends(text),
        draw: (_, out) => game.draw?.(out),
        play(text, ended) {
          return game.play(text, ended);
        },
        suggest(how, luck) {
          if (how === 'expert') return game.suggest('expert', luck);
          return game.suggest(luck.draw(1000) < 1000 * c.mistakes ? 'random' : 'sensible', luck);
        },
      };
    },
  };
}

const scripted = onceFor((c: Config, how: 'expert' | 'random') =>
  scriptedMean((seed) => {
    const game = gameOf(c.game, knobsOf(c), seed);
    return (luck) => {
      const turn = game.suggest(how, luck);
      return game.play(turn, !game.ends(turn));
    };
  }),
);
const uniform = onceFor((c: Config, _: 'tokens') => {
  const { talk, sizes } = taskOf(c);
  return uniformMean(talk, sizes.written);
});

const unseen = onceFor((c: Config, _: 'fixed') => tokensUnseen(taskOf(c).talk));

export const tTurns = defineTokenEnv<Config>({
  id: 't-turns',
  title: 'Games in tokens',
  summary: 'Write a turn, read the reply: walk a grid from text alone, guess a number, find a word, use a calculator.',
  source: { title: 'Games in turns of tokens', authors: 'RL Workbench', year: 2026 },
  version: 2,
  changes: [
    {
      version: 2,
      what: 'Games can be held out. Solved is what the game says, not a reward above one half; the calculator takes numbers of up to eight digits, with leading zeros; a number beyond the last secret of twenty questions is of the right form.',
      before: { split: 'all' },
      where: { game: ['calc', 'twenty'] },
      rerun: true,
    },
  ],
  config,
  flat,
  recommended: {
    algo: 'group-rl',
    preset: 'grid',
    steps: 500_000,
    env: { game: { kind: 'grid', turns: 10, size: 4, walls: 0, split: 'train' } },
    evalEvery: 25_000,
  },
  presets: [
    { id: 'grid', title: 'text grid 4x4', config: {} },
    {
      id: 'guess',
      title: 'guess a number below 16',
      config: { game: { kind: 'guess', turns: 5, secrets: 16, split: 'all' }, mistakes: 0.3 },
    },
    {
      id: 'twenty',
      title: 'questions about 8 secrets',
      config: { game: { kind: 'twenty', turns: 4, attributes: 3, distractors: 2, split: 'all' }, mistakes: 0.5 },
    },
    {
      id: 'wordle',
      title: 'find a word of 3 letters',
      config: { game: { kind: 'wordle', turns: 6, length: 3, letters: 5, split: 'all' }, mistakes: 0.5 },
    },
    { id: 'tictactoe', title: 'noughts and crosses', config: { game: { kind: 'tictactoe', opponent: 'random' }, mistakes: 0.8 } },
    { id: 'calculator', title: 'calculator', config: { game: { kind: 'calc', calls: 3, cost: 0.05, split: 'all' }, mistakes: 0.3 } },
  ],
  references: (c) => {
    const turns = scripted(c, 'random');
    return [
      randomReference(uniform(c, 'tokens')),
      { name: 'random turns', value: turns.mean, source: sourceOf(turns, 'random turns of the right form') },
      unseenReference(unseen(c, 'fixed'), turns, 'random turns of the right form'),
      expertReference(scripted(c, 'expert')),
    ];
  },
  task: taskOf,
  question: (c, prompt) => gameInWords(c.game, prompt),
});
