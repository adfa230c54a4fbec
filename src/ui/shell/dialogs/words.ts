/** Words of reinforcement learning that the page uses everywhere, in the order in which a newcomer meets them; the field's own terms (docs/glossary.md). */
export const WORDS: readonly (readonly [word: string, meaning: string])[] = [
  ['agent, environment', 'The agent decides; the environment is the world that answers with what is seen next and a reward.'],
  ['step, episode', 'A step is one action and its answer. An episode goes from a start to an end or to the step limit.'],
  ['return', 'All rewards of an episode added up. Learning means that it rises.'],
  ['policy', 'What chooses the actions: from what is seen to how likely each action is.'],
  ['exploring, greedy test', 'While it learns a policy tries things out; tested greedily it always takes its best action.'],
  ['seed', 'The number all chance is drawn from. The same config and seed give the same run; other seeds show how much was luck.'],
  ['value', 'The return that is expected from here on; discounted, so that near rewards count for more.'],
  [
    'advantage, GAE',
    'How much better an action was than expected. GAE (generalised advantage estimation) blends short and long looks ahead; lambda says how.',
  ],
  [
    'bootstrapping',
    'Using the value of where an episode was cut in place of the rewards that would have come. At a step limit it keeps the limit from looking like a bad end.',
  ],
  ['entropy', 'How undecided a policy is, in nats: 0 is certain, ln(number of actions) is pure chance.'],
  ['KL divergence', 'How far the new policy has moved from the old one in an update, in nats. Large steps forget what was learned.'],
  [
    'learning rate, Adam',
    'Adam is the optimiser: it steps down the loss, with a step size of its own for every weight. The learning rate scales all of them.',
  ],
  [
    'interquartile mean, interval',
    'The mean over seeds without the lowest and the highest quarter, and where it lies with 95\u00a0% confidence.',
  ],
];
