/**
 * The door rl-workbench/own-env: an environment in the simple form, the same that a world of the page is written in (docs/own-worlds.md), as a
 * value that `train`, `makeEnv` and `checkEnv` take. One copy and one step at a time; batches, saved states, auto-reset and the step limit
 * are made of it.
 */
import type { EnvEntry } from '../envs/api/types.ts';
import { worldEntry } from '../own/entry.ts';
import { isObject, type WorldForm, wrong } from '../own/form.ts';

export type { ActionForm, Observation, Setting, Settings, StepResult, ViewForm, WorldForm, WorldState } from '../own/form.ts';
export type { WorldRandom } from '../own/random.ts';

const ID = /^[a-z][a-z0-9-]{0,63}$/;

/**
 * `id`: the environment's name in configs and results: small letters, digits and hyphens. Other rules want another name, because a config's
 * hash holds the name and not the code. Throws LabError('world-invalid') naming the member that is wrong.
 */
export function defineEnv(form: WorldForm & { readonly id: string }): EnvEntry {
  if (!isObject(form))
    throw wrong('defineEnv', 'defineEnv needs an object.', 'Write defineEnv({ id, title, observation, actions, reset, step, observe }).');
  const { id, ...rest } = form;
  if (typeof id !== 'string' || !ID.test(id))
    throw wrong('id', `"id" is ${JSON.stringify(id) ?? 'missing'}.`, "Give a name of small letters, digits and hyphens: id: 'corridor'.");
  return worldEntry(rest, id);
}
