/** Which runs can have their rollouts on the device: what is told before anything starts. */

import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { CompleteConfig } from '#contract/run/config.ts';
import { getAt } from '#contract/run/paths.ts';
import { isOn } from '../algos/api/extension.ts';
import { extensionsOf } from '../algos/extensions/index.ts';
import type { EnvMeta } from '../envs/api/types.ts';
import { worlds } from './worlds/index.ts';

/** Methods that train so. */
const METHODS: readonly string[] = ['ppo'];

/** Settings of PPO that need the host between steps or between minibatches, and what they must be. */
const HOST: readonly { readonly field: string; readonly value: boolean | string | null; readonly title: string }[] = [
  { field: 'normaliseObs', value: false, title: 'Observations are not normalised on the device' },
  { field: 'normaliseReward', value: false, title: 'Rewards are not scaled on the device' },
  { field: 'targetKl', value: null, title: 'The device ends no epoch early' },
];

/** Places of a rollout: float32 counts them without gaps up to here. */
const MOST_PLACES = 2 ** 24;
const MOST_BYTES = 2 ** 30;

/** Throws LabError('incompatible' | 'config-invalid') naming the field, where this run cannot have its rollouts on the device. */
export function checkRollouts(config: Pick<CompleteConfig, 'env' | 'algo'>, meta: EnvMeta): void {
  const { env, algo } = config;
  const here = Object.keys(worlds);
  if (!METHODS.includes(algo.id)) {
    const message = `"${algo.id}" has no rollouts on the device.`;
    throw fail('incompatible', message, `Choose ${METHODS.join(', ')}, or another executor.`, 'run.executor');
  }
  if (worlds[env.id] === undefined) {
    const message = `"${env.id}" does not run on the device.`;
    throw fail('incompatible', message, `There are: ${here.join(', ')}. Or choose the executor "webgpu".`, 'run.executor');
  }
  if (meta.actionCount === 0 || meta.agentCount > 1 || meta.masked) {
    const message = `With these settings "${env.id}" does not run on the device.`;
    throw fail('incompatible', message, 'Choose the executor "webgpu".', 'run.executor');
  }
  if ('frameStack' in env.config || 'normaliseObs' in env.config)
    throw fail('incompatible', 'The device stacks and normalises no observations.', 'Choose the executor "webgpu".', 'run.executor');
  if ('contexts' in env.config)
    throw fail('incompatible', 'The device draws no contexts.', 'Choose the executor "webgpu".', 'run.executor');
  const settings = algo.config as JsonObject;
  for (const { field, value, title } of HOST) {
    if (getAt(settings, field.split('.')) === value) continue;
    throw fail('config-invalid', `${title}.`, `Set ${field} to ${value}, or choose the executor "webgpu".`, `algo.${field}`);
  }
  const on = extensionsOf({ loop: 'rollout', networks: 'policy' }).ids.find((id) => isOn(settings, id));
  if (on !== undefined) {
    const fix = 'Turn it off, or choose the executor "webgpu".';
    throw fail('config-invalid', `The setting "${on}" does not act on the device.`, fix, `algo.${on}.kind`);
  }
  const places = Number(settings.envs) * Number(settings.rolloutSteps);
  const bytes = 4 * places * (2 * meta.obsSize + 10);
  if (places <= MOST_PLACES && bytes <= MOST_BYTES) return;
  throw fail(
    'config-invalid',
    `A rollout of ${places} steps does not fit on the device.`,
    `Choose fewer parallel environments or a shorter rollout: at most ${Math.min(MOST_PLACES, Math.floor((places * MOST_BYTES) / bytes))} steps together.`,
    'algo.envs',
  );
}
