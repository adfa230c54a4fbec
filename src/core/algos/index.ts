/** Every algorithm: one line in the family it belongs to. Its code is loaded when it is first used. */
import { type LateEntries, lateEntries } from '../state/late-entries.ts';
import type { AlgoEntry } from './api/types.ts';

export interface AlgoFamily {
  readonly title: string;
  readonly algos: LateEntries<AlgoEntry>;
}

/** As choosers show them. */
export const algoFamilies: readonly AlgoFamily[] = [
  {
    title: 'Bandits',
    algos: {
      'epsilon-greedy': async () => (await import('./bandits/epsilon-greedy.ts')).epsilonGreedy,
      ucb1: async () => (await import('./bandits/ucb1.ts')).ucb1,
      thompson: async () => (await import('./bandits/thompson.ts')).thompson,
      'gradient-bandit': async () => (await import('./bandits/gradient-bandit.ts')).gradientBandit,
      linucb: async () => (await import('./bandits/linucb.ts')).linucb,
    },
  },
  {
    title: 'Tabular',
    algos: {
      'q-learning': async () => (await import('./tabular/q-learning.ts')).qLearning,
      sarsa: async () => (await import('./tabular/sarsa.ts')).sarsa,
      'expected-sarsa': async () => (await import('./tabular/expected-sarsa.ts')).expectedSarsa,
      'double-q-learning': async () => (await import('./tabular/double-q-learning.ts')).doubleQLearning,
      'n-step-sarsa': async () => (await import('./tabular/n-step-sarsa.ts')).nStepSarsa,
      'sarsa-lambda': async () => (await import('./tabular/sarsa-lambda.ts')).sarsaLambda,
      'q-lambda': async () => (await import('./tabular/q-lambda.ts')).qLambda,
      'monte-carlo': async () => (await import('./tabular/monte-carlo.ts')).monteCarlo,
      'td-prediction': async () => (await import('./tabular/td-prediction.ts')).tdPrediction,
      'designed-rewards': async () => (await import('./tabular/designed-rewards.ts')).designedRewards,
      'independent-q': async () => (await import('./tabular/independent-q.ts')).independentQ,
    },
  },
  {
    title: 'Tabular: planning and models',
    algos: {
      'dyna-q': async () => (await import('./tabular/dyna-q.ts')).dynaQ,
      'prioritised-sweeping': async () => (await import('./tabular/prioritised-sweeping.ts')).prioritisedSweeping,
      'r-max': async () => (await import('./tabular/r-max.ts')).rMax,
      'posterior-sampling': async () => (await import('./tabular/posterior-sampling.ts')).posteriorSampling,
      ucbvi: async () => (await import('./tabular/ucbvi.ts')).ucbvi,
      mex: async () => (await import('./tabular/mex.ts')).mex,
      sqirl: async () => (await import('./tabular/sqirl.ts')).sqirl,
      'demonstration-regularised': async () => (await import('./tabular/demonstration-regularised.ts')).demonstrationRegularised,
      'hidden-model': async () => (await import('./tabular/hidden-model.ts')).hiddenModel,
      'policy-iteration': async () => (await import('./tabular/policy-iteration.ts')).policyIteration,
      'value-iteration': async () => (await import('./tabular/value-iteration.ts')).valueIteration,
    },
  },
  {
    title: 'Policy gradient',
    algos: {
      reinforce: async () => (await import('./on-policy/reinforce.ts')).reinforce,
      a2c: async () => (await import('./on-policy/a2c.ts')).a2c,
      impala: async () => (await import('./on-policy/impala.ts')).impala,
      trpo: async () => (await import('./on-policy/trpo.ts')).trpo,
      ppo: async () => (await import('./on-policy/ppo.ts')).ppo,
      ppg: async () => (await import('./on-policy/ppg.ts')).ppg,
      'recurrent-ppo': async () => (await import('./on-policy/recurrent-ppo.ts')).recurrentPpo,
      'frozen-trunk-ppo': async () => (await import('./on-policy/frozen-trunk-ppo.ts')).frozenTrunkPpo,
      'agent-modelling': async () => (await import('./on-policy/agent-modelling.ts')).agentModelling,
      'privileged-ppo': async () => (await import('./on-policy/privileged-ppo.ts')).privilegedPpo,
    },
  },
  {
    title: 'Value-based',
    algos: {
      dqn: async () => (await import('./value/dqn.ts')).dqn,
      'recurrent-dqn': async () => (await import('./value/recurrent-dqn.ts')).recurrentDqn,
      pqn: async () => (await import('./value/pqn.ts')).pqn,
    },
  },
  {
    title: 'Off-policy actor-critic',
    algos: {
      sac: async () => (await import('./off-policy/sac.ts')).sac,
      crossq: async () => (await import('./off-policy/crossq.ts')).crossq,
      droq: async () => (await import('./off-policy/droq.ts')).droq,
      tqc: async () => (await import('./off-policy/tqc.ts')).tqc,
      'sac-discrete': async () => (await import('./off-policy/sac-discrete.ts')).sacDiscrete,
      td3: async () => (await import('./off-policy/td3.ts')).td3,
      ddpg: async () => (await import('./off-policy/ddpg.ts')).ddpg,
    },
  },
  {
    title: 'Exploration',
    algos: {
      'bootstrapped-dqn': async () => (await import('./value/bootstrapped-dqn.ts')).bootstrappedDqn,
      'go-explore': async () => (await import('./exploration/go-explore.ts')).goExplore,
    },
  },
  {
    title: 'Evolution',
    algos: {
      es: async () => (await import('./evolution/es.ts')).es,
      'cma-es': async () => (await import('./evolution/cma-es.ts')).cmaEs,
      genetic: async () => (await import('./evolution/genetic.ts')).genetic,
      ars: async () => (await import('./evolution/ars.ts')).ars,
    },
  },
  {
    title: 'Multi-agent policy gradient',
    algos: {
      ippo: async () => (await import('./on-policy/ippo.ts')).ippo,
      mappo: async () => (await import('./on-policy/mappo.ts')).mappo,
      'ordered-mappo': async () => (await import('./on-policy/ordered-mappo.ts')).orderedMappo,
      happo: async () => (await import('./on-policy/happo.ts')).happo,
      'policy-set': async () => (await import('./on-policy/policy-set.ts')).policySet,
      'shared-trunk': async () => (await import('./on-policy/shared-trunk.ts')).sharedTrunk,
      coma: async () => (await import('./on-policy/coma.ts')).coma,
    },
  },
  {
    title: 'Multi-agent value-based',
    algos: {
      iql: async () => (await import('./value/iql.ts')).iql,
      vdn: async () => (await import('./value/vdn.ts')).vdn,
      qmix: async () => (await import('./value/qmix.ts')).qmix,
      'pqn-vdn': async () => (await import('./value/pqn-vdn.ts')).pqnVdn,
      mansa: async () => (await import('./value/mansa.ts')).mansa,
    },
  },
  {
    title: 'Multi-agent actor-critic',
    algos: {
      maddpg: async () => (await import('./off-policy/maddpg.ts')).maddpg,
    },
  },
  {
    title: 'Learned communication',
    algos: {
      commnet: async () => (await import('./comms/commnet.ts')).commnet,
      dial: async () => (await import('./comms/dial.ts')).dial,
      hammer: async () => (await import('./comms/hammer.ts')).hammer,
    },
  },
  {
    title: 'Swarms and path finding',
    algos: {
      'mean-field': async () => (await import('./swarms/mean-field.ts')).meanField,
      follow: async () => (await import('./swarms/follow.ts')).follow,
    },
  },
  {
    title: 'Hierarchical RL',
    algos: {
      strategist: async () => (await import('./hierarchy/strategist.ts')).strategist,
      'goal-qmix': async () => (await import('./hierarchy/goal-qmix.ts')).goalQmix,
      hiro: async () => (await import('./hierarchy/hiro.ts')).hiro,
      'advantage-filter': async () => (await import('./hierarchy/advantage-filter.ts')).advantageFilter,
    },
  },
  {
    title: 'Imitation and offline RL',
    algos: {
      'behaviour-cloning': async () => (await import('./data/behaviour-cloning.ts')).behaviourCloning,
      dagger: async () => (await import('./data/dagger.ts')).dagger,
      gail: async () => (await import('./data/gail.ts')).gail,
      'inverse-soft-q': async () => (await import('./data/inverse-soft-q.ts')).inverseSoftQ,
      'marginal-soft-q': async () => (await import('./data/marginal-soft-q.ts')).marginalSoftQ,
      'implicit-q-learning': async () => (await import('./data/implicit-q-learning.ts')).implicitQLearning,
      cql: async () => (await import('./data/cql.ts')).cql,
      cfcql: async () => (await import('./data/cfcql.ts')).cfcql,
      'history-cql': async () => (await import('./data/history-cql.ts')).historyCql,
      'td3-bc': async () => (await import('./data/td3-bc.ts')).td3Bc,
      'decision-transformer': async () => (await import('./data/decision-transformer.ts')).decisionTransformer,
    },
  },
  {
    title: 'Goals from recordings',
    algos: {
      gcivl: async () => (await import('./goals/gcivl.ts')).gcivl,
      hiql: async () => (await import('./goals/hiql.ts')).hiql,
      ota: async () => (await import('./goals/ota.ts')).ota,
      qrl: async () => (await import('./goals/qrl.ts')).qrl,
      hilp: async () => (await import('./goals/hilp.ts')).hilp,
    },
  },
  {
    title: 'Preference-based RL',
    algos: {
      'preference-ppo': async () => (await import('./preferences/preference-ppo.ts')).preferencePpo,
      spo: async () => (await import('./preferences/spo.ts')).spo,
      cpl: async () => (await import('./preferences/cpl.ts')).cpl,
      heron: async () => (await import('./preferences/heron.ts')).heron,
      oni: async () => (await import('./preferences/oni.ts')).oni,
      'subgoal-ppo': async () => (await import('./preferences/subgoal-ppo.ts')).subgoalPpo,
      'observation-attacker': async () => (await import('./preferences/observation-attacker.ts')).observationAttacker,
    },
  },
  {
    title: 'Language',
    algos: {
      'group-rl': async () => (await import('./language/group-rl.ts')).groupRl,
      'group-worlds': async () => (await import('./language/group-worlds.ts')).groupWorlds,
      'token-ppo': async () => (await import('./language/token-ppo.ts')).tokenPpo,
      'token-cloning': async () => (await import('./language/token-cloning.ts')).tokenCloning,
      dpo: async () => (await import('./language/dpo.ts')).dpo,
    },
  },
  {
    title: 'Self-play and adversaries',
    algos: {
      'self-play': async () => (await import('./games/self-play.ts')).selfPlay,
      generations: async () => (await import('./games/generations.ts')).generations,
      adversary: async () => (await import('./games/adversary.ts')).adversary,
    },
  },
  {
    title: 'Search',
    algos: {
      minimax: async () => (await import('./search/minimax.ts')).minimax,
      mcts: async () => (await import('./search/mcts.ts')).mcts,
      'alpha-zero': async () => (await import('./search/alpha-zero.ts')).alphaZero,
    },
  },
  {
    title: 'Games and populations',
    algos: {
      cfr: async () => (await import('./games/cfr.ts')).cfr,
      'fictitious-play': async () => (await import('./games/fictitious-play.ts')).fictitiousPlay,
      psro: async () => (await import('./games/psro.ts')).psro,
      hedge: async () => (await import('./games/hedge.ts')).hedge,
      replicator: async () => (await import('./games/replicator.ts')).replicator,
    },
  },
  {
    title: 'Multi-objective',
    algos: {
      'pareto-sweep': async () => (await import('./multi-objective/pareto-sweep.ts')).paretoSweep,
      'pareto-dqn': async () => (await import('./multi-objective/pareto-dqn.ts')).paretoDqn,
    },
  },
  {
    title: 'Baselines',
    algos: {
      random: async () => (await import('./baselines/random.ts')).random,
    },
  },
];

const { get, load, loadAll, give } = lateEntries(
  algoFamilies.map(({ algos }) => algos),
  'algorithm',
  'algo.id',
);

/** Makes a method that a person wrote (core/own) known by its id, beside those of the families. */
export const giveAlgo = (entry: AlgoEntry): void => give(entry.id, entry);

/** Loads every method. */
export const loadAlgos = loadAll;

/** A method that was loaded before. Throws LabError('unknown-id') with the ids there are, and LabError('internal') for one that was not. */
export const getAlgo: (id: string) => AlgoEntry = get;

/** Throws LabError('unknown-id') with the ids there are. */
export const loadAlgo: (id: string) => Promise<AlgoEntry> = load;

/** Title of the family; empty for an id that is not listed. */
export const algoFamilyTitle = (id: string): string => algoFamilies.find(({ algos }) => Object.hasOwn(algos, id))?.title ?? '';
