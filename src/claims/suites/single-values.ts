/** Values: Rainbow's parts against DQN, and practice in the memory against real steps. Suite: single.ts. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm, JudgedCard } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const DQN: JsonObject = {
  batchSize: 32,
  trainEvery: 8,
  learningStarts: 5000,
  bufferSize: 50_000,
  targetEvery: 1000,
  hidden: [64],
  lr: 5e-4,
};
const GREEDY: JsonObject = { epsilonStart: 0, epsilonEnd: 0 };
const ATOMS: JsonObject = { distribution: 'categorical', valueMin: 0, valueMax: 20 };
const PARTS = [
  { id: 'double', title: 'double values', config: { double: true } },
  { id: 'dueling', title: 'dueling heads', config: { dueling: true } },
  { id: 'n-step', title: '3-step returns', config: { nStep: 3 } },
  { id: 'prioritised', title: 'prioritised replay', config: { prioritised: true } },
  { id: 'distribution', title: '51 atoms', config: ATOMS },
  { id: 'noisy', title: 'noisy layers', config: { noisy: true, ...GREEDY } },
] as const satisfies readonly { id: string; title: string; config: JsonObject }[];

const rainbow = definePaper({
  id: 'rainbow-parts',
  title: 'Rainbow’s parts against DQN',
  authors: 'Hessel et al.',
  year: 2018,
  link: 'https://arxiv.org/abs/1710.02298',
  question: 'Is DQN with all six parts of Rainbow better than DQN after 200,000 steps, and with how many of them alone?',
  idea: 'Six improvements of DQN, each alone and all together, at a budget at which the paper already sees them apart.',
  equation: 'difference of interquartile means, part over DQN',
  config: {
    v: 1,
    env: { id: 'minatar-breakout' },
    algo: { id: 'dqn', config: DQN },
    run: { steps: 200_000 },
  },
  arms: [
    {
      id: 'rainbow',
      title: 'all six parts',
      trials: 1,
      differs: { algo: { config: Object.assign({}, ...PARTS.map(({ config }) => config), { priorityAlpha: 0.5 }) as JsonObject } },
    },
    { id: 'dqn', title: 'DQN', trials: 1 },
    ...PARTS.map(({ id, title, config }): Arm => ({ id, title: `DQN with ${title}`, trials: 1, differs: { algo: { config } } })),
  ],
  quantity: { title: 'mean greedy return', of: 'evalReturn' },
  contrasts: [
    // half a brick, about the return of random play
    { id: 'all six parts', kind: 'difference', arm: 'rainbow', over: 'dqn', claim: 'above', size: 0.5 },
    // as the first
    { id: 'each alone, in four of six', kind: 'cells', cells: PARTS.map(({ id }) => [id, 'dqn']), of: 4, claim: 'above', size: 0.5 },
  ],
  scale: { better: 'more', random: 0.47 },
  exempt: [
    {
      check: 'parameters',
      arms: ['rainbow', 'dqn', ...PARTS.map(({ id }) => id)],
      why: 'atoms, two heads and noise have weights of their own, and layers are kept as wide',
    },
  ],
  tunedOn: [1, 1],
  noQuick: 'returns are too alike in fewer steps',
  longer: { times: 10, why: 'the parts of the paper show apart late.' },
  scaledDown:
    'MinAtar Breakout in place of Atari, a dense network, an update every eighth step. Only whether there is a difference is asked.',
  dishonest: 'Tuning the whole and not the parts: all have the settings of DQN.',
  next: 'Take one part away from the whole, as the paper does.',
});

const planning = definePaper({
  id: 'dyna',
  title: 'Dyna-Q: practice in the memory for real steps',
  authors: 'Sutton',
  year: 1990,
  link: 'https://doi.org/10.1016/B978-1-55860-141-3.50030-4',
  question: 'How many fewer real steps does Q-learning need when it also learns from remembered ones?',
  idea: 'After every real step, fifty remembered ones are learned from again.',
  equation: "Q(s,a) += alpha [ r + gamma max_b Q(s',b) - Q(s,a) ] on remembered (s, a, r, s')",
  config: {
    v: 1,
    env: { id: 'cliff-walking' },
    algo: { id: 'dyna-q', config: { gamma: 0.95, planningSteps: 50 } },
    run: { steps: 20_000, evalEvery: 50, evalEpisodes: 1 },
  },
  arms: [
    { id: 'dyna', title: 'Dyna-Q, 50 planning steps', trials: 1 },
    { id: 'plain', title: 'Q-learning', trials: 1, differs: { algo: { id: 'q-learning', config: { gamma: 0.95 } } } },
  ],
  quantity: {
    title: 'real steps until the greedy way is the shortest, as a power of ten',
    metric: 'evalReturn',
    reaches: -13,
    log10: true,
  },
  contrasts: [{ id: 'half the real steps', kind: 'difference', arm: 'dyna', over: 'plain', claim: 'below', size: -0.3 }],
  scale: { better: 'more' }, // of the return that is to be reached
  exempt: [],
  tunedOn: [1, 3],
  quick: { run: { steps: 20_000, evalEvery: 50, evalEpisodes: 1 }, seeds: 3 },
  scaledDown: 'One map. Both methods have one learning rate of 0.5 and explore in one step of ten.',
  dishonest: 'Counting planning steps as free in seconds: this counts real steps only.',
  next: 'Prioritised sweeping, which practises where the surprise is.',
});

export const values: readonly JudgedCard[] = [rainbow, planning];
