/** P005: one of a frozen team that gathers is replaced: paid for the others' losses, for steering them to target actions too, or acting at random. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** Of the way down that a loss-paid adversary goes beyond random play, 20 points of return, a tenth: less would be no reason for a second policy. */
const SIZE = -2;

const TARGETS = { influence: 'targets', influenceCoef: 1 };

/** The adversary in a team of five, or of three, where it is a third of what each victim sees. Three set-ups of the team were tried, for all arms. */
const arm = (id: string, title: string, members: number, config: JsonObject = {}): Arm => ({
  id: members === 5 ? id : `${id}-${members}`,
  title: `${title}, ${members} members`,
  trials: 3,
  differs: { env: { config: { members, learners: members } }, algo: { config } },
});

export const ami = definePaper({
  id: 'P005',
  title: 'Attacking Cooperative Multi-Agent Reinforcement Learning by Adversarial Minority Influence',
  authors: 'Li et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2302.03322',
  claim:
    'One adversary that is paid for its one-way influence on the others and for steering them to learned target actions lowers the team’s return further than earlier attackers do.',
  source: {
    read: 'Authors’ code, DIG-Beihang/AMI at 7c86757.',
    table: [
      {
        of: 'ami_mujoco/algorithms/ami_policy.py: a second policy names the action each victim shall be brought to',
        ours: 'src/core/algos/games/adversary.ts (adversary)',
        state: 'kept',
      },
      {
        of: 'maa.py, ppo_ami_learner.py: a model of the victims says how far a step leads there, paid beside the loss',
        ours: 'src/core/algos/games/lib/target-actions.ts (steeringGain)',
        state: 'kept',
      },
      {
        of: 'influence in one direction, the adversary’s action against its other actions',
        ours: 'src/core/algos/games/lib/one-way.ts (oneWayInfluence)',
        state: 'changed',
        note: 'Ten others, by a model learned from what victims did: a black box.',
      },
      {
        of: 'StarCraft II, MuJoCo teams, robots and the other attackers',
        ours: '',
        state: 'left out',
        note: 'A rendezvous, and the plain loss.',
      },
    ],
  },
  differs: [
    'rendezvous of three and of five in simulation, not of ten robots; no StarCraft II and MuJoCo teams',
    'the rival is paid for losses; other attackers are not built',
    'the second policy learns from actions that victims took, not from those it named',
  ],
  found: {
    outcome: 'open',
    text: 'Steering the team’s choices harms it no more than blocking its reward does, as far as five seeds tell; learning to attack harms it far more than chance.',
  },
  question: 'Does an adversary in a team that gathers harm it more when it is also paid for steering the others to harmful actions?',
  idea: 'A team has learned to meet and learns no more. One of it is replaced by a learner that wants the others to lose; it may also be paid for every step that brings them nearer to actions that a second policy has found to be harmful.',
  equation:
    'reward of the adversary = -mean reward of the others + c x how much nearer they come to the named actions than after its other actions',
  config: {
    v: 1,
    env: { id: 'rendezvous' },
    algo: { id: 'adversary', config: { gamma: 0.99, entropyCoef: 0 } },
    run: { steps: 600_000 },
  },
  arms: [
    arm('targets', 'paid for losses and steering', 5, TARGETS),
    arm('loss', 'paid for losses', 5),
    arm('random', 'acts at random', 5, { attack: 'random' }),
    arm('targets', 'paid for losses and steering', 3, TARGETS),
    arm('loss', 'paid for losses', 3),
    arm('random', 'acts at random', 3, { attack: 'random' }),
  ],
  quantity: { title: 'mean greedy return of the attacked team', of: 'evalReturn' },
  contrasts: [
    { id: 'steering harms more', kind: 'difference', arm: 'targets', over: 'loss', claim: 'below', size: SIZE, paired: true },
    {
      id: 'steering harms more in a team of three',
      kind: 'difference',
      arm: 'targets-3',
      over: 'loss-3',
      claim: 'below',
      size: SIZE,
      paired: true,
    },
    {
      id: 'learning harms more than chance',
      kind: 'difference',
      arm: 'loss',
      over: 'random',
      claim: 'below',
      size: SIZE,
      paired: true,
      control: true,
    },
  ],
  scale: { better: 'less' },
  exempt: [
    {
      check: 'steps',
      arms: ['random'],
      why: 'nothing is learned after the team is frozen, and the team has had as many steps in every arm',
    },
    { check: 'parameters', arms: ['random'], why: 'who acts at random has no network; the team’s is the same' },
  ],
  leftOut:
    'Not the whole of AMI: the other attackers of the paper, its games of StarCraft II, its MuJoCo teams and its robots are no arms here.',
  firstSeed: 3001,
  forms: 2,
  tunedOn: [901, 905],
  quick: { run: { steps: 120_000 }, seeds: 2 },
  scaledDown:
    '600,000 steps, half of them the team’s, in rendezvous of five and of three. Tried before on tuning seeds, without more harm anywhere: weights of 1, 3, 5 and 10, an entropy bonus, predators and prey, foraging, speaker and listener. In simple spread an action moves what the others see only two steps later, so that no step can steer them.',
  dishonest: 'Claiming a black box while asking the victims’ networks; a loss-paid attacker that was given fewer steps.',
  next: 'Change the weight of steering (influenceCoef), or the number of members.',
});
