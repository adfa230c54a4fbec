/**
 * Rooms of MiniGrid and BabyAI in tokens: what is to be done, what is carried and what is seen are told in a line of text, and the answer is
 * what to do, as a letter, a word or several letters. `@ro:..213bk1=0ro2<1?` says: go to (@) the red ball (ro); nothing (..) is carried; the
 * wall is 2 steps ahead, 1 to the left, 3 to the right; a blue key lies 1 step straight ahead, a red ball 2 ahead and 1 to the left. Colours
 * are r, g, b, p(urple), y, e (grey); k is a key, o a ball, x a box, | a door, ! a locked one, ( an open one, * the goal; in missions + is pick
 * up, / open, - put, ^ next to. What lies behind is not seen.
 * Obs: the row, one token id per place, 0 behind its end: after each turn it begins anew with what is seen then, or goes on.
 * Actions: the 64 tokens of the vocabulary. A turn is left, right, go, pick, drop or open: the word, or its first letter.
 * Reward 1 where the room's own rule says that the mission is fulfilled; every turn takes its price.
 * Ends there, where that rule says that it failed, at the last turn, or with what is no turn, which scores nothing and takes the price of
 * all turns that were left. Truncates never.
 * Source: text views of BabyAI (BabyAI-Text, Carta et al. 2023); simulator, missions and expert: minigrid/.
 */
import { z } from 'zod';
import type { Xorshift } from '#math/xorshift.ts';
import { badConfig } from '../api/parse.ts';
import { type Answer, defineTokenEnv, malformedAt, RIGHT_AND_PRICE, type Talk, type TokenTask } from './lib/define.ts';
import { count, mistakesField, paid, pricedForm, splitField } from './lib/knobs.ts';
import { talkReferences } from './lib/references.ts';
import { checkPlayed, isPlayed, LEVELS, type LevelName, type Rooms, roomsOf } from './lib/rooms.ts';
import { CARRIED, carriedTokens, missionTokens, roomInWords, VIEWS, type ViewName, viewLength } from './lib/seen.ts';

const own = 'own choice';
const LEVEL_NAMES = Object.keys(LEVELS) as [LevelName, ...LevelName[]];

const config = z.strictObject({
  level: z
    .enum(LEVEL_NAMES)
    .default('OpenRedDoor')
    .meta({ title: 'level', description: 'A level of BabyAI or MiniGrid, by its name there.', source: own, depth: 'teach', group: 'task' }),
  view: z
    .enum(Object.keys(VIEWS) as [ViewName, ...ViewName[]])
    .default('things')
    .meta({
      title: 'view',
      description: 'things: walls, and every thing seen with its distances. rays: the first thing ahead, to the left and to the right.',
      source: own,
      group: 'task',
    }),
  row: z.enum(['anew', 'grows']).default('anew').meta({
    title: 'row',
    description: 'anew: each turn is answered by what is seen now alone. grows: everything that was seen and done stays in the row.',
    source: own,
    group: 'task',
  }),
  answer: z.enum(['letter', 'word', 'letters']).default('letter').meta({
    title: 'answer',
    description: 'letter: one for an action. word: spelled out. letters: up to three actions, then a full stop.',
    source: own,
    group: 'task',
  }),
  turns: count(10, 64, 'turns', 'At most so many.', 2),
  price: paid('price of a turn', 'Taken from the reward by every turn.', 0.1),
  split: splitField,
  splitBy: z.enum(['map', 'thing']).default('map').meta({
    title: 'held out by',
    description: 'map: one map in ten. thing: missions about green doors, grey keys, purple balls and blue boxes.',
    source: own,
    group: 'task',
  }),
  mistakes: mistakesField('any of the six actions').default(0.4),
});
type Config = z.infer<typeof config>;

/** By the numbers that actions have in MiniGrid. */
const ACTIONS: readonly string[] = ['left', 'right', 'go', 'pick', 'drop', 'open'];
const LETTERS = ACTIONS.map((word) => word[0]!).join('');
/** Actions of a turn of `letters`, and what closes it. */
const SEVERAL = 3;
const STOP = '.';
const ASKS = '?';
/** Tokens that fit in a row. */
const LONGEST_ROW = 192;

interface Form {
  /** Tokens of the longest turn. */
  readonly longest: number;
  ends(turn: string): boolean;
  /** Actions of a whole turn; null: it is none. */
  read(turn: string): readonly number[] | null;
  write(actions: readonly number[]): string;
}

const isLetters = (text: string): boolean => text !== '' && [...text].every((letter) => LETTERS.includes(letter));

const FORMS: Readonly<Record<Config['answer'], Form>> = {
  letter: {
    longest: 1,
    ends: () => true,
    read: (turn) => (isLetters(turn) ? [LETTERS.indexOf(turn)] : null),
    write: ([action = 0]) => LETTERS[action]!,
  },
  word: {
    longest: Math.max(...ACTIONS.map((word) => word.length)),
    ends: (turn) => !ACTIONS.some((word) => word.startsWith(turn) && word !== turn),
    read(turn) {
      const action = ACTIONS.indexOf(turn);
      return action < 0 ? null : [action];
    },
    write: ([action = 0]) => ACTIONS[action]!,
  },
  letters: {
    longest: SEVERAL + 1,
    ends: (turn) => turn.endsWith(STOP) || turn.length > SEVERAL,
    read: (turn) => (turn.endsWith(STOP) && isLetters(turn.slice(0, -1)) ? [...turn.slice(0, -1)].map((l) => LETTERS.indexOf(l)) : null),
    write: (actions) => actions.map((action) => LETTERS[action]).join('') + STOP,
  },
};

function talkOf(c: Config, rooms: Rooms, seed: number): Talk {
  const form = FORMS[c.answer];
  const { says, things } = rooms.level;
  let state = rooms.begin(seed);
  const mission = missionTokens(rooms.mission(state)).padEnd(says, '.');
  const seen = (): string => {
    const view = rooms.look(state);
    return `${carriedTokens(view)}${VIEWS[c.view](view, things)}${ASKS}`;
  };
  const row = (): string => `${mission}:${seen()}`;
  const planned = rooms.expert();
  /** What the expert writes now; asked at every token of a turn. */
  let wanted: string | null = null;
  let turns = 0;
  const anything = (luck: Xorshift): string =>
    form.write(Array.from({ length: c.answer === 'letters' ? 1 + luck.draw(SEVERAL) : 1 }, () => luck.draw(ACTIONS.length)));
  const plan = (): string => {
    const actions: number[] = [];
    for (let at = state, over = false; !over && actions.length < (c.answer === 'letters' ? SEVERAL : 1); ) {
      // it stands still where it finds no plan, which no turn says
      const action = planned(at) % ACTIONS.length;
      actions.push(action);
      ({ state: at, over } = rooms.step(at, action));
    }
    return form.write(actions);
  };
  return {
    prompt: row(),
    ends: form.ends,
    play(turn, ended) {
      const actions = ended ? null : form.read(turn);
      if (actions === null) return malformedAt(c.price, c.turns - turns);
      wanted = null;
      turns++;
      let over = false;
      let solved: 0 | 1 = 0;
      for (const action of actions) {
        if (over) break;
        const step = rooms.step(state, action);
        ({ state, over } = step);
        if (step.solved) solved = 1;
      }
      const done = over || turns === c.turns;
      const said: Answer = { text: '', done, reward: solved - c.price, terms: [solved, -c.price], format: 1, solved };
      return c.row === 'anew' ? { ...said, again: row() } : { ...said, text: done ? '' : seen() };
    },
    suggest(how, luck) {
      if (how === 'novice' && luck.draw(1000) < 1000 * c.mistakes) return anything(luck);
      return (wanted ??= plan());
    },
    draw: (_, out) => rooms.draw(state, out),
    measured: () => [turns],
  };
}

function taskOf(c: Config): TokenTask {
  const rooms = roomsOf(c.level);
  checkPlayed(c, rooms);
  const { says, things } = rooms.level;
  const { longest } = FORMS[c.answer];
  const seen = CARRIED + viewLength(c.view, things) + ASKS.length;
  const prompt = says + 1 + seen;
  const written = c.turns * longest;
  const replies = c.row === 'grows' ? (c.turns - 1) * seen : 0;
  if (c.row === 'grows' && prompt + written + replies > LONGEST_ROW)
    throw badConfig(
      'turns',
      `A row of ${prompt + written + replies} tokens is too long.`,
      'Fewer turns, the view of rays, or a row that begins anew.',
    );
  return {
    sizes: {
      prompt,
      written,
      replies,
      ...(c.row === 'anew' && { again: { rows: c.turns, turn: longest } }),
    },
    world: rooms.meta.frame,
    accepts: (seed) => isPlayed(c, rooms, seed),
    talk: (seed) => talkOf(c, rooms, seed),
  };
}

export const tHouse = defineTokenEnv<Config>({
  id: 't-house',
  title: 'Rooms in tokens',
  summary: 'Go to a thing, pick it up, open a door, find its key: rooms of MiniGrid and BabyAI, told and answered in tokens.',
  source: { title: 'Text view of MiniGrid and BabyAI', authors: 'RL Workbench', year: 2026 },
  version: 2,
  changes: [pricedForm(2)],
  config,
  terms: RIGHT_AND_PRICE,
  measures: [{ id: 'turns', title: 'turns', description: 'Turns of an episode, mean of the last 100 episodes.' }],
  // two tuning seeds: 0.6 of the doors right after cloning, all of them at 45,000 tokens
  recommended: {
    algo: 'group-rl',
    preset: 'tools',
    config: { group: 8, lr: 3e-3, cloning: { kind: 'on', steps: 60, lr: 5e-3 } },
    steps: 60_000,
    env: { split: 'train' },
    evalEvery: 3000,
  },
  presets: [
    { id: 'open', title: 'Go to the red door and open it', config: {} },
    { id: 'go-to', title: 'Go to one of two things', config: { level: 'GoToLocalS5N2' } },
    { id: 'go-to-four', title: 'Go to one of four things, six by six', config: { level: 'GoToLocalS6N4', turns: 16 } },
    { id: 'pick-up', title: 'Pick up the right one of two things', config: { level: 'Fetch-5x5-N2' } },
    { id: 'door-key', title: 'Key, door, goal', config: { level: 'DoorKey-5x5', turns: 20 } },
    { id: 'words', title: 'Words of several tokens', config: { answer: 'word' } },
    { id: 'letters', title: 'Up to three actions in a turn', config: { answer: 'letters', turns: 5 } },
    {
      id: 'remembers',
      title: 'The first thing each way, and everything that was seen',
      config: { level: 'GoToObjS6', view: 'rays', row: 'grows' },
    },
  ],
  references: talkReferences({
    begin: (c: Config, seed) => talkOf(c, roomsOf(c.level), seed),
    most: (c) => c.turns * FORMS[c.answer].longest,
    careless: (c) => ({ ...c, mistakes: 1 }),
    turns: 'random actions',
  }),
  task: taskOf,
  question: (_, prompt) => roomInWords(prompt),
});
