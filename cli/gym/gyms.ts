/** Environments in Python that the command line was given: a description from one start, and one bridge for each thread that trains. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type GymAsked, gymId, isGymEnv } from '#contract/game/gym-id.ts';
import { type GymDescription, readGymDescription } from '#contract/game/gym-wire.ts';
import { utf8 } from '#contract/kit/canonical.ts';
import { fail } from '#contract/kit/errors.ts';
import { isObject, type Json, objectOf, readJson } from '#contract/kit/json.ts';
import { sha256 } from '#contract/run/config-hash.ts';
import { giveWorld } from '#core/envs/index.ts';
import { type GymLink, gymEntry } from '#core/gym/entry.ts';
import type { Context } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import type { ToLink } from './bridge.ts';
import { openLink } from './link.ts';

/** As it travels between threads. */
export interface Gym {
  readonly id: string;
  readonly start: ToLink;
  readonly description: GymDescription;
}

const known = new Map<string, Gym>();

/** What this process was given; new threads are given the same. */
export const givenGyms = (): readonly Gym[] => [...known.values()];

/** Makes it known by its id. Python starts when the first copies are made. */
export function giveGym(gym: Gym): void {
  const { id, start, description } = gym;
  let link: GymLink | undefined;
  giveWorld(
    gymEntry(description, id, () => {
      if (link !== undefined) return link;
      const made = openLink(start);
      if (!isDeepStrictEqual(readGymDescription(made.description), description)) {
        made.close();
        throw fail('incompatible', `${start.asked.name} describes itself otherwise than a moment ago.`, 'Start it again.');
      }
      link = made;
      return made;
    }),
  );
  known.set(id, gym);
}

export interface GymOptions {
  readonly gym: string | undefined;
  readonly 'gym-args': string | undefined;
  readonly 'gym-leave': readonly string[];
  readonly python: string | undefined;
}

/** Options of commands that take an environment in Python. */
export const GYM_OPTIONS = {
  gym: { kind: 'text', value: 'ID', help: 'an environment in Python: an id of Gymnasium, or MODULE:NAME (also PettingZoo, parallel)' },
  'gym-args': { kind: 'text', value: 'JSON', help: 'its arguments, as a JSON object' },
  'gym-leave': { kind: 'list', value: 'NAME', help: 'leaves a part of its observations out; may be repeated' },
  python: { kind: 'text', value: 'PATH', help: 'interpreter that has its libraries (python3)' },
} as const;

function argsOf(text: string | undefined): GymAsked['args'] {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    value = null;
  }
  if (!isObject(value))
    throw new UsageError(`--gym-args takes a JSON object, for example --gym-args '{"size": 5}', not ${text.slice(0, 80)}.`);
  return value as GymAsked['args'];
}

/** Starts Python with the environment that the options name and makes it known. Throws UsageError, or LabError in the bridge's words. */
export function openGym(
  options: GymOptions,
  { project, typedIn }: Pick<Context, 'project' | 'typedIn'>,
): Gym & { readonly described: Uint8Array } {
  const name = options.gym ?? '';
  const bridge = join(project, 'python', 'rl_gym_bridge.py');
  if (!existsSync(bridge)) throw new UsageError(`The bridge "${bridge}" is missing.`);
  const asked: GymAsked = { name, args: argsOf(options['gym-args']), leave: options['gym-leave'] };
  const start: ToLink = { asked, python: options.python ?? 'python3', bridge, cwd: typedIn };
  const link = openLink(start);
  link.close();
  const gym = { id: gymId(asked, (text) => sha256(utf8(text))), start, description: readGymDescription(link.description) };
  giveGym(gym);
  return { ...gym, described: link.description };
}

/** Said before a run, and wherever exactness would be expected. */
export const NOT_EXACT = 'not exact, not resumable: what it computes depends on its libraries and on this machine';

export const envIdOf = (config: unknown): string => String(objectOf(objectOf(config as Json).env).id);

/** Throws UsageError for what only exact runs can have. */
export function refuseGym(id: string, what: string): void {
  if (isGymEnv(id)) throw new UsageError(`${what}: ${id} runs in Python, and such runs are ${NOT_EXACT}.`);
}
