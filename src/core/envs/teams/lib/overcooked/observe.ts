/**
 * The lossless encoding [width, height, 26] of one player: 0 own place, 1 the other's, 2-5 own facing (N S E W) at the own place, 6-9
 * the other's, 10-15 pots, counters, onions, tomatoes, dishes, serving tiles, 16-17 onions and tomatoes in pots that do not cook yet,
 * 18-19 in soups, 20 ticks left, 21 soups that are ready, 22-24 dishes, onions, tomatoes outside, 25 the last 40 steps.
 */
import { amount, COOK_TIME, DISH, isSoup, type Kitchen, NOTHING, ONION, onions, PLAYER_WORDS, tomatoes } from './kitchen.ts';

export const LAYERS = 26;
const URGENT = 40;
const TERRAIN = 'PXOTDS';

export function encode(k: Kitchen, s: number, player: number, stepsLeft: number, out: Float32Array, at: number): void {
  const { words, width, height } = k;
  const tiles = k.tiles.length;
  out.fill(0, at, at + tiles * LAYERS);
  const place = (x: number, y: number) => at + (x * height + y) * LAYERS;
  const put = (thing: number, cell: number, idle: boolean, left: number) => {
    if (thing === NOTHING) return;
    if (!isSoup(thing)) {
      const layer = cell + (thing === DISH ? 22 : thing === ONION ? 23 : 24);
      out[layer] = out[layer]! + 1;
      return;
    }
    out[cell + (idle ? 16 : 18)] = out[cell + (idle ? 16 : 18)]! + onions(thing);
    out[cell + (idle ? 17 : 19)] = out[cell + (idle ? 17 : 19)]! + tomatoes(thing);
    if (idle) return;
    out[cell + 20] = left;
    if (left === 0) out[cell + 21] = 1;
  };
  for (let i = 0; i < tiles; i++) {
    const cell = place(i % width, Math.floor(i / width));
    const terrain = TERRAIN.indexOf(k.tiles[i] as string);
    if (terrain >= 0) out[cell + 10 + terrain] = 1;
    const thing = words[s + k.things + i]!;
    if (terrain !== 0) put(thing, cell, false, 0);
    else if (amount(thing) > 0) {
      const tick = words[s + k.ticks + i]!;
      put(thing, cell, tick === 0, Math.max(0, COOK_TIME + 1 - tick));
    }
    if (stepsLeft < URGENT) out[cell + 25] = 1;
  }
  for (let p = 0; p < 2; p++) {
    const me = s + PLAYER_WORDS * p;
    const cell = place(words[me]!, words[me + 1]!);
    const role = p === player ? 0 : 1;
    out[cell + role] = 1;
    out[cell + 2 + 4 * role + words[me + 2]!] = 1;
    put(words[me + 3]!, cell, false, 0);
  }
}
