/**
 * Predators hunt prey that walks at random: it is captured when enough of its neighbours choose to catch it in the same step; a lone
 * try is penalised, so that learners stop trying while the others do not join. Obs per predator [side, side, 3] around it: predators
 * (itself too), prey, walls and what lies outside. Actions right, down, left, up, stay, catch; a mask forbids walls, and catching
 * where no prey is beside. A step: predators move one after another in random order, into free cells only; then each prey, in random
 * order: with `hunters` neighbours catching it is captured (10 for all, the captors leave), with fewer `missPenalty` is taken from
 * all; if it lives, it moves to a random free cell beside it. Option `surround`: captured when it cannot move. The reward is shared.
 * Terminates when no prey or no predator is left; truncates at `maxSteps`. Central state: predators, prey, walls.
 * Source: Boehmer, Kurin and Whiteson 2020; `wendelinboehmer/dcg` at d342ae1 `src/envs/stag_hunt.py`, `rel_overgen.yaml`. Differs:
 * walls are seen; on the torus one also catches across the edge.
 */

import { checkMaps } from '#contract/game/map-check.ts';
import { fail } from '#contract/kit/errors.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { allocateRows } from '../api/state.ts';
import type { StepBuffers } from '../api/types.ts';
import { CATCH, type Config, config, fieldOf, LAYERS, meta, presets, STAY } from './lib/hunt/config.ts';
import { neighbours } from './lib/hunt/field.ts';
import { loners, pack } from './lib/hunt/policies.ts';

export const predatorPrey = defineEnv<Config>({
  spec: {
    id: 'predator-prey',
    version: 1,
    title: 'Predator and prey',
    summary: 'Prey must be caught by two at once; a lone attempt costs the whole team.',
    source: {
      title: 'Deep coordination graphs',
      authors: 'Boehmer, Kurin and Whiteson',
      year: 2020,
      url: 'https://arxiv.org/abs/1910.00091',
    },
    config,
    checkNew: checkMaps,
    presets,
    meta,
  },
  create(c, batch, options) {
    const m = meta(c);
    const { width, height, letters } = fieldOf(c);
    const cells = width * height;
    const A = c.predators;
    const M = c.prey;
    const R = c.viewRadius;
    const O = m.obsSize;
    const N = m.actionCount;
    const rows = allocateRows(m.state, batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    const [PREY, LEFT, CAUGHT, STEPS] = [rows.offset('prey'), rows.offset('left'), rows.offset('caught'), rows.offset('steps')];
    const walls = Uint8Array.from(letters, (letter) => (letter === '#' ? 1 : 0));
    const startsOf = (letter: string, needed: number) => {
      const painted = [...letters].flatMap((l, cell) => (l === letter ? [cell] : []));
      return Int32Array.from(painted.length >= needed ? painted : [...walls.keys()].filter((cell) => walls[cell] === 0));
    };
    const dens = startsOf('P', A);
    const meadows = startsOf('Q', M);
    const stands = Array.from({ length: batch }, () => new Int32Array(cells)); // derived: predator + 1, or A + 1 + prey
    const order = new Int32Array(Math.max(A, M));
    const ways = new Int32Array(4);

    const cellAt = (at: number) => words[at]! * width + words[at + 1]!;
    const put = (at: number, cell: number) => {
      words[at] = Math.floor(cell / width);
      words[at + 1] = cell % width;
    };
    const beside = neighbours(c);
    const shuffled = (row: number, n: number, name: string) => {
      for (let i = 0; i < n; i++) order[i] = i;
      for (let i = n - 1; i > 0; i--) {
        const k = draws.int(row, i + 1, name);
        const t = order[i]!;
        order[i] = order[k]!;
        order[k] = t;
      }
    };
    const settle = (row: number) => {
      const s = row * wordStride;
      const here = stands[row] as Int32Array;
      here.fill(0);
      for (let i = 0; i < A; i++) if (words[s + LEFT + i] === 0) here[cellAt(s + 2 * i)] = i + 1;
      for (let k = 0; k < M; k++) if (words[s + CAUGHT + k] === 0) here[cellAt(s + PREY + 2 * k)] = A + 1 + k;
    };
    const isPredator = (who: number) => who > 0 && who <= A;

    const observe = (row: number, out: StepBuffers) => {
      const s = row * wordStride;
      const here = stands[row] as Int32Array;
      for (let i = 0; i < A; i++) {
        const slot = row * A + i;
        const away = words[s + LEFT + i] === 1;
        if (out.alive) out.alive[slot] = away ? 0 : 1;
        out.obs.fill(0, slot * O, (slot + 1) * O);
        if (out.mask) {
          const cell = cellAt(s + 2 * i);
          let prey = false;
          for (let d = 0; d < 4; d++) {
            const next = beside(cell, d);
            if (next >= 0 && here[next]! > A) prey = true;
            out.mask[slot * N + d] = !away && next >= 0 ? 1 : 0;
          }
          out.mask[slot * N + STAY] = 1;
          if (N > CATCH) out.mask[slot * N + CATCH] = !away && prey ? 1 : 0;
        }
        if (away) continue;
        const [y0, x0] = [words[s + 2 * i]! - R, words[s + 2 * i + 1]! - R];
        let at = slot * O;
        for (let dy = 0; dy <= 2 * R; dy++)
          for (let dx = 0; dx <= 2 * R; dx++, at += LAYERS) {
            let [y, x] = [y0 + dy, x0 + dx];
            if (c.torus) {
              y = (y + R * height) % height;
              x = (x + R * width) % width;
            }
            const outside = y < 0 || x < 0 || y >= height || x >= width;
            const who = outside ? 0 : here[y * width + x]!;
            if (outside || walls[y * width + x] === 1) out.obs[at + 2] = 1;
            else if (who > 0) out.obs[at + (isPredator(who) ? 0 : 1)] = 1;
          }
      }
      if (!out.state) return;
      const at = row * LAYERS * cells;
      for (let cell = 0; cell < cells; cell++) {
        const who = here[cell]!;
        out.state[at + cell] = isPredator(who) ? 1 : 0;
        out.state[at + cells + cell] = who > A ? 1 : 0;
        out.state[at + 2 * cells + cell] = walls[cell]!;
      }
    };

    /** Predators beside a cell that count for a capture. */
    const hunters = (row: number, cell: number, actions: { readonly [slot: number]: number }): number => {
      let count = 0;
      for (let i = 0; i < A; i++) if (hunts(row, i, cell, actions)) count++;
      return count;
    };
    const hunts = (row: number, i: number, cell: number, actions: { readonly [slot: number]: number }): boolean => {
      const s = row * wordStride;
      if (words[s + LEFT + i] === 1 || (c.capture === 'catch' && actions[row * A + i] !== CATCH)) return false;
      const own = cellAt(s + 2 * i);
      return beside(cell, 0) === own || beside(cell, 1) === own || beside(cell, 2) === own || beside(cell, 3) === own;
    };
    /** What one prey does, and what that brings to all. */
    const preyTurn = (row: number, k: number, actions: { readonly [slot: number]: number }): number => {
      const s = row * wordStride;
      const here = stands[row] as Int32Array;
      const at = s + PREY + 2 * k;
      const cell = cellAt(at);
      let open = 0;
      for (let d = 0; d < 4; d++) {
        const next = beside(cell, d);
        if (next >= 0 && here[next] === 0) ways[open++] = next;
      }
      const count = hunters(row, cell, actions);
      if (c.capture === 'catch' ? count >= c.hunters : open === 0 && count > 0) {
        words[s + CAUGHT + k] = 1;
        here[cell] = 0;
        for (let i = 0; c.captorsLeave && i < A; i++)
          if (hunts(row, i, cell, actions)) {
            words[s + LEFT + i] = 1;
            here[cellAt(s + 2 * i)] = 0;
          }
        return c.catchReward;
      }
      if (open > 0 && !(c.preyRests > 0 && draws.uniform(row, 'rest') < c.preyRests)) {
        const to = ways[draws.int(row, open, 'prey')]!;
        here[cell] = 0;
        here[to] = A + 1 + k;
        put(at, to);
      }
      return c.capture === 'catch' && count > 0 ? -c.missPenalty : 0;
    };
    const all = (from: number, count: number) => {
      for (let i = 0; i < count; i++) if (words[from + i] === 0) return false;
      return true;
    };

    return assemble(m, batch, rows, {
      start(row) {
        const s = row * wordStride;
        words.fill(0, s, s + STEPS + 1);
        const here = stands[row] as Int32Array;
        here.fill(0);
        const place = (at: number, starts: Int32Array, mark: number, name: string) => {
          let cell = 0;
          do cell = starts[draws.int(row, starts.length, name)]!;
          while (here[cell] !== 0);
          here[cell] = mark;
          put(at, cell);
        };
        for (let i = 0; i < A; i++) place(s + 2 * i, dens, i + 1, 'predator');
        for (let k = 0; k < M; k++) place(s + PREY + 2 * k, meadows, A + 1 + k, 'prey start');
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const here = stands[row] as Int32Array;
          shuffled(row, A, 'order of predators');
          for (let n = 0; n < A; n++) {
            const i = order[n]!;
            const action = actions[row * A + i]!;
            if (action >= STAY || words[s + LEFT + i] === 1) continue;
            const from = cellAt(s + 2 * i);
            const to = beside(from, action);
            if (to < 0 || here[to] !== 0) continue;
            here[from] = 0;
            here[to] = i + 1;
            put(s + 2 * i, to);
          }
          let reward = 0;
          shuffled(row, M, 'order of prey');
          for (let n = 0; n < M; n++) if (words[s + CAUGHT + order[n]!] === 0) reward += preyTurn(row, order[n]!, actions);
          const steps = words[s + STEPS]! + 1;
          words[s + STEPS] = steps;
          const done = all(s + CAUGHT, M) || all(s + LEFT, A);
          out.reward.fill(reward, row * A, (row + 1) * A);
          out.terminated[row] = done ? 1 : 0;
          out.truncated[row] = !done && steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        const taken = new Set<number>();
        for (let n = 0; n < A + M; n++) {
          const name = n < A ? 'predators' : 'prey';
          const at = n < A ? s + 2 * n : s + PREY + 2 * (n - A);
          checkCell(words[at]!, height, name);
          checkCell(words[at + 1]!, width, name);
          checkCell(words[n < A ? s + LEFT + n : s + CAUGHT + n - A]!, 2, n < A ? 'left' : 'caught');
          if (words[n < A ? s + LEFT + n : s + CAUGHT + n - A] === 1) continue;
          const cell = cellAt(at);
          if (walls[cell] === 1 || taken.has(cell))
            throw fail('state-invalid', `State field "${name}" has one in a wall or on another.`, 'Use free cells, one for each.', name);
          taken.add(cell);
        }
        settle(row);
      },
      frame(row, out) {
        const s = row * wordStride;
        out.fill(0);
        for (let cell = 0; cell < cells; cell++) out[3 * cell] = walls[cell]!;
        for (let n = 0; n < A + M; n++) {
          const at = n < A ? s + 2 * n : s + PREY + 2 * (n - A);
          const to = 3 * cells + 6 * n;
          out[to] = words[at + 1]!;
          out[to + 1] = words[at]!;
          out[to + 5] = words[n < A ? s + LEFT + n : s + CAUGHT + n - A] === 0 ? 1 : 0;
        }
      },
      extras(row) {
        const s = row * wordStride;
        return {
          left: Array.from(words.subarray(s + LEFT, s + LEFT + A)),
          caught: Array.from(words.subarray(s + CAUGHT, s + CAUGHT + M)),
        };
      },
      cellOf: (row) => cellAt(row * wordStride),
      placements(row) {
        const s = row * wordStride;
        const own = cellAt(s);
        const here = stands[row] as Int32Array;
        const out: { cell: number; state: Uint8Array }[] = [];
        for (let cell = 0; cell < cells; cell++) {
          if (walls[cell] === 1 || here[cell]! > 1) continue;
          put(s, cell);
          out.push({ cell, state: rows.save(row) });
        }
        put(s, own);
        return out;
      },
    });
  },
  policies: { pack, loners },
});
