/**
 * The terms that open a formula: what each means, its formula and symbols, and how the numbers of a step go into it. Meanings and symbols are
 * those of docs/glossary.md, which people read (a test holds them together); equations after Sutton and Barto (2018), GAE Schulman et al.
 * (2016), ratio and clip Schulman et al. (2017).
 */
import type { StepNumbers } from '#contract/run/step-numbers.ts';
import type { TermId } from './ids.ts';
import { texNumber as n } from './math.ts';

export interface Term {
  /** Its row in docs/glossary.md. */
  readonly term: string;
  readonly meaning: string;
  readonly tex: string;
  readonly symbols: readonly (readonly [tex: string, words: string])[];
  /** The number of the step shown; null: it has none there. */
  readonly value?: (step: StepNumbers) => number | null;
  /** The formula with the numbers in it. */
  readonly filled?: (step: StepNumbers) => string | null;
  /** Key of the method's setting whose value is shown. */
  readonly setting?: string;
  /** Metric whose newest value is shown. */
  readonly metric?: string;
}

const STATE = ['s', 'state at this frame'] as const;
const NEXT = ["s'", 'state at the next frame'] as const;
const REWARD = ['r', 'reward of this step'] as const;
const GAMMA = ['\\gamma', 'discount factor'] as const;
const POLICY = ['\\pi(a \\mid s)', 'probability of the action'] as const;

const tdFilled = ({ reward, nextValue, value, gamma }: StepNumbers): string | null =>
  reward === null || nextValue === null || value === null ? null : `${n(reward)} + ${n(gamma)} \\cdot ${n(nextValue)} - ${n(value)}`;

export const TERMS: { readonly [K in TermId]: Term } = {
  return: {
    term: 'reward, return',
    meaning: 'Return: (discounted) sum of rewards of an episode.',
    tex: 'G_t = \\sum_{k=0}^{T-t-1} \\gamma^k r_{t+k+1}',
    symbols: [['r_{t+1}', 'reward of step t'], GAMMA, ['T', 'end of the episode']],
    value: ({ discounted }) => discounted,
    metric: 'episodicReturn',
  },
  discount: {
    term: 'discount factor',
    meaning: 'Weight of a reward one step later.',
    tex: 'G_t = r_{t+1} + \\gamma G_{t+1}',
    symbols: [GAMMA, ['G', 'return']],
    value: ({ gamma, assumed }) => (assumed.includes('gamma') ? null : gamma),
    setting: 'gamma',
  },
  'state-value': {
    term: 'action value, state value',
    meaning: 'Expected return after an action, from a state.',
    tex: 'V(s) = \\mathrm{E}[G_t \\mid s_t = s]',
    symbols: [STATE, ['G_t', 'return from there on']],
    value: ({ kind, value }) => (kind === 'V' ? value : null),
  },
  'action-value': {
    term: 'action value, state value',
    meaning: 'Expected return after an action, from a state.',
    tex: 'Q(s, a) = \\mathrm{E}[G_t \\mid s_t = s, a_t = a]',
    symbols: [STATE, ['a', 'action taken'], ['G_t', 'return from there on']],
    value: ({ kind, value }) => (kind === 'Q' ? value : null),
  },
  'td-error': {
    term: 'TD error',
    meaning: "$r + \\gamma V(s') - V(s)$, or the same with action values.",
    tex: "\\delta = r + \\gamma V(s') - V(s)",
    symbols: [
      REWARD,
      GAMMA,
      ["V(s')", 'value of the next state, 0 after the end; of action values the greatest'],
      ['V(s)', 'value of this state; of action values that of the action taken'],
    ],
    value: ({ tdError }) => tdError,
    filled: tdFilled,
    metric: 'tdError',
  },
  advantage: {
    term: 'advantage',
    meaning: '$Q - V$; estimated by GAE.',
    tex: '\\hat{A}_t = \\sum_{k=0}^{T-t-1} (\\gamma \\lambda)^k \\delta_{t+k}',
    symbols: [['\\delta_t', 'TD error of step t'], GAMMA, ['\\lambda', 'GAE lambda']],
    value: ({ advantage }) => advantage,
    filled: ({ tdError, advantage, gamma, lambda }) =>
      tdError === null || advantage === null
        ? null
        : `${n(tdError)} + ${n(gamma)} \\cdot ${n(lambda)} \\cdot \\hat{A}_{t+1}, \\quad \\hat{A}_{t+1} = ${n((advantage - tdError) / (gamma * lambda))}`,
    metric: 'advantage',
  },
  'gae-lambda': {
    term: 'GAE lambda',
    meaning: 'Weight between one-step and Monte Carlo advantages.',
    tex: '\\hat{A}_t = \\delta_t + \\gamma \\lambda \\hat{A}_{t+1}',
    symbols: [['\\lambda', '0: the TD error alone; 1: all rewards to the end'], GAMMA, ['\\delta_t', 'TD error']],
    value: ({ lambda, assumed }) => (assumed.includes('lambda') ? null : lambda),
    setting: 'lambda',
  },
  'value-loss': {
    term: 'value loss',
    meaning: 'Squared distance of the values from their targets, mean over the batch.',
    tex: 'L = \\frac{1}{2} (V(s) - \\hat{G})^2, \\quad \\hat{G} = \\hat{A} + V(s)',
    symbols: [['\\hat{G}', 'target: advantage plus the value before the update'], STATE],
    value: ({ target, value }) => (target === null || value === null ? null : 0.5 * (value - target) ** 2),
    filled: ({ target, value }) => (target === null || value === null ? null : `\\frac{1}{2} (${n(value)} - ${n(target)})^2`),
    metric: 'valueLoss',
  },
  'policy-loss': {
    term: 'policy loss',
    meaning: 'Minus what the update tries to make larger; falls and rises without saying how good the policy is.',
    tex: 'L = - \\min(\\rho \\hat{A}, \\clip(\\rho, 1 - \\epsilon, 1 + \\epsilon) \\hat{A})',
    symbols: [
      ['\\rho', 'probability ratio'],
      ['\\hat{A}', 'advantage'],
      ['\\epsilon', 'clip range'],
    ],
    metric: 'policyLoss',
  },
  'log-probability': {
    term: 'logits, log-probability',
    meaning: 'Unnormalised and normalised log-probabilities of discrete actions.',
    tex: '\\ln \\pi(a \\mid s) = z_a - \\ln \\sum_b \\exp z_b',
    symbols: [
      ['z', 'logits'],
      ['a', 'action taken'],
    ],
    value: ({ logProb }) => logProb,
  },
  ratio: {
    term: 'probability ratio',
    meaning: 'How much likelier the action has become than under the policy that took it.',
    tex: '\\rho = \\frac{\\pi_\\theta(a \\mid s)}{\\pi_{\\mathrm{old}}(a \\mid s)}',
    symbols: [
      ['\\pi_\\theta', 'the policy shown'],
      ['\\pi_{\\mathrm{old}}', 'the one kept before it'],
      ['a', 'action taken'],
    ],
    value: ({ ratio }) => ratio,
    filled: ({ logProb, oldLogProb }) => (logProb === null || oldLogProb === null ? null : `\\exp(${n(logProb)} - ${n(oldLogProb)})`),
  },
  'clip-range': {
    term: 'clip range',
    meaning: "PPO's limit on the probability ratio.",
    tex: '\\clip(\\rho, 1 - \\epsilon, 1 + \\epsilon)',
    symbols: [
      ['\\rho', 'probability ratio'],
      ['\\epsilon', 'clip range'],
    ],
    value: ({ ratio }) => ratio,
    setting: 'clip',
    metric: 'clipFraction',
  },
  entropy: {
    term: 'entropy',
    meaning: 'Entropy of the action distribution, nats.',
    tex: 'H = - \\sum_a \\pi(a \\mid s) \\ln \\pi(a \\mid s)',
    symbols: [POLICY, ['H', '0: certain; ln of the number of actions: pure chance']],
    value: ({ entropy }) => entropy,
    metric: 'entropy',
  },
  kl: {
    term: 'KL divergence',
    meaning: 'How far one action distribution is from another, nats.',
    tex: '\\mathrm{KL} = \\sum_a \\pi_{\\mathrm{old}}(a \\mid s) \\ln \\frac{\\pi_{\\mathrm{old}}(a \\mid s)}{\\pi_\\theta(a \\mid s)}',
    symbols: [
      ['\\pi_\\theta', 'the policy shown'],
      ['\\pi_{\\mathrm{old}}', 'the one kept before it'],
    ],
    value: ({ kl }) => kl,
    metric: 'approxKl',
  },
  'learning-rate': {
    term: 'learning rate',
    meaning: 'Step size of the optimiser.',
    tex: '\\theta \\leftarrow \\theta - \\alpha g',
    symbols: [
      ['\\theta', 'weights'],
      ['\\alpha', 'learning rate'],
      ['g', 'the gradient, by Adam divided by its usual size'],
    ],
    setting: 'lr',
    metric: 'learningRate',
  },
  'max-gradient-norm': {
    term: 'max gradient norm',
    meaning: 'Longer gradients are scaled down to this norm.',
    tex: 'g \\leftarrow g \\cdot \\min(1, \\frac{c}{|g|})',
    symbols: [
      ['g', 'gradient of all weights'],
      ['c', 'max gradient norm'],
    ],
    setting: 'maxGradNorm',
    metric: 'gradNorm',
  },
  'target-smoothing': {
    term: 'target network, target smoothing',
    meaning: 'Slowly updated copy: $\\theta^- \\leftarrow (1-\\tau)\\theta^- + \\tau\\theta$ (Polyak); $\\tau = 1$ copies.',
    tex: '\\theta^- \\leftarrow (1 - \\tau) \\theta^- + \\tau \\theta',
    symbols: [
      ['\\theta^-', 'weights of the target network'],
      ['\\theta', 'weights that learn'],
      ['\\tau', 'target smoothing'],
    ],
    setting: 'tau',
  },
  epsilon: {
    term: 'epsilon start, end, decay fraction',
    meaning: 'Share of uniformly random actions, and over which part of the budget it falls.',
    tex: '\\pi(a \\mid s) = \\frac{\\varepsilon}{N} + (1 - \\varepsilon) [a = a^*]',
    symbols: [
      ['\\varepsilon', 'share of random actions'],
      ['N', 'number of actions'],
      ['a^*', 'action of the greatest value'],
    ],
    metric: 'epsilon',
  },
  temperature: {
    term: 'temperature',
    meaning: 'Weight of the entropy in SAC; *target entropy* is what it is tuned to.',
    tex: 'J = \\mathrm{E}[\\sum_t \\gamma^t (r_t + \\alpha H(s_t))]',
    symbols: [['\\alpha', 'temperature'], ['H', 'entropy'], GAMMA],
    setting: 'temperature',
    metric: 'temperature',
  },
  bootstrapping: {
    term: 'bootstrapping',
    meaning: 'Using a value estimate for what follows.',
    tex: "G \\sim r + \\gamma V(s')",
    symbols: [REWARD, GAMMA, NEXT],
    value: ({ reward, gamma, nextValue }) => (reward === null || nextValue === null ? null : reward + gamma * nextValue),
    filled: ({ reward, gamma, nextValue }) =>
      reward === null || nextValue === null ? null : `${n(reward)} + ${n(gamma)} \\cdot ${n(nextValue)}`,
  },
  saliency: {
    term: 'saliency, occlusion',
    meaning: 'Gradient by the observation; change when a part of it is replaced.',
    tex: '\\frac{\\partial \\pi(a \\mid s)}{\\partial o_i}',
    symbols: [['o_i', 'one number of the observation'], POLICY],
  },
};
