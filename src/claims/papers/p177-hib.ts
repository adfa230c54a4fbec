/** P177: a cart whose motor may be wired either way, and stronger or weaker than any it was trained with: four learners that are not told, and one that is. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** Newtons of a push to the right; below 0 the motor is wired the other way round. */
const TRAINED = [-14, -10, -7, 7, 10, 14];
const UNSEEN = [-20, -4, 4, 20];
const against = UNSEEN.map((force): JsonObject => ({ contexts: { list: [{ force }], tell: true } }));

const LEARNERS = [
  { id: 'bottleneck', title: 'information bottleneck' },
  { id: 'two stages', title: 'a teacher, then its student' },
  { id: 'history', title: 'history alone' },
  { id: 'blind', title: 'neither told nor with a history' },
  { id: 'told', title: 'told the force' },
] as const;

const arms = LEARNERS.map(
  ({ id, title }): Arm => ({ id: id.replace(' ', '-'), title, trials: 2, against, differs: { algo: { config: { learner: id } } } }),
);

export const hib = definePaper({
  id: 'P177',
  title: 'Bridging the Sim-to-Real Gap from the Information Bottleneck Perspective',
  authors: 'He et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2305.18464',
  claim:
    'Taken as an information bottleneck, a representation of privileged knowledge is learned from the history in one stage; it reduces the value gap to a policy that is told, and generalises better than earlier ways of distilling privileged knowledge, in simulation and on robots.',
  source: {
    read: 'The paper’s objective as a public research note restates it, whose author read the text (found by 2305.18464); no code of the authors was found.',
    table: [
      {
        of: 'max I(z; privileged) - beta I(history; z)',
        ours: 'src/core/algos/on-policy/privileged-ppo.ts (compileLearner)',
        state: 'kept',
        note: 'Both terms by variational bounds.',
      },
      {
        of: 'the first term: z tells of a learned code of the privileged knowledge',
        ours: 'src/core/algos/on-policy/privileged-ppo.ts (compileLearner)',
        state: 'changed',
        note: 'z predicts the privileged number itself.',
      },
      {
        of: 'without it training almost fails',
        ours: 'algo.config.learner',
        state: 'kept',
        note: 'The arm that learns from its history alone.',
      },
      { of: 'legged robots', ours: 'env.id', state: 'changed', note: 'A cart with a pole.' },
    ],
  },
  differs: [
    'a cart with a pole in place of legged robots; no robot',
    'one hidden number, the force of the motor with its sign',
    'the privileged number itself is predicted, not a learned code of it',
  ],
  found: {
    outcome: 'open',
    text: 'The bottleneck beats history alone by 102, and the two stages it is named against by 28 (-12 to 69): open.',
  },
  question:
    'With a motor that is stronger or weaker than any it was trained with, and wired either way, does a policy keep a pole up longer when its code of the last steps was learned through a bottleneck than when it was copied from a teacher’s?',
  idea: 'In the simulator the force of the motor is known, on the real cart it is not. What pushes did in the last steps tells it. A student can copy what a teacher makes of the number, after the teacher has learned; or one policy can learn from the start to act on a summary of the last steps that says as much as possible about the number and as little as possible about anything else.',
  equation: 'L = L_PPO + |d(z) - c|^2 + rate KL(p(z | h) || N(0, 1)),   z ~ p(. | h)',
  config: {
    v: 1,
    env: { id: 'cartpole', config: { contexts: { draw: { force: TRAINED }, tell: true } } },
    algo: {
      id: 'privileged-ppo',
      config: { envs: 8, rolloutSteps: 256, minibatches: 8, epochs: 8, lr: 1e-3, normaliseObs: true },
    },
    run: { steps: 239_616, evalEpisodes: 25 },
  },
  arms,
  quantity: { title: 'greedy return with motors of 4 and 20 N, wired either way, mean', of: 'againstReturn' },
  contrasts: [
    {
      id: 'the bottleneck generalises better than two stages',
      kind: 'difference',
      arm: 'bottleneck',
      over: 'two-stages',
      claim: 'above',
      size: 50, // a tenth of the way from random play to the best
    },
    { id: 'and better than history alone', kind: 'difference', arm: 'bottleneck', over: 'history', claim: 'above', size: 50 },
    { id: 'the hidden number matters', kind: 'difference', arm: 'told', over: 'blind', claim: 'above', size: 100, control: true },
  ],
  // random play: mean over the four motors
  scale: { better: 'more', random: 22, ceiling: 500 },
  leftOut: 'One hidden number of one small world; no robot, and no code of the privileged knowledge that is learned too.',
  tunedOn: [901, 905],
  quick: { run: { steps: 100_352 }, seeds: 2 },
  scaledDown:
    'CartPole, 239,616 steps for each learner: the student of two stages learns for the second half of its steps, the others all the time. All have the same networks, a critic that is told, and eight steps of history. Trained with pushes of 7, 10 and 14 N in both senses, tested with 4 and 20 N. On seed 901 other worlds were tried first, in which the hidden numbers do not matter: a pendulum of unknown mass, length and time step (told -234, not told -219) and a room of unknown walls and heat pump (-19 and -20). With 150,000 steps the oracle itself stayed at 407 of 500, with 300,000 the student of two stages came to 475. On the forty seeds the oracle came to 468 (on the two of the pilot to 500), the bottleneck to 440, the student to 412, history alone to 338: the bottleneck beats history alone by 102; its lead over the student is half of what was claimed, and open.',
  dishonest: 'A student with more steps than its rivals; tests inside the range of training; an oracle that has not learned.',
  next: 'Set the force by hand while it balances, -10 for 10: the history fills with the new motor’s answers within eight steps.',
});
