/**
 * Rooms of MiniGrid and BabyAI as worlds of turns: the simulator, its mission, its expert and its verdict are theirs, played through saved
 * states, so that one copy serves every episode. What is held out: one map in ten, or things of one colour of each kind.
 */
import type { JsonObject } from '#contract/kit/json.ts';
import { hashName } from '#math/rng.ts';
import { Xorshift } from '#math/xorshift.ts';
import { createActions, createBuffers } from '../../api/buffers.ts';
import type { EnvEntry, EnvMeta, ScriptedPolicy } from '../../api/types.ts';
import { babyai } from '../../minigrid/babyai.ts';
import { COLOURS, colourOf, hasOrigin, LOOKS, objectOf } from '../../minigrid/lib/cells.ts';
import { minigridDoorkey } from '../../minigrid/minigrid-doorkey.ts';
import { minigridFetch } from '../../minigrid/minigrid-fetch.ts';
import { minigridUnlock } from '../../minigrid/minigrid-unlock.ts';
import { minigridUnlockPickup } from '../../minigrid/minigrid-unlock-pickup.ts';
import { checkSome } from './knobs.ts';

interface Level {
  readonly of: EnvEntry;
  readonly config: JsonObject;
  /** Tokens of its longest mission (seen.ts), and things that are seen at once at most. */
  readonly says: number;
  readonly things: number;
}

const told = (level: string, things: number, says = 3): Level => ({ of: babyai, config: { level }, says, things });
const square = (of: EnvEntry, size: number, says: number, things: number, more: JsonObject = {}): Level => ({
  of,
  config: { width: size, height: size, ...more },
  says,
  things,
});

/** By the names they have there. */
export const LEVELS = {
  GoToObjS6: told('GoToObjS6', 1),
  GoToLocalS5N2: told('GoToLocalS5N2', 2),
  GoToLocalS6N4: told('GoToLocalS6N4', 4),
  GoToLocal: told('GoToLocal', 8),
  PickupDist: told('PickupDist', 5),
  PutNextLocalS5N3: told('PutNextLocalS5N3', 3, 6),
  OpenRedDoor: told('OpenRedDoor', 1),
  OpenDoorColor: told('OpenDoorColor', 4),
  'Fetch-5x5-N2': square(minigridFetch, 5, 3, 2, { objects: 2 }),
  'Fetch-8x8-N3': square(minigridFetch, 8, 3, 3, { objects: 3 }),
  'DoorKey-5x5': square(minigridDoorkey, 5, 7, 3),
  'DoorKey-6x6': square(minigridDoorkey, 6, 7, 3),
  'DoorKey-8x8': square(minigridDoorkey, 8, 7, 3),
  Unlock: { of: minigridUnlock, config: {}, says: 2, things: 2 },
  UnlockPickup: { of: minigridUnlockPickup, config: {}, says: 3, things: 3 },
} as const satisfies Readonly<Record<string, Level>>;
export type LevelName = keyof typeof LEVELS;

export interface RoomConfig {
  readonly level: LevelName;
  readonly split: 'all' | 'train' | 'held-out';
  readonly splitBy: 'map' | 'thing';
}

/** Of each kind the colour that is held out by thing. */
const HELD_OUT: readonly string[] = ['green door', 'grey key', 'purple ball', 'blue box'];

/** What the mission names by colour and kind; where it names nothing so, everything that lies on the map. */
function askedFor(mission: string, cells: Uint32Array): readonly string[] {
  const named = mission.match(new RegExp(`(${COLOURS.join('|')}) (door|key|ball|box)`, 'g'));
  if (named !== null) return named;
  return Array.from(cells)
    .filter((word) => hasOrigin(objectOf(word)))
    .map((word) => `${COLOURS[colourOf(word)]} ${LOOKS[objectOf(word)]}`);
}

/** What an action came to. */
export interface Step {
  readonly state: Uint8Array;
  readonly over: boolean;
  readonly solved: boolean;
}

/** The simulator of a level. */
export interface Rooms {
  readonly level: Level;
  /** Of the level. */
  readonly meta: EnvMeta;
  /** The state that a seed begins with. */
  begin(seed: number): Uint8Array;
  step(state: Uint8Array, action: number): Step;
  /** What the agent sees: codes [7, 7, 3], from left to right, from far to near. Valid until the next call. */
  look(state: Uint8Array): Float32Array;
  mission(state: Uint8Array): string;
  draw(state: Uint8Array, out: Float32Array): void;
  /** A player that keeps its plan while it is followed; knows the whole map. */
  expert(): (state: Uint8Array) => number;
}

/** Side of the square that is seen. */
export const VIEW = 7;

function createRooms(name: LevelName): Rooms {
  const level: Level = LEVELS[name];
  const config = level.of.parse({ ...level.config, viewSize: VIEW });
  const env = level.of.create(config, 1);
  const { meta } = env;
  const buffers = createBuffers(meta, 1);
  const action = createActions(meta, 1);
  const seed = new Uint32Array(1);
  const view = buffers.obs.subarray(0, 3 * VIEW * VIEW);
  return {
    level,
    meta,
    begin(number) {
      seed[0] = number;
      env.reset(seed, buffers);
      return env.save(0);
    },
    step(state, number) {
      env.load(0, state, buffers);
      action[0] = number;
      env.step(action, buffers);
      const solved = buffers.terminated[0] === 1 && buffers.reward[0]! > 0;
      return { state: env.save(0), over: buffers.terminated[0] === 1 || buffers.truncated[0] === 1, solved };
    },
    look(state) {
      env.load(0, state, buffers);
      return view;
    },
    mission(state) {
      env.load(0, state, buffers);
      return String(env.extras?.(0).mission);
    },
    draw(state, out) {
      env.load(0, state, buffers);
      env.frame(0, out);
    },
    expert() {
      let policy: ScriptedPolicy | undefined;
      return (state) => {
        policy ??= level.of.policies(config).expert;
        env.load(0, state, buffers);
        policy?.act(env, buffers, action);
        return action[0]!;
      };
    },
  };
}

const built = new Map<LevelName, Rooms>();

/** One simulator for each level: it keeps nothing between calls. */
export function roomsOf(level: LevelName): Rooms {
  const before = built.get(level);
  if (before !== undefined) return before;
  const rooms = createRooms(level);
  built.set(level, rooms);
  return rooms;
}

/** The map of a state, without its generator. */
const cellsOf = ({ meta }: Rooms, state: Uint8Array): Uint32Array => {
  const { frame } = meta;
  const cells = frame.kind === 'grid' ? frame.width * frame.height : 0;
  return new Uint32Array(state.slice(8, 8 + 4 * cells).buffer);
};

/**
 * One map in ten, the start pose included. The hash is drawn from once more: numbers that a state holds twice, such as where the agent is and
 * where it began, leave the last bit of the hash alone.
 */
const isHeldMap = (state: Uint8Array): boolean => new Xorshift(hashName(state.subarray(8, state.length - 16).join())).draw(10) === 0;

/** Whether the episode of a seed is played under `split`. */
export function isPlayed(c: RoomConfig, rooms: Rooms, seed: number): boolean {
  if (c.split === 'all') return true;
  const state = rooms.begin(seed);
  const held =
    c.splitBy === 'map'
      ? isHeldMap(state)
      : askedFor(rooms.mission(state), cellsOf(rooms, state)).some((thing) => HELD_OUT.includes(thing));
  return held === (c.split === 'held-out');
}

/** Throws LabError('config-invalid') where `split` leaves no episode. */
export const checkPlayed = (c: RoomConfig, rooms: Rooms): void =>
  checkSome((seed) => isPlayed(c, rooms, seed), 'Hold out by map: things of this level have one colour.');
