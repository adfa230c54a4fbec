/** Every algorithm: one import, and one name in the family it belongs to. */
import { fail } from '#contract/errors.ts';
import type { AlgoEntry } from './api/types.ts';
import { epsilonGreedy } from './bandits/epsilon-greedy.ts';
import { gradientBandit } from './bandits/gradient-bandit.ts';
import { linucb } from './bandits/linucb.ts';
import { thompson } from './bandits/thompson.ts';
import { ucb1 } from './bandits/ucb1.ts';
import { random } from './baselines/random.ts';
import { commnet } from './comms/commnet.ts';
import { dial } from './comms/dial.ts';
import { hammer } from './comms/hammer.ts';
import { behaviourCloning } from './data/behaviour-cloning.ts';
import { cfcql } from './data/cfcql.ts';
import { cql } from './data/cql.ts';
import { dagger } from './data/dagger.ts';
import { decisionTransformer } from './data/decision-transformer.ts';
import { gail } from './data/gail.ts';
import { historyCql } from './data/history-cql.ts';
import { implicitQLearning } from './data/implicit-q-learning.ts';
import { inverseSoftQ } from './data/inverse-soft-q.ts';
import { marginalSoftQ } from './data/marginal-soft-q.ts';
import { td3Bc } from './data/td3-bc.ts';
import { cmaEs } from './evolution/cma-es.ts';
import { es } from './evolution/es.ts';
import { genetic } from './evolution/genetic.ts';
import { goExplore } from './exploration/go-explore.ts';
import { adversary } from './games/adversary.ts';
import { cfr } from './games/cfr.ts';
import { fictitiousPlay } from './games/fictitious-play.ts';
import { psro } from './games/psro.ts';
import { replicator } from './games/replicator.ts';
import { selfPlay } from './games/self-play.ts';
import { strategist } from './hierarchy/strategist.ts';
import { dpo } from './language/dpo.ts';
import { groupRl } from './language/group-rl.ts';
import { groupWorlds } from './language/group-worlds.ts';
import { tokenCloning } from './language/token-cloning.ts';
import { tokenPpo } from './language/token-ppo.ts';
import { paretoDqn } from './multi-objective/pareto-dqn.ts';
import { paretoSweep } from './multi-objective/pareto-sweep.ts';
import { crossq } from './off-policy/crossq.ts';
import { droq } from './off-policy/droq.ts';
import { maddpg } from './off-policy/maddpg.ts';
import { sac } from './off-policy/sac.ts';
import { sacDiscrete } from './off-policy/sac-discrete.ts';
import { td3 } from './off-policy/td3.ts';
import { a2c } from './on-policy/a2c.ts';
import { coma } from './on-policy/coma.ts';
import { frozenTrunkPpo } from './on-policy/frozen-trunk-ppo.ts';
import { happo } from './on-policy/happo.ts';
import { impala } from './on-policy/impala.ts';
import { ippo } from './on-policy/ippo.ts';
import { mappo } from './on-policy/mappo.ts';
import { ppg } from './on-policy/ppg.ts';
import { ppo } from './on-policy/ppo.ts';
import { recurrentPpo } from './on-policy/recurrent-ppo.ts';
import { reinforce } from './on-policy/reinforce.ts';
import { trpo } from './on-policy/trpo.ts';
import { cpl } from './preferences/cpl.ts';
import { heron } from './preferences/heron.ts';
import { oni } from './preferences/oni.ts';
import { preferencePpo } from './preferences/preference-ppo.ts';
import { spo } from './preferences/spo.ts';
import { subgoalPpo } from './preferences/subgoal-ppo.ts';
import { alphaZero } from './search/alpha-zero.ts';
import { mcts } from './search/mcts.ts';
import { minimax } from './search/minimax.ts';
import { follow } from './swarms/follow.ts';
import { meanField } from './swarms/mean-field.ts';
import { demonstrationRegularised } from './tabular/demonstration-regularised.ts';
import { designedRewards } from './tabular/designed-rewards.ts';
import { doubleQLearning } from './tabular/double-q-learning.ts';
import { dynaQ } from './tabular/dyna-q.ts';
import { expectedSarsa } from './tabular/expected-sarsa.ts';
import { hiddenModel } from './tabular/hidden-model.ts';
import { independentQ } from './tabular/independent-q.ts';
import { mex } from './tabular/mex.ts';
import { monteCarlo } from './tabular/monte-carlo.ts';
import { nStepSarsa } from './tabular/n-step-sarsa.ts';
import { policyIteration } from './tabular/policy-iteration.ts';
import { posteriorSampling } from './tabular/posterior-sampling.ts';
import { prioritisedSweeping } from './tabular/prioritised-sweeping.ts';
import { qLambda } from './tabular/q-lambda.ts';
import { qLearning } from './tabular/q-learning.ts';
import { rMax } from './tabular/r-max.ts';
import { sarsa } from './tabular/sarsa.ts';
import { sarsaLambda } from './tabular/sarsa-lambda.ts';
import { sqirl } from './tabular/sqirl.ts';
import { tdPrediction } from './tabular/td-prediction.ts';
import { ucbvi } from './tabular/ucbvi.ts';
import { valueIteration } from './tabular/value-iteration.ts';
import { bootstrappedDqn } from './value/bootstrapped-dqn.ts';
import { dqn } from './value/dqn.ts';
import { iql } from './value/iql.ts';
import { mansa } from './value/mansa.ts';
import { pqn } from './value/pqn.ts';
import { pqnVdn } from './value/pqn-vdn.ts';
import { qmix } from './value/qmix.ts';
import { recurrentDqn } from './value/recurrent-dqn.ts';
import { vdn } from './value/vdn.ts';

export interface AlgoFamily {
  readonly title: string;
  readonly algos: readonly AlgoEntry[];
}

/** As choosers show them. */
export const algoFamilies: readonly AlgoFamily[] = [
  { title: 'Bandits', algos: [epsilonGreedy, ucb1, thompson, gradientBandit, linucb] },
  {
    title: 'Tables',
    algos: [
      qLearning,
      sarsa,
      expectedSarsa,
      doubleQLearning,
      nStepSarsa,
      sarsaLambda,
      qLambda,
      monteCarlo,
      tdPrediction,
      designedRewards,
      independentQ,
    ],
  },
  {
    title: 'Tables: planning and models',
    algos: [
      dynaQ,
      prioritisedSweeping,
      rMax,
      posteriorSampling,
      ucbvi,
      mex,
      sqirl,
      demonstrationRegularised,
      hiddenModel,
      policyIteration,
      valueIteration,
    ],
  },
  { title: 'Policy gradient', algos: [reinforce, a2c, impala, trpo, ppo, ppg, recurrentPpo, frozenTrunkPpo] },
  { title: 'Action values', algos: [dqn, recurrentDqn, pqn] },
  { title: 'Actor and critic', algos: [sac, crossq, droq, sacDiscrete, td3] },
  { title: 'Exploration', algos: [bootstrappedDqn, goExplore] },
  { title: 'Evolution', algos: [es, cmaEs, genetic] },
  { title: 'Teams: policy gradient', algos: [ippo, mappo, happo, coma] },
  { title: 'Teams: action values', algos: [iql, vdn, qmix, pqnVdn, mansa] },
  { title: 'Teams: actor and critic', algos: [maddpg] },
  { title: 'Talking', algos: [commnet, dial, hammer] },
  { title: 'Swarms and paths', algos: [meanField, follow] },
  { title: 'Hierarchy', algos: [strategist] },
  {
    title: 'Recorded play',
    algos: [
      behaviourCloning,
      dagger,
      gail,
      inverseSoftQ,
      marginalSoftQ,
      implicitQLearning,
      cql,
      cfcql,
      historyCql,
      td3Bc,
      decisionTransformer,
    ],
  },
  { title: 'Preferences', algos: [preferencePpo, spo, cpl, heron, oni, subgoalPpo] },
  { title: 'Language', algos: [groupRl, groupWorlds, tokenPpo, tokenCloning, dpo] },
  { title: 'Opponents and attackers', algos: [selfPlay, adversary] },
  { title: 'Search', algos: [minimax, mcts, alphaZero] },
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
