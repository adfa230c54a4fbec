/** Every algorithm, sorted by id: one import and one line each. */
import { fail } from '#contract/errors.ts';
import { cfr } from './cfr.ts';
import { coma } from './coma.ts';
import { commnet } from './commnet.ts';
import { dial } from './dial.ts';
import { dqn } from './dqn.ts';
import { fictitiousPlay } from './fictitious-play.ts';
import { hammer } from './hammer.ts';
import { happo } from './happo.ts';
import { ippo } from './ippo.ts';
import { iql } from './iql.ts';
import { maddpg } from './maddpg.ts';
import { mappo } from './mappo.ts';
import { meanField } from './mean-field.ts';
import { paretoSweep } from './pareto-sweep.ts';
import { ppo } from './ppo.ts';
import { pqn } from './pqn.ts';
import { pqnVdn } from './pqn-vdn.ts';
import { qLearning } from './q-learning.ts';
import { qmix } from './qmix.ts';
import { random } from './random.ts';
import { recurrentPpo } from './recurrent-ppo.ts';
import { replicator } from './replicator.ts';
import { sac } from './sac.ts';
import { sacDiscrete } from './sac-discrete.ts';
import { sarsa } from './sarsa.ts';
import { selfPlay } from './self-play.ts';
import { td3 } from './td3.ts';
import type { AlgoEntry } from './types.ts';
import { valueIteration } from './value-iteration.ts';
import { vdn } from './vdn.ts';

export const algos: readonly AlgoEntry[] = [
  cfr,
  coma,
  commnet,
  dial,
  dqn,
  fictitiousPlay,
  hammer,
  happo,
  ippo,
  iql,
  maddpg,
  mappo,
  meanField,
  paretoSweep,
  ppo,
  pqn,
  pqnVdn,
  qLearning,
  qmix,
  random,
  recurrentPpo,
  replicator,
  sac,
  sacDiscrete,
  sarsa,
  selfPlay,
  td3,
  valueIteration,
  vdn,
];

const byId = new Map(algos.map((entry) => [entry.id, entry]));

/** Throws LabError('unknown-id') with the ids there are. */
export function getAlgo(id: string): AlgoEntry {
  const entry = byId.get(id);
  if (entry === undefined) throw fail('unknown-id', `There is no algorithm "${id}".`, `Use one of: ${[...byId.keys()].join(', ')}.`);
  return entry;
}
