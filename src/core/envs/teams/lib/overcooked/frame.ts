/** What the kitchen looks like: counters and what lies on them, crates that give, pots with their state, two cooks. */
import type { GridLook } from '#contract/game/frames.ts';
import { amount, COOK_TIME, DISH, isSoup, type Kitchen, NOTHING, ONION, PLAYER_WORDS } from './kitchen.ts';

export const KITCHEN_LOOKS: readonly GridLook[] = ['empty', 'counter', 'onion', 'tomato', 'dish', 'soup', 'pot', 'dispenser', 'serving'];
const code = (look: GridLook) => KITCHEN_LOOKS.indexOf(look);
const COUNTER = code('counter');
const POT = code('pot');
const DISPENSER = code('dispenser');
const SERVING = code('serving');
const ONION_LOOK = code('onion');
const TOMATO_LOOK = code('tomato');
const DISH_LOOK = code('dish');
const SOUP_LOOK = code('soup');
const RED = 0;
const GREEN = 1;
const YELLOW = 4;
const GREY = 5;
/** Directions of frames (0 right, 1 down, 2 left, 3 up) of N S E W. */
const DIRECTION = [3, 1, 0, 2] as const;

const lookOf = (thing: number) =>
  thing === NOTHING ? 0 : isSoup(thing) ? SOUP_LOOK : thing === DISH ? DISH_LOOK : thing === ONION ? ONION_LOOK : TOMATO_LOOK;
const colourOf = (thing: number) => (isSoup(thing) ? YELLOW : thing === ONION ? YELLOW : thing === DISH ? GREY : RED);
/** Ingredients, + 10 while they cook, + 20 when done. */
const potState = (tick: number, inside: number) => inside + (tick > COOK_TIME ? 20 : tick > 0 ? 10 : 0);

export function kitchenFrame(k: Kitchen, s: number, out: Float32Array): void {
  const { words } = k;
  out.fill(0);
  const set = (i: number, look: number, colour: number, state: number) => {
    out[3 * i] = look;
    out[3 * i + 1] = colour;
    out[3 * i + 2] = state;
  };
  for (let i = 0; i < k.tiles.length; i++) {
    const thing = words[s + k.things + i]!;
    switch (k.tiles[i]) {
      case 'X':
        if (thing === NOTHING) set(i, COUNTER, GREY, 0);
        else set(i, lookOf(thing), colourOf(thing), 0);
        break;
      case 'O':
        set(i, DISPENSER, YELLOW, ONION_LOOK);
        break;
      case 'T':
        set(i, DISPENSER, RED, TOMATO_LOOK);
        break;
      case 'D':
        set(i, DISPENSER, GREY, DISH_LOOK);
        break;
      case 'S':
        set(i, SERVING, GREEN, 0);
        break;
      case 'P':
        set(i, POT, GREY, potState(words[s + k.ticks + i]!, amount(thing)));
        break;
    }
  }
  for (let p = 0; p < 2; p++) {
    const me = s + PLAYER_WORDS * p;
    const at = 3 * k.tiles.length + 6 * p;
    const held = words[me + 3]!;
    out[at] = words[me]!;
    out[at + 1] = words[me + 1]!;
    out[at + 2] = DIRECTION[words[me + 2]! as 0];
    out[at + 3] = lookOf(held);
    out[at + 4] = held === NOTHING ? 0 : colourOf(held);
    out[at + 5] = 1;
  }
}
