/**
 * Words of reinforcement learning that the page uses everywhere, in the order in which a newcomer meets them; the field's own terms
 * (docs/glossary.md). The help lists them, and a step of a lesson opens those that it uses.
 */
import { msg } from '#text/text.ts';

export interface Word {
  readonly word: string;
  readonly meaning: string;
  /** Finds its use in an English text; missing: lessons explain it themselves. */
  readonly used?: RegExp;
}

export const WORDS: readonly Word[] = [
  { word: msg('agent'), meaning: msg('What decides and learns.'), used: /\bagents?\b/i },
  {
    word: msg('environment'),
    meaning: msg('The world in which the agent acts. It answers each action with what is seen next and a reward.'),
    used: /\benvironments?\b/i,
  },
  { word: msg('step'), meaning: msg('One action and its answer.') },
  { word: msg('episode'), meaning: msg('One try, from a start to an end or to the step limit.'), used: /\bepisodes?\b/i },
  { word: msg('reward'), meaning: msg('The number that the world pays for a step.'), used: /\brewards?\b/i },
  { word: msg('return'), meaning: msg('All rewards of an episode added up. Learning means that it rises.'), used: /\breturns?\b/i },
  {
    word: msg('policy'),
    meaning: msg('What chooses the actions: from what is seen to how likely each action is.'),
    used: /\bpolic(?:y|ies)\b/i,
  },
  {
    word: msg('greedy'),
    meaning: msg('Always the action that counts as best, without trying others. A greedy test shows what was learned.'),
    used: /\bgreed(?:y|ily)\b/i,
  },
  {
    word: msg('exploring'),
    meaning: msg('Trying actions that do not count as best, to find out what they bring.'),
    used: /\bexplor(?:e|es|ed|ing|ation)\b/i,
  },
  { word: 'epsilon', meaning: msg('The share of steps at which the agent takes a random action.'), used: /\bepsilon\b/i },
  {
    word: msg('seed'),
    meaning: msg('The number all chance is drawn from. The same config and seed give the same run; other seeds show how much was luck.'),
    used: /\bseeds?\b/i,
  },
  {
    word: msg('value'),
    meaning: msg('The return that is expected from here on; discounted, so that near rewards count for more.'),
    used: /\bvalues? of (?:the |an? |each )?(?:state|action|cell|lever|place)s?\b|\bQ\b/,
  },
  {
    word: msg('advantage, GAE'),
    meaning: msg(
      'How much better an action was than expected. GAE (generalised advantage estimation) blends short and long looks ahead; lambda says how.',
    ),
    used: /\badvantages?\b/i,
  },
  {
    word: msg('bootstrapping'),
    meaning: msg(
      'Using the value of where an episode was cut in place of the rewards that would have come. At a step limit it keeps the limit from looking like a bad end.',
    ),
    used: /\bbootstrap/i,
  },
  {
    word: msg('entropy'),
    meaning: msg('How undecided a policy is, in nats: 0 is certain, ln(number of actions) is pure chance.'),
    used: /\bentropy\b/i,
  },
  {
    word: msg('KL divergence'),
    meaning: msg('How far the new policy has moved from the old one in an update, in nats. Large steps forget what was learned.'),
    used: /\bKL\b/,
  },
  {
    word: msg('learning rate, Adam'),
    meaning: msg(
      'Adam is the optimiser: it steps down the loss, with a step size of its own for every weight. The learning rate scales all of them.',
    ),
    used: /\blearning rate\b|\bAdam\b/,
  },
  {
    word: msg('interquartile mean, interval'),
    meaning: msg('The mean over seeds without the lowest and the highest quarter, and where it lies with 95 % confidence.'),
    used: /\binterquartile\b|\bintervals?\b/i,
  },
];

/** Those that an English text uses. */
export const wordsUsed = (english: string): readonly Word[] => WORDS.filter(({ used }) => used?.test(english));
