/** P005: one of a frozen team of three is replaced: paid for the others' losses, paid for its influence too, or acting at random. */
import type { JsonObject } from '#contract/json.ts';
import { definePaper } from '../define.ts';

const attack = (config: JsonObject) => ({ algo: { config } });

export const ami = definePaper({
  id: 'P005',
  title: 'Attacking Cooperative Multi-Agent Reinforcement Learning by Adversarial Minority Influence',
  authors: 'Li et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2302.03322',
  claim:
    'One adversary that is paid for its one-way influence on the others and for steering them to learned target actions lowers the team’s return further than earlier attackers do.',
  mechanism:
    'The authors’ code (ami_mujoco/algorithms/ami_trainer.py, ami_smac/src/learners/ppo_ami_learner.py): a second policy, learned beside the adversary’s, names the action each victim shall be brought to, and a learned model of the victims says how far a step leads there; that is paid beside the loss. Here any change of what victims do is paid, read from their own policies.',
  differs: [
    'influence is paid without target actions',
    'influence is read from the victims’ own networks, so the attack is not black box',
    'simple spread, 160,000 steps, half of them the team’s',
  ],
  question: 'Does an adversary in a team harm it more when it is also paid for its influence on what the others do?',
  idea: 'A team has learned to cooperate and learns no more. One of its agents is replaced by a learner that wants the others to lose; it may also be paid for moving them, whatever it moves them to.',
  equation: 'reward of the adversary = -mean reward of the others + c x KL(what they do | what they would do otherwise)',
  config: {
    v: 1,
    env: { id: 'mpe-simple-spread' },
    algo: { id: 'adversary', config: { epochs: 8, minibatches: 8 } },
    run: { steps: 160_000 },
  },
  arms: [
    { id: 'influence', title: 'paid for losses and influence', trials: 0, differs: attack({ influenceCoef: 1 }) },
    { id: 'loss', title: 'paid for losses', trials: 0 },
    { id: 'random', title: 'acts at random', trials: 0, differs: attack({ attack: 'random' }) },
    { id: 'whole', title: 'the team as it was', trials: 0, differs: attack({ attack: 'none' }) },
  ],
  quantity: { title: 'mean greedy return of the attacked team', of: 'evalReturn' },
  contrasts: [
    { id: 'influence harms more', kind: 'difference', arm: 'influence', over: 'loss', claim: 'below', size: -0.5, paired: true },
    {
      id: 'learning harms more than chance',
      kind: 'difference',
      arm: 'loss',
      over: 'random',
      claim: 'below',
      size: -0.5,
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
  atMost: {
    verdict: 'partly',
    why: 'Not the whole of AMI: target actions and a learned model of the victims are not built, and the worlds besides particles are no arms here.',
  },
  tunedOn: [1, 5],
  quick: { run: { steps: 60_000 }, seeds: 2 },
  scaledDown:
    '160,000 steps, half of them the team’s. Influence is read from the victims’ own networks, so this attacker is no black box; any change of what they do counts, whether it harms or not. On all ten seeds both paid attackers came out with the same greedy score to the last digit: influence changed their parameters, but not the actions they take for the best.',
  dishonest: 'Claiming a black box while asking the victims’ networks; a loss-paid attacker that was given fewer steps.',
  next: 'Change the weight of influence (influenceCoef), or replace another agent.',
});
