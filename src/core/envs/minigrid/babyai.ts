/**
 * BabyAI: rooms, things and a sentence that says what to do. Levels of Minigrid 3.1.0 `envs/babyai` (Chevalier-Boisvert et al. 2019),
 * named by `level`; generators in babyai/, sentences and when they are fulfilled in minigrid/lib/instructions.ts.
 * Obs: behind the direction the sentence as one-hot rows over the vocabulary of minigrid/lib/mission.ts, as many rows as the longest
 * sentence of the level has words. Step and reward: minigrid/lib/core.ts; the step limit follows from the sentence of the episode.
 * Differs: "go to" asks for the thing itself, where the reference still counts the place from which it was just picked up; in
 * Carrying levels the first observation shows the thing in hand. Strict sequences (OpenDoorsOrder..Debug) are as there: the opening that
 * fulfils the first part breaks the second, so they cannot be won. Throws: ConfigError if width or height are not those of the level.
 */
import { z } from 'zod';
import { LabError } from '#contract/kit/errors.ts';
import { badConfig } from '../api/parse.ts';
import { GO_TO } from './lib/babyai/go-to.ts';
import type { Level } from './lib/babyai/level.ts';
import { LevelRooms, Rejected } from './lib/babyai/level-rooms.ts';
import { OPEN_UNLOCK } from './lib/babyai/open-unlock.ts';
import { PICKUP_PUT } from './lib/babyai/pickup-put.ts';
import { SYNTH } from './lib/babyai/synth.ts';
import type { Builder } from './lib/builder.ts';
import { defineMiniGrid } from './lib/define.ts';
import { navigations } from './lib/instructions.ts';

const LEVELS: { readonly [name: string]: Level } = { ...GO_TO, ...OPEN_UNLOCK, ...PICKUP_PUT, ...SYNTH };
const NAMES = Object.keys(LEVELS);
const ATTEMPTS = 1000;

const levelOf = (c: { readonly level: string }): Level => LEVELS[c.level] as Level;
const widthOf = (l: Level) => (l.size - 1) * l.columns + 1;
const heightOf = (l: Level) => (l.size - 1) * l.rows + 1;
const perNavigation = (l: Level) => l.size * l.size * l.rows * l.columns;

const side = (title: string) =>
  z
    .int()
    .min(3)
    .max(64)
    .nullable()
    .default(null)
    .meta({ title, unit: 'cells', description: 'Follows from the level, or from a map of your own; empty: as it is.', depth: 'research' });

const preset = (id: string, title: string, level: string) => ({ id, title, config: { level } });

export const babyai = defineMiniGrid({
  id: 'babyai',
  title: 'BabyAI',
  summary: 'Do what a sentence says: go to, open, pick up, put next to.',
  source: {
    title: 'BabyAI: a platform to study the sample efficiency of grounded language learning',
    authors: 'Chevalier-Boisvert et al.',
    year: 2019,
    url: 'https://arxiv.org/abs/1810.08272',
  },
  defaults: { width: 8, height: 8, maxStepsText: 'walks the sentence needs x room size x room size x rooms, or as the level says' },
  extra: {
    width: side('width'),
    height: side('height'),
    level: z
      .enum(NAMES as [string, ...string[]])
      .default('GoToLocal')
      .meta({
        title: 'level',
        description: 'A BabyAI level: rooms, things and the kind of sentence.',
        source: 'BabyAI-GoToLocal-v0',
      }),
  },
  presets: [
    { id: 'go-to-local', title: 'Go to one of eight things', config: {} },
    preset('go-to-red-ball-grey', 'Go to the red ball among grey things', 'GoToRedBallGrey'),
    preset('go-to-red-ball', 'Go to the red ball', 'GoToRedBall'),
    preset('go-to-red-blue-ball', 'Go to the red or blue ball', 'GoToRedBlueBall'),
    preset('go-to-obj', 'Go to the only thing', 'GoToObj'),
    preset('go-to-obj-s4', 'Go to the only thing, small room', 'GoToObjS4'),
    preset('go-to-local-s5n2', 'Go to one of two things, small room', 'GoToLocalS5N2'),
    preset('go-to-door', 'Go to a door', 'GoToDoor'),
    preset('go-to', 'Go to a thing in nine rooms', 'GoTo'),
    preset('open-red-door', 'Open the red door', 'OpenRedDoor'),
    preset('open-door', 'Open a door named by colour or place', 'OpenDoor'),
    preset('open-doors-order-n2', 'Open two doors in order', 'OpenDoorsOrderN2'),
    preset('pickup-loc', 'Pick up a thing named by its place', 'PickupLoc'),
    preset('pickup-dist', 'Pick up a thing named by colour or kind', 'PickupDist'),
    preset('put-next-local', 'Put one thing next to another', 'PutNextLocal'),
    preset('put-next-s5n2-carrying', 'Put what is in hand next to another', 'PutNextS5N2Carrying'),
    preset('unlock-local', 'Find the key and unlock', 'UnlockLocal'),
    preset('key-in-box', 'The key is in a box', 'KeyInBox'),
    preset('unlock', 'Unlock in nine rooms', 'Unlock'),
    preset('unblock-pickup', 'Clear the way and pick up', 'UnblockPickup'),
    preset('synth', 'Any simple sentence', 'Synth'),
    preset('mini-boss', 'Any sentence, four small rooms', 'MiniBossLevel'),
    preset('boss', 'Any sentence, nine rooms', 'BossLevel'),
  ],
  rule: 'babyai',
  size: (c) => [widthOf(levelOf(c)), heightOf(levelOf(c))],
  told: {
    tokens: (c) => levelOf(c).tokens,
    limit: (c, instruction) => levelOf(c).maxSteps ?? navigations(instruction) * perNavigation(levelOf(c)),
  },
  maxSteps: (c) => levelOf(c).maxSteps ?? levelOf(c).navigations * perNavigation(levelOf(c)),
  mission: () => '',
  check(c) {
    const level = levelOf(c);
    const [width, height] = [widthOf(level), heightOf(level)];
    if ((c.width !== null && c.width !== width) || (c.height !== null && c.height !== height))
      throw badConfig('width', `The level ${c.level} is ${width} x ${height}.`, 'Leave width and height empty, or give a map of your own.');
  },
  generate(c, b) {
    b.sentence = draw(levelOf(c), b);
  },
});

/** Draws until a level is not rejected, as the reference does; a level that finds no room for its things counts as rejected. */
function draw(level: Level, b: Builder) {
  for (let attempt = 0; ; attempt++) {
    try {
      b.clear();
      const rooms = new LevelRooms(b, level.size);
      const sentence = level.generate(rooms);
      if (b.carrying === 0) rooms.check(sentence, level.unblocking ?? false);
      return sentence;
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof Rejected || error instanceof LabError)) throw error;
    }
  }
}
