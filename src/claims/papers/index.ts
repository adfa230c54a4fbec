/** Every paper that is built: one import and one line each, by number. Those that are only planned stand in ../list.json. */
import { judgedFormOf, type PaperCard } from '#contract/papers/forms.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { cfcqlPaper } from './p002-cfcql.ts';
import { momaland } from './p003-momaland.ts';
import { tripleBert } from './p004-triple-bert.ts';
import { ami } from './p005-ami.ts';
import { mra } from './p006-mra.ts';
import { gmah } from './p007-gmah.ts';
import { mamql } from './p010-mamql.ts';
import { spo } from './p011-spo.ts';
import { volleyBots } from './p012-volleybots.ts';
import { doctorAgent } from './p013-doctoragent-rl.ts';
import { l2rlcf } from './p014-l2rlcf.ts';
import { gymPybulletDrones } from './p015-gym-pybullet-drones.ts';
import { collectiveXai } from './p018-collective-xai.ts';
import { gigpo } from './p021-gigpo.ts';
import { epo } from './p025-epo.ts';
import { hcam } from './p027-hcam.ts';
import { generations } from './p028-generations.ts';
import { stratifiedGrpo } from './p029-stratified-grpo.ts';
import { loop } from './p031-loop.ts';
import { mansa } from './p033-mansa.ts';
import { clam } from './p034-clam.ts';
import { decPomfc } from './p035-dec-pomfc.ts';
import { sharedLayers } from './p036-shared-layers.ts';
import { agentGym } from './p037-agentgym.ts';
import { openEnded } from './p039-open-ended.ts';
import { learnToFollow } from './p042-learn-to-follow.ts';
import { continualDefinition } from './p045-continual-definition.ts';
import { adaptability } from './p051-adaptability.ts';
import { contextAwareBn } from './p053-context-aware-bn.ts';
import { oniPaper } from './p054-oni.ts';
import { demystifying } from './p055-demystifying.ts';
import { directPunishment } from './p057-direct-punishment.ts';
import { sqirl } from './p058-sqirl.ts';
import { independentHardness } from './p059-independent-hardness.ts';
import { panguAgent } from './p060-pangu-agent.ts';
import { muaRl } from './p061-mua-rl.ts';
import { spearPaper } from './p063-spear.ts';
import { raePsro } from './p064-rae-psro.ts';
import { vlDac } from './p065-vl-dac.ts';
import { histories } from './p070-histories.ts';
import { read } from './p071-read.ts';
import { gaMatr } from './p072-ga-matr.ts';
import { lumos } from './p074-lumos.ts';
import { causalEmergence } from './p076-causal-emergence.ts';
import { symAgent } from './p077-symagent.ts';
import { hammer } from './p078-hammer.ts';
import { rewardDesign } from './p081-reward-design.ts';
import { frontierLevels } from './p084-frontier-levels.ts';
import { bifurcation } from './p085-bifurcation.ts';
import { commonPool } from './p087-common-pool.ts';
import { memoryRewriting } from './p089-memory-rewriting.ts';
import { prsVspo } from './p090-prs-vspo.ts';
import { utilityLayer } from './p092-utility-layer.ts';
import { aepo } from './p099-aepo.ts';
import { bitRl } from './p101-bitrl.ts';
import { gnnRouting } from './p102-gnn-routing.ts';
import { delayedRepression } from './p109-delayed-repression.ts';
import { rat } from './p111-rat.ts';
import { continualReview } from './p113-continual-review.ts';
import { lifelongMetrics } from './p119-lifelong-metrics.ts';
import { rlsp } from './p125-rlsp.ts';
import { exit } from './p126-exit.ts';
import { wordsAsBeacons } from './p133-words-as-beacons.ts';
import { rafa } from './p145-rafa.ts';
import { heronPaper } from './p159-heron.ts';
import { ota } from './p164-ota.ts';
import { parl } from './p171-parl.ts';
import { subPo } from './p174-subpo.ts';
import { t1 } from './p176-t1.ts';
import { hib } from './p177-hib.ts';
import { mbtl } from './p179-mbtl.ts';
import { umtPsr } from './p180-umt-psr.ts';
import { snapshots } from './p181-snapshots.ts';
import { hilpPaper } from './p182-hilp.ts';
import { mex } from './p183-mex.ts';
import { demonstrations } from './p184-demonstrations.ts';

export const papers: readonly PaperCard[] = [
  cfcqlPaper,
  momaland,
  tripleBert,
  ami,
  mra,
  gmah,
  mamql,
  spo,
  volleyBots,
  doctorAgent,
  l2rlcf,
  gymPybulletDrones,
  collectiveXai,
  gigpo,
  epo,
  hcam,
  generations,
  stratifiedGrpo,
  loop,
  mansa,
  clam,
  decPomfc,
  sharedLayers,
  agentGym,
  openEnded,
  learnToFollow,
  continualDefinition,
  adaptability,
  contextAwareBn,
  oniPaper,
  demystifying,
  directPunishment,
  sqirl,
  independentHardness,
  panguAgent,
  muaRl,
  spearPaper,
  raePsro,
  vlDac,
  histories,
  read,
  gaMatr,
  lumos,
  causalEmergence,
  symAgent,
  hammer,
  rewardDesign,
  frontierLevels,
  bifurcation,
  commonPool,
  memoryRewriting,
  prsVspo,
  utilityLayer,
  aepo,
  bitRl,
  gnnRouting,
  delayedRepression,
  rat,
  continualReview,
  lifelongMetrics,
  rlsp,
  exit,
  wordsAsBeacons,
  rafa,
  heronPaper,
  ota,
  parl,
  subPo,
  t1,
  hib,
  mbtl,
  umtPsr,
  snapshots,
  hilpPaper,
  mex,
  demonstrations,
];

/** What of them is judged: of a form without an outcome, what was judged before it took that form. */
export const judgedPapers: readonly JudgedCard[] = papers.flatMap((card) => judgedFormOf(card) ?? []);
