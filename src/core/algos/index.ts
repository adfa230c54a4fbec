/** Every algorithm: one import, and one name in the family it belongs to. */
import { fail } from '#contract/errors.ts';
import { adversary } from './adversary.ts';
import { cfr } from './cfr.ts';
import { coma } from './coma.ts';
import { commnet } from './commnet.ts';
import { dial } from './dial.ts';
import { dqn } from './dqn.ts';
import { fictitiousPlay } from './fictitious-play.ts';
import { follow } from './follow.ts';
import { hammer } from './hammer.ts';
import { happo } from './happo.ts';
import { ippo } from './ippo.ts';
import { iql } from './iql.ts';
import { maddpg } from './maddpg.ts';
import { mansa } from './mansa.ts';
import { mappo } from './mappo.ts';
import { meanField } from './mean-field.ts';
import { paretoDqn } from './pareto-dqn.ts';
import { paretoSweep } from './pareto-sweep.ts';
import { ppo } from './ppo.ts';
import { pqn } from './pqn.ts';
import { pqnVdn } from './pqn-vdn.ts';
import { psro } from './psro.ts';
import { qLearning } from './q-learning.ts';
import { qmix } from './qmix.ts';
import { random } from './random.ts';
import { recurrentPpo } from './recurrent-ppo.ts';
import { replicator } from './replicator.ts';
import { sac } from './sac.ts';
import { sacDiscrete } from './sac-discrete.ts';
import { sarsa } from './sarsa.ts';
import { selfPlay } from './self-play.ts';
import { strategist } from './strategist.ts';
import { td3 } from './td3.ts';
import type { AlgoEntry } from './types.ts';
import { valueIteration } from './value-iteration.ts';
import { vdn } from './vdn.ts';

export interface AlgoFamily {
  readonly title: string;
  readonly algos: readonly AlgoEntry[];
}

/** As choosers show them. */
export const algoFamilies: readonly AlgoFamily[] = [
  { title: 'Tables', algos: [qLearning, sarsa, valueIteration] },
  { title: 'Policy gradient', algos: [ppo, recurrentPpo] },
  { title: 'Action values', algos: [dqn, pqn] },
  { title: 'Actor and critic', algos: [sac, sacDiscrete, td3] },
  { title: 'Teams: policy gradient', algos: [ippo, mappo, happo, coma] },
  { title: 'Teams: action values', algos: [iql, vdn, qmix, pqnVdn, mansa] },
  { title: 'Teams: actor and critic', algos: [maddpg] },
  { title: 'Talking', algos: [commnet, dial, hammer] },
  { title: 'Swarms and paths', algos: [meanField, follow] },
  { title: 'Hierarchy', algos: [strategist] },
  { title: 'Opponents and attackers', algos: [selfPlay, adversary] },
  { title: 'Games and populations', algos: [cfr, fictitiousPlay, psro, replicator] },
  { title: 'Several objectives', algos: [paretoSweep, paretoDqn] },
  { title: 'Nothing learned', algos: [random] },
];

export const algos: readonly AlgoEntry[] = algoFamilies.flatMap((family) => family.algos).sort((a, b) => (a.id < b.id ? -1 : 1));

const byId = new Map(algos.map((entry) => [entry.id, entry]));

/** Throws LabError('unknown-id') with the ids there are. */
export function getAlgo(id: string): AlgoEntry {
  const entry = byId.get(id);
  if (entry === undefined) throw fail('unknown-id', `There is no algorithm "${id}".`, `Use one of: ${[...byId.keys()].join(', ')}.`);
  return entry;
}
