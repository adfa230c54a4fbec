/** P109: a population of radicals and an alarm that lags behind: who is fixed, who reacts, who learns. */
import type { Difference } from '#contract/papers/papers.ts';
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
  leftOut:
    'Two actions in place of three, other rewards, another network and another line for a runaway: the numbers of the paper are those of its own simulation.',
  source: {
    read: 'Authors’ text and code, YehudaItkin/delayed-repression-instability: paper/latex/sections/03_network_model.tex and appendix_experiment_details.tex at 0c7e5d7, experiments/src/autonomy_lab/simulation.py at f4c81de.',
    table: [
      {
        of: 'section 3.3: logistic(k (A(t - delay) - A_c))',
        ours: 'src/core/envs/social/lib/population/alarm.ts (createAlarm)',
        state: 'kept',
      },
      {
        of: 'the same: punishment drawn with that chance, by how visible an agent is',
        ours: 'src/core/envs/social/lib/population/alarm.ts (createAlarm)',
        state: 'changed',
        note: 'Paid in expectation; all are visible alike.',
      },
      { of: 'appendix: 240 agents, 500 steps, k = 10', ours: 'env.config.agents', state: 'kept' },
      {
        of: 'section 3.1: loyal, moderate, radical',
        ours: 'src/core/envs/social/lib/population/alarm.ts (createAlarm)',
        state: 'changed',
        note: 'Normal or radical.',
      },
      {
        of: 'section 3.4: influence of neighbours in the reward',
        ours: '',
        state: 'left out',
        note: 'A radical’s benefit does not depend on neighbours.',
      },
      {
        of: 'section 3.2: six blocks with bridges',
        ours: 'src/core/envs/social/lib/population/network.ts (smallWorld)',
        state: 'changed',
        note: 'A small world.',
      },
      {
        of: 'section 3.5: step 0.1, exploration 0.08, discount 0.95, 36 states',
        ours: 'src/core/algos/tabular/independent-q.ts',
        state: 'changed',
        note: 'A table each, with settings and bins of ours.',
      },
      {
        of: 'reactive_policy: by the alarm, by neighbours and by the last punishment',
        ours: 'src/core/envs/social/lib/population/alarm.ts (reactive)',
        state: 'changed',
        note: 'Radical exactly where the punishment seen is below the benefit; looks with chance 1/4 a step.',
      },
      {
        of: 'fixed: 65, 27 and 8 % of the actions',
        ours: 'src/core/envs/social/lib/population/alarm.ts (fixed)',
        state: 'changed',
        note: 'The chance of the rest point.',
      },
      {
        of: 'runaway: share of radicals above 0.4 in the second half',
        ours: 'src/core/envs/social/lib/population/alarm.ts (RUNAWAY)',
        state: 'changed',
        note: 'Above 0.9 in the last fifth.',
      },
    ],
  },
  differs: ['network, step size, exploration and bins are ours', '20 populations for each seed', 'three delays'],
  found: {
    outcome: 'smaller',
    text: 'At the longest delay those who react run away always, those who learn in an eighth of the populations, a fixed chance never: the order of the paper, at a fifth of its rate.',
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
  // no share is below 0
  scale: { better: 'less', ceiling: 0 },
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
