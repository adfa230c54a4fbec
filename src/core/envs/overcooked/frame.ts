/** What the kitchen looks like: codes of floor, counter, food, box (pot), ball (dish, soup), goal (serving). */
import { amount, COOK_TIME, DISH, isSoup, type Kitchen, NOTHING, ONION, PLAYER_WORDS } from './kitchen.ts';

const COUNTER = 1;
const FOOD = 2;
const POT = 3;
const BALL = 4;
const SERVE = 5;
const RED = 0;
const GREEN = 1;
const YELLOW = 4;
const GREY = 5;
/** Directions of frames (0 right, 1 down, 2 left, 3 up) of N S E W. */
const DIRECTION = [3, 1, 0, 2] as const;

const lookOf = (thing: number) => (thing === NOTHING ? 0 : thing === DISH || isSoup(thing) ? BALL : FOOD);
const colourOf = (thing: number) => (thing === ONION ? YELLOW : thing === DISH ? GREY : isSoup(thing) ? GREEN : RED);

function potColour(tick: number, inside: number): number {
  if (tick > COOK_TIME) return GREEN;
  if (tick > 0) return RED;
  return inside > 0 ? YELLOW : GREY;
}

export function kitchenFrame(k: Kitchen, s: number, out: Float32Array): void {
  const { words } = k;
  out.fill(0);
  const set = (i: number, look: number, colour: number, state: number) => {
    out[3 * i] = look;
    out[3 * i + 1] = colour;
    out[3 * i + 2] = state;
  };
  for (let i = 0; i < k.tiles.length; i++) {
    const thing = words[s + k.things + i] as number;
    switch (k.tiles[i]) {
      case 'X':
        if (thing === NOTHING) set(i, COUNTER, GREY, 0);
        else set(i, lookOf(thing), colourOf(thing), 0);
        break;
      case 'O':
        set(i, FOOD, YELLOW, 0);
        break;
      case 'T':
        set(i, FOOD, RED, 0);
        break;
      case 'D':
        set(i, BALL, GREY, 0);
        break;
      case 'S':
        set(i, SERVE, GREEN, 0);
        break;
      case 'P':
        set(i, POT, potColour(words[s + k.ticks + i] as number, amount(thing)), amount(thing));
        break;
    }
  }
  for (let p = 0; p < 2; p++) {
    const me = s + PLAYER_WORDS * p;
    const at = 3 * k.tiles.length + 6 * p;
    const held = words[me + 3] as number;
    out[at] = words[me] as number;
    out[at + 1] = words[me + 1] as number;
    out[at + 2] = DIRECTION[words[me + 2] as number as 0];
    out[at + 3] = lookOf(held);
    out[at + 4] = held === NOTHING ? 0 : colourOf(held);
    out[at + 5] = 1;
  }
}
