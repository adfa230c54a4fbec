/** States as golden files write them: names for facing and things, a list of the objects that lie somewhere. Throws 'state-invalid'. */
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { amount, COOK_TIME, DISH, FULL, isSoup, type Kitchen, NOTHING, ONION, onions, soup, TOMATO, tomatoes } from './kitchen.ts';

const FACING = ['N', 'S', 'E', 'W'];
const NAMES = new Map([
  ['onion', ONION],
  ['tomato', TOMATO],
  ['dish', DISH],
]);

interface Written {
  readonly name: string;
  readonly pos: readonly [number, number];
  readonly ingredients?: readonly string[];
  readonly tick?: number;
}

function wrong(what: string): Error {
  return fail('state-invalid', `State: ${what}.`, 'Compare with the notation of Overcooked states.');
}

/** A soup without a list of ingredients is one of three onions. */
function codeOf(name: string, ingredients: readonly string[] | undefined): number {
  if (name === 'soup') {
    const list = ingredients ?? ['onion', 'onion', 'onion'];
    return soup(list.filter((i) => i === 'onion').length, list.filter((i) => i === 'tomato').length);
  }
  const code = NAMES.get(name);
  if (code === undefined) throw wrong(`"${name}" is nothing to hold`);
  return code;
}

function nameOf(thing: number): string | null {
  if (thing === NOTHING) return null;
  if (isSoup(thing)) return 'soup';
  return [...NAMES].find(([, code]) => code === thing)?.[0] ?? null;
}

export function fromGolden(json: JsonObject, k: Kitchen): JsonObject {
  const objects = new Array<number>(k.tiles.length).fill(0);
  const ticks = new Array<number>(k.tiles.length).fill(0);
  for (const o of (json.objects ?? []) as unknown as readonly Written[]) {
    const at = o.pos[1] * k.width + o.pos[0];
    objects[at] = codeOf(o.name, o.ingredients);
    if (k.tiles[at] === 'P') ticks[at] = (o.tick ?? -1) + 1;
  }
  const players = (json.players as readonly JsonObject[]).map((p) => {
    const [x = 0, y = 0] = p.pos as readonly number[];
    const facing = FACING.indexOf(String(p.facing));
    if (facing < 0) throw wrong(`"${String(p.facing)}" is no direction`);
    const held = p.holds as string | Written | null | undefined;
    const code =
      held === null || held === undefined
        ? NOTHING
        : typeof held === 'string'
          ? codeOf(held, undefined)
          : codeOf(held.name, held.ingredients);
    return [x, y, facing, code];
  });
  return { players, objects, ticks };
}

export function toGolden(json: JsonObject, k: Kitchen): JsonObject {
  const players = (json.players as readonly (readonly number[])[]).map(([x = 0, y = 0, facing = 0, held = 0]) => ({
    pos: [x, y],
    facing: FACING[facing] as string,
    holds: nameOf(held),
  }));
  const things = (json.objects as readonly (readonly number[])[]).flat();
  const ticks = (json.ticks as readonly (readonly number[])[]).flat();
  const objects = things.flatMap((thing, i): JsonObject[] => {
    if (thing === NOTHING) return [];
    const pos = [i % k.width, Math.floor(i / k.width)];
    const name = nameOf(thing) as string;
    if (!isSoup(thing)) return [{ pos, name }];
    const tick = k.tiles[i] === 'P' ? ticks[i]! - 1 : COOK_TIME;
    const ingredients = [...new Array<string>(onions(thing)).fill('onion'), ...new Array<string>(tomatoes(thing)).fill('tomato')];
    const ready = tick >= COOK_TIME && amount(thing) <= FULL;
    return [{ pos, name, ingredients, cooking: tick >= 0 && !ready, ready, tick }];
  });
  return { players, objects };
}
