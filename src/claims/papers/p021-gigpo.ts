/** P021: groups of the same state inside groups of the same start, against whole episodes alone, in three worlds. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const states: JsonObject = { stepWeight: 1 };
const local = { env: { id: 'babyai', config: { level: 'GoToLocal' } }, run: { steps: 250_000 } };
const chain = { env: { id: 'minigrid-multi-room', config: { rooms: 2, maxRoomSize: 4 } }, run: { steps: 60_000 } };
/** Random play and the scripted expert, as measured over whole episodes (`npm run docs`: environments.md). */
const bounds = { rooms: { random: 0.0093, ceiling: 0.8428 }, local: { random: 0.1832, ceiling: 0.9297 } };
const shared: Quantity = { title: 'steps from shared states, mean over training', metric: 'sharedStates', take: 'mean' };
/** The same steps and the same network, with a critic's head on it. */
const critic = {
  id: 'ppo',
  config: { envs: 16, rolloutSteps: 64, minibatches: 4, epochs: 4, lr: 1e-3, gamma: 0.95, entropyCoef: 0.01, sharedTrunk: true },
};

export const gigpo = definePaper({
  id: 'P021',
  title: 'Group-in-Group Policy Optimization for LLM Agent Training',
  authors: 'Feng et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2505.10978',
  claim:
    'Comparing actions from identical states of several episodes raises success by more than 12 % (household) and 9 % (shop) over GRPO with the same rollouts.',
  published: { value: 0.12, text: '0.12 (12 points) in the household world', of: 'key and door' },
  source: {
    read: 'Authors’ code, gigpo/core_gigpo.py of verl-agent, in public copies.',
    table: [
      { of: 'groups of the same start', ours: 'src/math/groups.ts (groupAdvantages)', state: 'kept' },
      {
        of: 'inside them groups of the same state, by discounted returns',
        ours: 'src/core/algos/extensions/gigpo/extension.ts (stateGroups)',
        state: 'kept',
      },
      {
        of: 'the weighted sum of both advantages',
        ours: 'src/core/algos/extensions/gigpo/state-groups.ts (addStateGroups)',
        state: 'kept',
      },
      {
        of: 'states that are merely similar, where that is switched on',
        ours: 'src/core/algos/extensions/gigpo/state-groups.ts (placesOf)',
        state: 'changed',
        note: 'Only the same state counts, which is the default there.',
      },
    ],
  },
  differs: [
    'a network of 67,000 parameters on grids in place of a language model',
    'steps in place of turns',
    '87 to 99 % of the steps share their state with another',
  ],
  found: {
    outcome: 'shown',
    text: 'Groups of steps that share a state learn far better than groups of whole episodes in three grid worlds (0.18 to 0.76 more).',
  },
  question: 'Does comparing steps that several episodes took from the same state earn more than comparing whole episodes alone?',
  idea: 'Episodes from one start often pass through the same state. What they did there and what followed can be compared at no further cost, which says which step was the good one.',
  equation: 'A = A_episode + w A_step, A_step = (G - mean) / deviation among steps from the same state',
  touch: 'state-groups',
  config: {
    v: 1,
    env: { id: 'minigrid-doorkey', config: { width: 5, height: 5 } },
    algo: { id: 'group-worlds', config: {} },
    run: { steps: 120_000, evalEpisodes: 50 },
  },
  arms: [
    { id: 'doorkey', title: 'key and door, state groups', trials: 1, differs: { algo: { config: states } } },
    { id: 'doorkey-plain', title: 'key and door, episodes alone', trials: 1 },
    { id: 'rooms', title: 'two rooms, state groups', trials: 1, scale: bounds.rooms, differs: { ...chain, algo: { config: states } } },
    { id: 'rooms-plain', title: 'two rooms, episodes alone', trials: 1, scale: bounds.rooms, differs: chain },
    {
      id: 'local',
      title: 'go to what is named, state groups',
      trials: 1,
      scale: bounds.local,
      differs: { ...local, algo: { config: { ...states, horizon: 64 } } },
    },
    {
      id: 'local-plain',
      title: 'go to what is named, episodes alone',
      trials: 1,
      scale: bounds.local,
      differs: { ...local, algo: { config: { horizon: 64 } } },
    },
    { id: 'doorkey-critic', title: 'key and door, PPO with a critic', trials: 0, differs: { algo: critic } },
    { id: 'doorkey-shared', title: 'key and door', trials: 1, differs: { algo: { config: states } }, quantity: shared },
    { id: 'rooms-shared', title: 'two rooms', trials: 1, differs: { ...chain, algo: { config: states } }, quantity: shared },
    {
      id: 'local-shared',
      title: 'go to what is named',
      trials: 1,
      differs: { ...local, algo: { config: { ...states, horizon: 64 } } },
      quantity: shared,
    },
  ],
  quantity: { title: 'return of the last 100 training episodes', metric: 'episodicReturn', take: 'last' },
  contrasts: [
    { id: 'key and door', kind: 'difference', arm: 'doorkey', over: 'doorkey-plain', claim: 'above', size: 0.05 },
    { id: 'two rooms', kind: 'difference', arm: 'rooms', over: 'rooms-plain', claim: 'above', size: 0.05 },
    { id: 'go to what is named', kind: 'difference', arm: 'local', over: 'local-plain', claim: 'above', size: 0.05 },
  ],
  scale: { better: 'more', random: 0.0352, ceiling: 0.9643 },
  tunedOn: [1, 3],
  quick: { run: { steps: 60_000, evalEpisodes: 10 }, seeds: 2 },
  scaledDown:
    'A small policy on a grid stands in for a language model: about 67,000 parameters trained from nothing, steps in place of turns. States are the same where the agent stands in the same place and sees the same; how many steps share theirs is reported for each world. Budgets at which whole episodes alone have not learned all there is. The finding holds where states recur: 98 to 99 % of the steps share theirs with key and door and in two rooms, 87 % where one goes to what is named; a world where few do was not run. PPO with a critic of the same network, beside the contrasts, reaches with the same steps what state groups reach.',
  dishonest:
    'One world so small that every state recurs; smaller groups for the arm without state groups; a budget that only one arm fits.',
  next: 'Try a weight of 0.5 (stepWeight), or a larger room with a key and a door, where few episodes earn anything.',
});
