/** What teams that talk can train on. Throws LabError. */
import { fail } from '#contract/errors.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { CommsConfig } from './config.ts';

export function checkTeam(meta: EnvMeta, title: string, c: CommsConfig, unit: number): void {
  if (meta.agentCount < 2) {
    throw fail('incompatible', `${title} is about agents that talk to each other; here is only one.`, 'Choose a team.', 'env.id');
  }
  if (meta.turns === true) {
    throw fail('incompatible', `${title} needs everybody to act at once; here they take turns.`, 'Choose another environment.', 'env.id');
  }
  const kinds = new Set(meta.agents.map(({ action }) => action.kind));
  if (kinds.size > 1) {
    throw fail('incompatible', `${title} needs all actions discrete or all continuous.`, 'Choose another environment.', 'env.id');
  }
  if (meta.rewards.length > 1) {
    throw fail(
      'incompatible',
      `${title} needs one reward; this environment gives ${meta.rewards.join(', ')}.`,
      'Choose another environment.',
      'env.id',
    );
  }
  if (c.rolloutSteps % unit !== 0) {
    const fix = `Choose a rollout that is a multiple of ${unit}.`;
    throw fail('config-invalid', `A rollout of ${c.rolloutSteps} steps cannot be cut into pieces of ${unit}.`, fix, 'algo.rolloutSteps');
  }
  const units = (c.envs * c.rolloutSteps) / unit;
  if (units % c.minibatches === 0) return;
  throw fail(
    'config-invalid',
    `A rollout of ${units} pieces cannot be split into ${c.minibatches} equal minibatches.`,
    `Choose minibatches that divide ${units}.`,
    'algo.minibatches',
  );
}
