/**
 * Makes a registry entry of a MinAtar game: settings, sticky actions, observation [10, 10, channels] of 0 and 1, frame and golden
 * hooks are the same for all; a game says how it starts, what an action does, and which cells are set.
 */
import { z } from 'zod';
import type { GridLayout, GridLook } from '#contract/game/frames.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { VersionChange } from '#contract/run/versions.ts';
import { defineEnv } from '../../api/define.ts';
import { Draws } from '../../api/draws.ts';
import { assemble } from '../../api/environment.ts';
import { soloMeta } from '../../api/meta.ts';
import { offerOf } from '../../api/offer.ts';
import { allocateRows, defineState } from '../../api/state.ts';
import type { DrawSource, EnvEntry, EnvMeta, Offer, StateField, StateSpec, StepBuffers } from '../../api/types.ts';
import { type Rule, ruled } from './experts.ts';
import { MINATAR, MINATAR_ACTIONS, MINATAR_KEYS, minatarDraws, minatarShape, SIZE, setCells } from './minatar.ts';

export const CELLS = SIZE * SIZE;

/** The state of one row, in the game's own numbers: word i of the game is words[at + i]. */
export interface Moment {
  readonly words: Uint32Array;
  at: number;
  row: number;
  readonly draws: Draws;
  readonly ramping: boolean;
}

export interface Channel {
  readonly name: string;
  readonly look: GridLook;
  /** Index into the six colours. */
  readonly colour: number;
  /** Of the look: a direction, for what flies. */
  readonly state?: number;
}

export interface Game extends Offer {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly agent: string;
  readonly channels: readonly Channel[];
  /** 1 without it, of the rules and of the state's bytes. */
  readonly version?: number;
  readonly stateVersion?: number;
  readonly changes?: readonly VersionChange[];
  /** u32 and i32 fields; the step counter and the last action come behind them. */
  readonly fields: readonly StateField[];
  /** What the board is a picture of, as its layout says it. */
  readonly board?: Pick<GridLayout, 'tint' | 'signs'>;
  readonly random: number;
  /** A rule that plays from what it sees, and its mean return with sticky actions. */
  readonly rule: Rule;
  readonly ruled: number;
  readonly evalMaxSteps: number;
  start(m: Moment): void;
  /** One step; returns 2 * reward + 1 if the game is over. */
  move(m: Moment, action: number): number;
  paint(m: Moment, put: (channel: number, row: number, column: number) => void): void;
  readonly draws?: (draws: JsonObject) => DrawSource;
  /** Turns other spellings of a state into the fields above. */
  readonly readState?: (json: JsonObject) => JsonObject;
}

const config = z.strictObject(minatarShape);
type Config = z.infer<typeof config>;

export const scalar = (name: string, doc: string): StateField => ({ name, type: 'u32', shape: [], doc });

export function gameWords(game: Pick<Game, 'fields'>): number {
  return game.fields.reduce((n, f) => n + f.shape.reduce((a, b) => a * b, 1), 0);
}

export function defineGame(game: Game): EnvEntry {
  const own = gameWords(game);
  const plain = defineState(
    game.stateVersion ?? 1,
    [...game.fields, scalar('lastAction', 'action before, for sticky actions'), scalar('steps', 'steps done in this episode')],
    ['lastAction'],
  );
  const { readState } = game;
  const state: StateSpec =
    readState === undefined
      ? plain
      : {
          ...plain,
          fromJSON: (json) => plain.fromJSON(typeof json === 'object' && json !== null ? readState(json as JsonObject) : json),
        };
  const C = game.channels.length;
  const frame: GridLayout = {
    kind: 'grid',
    width: SIZE,
    height: SIZE,
    stage: 'arcade',
    ...game.board,
    agents: 0,
    headings: false,
    looks: ['empty', ...game.channels.map((c) => c.look)],
    colours: ['red', 'green', 'blue', 'purple', 'yellow', 'grey'],
    view: 0,
  };
  const meta = ({ maxSteps }: Config): EnvMeta =>
    soloMeta({
      id: game.id,
      version: game.version ?? 1,
      agent: game.agent,
      obs: { kind: 'box', shape: [SIZE, SIZE, C], low: 0, high: 1 },
      action: MINATAR_ACTIONS,
      gamma: 0.99,
      maxSteps,
      evalMaxSteps: maxSteps || game.evalMaxSteps,
      state,
      frame,
      references: [
        { name: 'random', value: game.random, source: 'uniform actions with sticky actions 0.1, measured' },
        { name: 'rule of thumb', value: game.ruled, source: 'scripted policy "expert" with sticky actions 0.1, measured' },
      ],
      keys: MINATAR_KEYS,
      idleAction: 0,
      fps: 8,
    });
  return defineEnv<Config>({
    spec: {
      id: game.id,
      version: game.version ?? 1,
      changes: game.changes ?? [],
      title: game.title,
      summary: game.summary,
      source: MINATAR,
      config,
      presets: [
        { id: 'standard', title: 'sticky actions', config: {} },
        { id: 'sure', title: 'no sticky actions', config: { stickyActionProbability: 0 } },
      ],
      ...offerOf(game),
      meta,
    },
    create(c, batch, options) {
      const rows = allocateRows(state, batch);
      const { words, wordStride } = rows;
      const { stickyActionProbability: sticky, maxSteps } = c;
      const m: Moment = { words, at: 0, row: 0, draws: new Draws(rows.rng, options?.draws), ramping: c.difficultyRamping };
      const turnTo = (row: number) => {
        m.row = row;
        m.at = row * wordStride;
      };
      let target = new Float32Array(0);
      let base = 0;
      const putObs = (channel: number, row: number, column: number) => {
        target[base + (row * SIZE + column) * C + channel] = 1;
      };
      const putFrame = (channel: number, row: number, column: number) => {
        const at = (row * SIZE + column) * 3;
        target[at] = channel + 1;
        const { colour, state: heading = 0 } = game.channels[channel] as Channel;
        target[at + 1] = colour;
        target[at + 2] = heading;
      };
      const observe = (row: number, out: StepBuffers) => {
        turnTo(row);
        target = out.obs as Float32Array<ArrayBuffer>;
        base = row * CELLS * C;
        target.fill(0, base, base + CELLS * C);
        game.paint(m, putObs);
      };
      return assemble(meta(c), batch, rows, {
        start(row) {
          turnTo(row);
          words.fill(0, m.at, m.at + own + 2);
          game.start(m);
        },
        step(actions, out) {
          for (let row = 0; row < batch; row++) {
            turnTo(row);
            const last = m.at + own;
            let action = actions[row]!;
            if (sticky > 0 && m.draws.uniform(row, 'sticky') < sticky) action = words[last]!;
            words[last] = action;
            const steps = words[last + 1]! + 1;
            words[last + 1] = steps;
            const outcome = game.move(m, action);
            out.reward[row] = outcome >> 1;
            out.terminated[row] = outcome & 1;
            out.truncated[row] = steps === maxSteps && (outcome & 1) === 0 ? 1 : 0;
            observe(row, out);
          }
        },
        observe,
        frame(row, out) {
          turnTo(row);
          out.fill(0);
          target = out as Float32Array<ArrayBuffer>;
          game.paint(m, putFrame);
        },
        extras(row) {
          turnTo(row);
          const cells = game.channels.map(() => new Set<number>());
          game.paint(m, (channel, y, x) => cells[channel]?.add(y * SIZE + x));
          return { cells: cells.map((set) => setCells([...set].sort((a, b) => a - b))) };
        },
      });
    },
    policies: { expert: () => ruled(C, game.rule) },
    golden: { draws: game.draws ?? ((listed) => minatarDraws(listed)) },
  });
}
