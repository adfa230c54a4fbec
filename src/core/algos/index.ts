/** Every algorithm, sorted by id: one import and one line each. */
import { fail } from '#contract/errors.ts';
import { cfr } from './cfr.ts';
import { commnet } from './commnet.ts';
import { dial } from './dial.ts';
import { dqn } from './dqn.ts';
import { fictitiousPlay } from './fictitious-play.ts';
import { hammer } from './hammer.ts';
import { happo } from './happo.ts';
import { ippo } from './ippo.ts';
import { maddpg } from './maddpg.ts';
import { mappo } from './mappo.ts';
import { ppo } from './ppo.ts';
import { pqn } from './pqn.ts';
import { paretoSweep } from './pareto-sweep.ts';
import { pqnVdn } from './pqn-vdn.ts';
import { qLearning } from './q-learning.ts';
import { random } from './random.ts';
import { replicator } from './replicator.ts';
import { sac } from './sac.ts';
import { sarsa } from './sarsa.ts';
import { td3 } from './td3.ts';
import type { AlgoEntry } from './types.ts';
import { valueIteration } from './value-iteration.ts';

export const algos: readonly AlgoEntry[] = [
  cfr,
  commnet,
  dial,
  dqn,
  fictitiousPlay,
  hammer,
  happo, ippo,
  maddpg,
  mappo,
  ppo,
  pqn,
  pqnVdn,
  qLearning,
  random,
  replicator,
  sac,
  paretoSweep,
  sarsa,
  td3,
  valueIteration,
];

const byId = new Map(algos.map((entry) => [entry.id, entry]));

/** Throws LabError('unknown-id') with the ids there are. */
export function getAlgo(id: string): AlgoEntry {
  const entry = byId.get(id);
  if (entry === undefined) throw fail('unknown-id', `There is no algorithm "${id}".`, `Use one of: ${[...byId.keys()].join(', ')}.`);
  return entry;
}
