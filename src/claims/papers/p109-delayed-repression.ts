/** P109: a population of radicals and an alarm that lags behind: who is fixed, who reacts, who learns. */
import { ABSTRACT_ONLY, type Difference } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const DELAYS = [0, 8, 20] as const;
/** What the abstract says of learners at delay 20. */
const RATE = 0.66;
const lag = (delay: number, more: Difference = {}): Difference => ({ ...more, env: { config: { delay, ...more.env?.config } } });
/** Learners see the lagged share in ten bins, so that a table can hold it. */
const tables: Difference = { env: { config: { bins: 10 } }, algo: { id: 'independent-q', config: { lifetime: 'episode' } } };

export const delayedRepression = definePaper({
  id: 'P109',
  title: 'Delayed Repression and Emergent Instability in Adaptive Multi-Agent Systems',
  authors: 'Itkin',
  year: 2026,
  link: 'https://arxiv.org/abs/2605.30392',
  claim:
    'Delay alone destabilises adaptive agents: no runaways with a fixed policy, 96 % with a reactive one from delay 8 on, and 66 % with Q-learning at delay 20.',
  published: { value: RATE, text: '0.66 (66 %) runaways of Q-learners at delay 20', of: 'q-20' },
  mechanism: ABSTRACT_ONLY,
  differs: ['network, step size, exploration and bins are ours', '20 populations for each seed', 'three delays'],
  found: {
    outcome: 'open',
    text: 'Delays make one who reacts run away most and a fixed one never; ten seeds leave the step between reacting and learning open.',
  },
  question: 'Does a late alarm let a population run away where its agents react at once, and less so where they learn?',
  idea: 'Radicals gain until an alarm punishes them, and the alarm shows how things were some steps ago. Agents that answer it at once overshoot together; tables of values change slowly.',
  equation: 'reward of a radical = benefit - punishment x logistic(k (A(t - delay) - threshold))',
  config: {
    v: 1,
    env: { id: 'population-dilemma', config: { scenario: 'alarm', agents: 240, maxSteps: 500 } },
    algo: { id: 'random' },
    run: { steps: 10_000, evalEpisodes: 20 },
  },
  arms: [
    ...DELAYS.map((delay) => ({
      id: `fixed-${delay}`,
      title: `fixed chance, delay ${delay}`,
      script: 'fixed',
      trials: 0,
      differs: lag(delay),
    })),
    ...DELAYS.map((delay) => ({
      id: `reactive-${delay}`,
      title: `reacts to the alarm, delay ${delay}`,
      script: 'reactive',
      trials: 0,
      differs: lag(delay),
    })),
    // without delay none ran away on ten earlier seeds
    ...([8, 20] as const).map((delay) => ({
      id: `q-${delay}`,
      title: `a table each, delay ${delay}`,
      trials: 0,
      differs: lag(delay, tables),
    })),
  ],
  quantity: { title: 'share of 20 populations that run away', metric: 'runaway', take: 'last' },
  contrasts: [
    // one population of 20 in every step
    {
      id: 'reacting runs away most, learning less, fixed least',
      kind: 'order',
      arms: ['reactive-20', 'q-20', 'fixed-20'],
      claim: 'above',
      size: 0.05,
    },
    { id: 'learners run away as often as there', kind: 'difference', arm: 'q-20', over: 'fixed-20', claim: 'above', size: RATE },
    { id: 'reacting runs away from delay 8', kind: 'level', arm: 'reactive-8', claim: 'above', none: 0.9 },
    // a chance that depends on nothing cannot run away
    { id: 'fixed never runs away', kind: 'every', arm: 'fixed-20', claim: 'below', none: 0, control: true },
  ],
  scale: { better: 'less' },
  exempt: [
    {
      check: 'random',
      arms: ['fixed-20', 'reactive-8', 'reactive-20', 'q-20'],
      why: 'how often a population runs away is what is asked, no score of how well its agents play',
    },
    {
      check: 'spread',
      arms: ['fixed-20', 'reactive-20'],
      why: 'every seed is 20 populations of its own; shares of 0 and 1 on all of them are what the paper says',
    },
  ],
  forms: 2,
  firstSeed: 3001,
  quick: { run: {}, seeds: 2 },
  scaledDown:
    'The network, the learners’ step size, exploration and bins are ours: the abstract leaves them open. 20 populations for each of the seeds, three delays of the paper’s range. Every episode of 500 steps is a new population whose tables are empty. A first form, on ten seeds from 1,001, found the order of the paper and not its rate: learners ran away in some 12 % of populations at delay 20, there in 66 %. This one, on new seeds, asks for the rate too.',
  dishonest: 'Agents that share one table; moving the threshold of a runaway (90 % radical in the last fifth) after a look.',
  next: 'Let the learners keep their tables over episodes (lifetime: run), or look for the delay at which they begin to run away.',
});
