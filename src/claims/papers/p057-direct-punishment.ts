/** P057: a population that plays the dilemma in pairs, with punishment, choice of partners and reputation switched on or off. */
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
  source: {
    guess: {
      searches: [
        'The paper’s number, 2301.08278, among public repositories: the README of the authors’ code, which names its mechanisms, and reading notes; the code itself is in no repository that is stored.',
        'Names of its scripts (play_DPOnly_punishOnlyRep) among public files: that README alone.',
      ],
    },
  },
  differs: [
    'four of sixteen combinations of mechanisms',
    'one network for all agents, told apart by what happened to them',
    'fines of three to a cost of one, chosen here',
  ],
  found: { outcome: 'open', text: 'Nobody ever cooperates in any of the four forms, so punishment has nobody to punish for defecting.' },
  question:
    'Do learners who can punish the partner that wronged them cooperate more, most of all where they choose partners and see reputations?',
  idea: 'In a dilemma every player gains by defecting. Where the wronged may pay to fine the partner, defecting can become dear; choice of partners and a name to lose may do the same.',
  equation: 'payoff of a round = payoff of the dilemma - cost x punishments given - fine x punishments got',
  config: {
    v: 1,
    env: { id: 'population-dilemma', config: { scenario: 'pairs', agents: 20, maxSteps: 120 } },
    algo: { id: 'ippo', config: { envs: 16, rolloutSteps: 120, minibatches: 8, lr: 1e-3, gamma: 0.9, entropyCoef: 0.01 } },
    run: { steps: 60_000, evalEpisodes: 50 },
  },
  arms: [
    { id: 'none', title: 'no mechanism', trials: 1 },
    { id: 'direct', title: 'direct punishment', trials: 1, differs: on('directPunishment') },
    { id: 'choice', title: 'partner choice and reputation', trials: 1, differs: on('partnerChoice', 'reputation') },
    {
      id: 'direct-choice',
      title: 'direct punishment, partner choice and reputation',
      trials: 1,
      differs: on('directPunishment', 'partnerChoice', 'reputation'),
    },
  ],
  quantity: { title: 'share of plays in which an agent cooperates, 50 episodes at the end', measured: 'cooperation', drawn: true },
  contrasts: [
    { id: 'punishment raises cooperation', kind: 'difference', arm: 'direct', over: 'none', claim: 'above', size: 0.05 },
    // the dilemma: where nothing punishes, learners that have finished defect
    { id: 'without a mechanism they defect', kind: 'level', arm: 'none', claim: 'below', none: 0.1, control: true },
    { id: 'most with choice and reputation', kind: 'difference', arm: 'direct-choice', over: 'direct', claim: 'above', size: 0.05 },
    // whom nobody ever cooperates with cannot be paid for cooperating: one play in a hundred
    { id: 'somebody cooperates', kind: 'level', arm: 'direct-choice', claim: 'above', none: 0.01, premise: true },
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
  firstSeed: 3001,
  forms: 3,
  tunedOn: [901, 902],
  noQuick: 'each of its arms is one press in the set-up',
  scaledDown:
    'Twenty agents in pairs, 120 steps an episode, four of the sixteen combinations of switches; 60,000 steps, in which a round takes as many steps as it has phases; one network for all, told apart by what happened to each. PPO in place of the paper’s deep Q-learners: in a first form, deep Q-learning over 32,000 steps on seeds from 1,001, learning was not done at the end (without any mechanism some 45 % still cooperated, where defecting pays more), and a control voided it. The same control stands here. Cooperation is that of 50 episodes at the end, actions drawn. What five seeds show: everybody defects in every arm, and nobody punishes, since a punishment costs one and earns nothing within an agent’s horizon.',
  dishonest: 'Fines so high that defecting never pays; calling the direction the paper’s number, which its abstract does not give.',
  next: 'Switch single mechanisms on, or make punishing free (cost 0) and see whether anybody punishes.',
});
