/** P057: a population that plays the dilemma in pairs, with punishment, choice of partners and reputation switched on or off. */
import { ABSTRACT_ONLY } from '#contract/papers.ts';
import { definePaper } from '../define.ts';

const on = (...switches: string[]) => ({ env: { config: Object.fromEntries(switches.map((name) => [name, true])) } });

export const directPunishment = definePaper({
  id: 'P057',
  title: 'Investigating the Impact of Direct Punishment on the Emergence of Cooperation in Multi-Agent Reinforcement Learning Systems',
  authors: 'Dasgupta and Musolesi',
  year: 2023,
  link: 'https://arxiv.org/abs/2301.08278',
  sign: 'ours',
  claim:
    'The paper analyses how direct and third-party punishment, partner choice and reputation shape cooperation; its abstract gives neither a number nor a direction.',
  mechanism: ABSTRACT_ONLY,
  differs: ['four of sixteen combinations of mechanisms', '32,000 steps', 'one network for all agents, told apart by their number'],
  question:
    'Do learners who can punish the partner that wronged them cooperate more, most of all where they choose partners and see reputations?',
  idea: 'In a dilemma every player gains by defecting. Where the wronged may pay to fine the partner, defecting can become dear; choice of partners and a name to lose may do the same.',
  equation: 'payoff of a round = payoff of the dilemma - cost x punishments given - fine x punishments got',
  config: {
    v: 1,
    env: { id: 'population-dilemma', config: { scenario: 'pairs', agents: 20, maxSteps: 120 } },
    algo: {
      id: 'iql',
      config: { recurrent: false, learningStarts: 1000, rolloutSteps: 4, targetEvery: 20, lr: 2e-3, epsilonFraction: 0.3 },
    },
    run: { steps: 32_000, evalEpisodes: 10 },
  },
  arms: [
    { id: 'none', title: 'no mechanism', trials: 2 },
    { id: 'direct', title: 'direct punishment', trials: 2, differs: on('directPunishment') },
    { id: 'choice', title: 'partner choice and reputation', trials: 2, differs: on('partnerChoice', 'reputation') },
    {
      id: 'direct-choice',
      title: 'direct punishment, partner choice and reputation',
      trials: 2,
      differs: on('directPunishment', 'partnerChoice', 'reputation'),
    },
  ],
  quantity: { title: 'share of plays in which an agent cooperates, last 100 training episodes', metric: 'cooperation', take: 'last' },
  contrasts: [
    { id: 'punishment raises cooperation', kind: 'difference', arm: 'direct', over: 'none', claim: 'above', size: 0.05 },
    // the dilemma: where nothing punishes, learners that have finished defect
    { id: 'without a mechanism they defect', kind: 'level', arm: 'none', claim: 'below', none: 0.1, control: true },
    { id: 'most with choice and reputation', kind: 'difference', arm: 'direct-choice', over: 'direct', claim: 'above', size: 0.05 },
  ],
  scale: { better: 'more', ceiling: 1 },
  exempt: [
    {
      check: 'random',
      arms: ['none', 'direct', 'direct-choice'],
      why: 'how often agents cooperate is what is asked, and learners that play well may defect; random play cooperates in half of the rounds',
    },
    {
      check: 'parameters',
      arms: ['none', 'direct', 'direct-choice'],
      why: 'who may choose a partner sees and names all of them: the network has more inputs and outputs, its hidden layers are the same',
    },
  ],
  tunedOn: [1, 2],
  noQuick:
    'its control arm has not finished learning at the end of the full form: with fewer steps the arms would be told apart by who learns faster',
  scaledDown:
    'Four of the sixteen combinations of switches; 32,000 steps, in which a round takes as many steps as it has phases; one network for all, with the agents’ numbers as input. A first full run, of 16,000 steps with the method’s defaults, is not counted: its networks had hardly begun to learn. These settings were then chosen on seeds 1 and 2, and two arms that no contrast names (third-party punishment, and everything together) were left out; contrasts and sizes stayed as they were. The seeds are those of the first run, so they had been seen once, with other settings. Learning is not done at the end: without any mechanism some 45 % still cooperate, where defecting pays more. A control names that since these runs: while it is not held, nothing is concluded.',
  dishonest: 'Fines so high that defecting never pays; calling the direction the paper’s number, which its abstract does not give.',
  next: 'Switch single mechanisms on, or make punishing free (cost 0) and see whether anybody punishes.',
});
