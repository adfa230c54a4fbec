/** P180: several hidden chains learned together or each alone, where places show the same symbols in all of them and where they do not. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

const TASKS = 8;
const algo = (joint: boolean): { readonly config: JsonObject } => ({ config: { joint } });
const own = { config: { shared: false } };

export const umtPsr = definePaper({
  id: 'P180',
  title: 'Provable Benefits of Multi-task RL under Non-Markovian Decision Making Processes',
  authors: 'Huang et al.',
  year: 2023,
  link: 'https://arxiv.org/abs/2310.13550',
  claim:
    'Learning several partially observed tasks together needs fewer samples where the joint model class has a smaller bracketing number.',
  source: {
    guess: {
      searches: [
        '“Provable Benefits of Multi-task RL under Non-Markovian Decision Making Processes”, “UMT-PSR” and 2310.13550 among public repositories and pages: nothing beside the abstract.',
        'Repositories by its authors: none of the paper.',
      ],
    },
  },
  differs: [
    'eight chains of four hidden places, 2,100 steps',
    'expectation maximisation in place of confidence sets',
    'a demonstration of the theory’s direction; no transfer',
  ],
  found: { outcome: 'shown', text: 'Learning tasks together is better where they share symbols (by 0.05), and not where they do not.' },
  question:
    'Are several hidden chains learned from fewer steps together than one by one, where they share what their places show, and only there?',
  idea: 'What tasks have in common need be learned once: a class of joint models that is smaller than the classes of its tasks put together saves samples.',
  equation: 'surprise = -E log P(symbol | what was seen and done before), nats',
  config: {
    v: 1,
    env: { id: 'hidden-chain', config: { places: 4, symbols: 4, tasks: TASKS, modelSeed: 5 } },
    algo: { id: 'hidden-model', config: { tasks: TASKS, places: 4, epsilon: 1 } },
    run: { steps: 2100 },
  },
  arms: [
    { id: 'joint', title: 'shared symbols, learned together', trials: 1, differs: { algo: algo(true) } },
    { id: 'alone', title: 'shared symbols, each task alone', trials: 1, differs: { algo: algo(false) } },
    { id: 'joint-own', title: 'own symbols, learned together', trials: 1, differs: { env: own, algo: algo(true) } },
    { id: 'alone-own', title: 'own symbols, each task alone', trials: 1, differs: { env: own, algo: algo(false) } },
  ],
  quantity: { title: 'surprise by unseen random play after 2,100 steps, nats', metric: 'surprise', take: 'last' },
  contrasts: [
    { id: 'together is better where symbols are shared', kind: 'difference', arm: 'joint', over: 'alone', claim: 'below', size: -0.03 },
    {
      id: 'and not better where they are not',
      kind: 'difference',
      arm: 'joint-own',
      over: 'alone-own',
      claim: 'above',
      none: -0.01,
    },
  ],
  // who knew the place would still not know its symbol: 0.775 for its own, 0.075 for each of the others
  scale: { better: 'less', random: 1.386, ceiling: 0.78 },
  exempt: [],
  leftOut: 'A demonstration of a theorem in one family of chains, no proof of it; what was learned is not carried over to a new chain.',
  forms: 2,
  tunedOn: [1, 3],
  firstSeed: 3001,
  quick: { run: { steps: 2100 }, seeds: 2 },
  scaledDown:
    'Eight chains of four hidden places and four symbols, 2,100 steps of random play in all, some 13 episodes of each chain. Models are fitted by expectation maximisation with new starts, in place of the paper’s confidence sets over predictive states. Own symbols are drawn with repeats, because a permutation would be the same code with the places named otherwise. The number of steps was chosen on chains of other seeds, where models learned alone were still short of what more play gave them. Five seeds (1001 to 1005) had left open whether the joint model is no better where symbols are not shared; the same form is judged again on new seeds, on as many as its pilot has room for.',
  dishonest:
    'Calling this a proof; own symbols that are only the shared ones in another order; so many steps that each task alone has seen enough.',
  next: 'Let it run for 20,000 steps: models learned alone catch up, and the joint one of own symbols stays behind.',
});
