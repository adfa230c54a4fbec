/**
 * Foragers of different levels must load food together: a food goes when the levels of those who load next to it reach its own.
 * Level-Based Foraging v3. Obs per player: teams/lib/foraging/observe.ts. Actions none, north, south, west, east, load; impossible ones
 * become none. Moves: a cell that more than one claims (standing still claims too) stays unentered; swaps pass; a player may end
 * on one who wanted to leave and could not, as in the reference. Reward of a loader: level * food / (levels of the loaders * all
 * food at the start), without normalisation level * food; a failed load costs `penalty`. Ends when no food is left or at `maxSteps`
 * (terminated, as in the reference). Differs: `playerLevels` given in the config are each player's own; the reference deals them out anew
 * at each reset. Central state: all observations.
 * Source: Christianos et al. 2020; `uoe-agents/lb-foraging` at 1252b55 `lbforaging/foraging/environment.py`.
 */
import { checkMaps } from '#contract/game/map-check.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows } from '../api/state.ts';
import type { StepBuffers } from '../api/types.ts';
import { type Config, config, fieldOf, meta, presets } from './lib/foraging/config.ts';
import { expert } from './lib/foraging/expert.ts';
import { BORDER, type Forage, foodBeside, forageAll, movesOf } from './lib/foraging/forage.ts';
import { FORAGERS, forager } from './lib/foraging/forager.ts';
import { movePlayers, seesAll, writeLayers, writeVector } from './lib/foraging/observe.ts';

const TRIES = 1000;
const MAX_PLAYER_LEVEL = 2;

export const levelBasedForaging = defineEnv<Config>({
  spec: {
    id: 'level-based-foraging',
    version: 1,
    title: 'Level-based foraging',
    summary: 'Foragers must come together to load food that is too heavy for one.',
    source: {
      title: 'Benchmarking multi-agent deep reinforcement learning algorithms in cooperative tasks',
      authors: 'Papoudakis et al.',
      year: 2021,
      url: 'https://arxiv.org/abs/2006.07869',
    },
    config,
    checkNew: checkMaps,
    presets,
    meta,
  },
  create(c, batch, options) {
    const m = meta(c);
    const f = fieldOf(c);
    const { rows: height, columns: width } = f;
    const stride = width + 2;
    const cells = (height + 2) * stride; // with the border
    const A = c.players;
    const F = f.foods;
    const O = m.obsSize;
    const rows = allocateRows(m.state, batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const food = new Uint8Array(batch * cells).fill(BORDER);
    const order = new Uint8Array(batch * F); // foods row by row, derived
    const FOODS = 3 * A;
    const TOTAL = FOODS + 3 * F;
    const STEPS = TOTAL + 1;
    const moves = movesOf(stride);
    const forage: Forage = {
      words,
      wordStride,
      food,
      cells,
      width: stride,
      moves,
      players: A,
      foods: F,
      penalty: c.penalty,
      normalise: c.normalizeReward,
      maxSteps: c.maxSteps,
      left: new Int32Array(batch),
      changed: new Uint8Array(batch),
      from: new Int32Array(A),
      to: new Int32Array(A),
      loading: new Uint8Array(A),
      helping: new Uint8Array(A),
    };
    const quick = seesAll(f) && !c.gridObservation;
    let known: StepBuffers | null = null; // the buffers whose rows are written in full
    const place = (row: number, y: number, x: number) => row * cells + (y + 1) * stride + x + 1;
    const empty = (row: number) => {
      for (let y = 0; y < height; y++) food.fill(0, place(row, y, 0), place(row, y, width));
    };
    const levelAt = (row: number, y: number, x: number): number => {
      if (y < 0 || x < 0 || y >= height || x >= width) return 0;
      return food[place(row, y, x)]!;
    };

    const observe = (row: number, out: StepBuffers) => {
      const s = row * wordStride;
      if (out !== known) known = null; // this row is newer there than in the buffers known
      for (let i = 0; i < A; i++) {
        if (c.gridObservation) writeLayers(f, words, s, food, row * cells, i, out.obs, (row * A + i) * O);
        else writeVector(f, words, s, order, row * F, i, out.obs, (row * A + i) * O);
      }
      if (out.alive) out.alive.fill(1, row * A, (row + 1) * A);
      if (out.state) {
        const from = row * A * O;
        for (let i = from; i < from + A * O; i++) out.state[i] = out.obs[i]!;
      }
    };
    const valid = (row: number, y: number, x: number, action: number): boolean => {
      if (action === 0) return true;
      const at = place(row, y, x);
      return action === 5 ? foodBeside(food, at, stride) >= 0 : food[at + moves[action]!] === 0;
    };
    const sortFoods = (row: number) => {
      const rank = (i: number) => {
        const at = row * wordStride + FOODS + 3 * i;
        return words[at]! * width + words[at + 1]!;
      };
      for (let i = 0; i < F; i++) {
        let k = row * F + i;
        for (; k > row * F && rank(order[k - 1]!) > rank(i); k--) order[k] = order[k - 1]!;
        order[k] = i;
      }
    };

    /** A food may not touch another one nor stand two cells straight from one, nor at the border. */
    const clear = (row: number, y: number, x: number): boolean => {
      for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) if (levelAt(row, y + dy, x + dx) > 0) return false;
      return levelAt(row, y - 2, x) + levelAt(row, y + 2, x) + levelAt(row, y, x - 2) + levelAt(row, y, x + 2) === 0;
    };
    const taken = (s: number, y: number, x: number, players: number): boolean => {
      for (let i = 0; i < players; i++) if (words[s + 3 * i] === y && words[s + 3 * i + 1] === x) return true;
      return false;
    };

    /** Whether a map of one's own has a food or the start of a player there. */
    const reserved = (y: number, x: number): boolean => {
      const letter = c.map?.[y]?.[x];
      return letter !== undefined && letter !== '.';
    };
    const put = (row: number, s: number, k: number, y: number, x: number, level: number) => {
      food[place(row, y, x)] = level;
      words[s + FOODS + 3 * k] = y;
      words[s + FOODS + 3 * k + 1] = x;
      words[s + FOODS + 3 * k + 2] = level;
    };

    /** Sum of the three lowest player levels: the heaviest food that can come. */
    const lowestThree = (s: number): number => {
      let sum = 0;
      for (let i = 0; i < A; i++) {
        const level = words[s + 3 * i + 2]!;
        let before = 0; // players that count before this one
        for (let k = 0; k < A; k++) {
          const other = words[s + 3 * k + 2]!;
          if (other < level || (other === level && k < i)) before++;
        }
        if (before < 3) sum += level;
      }
      return sum;
    };

    return assemble(m, batch, rows, {
      start(row) {
        const s = row * wordStride;
        empty(row);
        words.fill(0, s, s + STEPS + 1);
        for (let i = 0; i < A; i++) {
          words[s + 3 * i + 2] = c.playerLevels?.[i] ?? 1 + draws.int(row, MAX_PLAYER_LEVEL, 'player level');
          const at = f.starts[i];
          let [y, x] = at ?? [0, 0];
          while (at === undefined) {
            y = draws.int(row, height, 'player row');
            x = draws.int(row, width, 'player column');
            if (!taken(s, y, x, i) && !reserved(y, x)) break;
          }
          words[s + 3 * i] = y;
          words[s + 3 * i + 1] = x;
        }
        const most = lowestThree(s);
        let count = 0;
        let total = 0;
        for (const [y, x, level] of f.given ?? []) {
          put(row, s, count++, y, x, level);
          total += level;
        }
        for (let attempt = 0; f.given === null && attempt < TRIES && count < F; attempt++) {
          const y = 1 + draws.int(row, height - 2, 'food row');
          const x = 1 + draws.int(row, width - 2, 'food column');
          if (!clear(row, y, x) || taken(s, y, x, A)) continue;
          const level = c.coop ? most : 1 + draws.int(row, most, 'food level');
          put(row, s, count++, y, x, level);
          total += level;
        }
        words[s + TOTAL] = total;
        forage.left[row] = count;
        sortFoods(row);
      },
      step(actions, out) {
        const { changed } = forage;
        changed.fill(quick && out === known ? 0 : 1);
        forageAll(forage, batch, actions, out);
        if (quick) movePlayers(f, words, wordStride, batch, changed, out.obs, out.state);
        for (let row = 0; row < batch; row++) if (changed[row] === 1) observe(row, out);
        known = out;
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        empty(row);
        for (let i = 0; i < A; i++) {
          checkCell(words[s + 3 * i]!, height, 'players');
          checkCell(words[s + 3 * i + 1]!, width, 'players');
        }
        let sum = 0;
        forage.left[row] = 0;
        for (let i = 0; i < F; i++) {
          const at = s + FOODS + 3 * i;
          checkCell(words[at]!, height, 'foods');
          checkCell(words[at + 1]!, width, 'foods');
          checkCell(words[at + 2]!, BORDER, 'foods');
          if (words[at + 2] === 0) continue;
          food[place(row, words[at]!, words[at + 1]!)] = words[at + 2]!;
          sum += words[at + 2]!;
          forage.left[row] = forage.left[row]! + 1;
        }
        if (words[s + TOTAL] === 0) words[s + TOTAL] = sum;
        sortFoods(row);
      },
      frame(row, out) {
        const s = row * wordStride;
        const tiles = height * width;
        for (let i = 0; i < tiles; i++) {
          const level = levelAt(row, Math.floor(i / width), i % width);
          out[3 * i] = level > 0 ? 1 : 0;
          out[3 * i + 1] = 0;
          out[3 * i + 2] = level;
        }
        for (let i = 0; i < A; i++) {
          const at = 3 * tiles + 6 * i;
          out[at] = words[s + 3 * i + 1]!;
          out[at + 1] = words[s + 3 * i]!;
          out[at + 2] = 0;
          out[at + 3] = 0;
          out[at + 4] = 0;
          out[at + 5] = 1;
          out[3 * tiles + 6 * A + i] = words[s + 3 * i + 2]!;
        }
      },
      extras(row) {
        const s = row * wordStride;
        const players = Array.from({ length: A }, (_, i) => [words[s + 3 * i]!, words[s + 3 * i + 1]!] as const);
        let left = 0;
        for (let i = 0; i < F; i++) left += words[s + FOODS + 3 * i + 2]!;
        return {
          state: { playerPos: players, foodLeft: left },
          validActions: players.map(([y, x]) => [0, 1, 2, 3, 4, 5].filter((a) => valid(row, y, x, a))),
        };
      },
      cellOf: (row) => words[row * wordStride]! * width + words[row * wordStride + 1]!,
      placements(row) {
        const s = row * wordStride;
        const [y, x] = [words[s]!, words[s + 1]!];
        const out: { cell: number; state: Uint8Array }[] = [];
        for (let cell = 0; cell < height * width; cell++) {
          words[s] = Math.floor(cell / width);
          words[s + 1] = cell % width;
          let free = levelAt(row, Math.floor(cell / width), cell % width) === 0;
          for (let i = 1; i < A; i++) if (words[s + 3 * i] === words[s] && words[s + 3 * i + 1] === words[s + 1]) free = false;
          if (free) out.push({ cell, state: rows.save(row) });
        }
        words[s] = y;
        words[s + 1] = x;
        return out;
      },
    });
  },
  policies: {
    expert: (c) => expert(fieldOf(c)),
    ...Object.fromEntries(Object.entries(FORAGERS).map(([name, dials]) => [name, (c: Config) => forager(fieldOf(c), dials)])),
  },
});
