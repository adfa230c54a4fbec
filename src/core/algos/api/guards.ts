/** Checks that several learners share: what they can train on, and that numbers stay numbers. */
import { type Dataset, datasetMissing } from '#contract/files/dataset.ts';
import { entitiesOf } from '#contract/game/spaces.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Body } from '#core/nets/body.ts';
import { hasImage } from '#core/nets/conv.ts';
import type { EnvMeta, TabularModel } from '../../envs/api/types.ts';
import type { Run } from './types.ts';

/** Throws LabError('nan-loss') naming what is no longer finite. Called before anything of this iteration is saved. */
export function checkFinite(step: number, values: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (Number.isFinite(value)) continue;
    throw fail(
      'nan-loss',
      `Training broke at step ${step}: ${name} is ${value}.`,
      'Lower the learning rate or the gradient limit; the last checkpoint from before is kept.',
      'algo.lr',
    );
  }
}

/** One network serves all agents, so they must be alike, and one number must say what they want. */
export function checkSameAgents(meta: EnvMeta, title: string): void {
  const [first, ...others] = meta.agents;
  if (others.some((group) => JSON.stringify([group.obs, group.action]) !== JSON.stringify([first?.obs, first?.action]))) {
    throw fail(
      'incompatible',
      `${title} shares one network between agents; these see or do different things.`,
      'Give the seats of the others to players, choose an algorithm with a network for each kind (IPPO, MAPPO), or another environment.',
      'env.id',
    );
  }
  checkOneReward(meta, title);
}

/** Throws LabError('incompatible') for vector rewards. */
export function checkOneReward(meta: EnvMeta, title: string): void {
  if (meta.rewards.length === 1) return;
  const why = `${title} needs one reward; this environment gives ${meta.rewards.join(', ')}.`;
  throw fail('incompatible', why, 'Choose another environment.', 'env.id');
}

/** The transition table of a run's environment. Throws LabError('incompatible') where it gives none; `method` names who needs it. */
export function modelOf({ envEntry, envConfig }: Pick<Run<unknown>, 'envEntry' | 'envConfig'>, method: string): TabularModel {
  const model = envEntry.create(envConfig, 1).model?.();
  if (model !== undefined) return model;
  throw fail(
    'incompatible',
    `${method} needs the transition table, and ${envEntry.title} does not give one.`,
    'Choose Q-learning.',
    'algo.id',
  );
}

/** A dataset by its hash. Throws LabError('dataset-missing'). */
export function datasetOf({ dataset }: Pick<Run<unknown>, 'dataset'>, hash: string): Promise<Dataset> {
  if (dataset === undefined) throw datasetMissing(hash);
  return dataset(hash);
}

/** A convolution needs images or grids of at least 3x3, of every agent. Throws LabError('config-invalid'). */
export function checkFilters(meta: EnvMeta, filters: number): void {
  if (filters === 0 || meta.agents.every(({ obs }) => hasImage(obs))) return;
  const why = 'A convolution needs observations that are images or grids of at least 3x3; these are not.';
  throw fail(
    'config-invalid',
    why,
    'Set the convolution filters to 0, or choose an environment with images (MinAtar, MiniGrid).',
    'algo.filters',
  );
}

/** The settings that `checkBody` looks at; missing ones are off. */
interface BodyAmong {
  readonly body?: Body;
  readonly filters?: number;
  readonly normaliseObs?: boolean;
  readonly agentId?: boolean;
}

/** An encoder over things needs to know them, and settings that name places of the observation do not go with it. Throws LabError('config-invalid'). */
export function checkBody(meta: EnvMeta, { body, filters = 0, normaliseObs = false, agentId = false }: BodyAmong): void {
  if (body === undefined || body.kind === 'dense') return;
  const refuse = (why: string, fix: string, field: string) => fail('config-invalid', why, fix, `algo.${field}`);
  if (!meta.agents.every(({ obs }) => entitiesOf(obs) !== null)) {
    const why = 'This environment does not say which things its observations are made of.';
    throw refuse(why, 'Choose the dense body, or a world that says it.', 'body');
  }
  const off = 'Switch it off, or choose the dense body.';
  if (body.units % (body.heads || 1) !== 0)
    throw refuse(`${body.units} units are no multiple of ${body.heads} heads.`, 'Change one of the two.', 'body.heads');
  if (filters > 0) throw refuse('A body of entities reads no images.', off, 'filters');
  if (normaliseObs) throw refuse('Running moments belong to places of the observation; entities have none.', off, 'normaliseObs');
  if (agentId) throw refuse('The number of an agent belongs to a team of one size; entities take any.', off, 'agentId');
}

/** A shared trunk has one list of hidden layers. Throws LabError('config-invalid'). */
export function checkTrunk(c: { readonly sharedTrunk: boolean; readonly criticHidden: readonly number[] | null }): void {
  if (!c.sharedTrunk || c.criticHidden === null) return;
  const fix = 'Leave the hidden layers of the critic empty, or switch the shared trunk off.';
  throw fail('config-invalid', 'Policy and critic share their hidden layers; the critic has none of its own.', fix, 'algo.criticHidden');
}

/** A method that learns on tokens needs an environment of tokens, and a transformer whose heads divide its width. Throws LabError('incompatible'). */
export function checkTokens(meta: EnvMeta, title: string, { width, heads }: { readonly width: number; readonly heads: number }): void {
  if (meta.tokens === undefined) {
    const why = `${title} writes tokens; this environment has none.`;
    throw fail('incompatible', why, 'Choose a task of the family Language.', 'env.id');
  }
  if (width % (2 * heads) !== 0)
    throw fail('incompatible', `The width ${width} is not a multiple of twice the ${heads} heads.`, 'Change either.', 'algo.width');
}

const MOST_BUFFER_BYTES = 1.5e9; // bytes: a worker's memory is limited, and a checkpoint holds all of it

/** How the message of checkBufferSize names the buffer, and the field that sets its size. */
const REPLAY = { what: 'A replay buffer', items: 'transitions', field: 'bufferSize' } as const;

/** A buffer that would not fit is refused before it is filled; `floats`: numbers of one item. Throws LabError('config-invalid'). */
export function checkBufferSize(
  capacity: number,
  floats: number,
  { what, items, field }: { readonly what: string; readonly items: string; readonly field: string } = REPLAY,
): void {
  const bytes = 4 * floats * capacity;
  if (bytes <= MOST_BUFFER_BYTES) return;
  const most = Math.floor(MOST_BUFFER_BYTES / (4 * floats));
  throw fail(
    'config-invalid',
    `${what} of ${capacity} ${items} would take ${(bytes / 1e9).toFixed(1)} GB here.`,
    `Keep at most ${most}.`,
    `algo.${field}`,
  );
}
