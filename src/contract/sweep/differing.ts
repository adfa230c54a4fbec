/**
 * Set-ups that can differ. A field of a kind that is not chosen acts nowhere, so combinations that differ in such fields alone are one set-up:
 * the first of them is run, without these fields, and stands for the others. What is left out is listed with the reason.
 */
import { gridSize, type Point, type Value } from '#math/search/space.ts';
import { groupBy } from '../kit/group-by.ts';
import { isObject, type Json, type JsonObject } from '../kit/json.ts';
import { listed } from '../kit/listed.ts';
import { mayBeLeftOut } from '../run/at-rest.ts';
import type { RunConfig } from '../run/config.ts';
import { configHash } from '../run/config-hash.ts';
import { nestedPath } from '../run/flat-settings.ts';
import { readPath } from '../run/paths.ts';
import { bad, type Sweep, valuesOf, withValues } from './sweep.ts';

type Values = { readonly [name: string]: Value };
type Complete = (config: Json) => RunConfig | Promise<RunConfig>;

/** A combination that is not run. */
export interface LeftOut {
  readonly values: Values;
  /** Number of the set-up that stands for it. */
  readonly like: number;
  /** Fields that do not act in it, each with the setting that decides so ("algo.bonus.kind", or "") and its value ("none"). */
  readonly idle: readonly { readonly field: string; readonly beside: string; readonly is: string }[];
}

/** A set-up before it has scores. */
export interface PlannedSetup {
  readonly point: Point;
  /** Of the fields that act. */
  readonly values: Values;
  readonly config: RunConfig;
}

/** The config of a set-up with every default, and its steps. Rejects with a LabError where a value cannot be. */
export async function setupConfig(sweep: Sweep, values: Values, complete: Complete, steps?: number): Promise<RunConfig> {
  const config = withValues(await complete(sweep.config), values);
  return complete({ ...config, run: { ...config.run, seeds: 1, seedStart: 1, ...(steps !== undefined && { steps }) } } as unknown as Json);
}

/** What of a config acts: without the values that variants keep at rest. */
function actingHash(config: RunConfig): string {
  const acting = (settings: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(settings).map(([key, value]) => {
        if (!isObject(value) || !('kind' in value)) return [key, value];
        const { idle: _, ...own } = value;
        return [key, own];
      }),
    );
  const of = <R extends RunConfig['env'] | RunConfig['algo']>(ref: R): R => ({ ...ref, config: acting(ref.config as JsonObject) });
  return configHash({ ...config, env: of(config.env), algo: of(config.algo) });
}

const without = (values: Values, name: string): Values => Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));

/** How a field is found in a complete config today. */
const placeIn = ({ env, algo }: RunConfig, name: string): string => nestedPath({ env: env.id, algo: algo.id }, name);

/** A set-up's config by the values that act alone, and the fields that do not. */
async function actingOf(sweep: Sweep, point: Point, complete: Complete) {
  const all = valuesOf(sweep, point);
  let config = await setupConfig(sweep, all, complete);
  let values: Values = all;
  const idle: LeftOut['idle'][number][] = [];
  for (const field of sweep.names) {
    const place = placeIn(config, field);
    if (readPath(config, place) !== undefined || mayBeLeftOut(place)) continue;
    // It stands nowhere. It may still have decided something: an amount of 0 switches a kind off.
    const less = without(values, field);
    const other = await setupConfig(sweep, less, complete);
    if (actingHash(other) !== actingHash(config)) continue;
    const kind = `${place.split('.').slice(0, -1).join('.')}.kind`;
    const is = place.split('.').length > 2 ? readPath(other, kind) : undefined;
    idle.push(typeof is === 'string' ? { field, beside: kind, is } : { field, beside: '', is: '' });
    [config, values] = [other, less];
  }
  return { all, values, config, idle };
}

/** The set-ups of one sweep as they come: of each that can differ the first, and a list of the others. */
export function differing(sweep: Sweep, complete: Complete) {
  const numbers = new Map<string, number>();
  const seen = new Set<string>();
  const acted = new Set<string>();
  const out: LeftOut[] = [];
  const copies: Point[] = [];
  const size = gridSize(sweep.dimensions);

  async function next(point: Point): Promise<PlannedSetup | null> {
    const values = valuesOf(sweep, point);
    if (sweep.every === true) return { point, values, config: await setupConfig(sweep, values, complete) };
    const whole = JSON.stringify(values);
    const again = seen.has(whole);
    seen.add(whole);
    if (again) {
      copies.push(point);
      return null; // drawn twice
    }
    const found = await actingOf(sweep, point, complete);
    for (const name of Object.keys(found.values)) acted.add(name);
    const key = actingHash(found.config);
    const like = numbers.get(key);
    if (like === undefined) {
      numbers.set(key, numbers.size + 1);
      return { point, values: found.values, config: found.config };
    }
    copies.push(point);
    out.push({ values: found.all, like, idle: found.idle });
    return null;
  }

  return {
    /** At most `most` set-ups of these points. Rejects with a LabError where one cannot be. */
    async take(points: readonly Point[], most: number): Promise<readonly PlannedSetup[]> {
      const taken: PlannedSetup[] = [];
      for (const point of points) {
        if (taken.length === most || (sweep.every !== true && size !== null && seen.size >= size)) break;
        const setup = await next(point);
        if (setup !== null) taken.push(setup);
      }
      return taken;
    },
    /** Rejects where a field acts in no combination: its name is wrong, or no kind that is searched has it. */
    async check(): Promise<void> {
      if (sweep.every === true) return;
      const config = await setupConfig(sweep, {}, complete);
      for (const [d, name] of sweep.names.entries()) {
        if (acted.has(name)) continue;
        const variant = placeIn(config, name).split('.').slice(0, -1).join('.');
        const chooser = sweep.names.findIndex((other) => other === variant || placeIn(config, other) === `${variant}.kind`);
        const dimension = sweep.dimensions[chooser];
        if (dimension?.kind !== 'choice') continue;
        // A search may have drawn no kind that has it: each kind is looked at once.
        const kinds = dimension.values.map((_, i) => (i + 0.5) / dimension.values.length);
        const tried = await Promise.all(
          kinds.map((u) =>
            actingOf(
              sweep,
              sweep.dimensions.map((_, e) => (e === chooser ? u : e === d ? 0 : 0.5)),
              complete,
            ),
          ),
        );
        if (!tried.some(({ values }) => name in values))
          throw bad(
            `"fields.${name}" acts in none of the set-ups.`,
            'Search a kind that has it as well, or leave it out.',
            `fields.${name}`,
          );
      }
    },
    left: (): readonly LeftOut[] => [...out],
    /** Points that were not run. */
    copies: (): readonly Point[] => copies,
  };
}

/**
 * What was left out of a search: one sentence for each set-up that stands for others and each reason. `titleOf`: what a field is called,
 * `setup`: what a set-up is.
 */
export function leftOutTexts(
  left: readonly LeftOut[],
  titleOf: (field: string) => string = (field) => field,
  setup = 'set-up',
): readonly string[] {
  const alike = groupBy(left, ({ like, idle }) => JSON.stringify([like, idle]));
  return [...alike.values()].flatMap((own) =>
    own.slice(0, 1).map(({ like, idle }) => {
      const why = idle.map(
        ({ field, beside, is }) => `${titleOf(field)} does not act ${beside === '' ? 'there' : `with ${titleOf(beside)} ${is}`}`,
      );
      const count = own.length === 1 ? `one ${setup}` : `${own.length} ${setup}s`;
      return `Left out: ${count} that cannot differ from ${setup} ${like}${why.length === 0 ? '' : `, because ${listed(why)}`}.`;
    }),
  );
}
