/** What can be seen of a row from outside: frames, what golden files list, cells, and where else the agent could stand. */
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { Core } from '../../api/environment.ts';
import type { StateRows } from '../../api/state.ts';
import { colourOf, DOOR, EMPTY, FLOOR, OPEN, objectOf, seenOf, stateOf } from './cells.ts';
import { CARRYING, DIR, RULE_A, RULE_B, SENTENCE, X, Y } from './state.ts';
import type { Viewer } from './view.ts';
import type { World } from './world.ts';

export function inspectors(
  world: World,
  rows: StateRows,
  viewer: Viewer,
): Pick<Core, 'frame'> & Required<Pick<Core, 'extras' | 'cellOf' | 'placements'>> {
  const { width, height, viewSize } = world;
  const { words, wordStride } = rows;
  const cells = width * height;
  const image = viewSize * viewSize * 3;
  return {
    frame(row, out) {
      const base = row * wordStride;
      const s = base + cells;
      for (let i = 0; i < cells; i++) {
        const word = seenOf(words[base + i]!);
        out[3 * i] = word & 15;
        out[3 * i + 1] = (word >>> 4) & 7;
        out[3 * i + 2] = word >>> 7;
      }
      const held = words[s + CARRYING]!;
      const at = 3 * cells;
      out[at] = words[s + X]!;
      out[at + 1] = words[s + Y]!;
      out[at + 2] = words[s + DIR]!;
      out[at + 3] = objectOf(held);
      out[at + 4] = colourOf(held);
      out[at + 5] = 1;
    },
    extras(row): JsonObject {
      const base = row * wordStride;
      const s = base + cells;
      const flat = new Float32Array(image);
      viewer.look(words, base, words[s + X]!, words[s + Y]!, words[s + DIR]!, words[s + CARRYING]!, flat, 0);
      const nested: Json[] = Array.from({ length: viewSize }, (_, i) =>
        Array.from({ length: viewSize }, (__, j) => Array.from(flat.subarray((i * viewSize + j) * 3, (i * viewSize + j) * 3 + 3))),
      );
      return {
        image: nested,
        direction: words[s + DIR]!,
        mission: world.mission(words[s + RULE_A]!, words[s + RULE_B]!, words, s + SENTENCE),
      };
    },
    cellOf(row) {
      const s = row * wordStride + cells;
      return words[s + Y]! * width + words[s + X]!;
    },
    placements(row) {
      const base = row * wordStride;
      const s = base + cells;
      const x = words[s + X]!;
      const y = words[s + Y]!;
      const out: { cell: number; state: Uint8Array }[] = [];
      for (let i = 0; i < cells; i++) {
        const word = words[base + i]!;
        const object = objectOf(word);
        if (object !== EMPTY && object !== FLOOR && !(object === DOOR && stateOf(word) === OPEN)) continue;
        words[s + X] = i % width;
        words[s + Y] = Math.floor(i / width);
        out.push({ cell: i, state: rows.save(row) });
      }
      words[s + X] = x;
      words[s + Y] = y;
      return out;
    },
  };
}
