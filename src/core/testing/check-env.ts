/**
 * `checkEnv`: whether an environment holds what training, saved runs and replays stand on, in the spirit of Gymnasium's `check_env`:
 *
 *   for (const { title, verdict, words } of await checkEnv(corridor)) console.log(verdict, title, words);
 *
 * Random play only: some seconds, no training.
 */

import { actionSize, obsSize } from '#contract/game/spaces.ts';
import { fail } from '#contract/kit/errors.ts';
import type { EnvEntry, EnvMeta } from '../envs/api/types.ts';
import { checkWorld, type Finding } from '../own/check.ts';

/** `fault`: training would fail or could not be repeated. `note`: worth knowing, may be meant. `holds`: as it must be. */
export type EnvFinding = Omit<Finding, 'id'> & { readonly id: Finding['id'] | 'meta' };

/** Sizes of the meta that follow from its spaces, and those that do not. */
function wrongSizes(entry: EnvEntry, meta: EnvMeta): readonly string[] {
  const { agents } = meta;
  const wanted: readonly (readonly [name: string, found: unknown, wanted: unknown])[] = [
    ['id', meta.id, entry.id],
    ['version', meta.version, entry.version],
    ['agentCount', meta.agentCount, agents.reduce((n, { count }) => n + count, 0)],
    ['obsSize', meta.obsSize, Math.max(...agents.map(({ obs }) => obsSize(obs)))],
    ['actionSize', meta.actionSize, Math.max(...agents.map(({ action }) => actionSize(action)))],
    ['actionCount', meta.actionCount, Math.max(...agents.map(({ action }) => (action.kind === 'discrete' ? action.n : 0)))],
    ...agents.map(({ names, count }, i) => [`agents[${i}].names`, names.length, count] as const),
    ...agents.map(
      ({ action }, i) => [`agents[${i}].action.labels`, action.labels.length, action.kind === 'discrete' ? action.n : action.size] as const,
    ),
  ];
  return wanted
    .filter(([, found, right]) => found !== right)
    .map(([name, found, right]) => `${name} is ${found}, its spaces say ${right}.`);
}

/**
 * All findings, in the order of the checks. Throws LabError('world-invalid') with the words of every fault, unless `throws` is false; a
 * config that the environment refuses throws LabError('config-invalid'). `now`: milliseconds, for the speed, which is left out without it.
 */
export async function checkEnv(
  env: EnvEntry,
  options: { readonly config?: object; readonly now?: () => number; readonly throws?: boolean } = {},
): Promise<readonly EnvFinding[]> {
  await env.prepare?.();
  const config = env.parse(options.config ?? {});
  const sizes = wrongSizes(env, env.meta(config));
  const found: EnvFinding[] = [
    {
      id: 'meta',
      title: 'sizes follow from the spaces',
      verdict: sizes.length === 0 ? 'holds' : 'fault',
      words: sizes.length === 0 ? 'They do.' : sizes.join(' '),
    },
  ];
  // Buffers of wrong sizes make every later check fail for the same reason.
  if (sizes.length === 0) {
    const { now } = options;
    found.push(...checkWorld(env, config, now ?? (() => 0), now === undefined ? ['speed'] : []));
  }
  const faults = found.filter(({ verdict }) => verdict === 'fault');
  if (faults.length > 0 && options.throws !== false) {
    const [first] = faults;
    throw fail(
      'world-invalid',
      `The environment ${env.id} does not hold: ${faults.map(({ title, words }) => `${title}: ${words}`).join(' ')}`,
      'Correct it and check it again.',
      first?.id,
    );
  }
  return found;
}
