/** Every ready-made experiment: one import and one line each. The order is the order of the gallery. */
import type { ExperimentCard } from '#contract/catalog/catalog.ts';
import { a2cAcrobot } from './a2c-acrobot.ts';
import { a2cCartpole } from './a2c-cartpole.ts';
import { adversaryRandom } from './adversary-random.ts';
import { adversaryTeammate } from './adversary-teammate.ts';
import { cmaEsCartpole } from './cma-es-cartpole.ts';
import { cmaEsSlimeVolley } from './cma-es-slime-volley.ts';
import { commnetSpread } from './commnet-spread.ts';
import { dqnAcrobot } from './dqn-acrobot.ts';
import { dqnCartpole } from './dqn-cartpole.ts';
import { followPlain } from './follow-plain.ts';
import { followPlanner } from './follow-planner.ts';
import { foragingIppo } from './foraging-ippo.ts';
import { hammerMessages } from './hammer-messages.ts';
import { hammerRandom } from './hammer-random.ts';
import { kuhnPsro } from './kuhn-psro.ts';
import { lessonCliffQLearning } from './lesson-cliff-q-learning.ts';
import { lessonCliffSarsa } from './lesson-cliff-sarsa.ts';
import { lessonDoorkey } from './lesson-doorkey.ts';
import { lessonFrozenLake } from './lesson-frozen-lake.ts';
import { lessonLearningRate } from './lesson-learning-rate.ts';
import { lessonPredators } from './lesson-predators.ts';
import { mansaCoin } from './mansa-coin.ts';
import { mansaCoinAlways } from './mansa-coin-always.ts';
import { mansaCoinNever } from './mansa-coin-never.ts';
import { mansaCoinRandom } from './mansa-coin-random.ts';
import { memoryChainRecurrentPpo } from './memory-chain-recurrent-ppo.ts';
import { overcookedIppo } from './overcooked-ippo.ts';
import { paretoGathering } from './pareto-gathering.ts';
import { paretoTreasure } from './pareto-treasure.ts';
import { ppoAcrobot } from './ppo-acrobot.ts';
import { ppoCartpole } from './ppo-cartpole.ts';
import { ppoDoorkey5 } from './ppo-doorkey-5.ts';
import { ppoDoorkey8 } from './ppo-doorkey-8.ts';
import { ppoDoorkey8Counts } from './ppo-doorkey-8-counts.ts';
import { ppoDroneHover } from './ppo-drone-hover.ts';
import { ppoMinatarBreakout } from './ppo-minatar-breakout.ts';
import { ppoMinigridDoorkey } from './ppo-minigrid-doorkey.ts';
import { ppoMinigridEmpty } from './ppo-minigrid-empty.ts';
import { ppoSlimeVolley } from './ppo-slime-volley.ts';
import { pqnAcrobot } from './pqn-acrobot.ts';
import { pqnCartpole } from './pqn-cartpole.ts';
import { pqnMinatarBreakout } from './pqn-minatar-breakout.ts';
import { qLearningCliff } from './q-learning-cliff.ts';
import { qLearningFrozenLake } from './q-learning-frozen-lake.ts';
import { sacDroneHover } from './sac-drone-hover.ts';
import { sacPendulum } from './sac-pendulum.ts';
import { sarsaCliff } from './sarsa-cliff.ts';
import { shapleyAlikeAgents } from './shapley-alike-agents.ts';
import { shapleyIdleAgent } from './shapley-idle-agent.ts';
import { shapleyPredatorSpeeds } from './shapley-predator-speeds.ts';
import { shapleyRanksHarvest } from './shapley-ranks-harvest.ts';
import { shapleyRanksTag } from './shapley-ranks-tag.ts';
import { shapleyStrongForager } from './shapley-strong-forager.ts';
import { simpleSpreadApart } from './simple-spread-apart.ts';
import { simpleSpreadComa } from './simple-spread-coma.ts';
import { simpleSpreadHappo } from './simple-spread-happo.ts';
import { simpleSpreadIppo } from './simple-spread-ippo.ts';
import { simpleSpreadIql } from './simple-spread-iql.ts';
import { simpleSpreadMaddpg } from './simple-spread-maddpg.ts';
import { simpleSpreadMappo } from './simple-spread-mappo.ts';
import { simpleSpreadPqnVdn } from './simple-spread-pqn-vdn.ts';
import { simpleSpreadQmix } from './simple-spread-qmix.ts';
import { simpleSpreadVdnRnn } from './simple-spread-vdn-rnn.ts';
import { slimeSelfPlay } from './slime-self-play.ts';
import { speakerListenerChannel } from './speaker-listener-channel.ts';
import { speakerListenerSilent } from './speaker-listener-silent.ts';
import { startCartpole } from './start-cartpole.ts';
import { tagMaddpg } from './tag-maddpg.ts';
import { tagMappo } from './tag-mappo.ts';
import { tagPrey } from './tag-prey.ts';
import { td3Pendulum } from './td3-pendulum.ts';
import { vicsekMeanField } from './vicsek-mean-field.ts';
import { volleyballFlat } from './volleyball-flat.ts';
import { volleyballRandomSkills } from './volleyball-random-skills.ts';
import { volleyballStrategist } from './volleyball-strategist.ts';

export const experiments: readonly ExperimentCard[] = [
  startCartpole,
  lessonFrozenLake,
  lessonCliffQLearning,
  lessonCliffSarsa,
  lessonDoorkey,
  lessonLearningRate,
  lessonPredators,
  ppoCartpole,
  dqnCartpole,
  pqnCartpole,
  a2cCartpole,
  cmaEsCartpole,
  ppoAcrobot,
  dqnAcrobot,
  pqnAcrobot,
  a2cAcrobot,
  ppoMinigridEmpty,
  ppoMinigridDoorkey,
  ppoDoorkey5,
  ppoDoorkey8,
  ppoDoorkey8Counts,
  ppoMinatarBreakout,
  pqnMinatarBreakout,
  qLearningCliff,
  sarsaCliff,
  qLearningFrozenLake,
  ppoDroneHover,
  sacDroneHover,
  sacPendulum,
  td3Pendulum,
  simpleSpreadPqnVdn,
  simpleSpreadVdnRnn,
  simpleSpreadQmix,
  simpleSpreadIql,
  simpleSpreadIppo,
  simpleSpreadMappo,
  simpleSpreadHappo,
  simpleSpreadApart,
  tagMappo,
  tagPrey,
  foragingIppo,
  mansaCoin,
  mansaCoinNever,
  mansaCoinAlways,
  mansaCoinRandom,
  overcookedIppo,
  memoryChainRecurrentPpo,
  simpleSpreadComa,
  simpleSpreadMaddpg,
  tagMaddpg,
  commnetSpread,
  speakerListenerChannel,
  speakerListenerSilent,
  hammerMessages,
  hammerRandom,
  vicsekMeanField,
  shapleyIdleAgent,
  shapleyAlikeAgents,
  shapleyPredatorSpeeds,
  shapleyStrongForager,
  shapleyRanksTag,
  shapleyRanksHarvest,
  kuhnPsro,
  ppoSlimeVolley,
  cmaEsSlimeVolley,
  slimeSelfPlay,
  adversaryRandom,
  adversaryTeammate,
  paretoTreasure,
  paretoGathering,
  followPlain,
  followPlanner,
  volleyballStrategist,
  volleyballRandomSkills,
  volleyballFlat,
];
