/** Where and with which settings a field is tried as well for which the trial of its method is too short or the wrong task. */
import type { Json, JsonObject } from '../../src/contract/kit/json.ts';

export interface Tried {
  /** In place of the trial's environment and its settings. */
  readonly env?: string;
  /** Over the settings of that environment. */
  readonly envConfig?: JsonObject;
  /** Over the settings of the method; fields of a variant wait for the kind that has them. */
  readonly beside?: JsonObject;
  /** Values to try before others. */
  readonly values?: readonly Json[];
  readonly steps?: number;
}

/** Large steps, so that ratios leave the clip range within a short run. */
const LOUD: Tried = { beside: { lr: 0.05, epochs: 8 } };
/** Episodes that a time limit cuts. */
const CUT: Tried = { env: 'cartpole', envConfig: { maxSteps: 20 } };
const IMAGES: Tried = { env: 'minatar-breakout', values: [4] };
/** Agents that are alike. */
const ALIKE: Tried = { env: 'mpe-simple-spread' };
/** A trunk that was trained elsewhere. */
const OTHER: Tried = { beside: { worlds: [{ env: 'mpe-simple-line' }], carry: 'trunk' } };
const TINY: Tried = { values: [1e-3] };
/** Two contexts, which agents observe, each packed in its own block. */
const observed = (list: readonly JsonObject[]): JsonObject => ({
  contexts: { list: [...list], order: { by: 'blocks', steps: 320 }, tell: true },
});
const PENDULA: Tried = { env: 'pendulum', envConfig: observed([{ gravity: 10 }, { gravity: 5 }]) };
const REACH: Tried = { env: 'mujoco-table-reach' };
const SHARED: Tried = { env: 'overcooked', values: [0.5] };
const SHORT_GRID: Tried = { env: 'minigrid-unlock', envConfig: { maxSteps: 20 } };
const EDITABLE: Tried = { env: 'minigrid-maze', envConfig: { width: 5, height: 5, walls: 2, maxSteps: 6 } };
const SHORT_VOLLEYS: Tried = { env: 'slime-volley', envConfig: { opponent: 'agent', maxSteps: 100 } };
/** Half of all captions are paid for at once. */
const PAID_CAPTIONS: Tried = { beside: { rewardModel: 'hash', annotatorDelay: 0, annotatorErrors: 0.5 }, values: [50] };
/** Rows begin anew with each turn. */
const TURNS: Tried = { env: 't-steps', envConfig: { task: 'exchange', numbers: 5, steps: 8, mistakes: 1 }, steps: 6000 };
const SHORT_REPLAY: Tried = { values: [100] };
/** A recording with good and bad episodes. */
const MIXED: Tried = { beside: { dataset: 'mixed', recordSteps: 2000 }, values: [0.3] };
const FILE: Tried = { values: ['0'.repeat(64)] };

/** Where more episodes are played than its replay buffer holds. */
const teamReplay = (id: string): { readonly [name: string]: Tried } => ({
  [`${id} bufferSize`]: { values: [40], steps: 3000 },
  [`${id} learningStarts`]: { values: [1500], steps: 3000 },
  [`${id} targetEvery`]: { values: [5], steps: 3000 },
  [`${id} tau`]: { beside: { targetEvery: 5 }, values: [0.5], steps: 3000 },
});

/** By the name of a field, of all methods or of one, of a whole variant, or of a kind. The most special line counts. */
const TRIED: { readonly [name: string]: Tried } = {
  ...teamReplay('iql'),
  ...teamReplay('qmix'),
  ...teamReplay('vdn'),
  agentId: ALIKE,
  answers: FILE,
  // where what is seen is made of things
  body: ALIKE,
  bootstrapAtTruncation: CUT,
  bufferSize: SHORT_REPLAY,
  clip: LOUD,
  clipValue: LOUD,
  comparisons: FILE,
  // where an agent leaves before the episode ends
  deathEnds: { env: 'predator-prey' },
  dataset: { values: ['random', 'mixed'] },
  decay: { beside: { decay: { episodes: 20, epsilonFinal: 0.9 } } },
  // of a player who errs
  errors: { beside: { dataset: 'medium' } },
  filters: IMAGES,
  huberDelta: { values: [0.01] },
  longest: { values: [10] },
  maxGradNorm: TINY,
  share: MIXED,
  sharing: ALIKE,
  shapingUntil: SHARED,
  targetKl: { values: [1e-4], beside: { lr: 0.05 } },
  // few planes must already tell its observations apart
  'agent-modelling filters': { ...IMAGES, beside: { partnerCode: { kind: 'none' } } },
  'agent-modelling normaliseObs': { beside: { partnerCode: { kind: 'none' } } },
  'agent-modelling normaliseReward': { env: 'cartpole' },
  'generations bootstrapAtTruncation': { envConfig: { task: 'goals', maxSteps: 8 } },
  'policy-set deathEnds': { env: 'predator-prey', beside: { codes: 1 } },
  'shared-trunk deathEnds': { env: 'predator-prey' },
  'shared-trunk worlds': { values: [[{ env: 'mpe-simple-line' }]] },
  'shared-trunk carry': OTHER,
  'shared-trunk sourceShare': OTHER,
  'shared-trunk trunkFrom': { beside: { ...OTHER.beside, hidden: [8, 8, 8] }, values: [2] },
  'shared-trunk sharedHeads': OTHER,
  'shared-trunk frozen': OTHER,
  'policy-set trainOn': { values: [[{ localRatio: 0 }]] },
  'hash counts': { env: 'deep-sea', beside: { bonus: { bits: 16 } } },
  // with tasks to be packed
  'packed masks': { env: 'cartpole', envConfig: observed([{ force: 10 }, { force: -10 }]) },
  'adversary influence': { beside: { influenceCoef: 1 } },
  'crossq hindsight': REACH,
  'crossq plainUpdates': { values: [1] },
  // the place that is chosen changes as the learner learns, on a way that chance finds in a short run
  'designed-rewards design': { env: 'key-grid', envConfig: { map: ['S....G'] }, beside: { design: { places: 1 } } },
  'dial teamReward': ALIKE,
  'dpo minibatches': { values: [1, 4], steps: 8000 },
  'dpo writer': { steps: 4000 },
  // one agent and its landmark
  'dqn body': { ...ALIKE, envConfig: { agents: 1 } },
  'dqn hindsight': { env: 'bit-flip' },
  // consolidated often, and fewer transitions kept than there are
  'dqn forgetting': { beside: { forgetting: { every: 200, samples: 8, capacity: 50 } } },
  'ddpg hindsight': REACH,
  'droq hindsight': REACH,
  'go-explore cellSize': { env: 'mountain-car' },
  // a horizon that cuts answers, which partial starts go on from
  'group-rl horizon': { ...TURNS, values: [2] },
  'group-rl starts': { ...TURNS, beside: { horizon: 2 } },
  'group-rl cloning.teacher': { env: 't-reason', envConfig: { mistakes: 1 } },
  'dpo cloning.teacher': { env: 't-reason', envConfig: { mistakes: 1 } },
  'group-rl credit': TURNS,
  // ratios leave these limits, and lie between them
  'group-rl surrogate': { beside: { lr: 0.05, epochs: 4, surrogate: { low: 0.1, high: 0.9 } } },
  'group-rl surrogate.dual': { values: [1.01], beside: { lr: 0.05, epochs: 4 } },
  // where a short run earns something, and there is a novice; entropies leave the band
  'group-worlds band': { env: 'tool-worlds', beside: { band: { coef: 5, low: 1, high: 1 } } },
  'group-worlds branching': { beside: { group: 8 } },
  'group-worlds copies': { env: 'tool-worlds', values: [2] },
  'group-worlds preserve': { env: 'tool-worlds', beside: { lr: 0.05, epochs: 4 } },
  'group-worlds replay': { env: 'tool-worlds' },
  'group-worlds shapingUntil': { env: 'lookup-worlds', values: [0.5] },
  'group-worlds strataWeight': { env: 'tool-worlds' },
  'group-worlds clip': { env: 'tool-worlds', beside: { lr: 0.05, epochs: 4 } },
  'group-worlds cloning': { env: 'tool-worlds' },
  'group-worlds maxGradNorm': { env: 'tool-worlds', values: [1e-3] },
  'group-worlds stateGroups': { env: 'tool-worlds' },
  'hammer teamReward': ALIKE,
  'heron factors': { values: ['o1, o2'] },
  'heron weightNoise': { beside: { reward: 'weighted sum' }, values: [1] },
  'heron weights': { beside: { reward: 'weighted sum' }, values: [[1, 5, 1]] },
  'hidden-model memory': { values: [200] },
  'happo agentId': { ...ALIKE, beside: { sharing: 'shared' } },
  'maddpg agentId': { ...ALIKE, beside: { sharing: 'shared' } },
  'maddpg explorationNoise': { ...ALIKE, envConfig: { continuousActions: true } },
  'mansa switchMemory': { values: [100] },
  'mansa recurrent': { beside: { recurrent: { sequence: 2 } } },
  'mansa learningStarts': { values: [500] },
  'mansa targetEvery': { values: [20], steps: 5000 },
  'mansa tau': { beside: { targetEvery: 20 }, values: [0.5], steps: 5000 },
  'mcts exploration': { beside: { simulations: 60 }, values: [0.1, 10] },
  'mean-field trainOn': { values: [{ particles: 6 }] },
  'mex warmUp': { values: [500] },
  'minimax depth': { env: 'connect-four', values: [1, 4] },
  'monte-carlo decay.alphaFinal': { beside: { average: { kind: 'off', alpha: 0.1 }, decay: { episodes: 20 } }, values: [0.01] },
  'monte-carlo average': { beside: { average: { alpha: 0.1 } } },
  'oni bootstrapAtTruncation': SHORT_GRID,
  'oni repeats': PAID_CAPTIONS,
  'oni rewardWeight': PAID_CAPTIONS,
  // where episodes differ
  'pareto-dqn lookEpisodes': { env: 'mo-item-gathering', envConfig: { shuffle: true }, values: [5] },
  'pareto-dqn only': { values: [[1, 0, 0]] },
  'pareto-dqn preference': { values: [[1, 0, 0]], steps: 4000 },
  'pareto-dqn referencePoint': { values: [[-5, -5, -5]] },
  'pareto-sweep preference': { values: [[1, 0]] },
  'ppg clip': { beside: { lr: 0.05, policyEpochs: 8 } },
  'privileged-ppo teacherShare': { beside: { learner: 'two stages' } },
  // where its words are those that the model was trained on
  pretrained: { env: 'w-stories', beside: { width: 96, layers: 4, heads: 4 } },
  'ppo clipDecay': LOUD,
  'ppo forgetting': { beside: { forgetting: { every: 320, samples: 8, capacity: 50 } } },
  'ppo forgetting.resets of resets': { beside: { forgetting: { every: 320 } }, values: [0.9] },
  // where actions cost, and episodes end within a rollout
  'ppo lagrangian': { env: 'random-mdp', envConfig: { discount: 0.8 }, beside: { lagrangian: { limit: 0.1, rate: 0.5 } } },
  'ppo initialDeviation': { env: 'pendulum' },
  // where episodes end within a rollout, and few levels are kept
  'ppo levels': { env: 'minigrid-unlock', envConfig: { maxSteps: 4 }, beside: { levels: { capacity: 4 } } },
  'ppo levels.fill': { env: 'minigrid-unlock', envConfig: { maxSteps: 4 }, beside: { levels: { capacity: 16 } } },
  'ppo levels.count': { env: 'minigrid-unlock', envConfig: { maxSteps: 4 }, values: [3] },
  // where levels can be edited
  'ppo levels.fill of edited': { ...EDITABLE, beside: { levels: { capacity: 16 } } },
  edited: { ...EDITABLE, beside: { levels: { capacity: 4 } } },
  'psro responses': { beside: { responses: { updates: 3 } } },
  // a game too large for exact responses
  auto: { env: 'tic-tac-toe', beside: { responses: { updates: 3 } }, steps: 10_000 },
  'psro responses.members of auto': { env: 'kuhn-poker' },
  'psro responses.bootstrapAtTruncation': { ...SHORT_VOLLEYS, beside: { responses: { updates: 3 } }, steps: 10_000 },
  // the number of an agent does not go with entities
  'qmix body': { ...ALIKE, beside: { agentId: false }, steps: 3000 },
  'recurrent-ppo teamReward': { env: 'coin-game' },
  // four chunks of two steps fit into an episode
  'recurrent-ppo memory': { beside: { memory: { window: 8, chunk: 2, topK: 3, slots: 4 } } },
  'sac forgetting': { beside: { forgetting: { every: 200, samples: 8, capacity: 50, cloning: 0.1, valueCloning: 0.1 } } },
  'sac forgetting.keep of packed masks': PENDULA,
  'sac forgetting.retrain of packed masks': PENDULA,
  'sac hindsight': REACH,
  'sac-discrete autoTemperature.of': { env: 'snake', envConfig: { actionMask: true } },
  'self-play bootstrapAtTruncation': SHORT_VOLLEYS,
  'self-play opponents': { steps: 8000 },
  'self-play poolSize': { values: [1], steps: 6000 },
  'strategist bootstrapAtTruncation': { env: 'drone-volleyball', envConfig: { maxSteps: 40 } },
  'strategist strategy.skill': { values: ['attack left'] },
  'subgoal-ppo bootstrapAtTruncation': SHORT_GRID,
  'td3 hindsight': REACH,
  'tqc hindsight': REACH,
  'token-ppo clip': { beside: { lr: 0.05, epochs: 4 }, steps: 4000 },
  'token-ppo critic': { env: 't-reason', envConfig: { mistakes: 1 }, steps: 4000 },
  'token-ppo gamma': { steps: 4000 },
  'token-ppo lambda': { steps: 4000 },
  'token-ppo maxGradNorm': { steps: 4000, values: [1e-3] },
  'token-ppo valueCoef': { steps: 4000 },
  'trpo cgMaxSteps': { values: [1] },
  // steps so long that they are refused
  'trpo lineSearchShrink': { beside: { targetKl: 1, cgDamping: 0 } },
  'trpo lineSearchSteps': { values: [0, 1], beside: { targetKl: 1, cgDamping: 0 } },
  'ucbvi warmUp': { values: [500] },
};

export function triedFor(algo: string, name: string): Tried | undefined {
  const [path = '', kind = ''] = name.split(' of ');
  const [key = ''] = path.split('.');
  const lines = [`${algo} ${name}`, `${algo} ${path}`, kind, `${algo} ${key}`, key];
  return lines.map((line) => TRIED[line]).find((line) => line !== undefined);
}

const CODES = 'MiniGrid observes codes, which are not normalised';

/**
 * Fields without an effect where they are tried, by method, with the reason. This list only shrinks: a field that acts must not stand here,
 * and no field that forms show without "more fields".
 */
export const EXCUSED: { readonly [algo: string]: { readonly [name: string]: string } } = {
  happo: { deathEnds: 'HAPPO learns from the reward of the team, which goes on when an agent dies; kept for stored configs' },
  oni: { normaliseObs: CODES },
  'subgoal-ppo': { normaliseObs: CODES },
};
