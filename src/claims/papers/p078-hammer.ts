/** P078: messages from one agent that sees everything to those that act and do not see each other. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm, Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const drawn: Quantity = { title: 'mean return, actions drawn', of: 'sampledReturn' };
/** Three agents that see landmarks, not each other. How they are moved and paid does not depend on what they see: random play gets what it always does. */
const navigation = (id: string, title: string, settings: JsonObject = {}): Arm => ({
  id,
  title,
  trials: 3,
  scale: { random: -26.56 },
  quantity: drawn,
  differs: {
    env: { id: 'mpe-simple-spread', config: { agentNeighbors: 0 } },
    algo: { config: { lr: 1e-3, ...settings } },
    run: { evalEpisodes: 300 },
  },
});

export const hammer = definePaper({
  id: 'P078',
  title: 'HAMMER: Multi-Level Coordination of Reinforcement Learning Agents via Learned Messaging',
  authors: 'Gupta et al.',
  year: 2021,
  link: 'https://arxiv.org/abs/2102.00824',
  claim:
    'Messages of a central agent, learned by RL, raise return over independent learners, also for unlike agents and other reward structures.',
  source: {
    read: 'Authors’ code, Nikunj-Gupta/HAMMER at c4cac7d, hammer.py, hammer-run.py and configs/cn.yaml.',
    table: [
      {
        of: 'hammer.py, global_actor: one network reads all views and has an output for each agent',
        ours: 'src/core/algos/comms/hammer.ts (hammer)',
        state: 'kept',
      },
      { of: 'an agent acts on its view and that message', ours: 'src/core/algos/comms/hammer.ts (hammer)', state: 'kept' },
      { of: 'it learns from the agents’ PPO through the messages alone', ours: 'src/core/algos/comms/hammer.ts (hammer)', state: 'kept' },
      {
        of: 'a network and a critic for each agent',
        ours: 'src/core/algos/comms/hammer.ts (hammer)',
        state: 'changed',
        note: 'One for all, and one critic of all views, in silence too.',
      },
      {
        of: 'configs/cn.yaml: one number a message, step size 0.0003',
        ours: 'algo.config.lr',
        state: 'changed',
        note: 'Four numbers, 0.001.',
      },
      { of: 'the walker and unlike agents', ours: '', state: 'left out', note: 'Particle worlds alone.' },
    ],
  },
  differs: [
    'navigation of three and speaker-listener; no walkers',
    '300,000 steps in place of 12.5 million',
    'one network for all who act',
  ],
  found: {
    outcome: 'open',
    text: 'Learned messages are ahead of silence, by 0.39 beside the better tuned silence; five seeds leave it open.',
  },
  question: 'Do messages of a central agent help agents that do not see each other where they could also manage alone?',
  idea: 'One agent sees the whole state and may only talk. The others see their own part, hear a short message and act. Both learn from the task’s reward.',
  equation: 'm = f(s),   a_i ~ pi(o_i, m_i)',
  config: {
    v: 1,
    env: { id: 'mpe-simple-speaker-listener', config: { deaf: true } },
    algo: { id: 'hammer', config: { epochs: 10, minibatches: 8, lr: 2e-3, gamma: 0.95 } },
    run: { steps: 300_000 },
  },
  arms: [
    navigation('spread', 'cooperative navigation, learned messages'),
    navigation('spread-silent', 'cooperative navigation, silent', { channel: 'silent' }),
    navigation('spread-silent-fast', 'cooperative navigation, silent, twice the step size', { channel: 'silent', lr: 2e-3 }),
    { id: 'listener', title: 'speaker and listener, learned messages', trials: 1 },
    {
      id: 'listener-random',
      title: 'speaker and listener, random messages',
      trials: 1,
      differs: { algo: { config: { channel: 'random' } } },
    },
  ],
  quantity: { title: 'mean greedy return', of: 'evalReturn' },
  contrasts: [
    // the strongest rival that was run; on one of two tuning seeds silence ended higher there
    {
      id: 'over silence with twice the step',
      kind: 'difference',
      arm: 'spread',
      over: 'spread-silent-fast',
      claim: 'above',
      size: 1,
    },
    // a twentieth of the way from random play (-26.56) to a script that sees everything (-7.59)
    { id: 'navigation, over silence', kind: 'difference', arm: 'spread', over: 'spread-silent', claim: 'above', size: 1 },
    // where silence must fail: that the channel works
    { id: 'listener, over noise', kind: 'difference', arm: 'listener', over: 'listener-random', claim: 'above', size: 1, control: true },
  ],
  scale: { better: 'more', random: -39.89 },
  exempt: [
    {
      check: 'parameters',
      arms: ['listener', 'listener-random'],
      why: 'numbers drawn at random need no network to make them; in navigation, where the claim is judged, both arms have the same networks',
    },
  ],
  leftOut: 'The walker, unlike agents and other reward structures are no arms here.',
  looks: [5, 10],
  secondLook: 'full',
  firstSeed: 3001,
  forms: 2,
  tunedOn: [1, 905],
  quick: { run: { steps: 60_000 }, seeds: 2 },
  scaledDown:
    '300,000 steps a run. Silence has the same networks as learned messages, and delivers none; in speaker and listener, a control, noise takes the place of the messenger. In a first form (150,000 steps, seeds from 1,001) agents in navigation saw each other, so that a messenger had nothing to tell them: learned messages ended 3.3 below silence (-18.9 and -15.6), and an arm of random messages, with half of the parameters, voided the verdict. In the authors’ code an agent may be given its velocity, its place and the landmarks alone; that is what it gets here. What is read in navigation is the return of drawn actions: it is what is learned, and greedy returns of silence at 0.002 lay 2.6 apart on two tuning seeds. Step sizes of 0.002 and 0.0007 (150,000 steps, seed 1), 0.002 and 0.001 (300,000 steps, seeds 901 and 902) were tried, for both arms alike. In the last fifth of 300,000 steps learned messages came to -18.6 and -18.7 at 0.002 and to -18.4 twice at 0.001; silence came to -18.4 and -20.0 at 0.002, to -19.5 and -19.4 at 0.001. So both are judged at 0.001, the default of the method, and silence at 0.002 is a rival of its own. Speaker and listener keep the step size of 0.002 that was chosen there.',
  dishonest:
    'Showing the speaker and the listener alone: there silence cannot work. A silent arm with fewer parameters, or with a smaller step size.',
  next: 'Hunters of unlike speed (mpe-simple-tag), or navigation with localRatio 0 and 1.',
});
