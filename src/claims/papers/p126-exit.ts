/** P126: single revisions of lists that earlier ones left behind, against single revisions of new lists alone. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const algo = (config: JsonObject) => ({ algo: { config } });
const partial = algo({ starts: 'partial' });
const within = (steps: number): Quantity => ({ title: `in order after ${steps} revisions, drawn`, measured: `by${steps}`, drawn: true });

export const exit = definePaper({
  id: 'P126',
  title: 'Bootstrapping Task Spaces for Self-Improvement',
  authors: 'Jiang et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2509.04575',
  claim: 'Growing a task space from partial histories lets single-step training improve solutions over more steps than were trained.',
  source: {
    guess: {
      searches: [
        '“Bootstrapping Task Spaces for Self-Improvement” and 2509.04575 among public repositories: summaries of the abstract, and a buffer that borrows its bonus for diversity without saying how tasks are drawn.',
        'Repositories of the paper: none.',
      ],
    },
  },
  differs: [
    'five digits sorted by exchanges of neighbours',
    'the policy sees its last answer, not the history',
    'one of the paper’s ways to grow tasks: no bonus for diverging answers',
  ],
  found: {
    outcome: 'open',
    text: 'After sixteen revisions the search is 0.06 ahead of new lists alone (-0.10 to 0.20): forty seeds do not tell.',
  },
  question:
    'Two policies learn single revisions of lists, one on new lists alone, one half on lists that earlier revisions left unfinished. Does the second put more lists in order in sixteen revisions?',
  idea: 'An episode that is cut leaves a half-finished answer. Such answers are kept as new tasks, and those from which a group learned much are drawn more often. Learning one revision of each then teaches how to revise many times in a row.',
  equation: 'P(start s) proportional to the deviation of the rewards of the group that went on from s',
  config: {
    v: 1,
    env: { id: 't-steps', config: { task: 'exchange', numbers: 5, steps: 16, mistakes: 1 } },
    algo: {
      id: 'group-rl',
      config: { width: 32, lr: 1e-3, entropyCoef: 0.1, cloneSteps: 40, cloneLr: 3e-3, horizon: 1, prompts: 16, group: 16 },
    },
    run: { steps: 60_000, evalEpisodes: 200 },
  },
  arms: [
    { id: 'exit', title: 'ExIt: half of the revisions are of lists left behind', trials: 8, differs: partial },
    { id: 'single', title: 'new lists alone', trials: 8 },
    ...[4, 8].flatMap((steps) => [
      { id: `exit-${steps}`, title: `ExIt, ${steps} revisions`, trials: 8, differs: partial, quantity: within(steps) },
      { id: `single-${steps}`, title: `new lists alone, ${steps} revisions`, trials: 8, quantity: within(steps) },
    ]),
  ],
  quantity: within(16),
  contrasts: [
    // one list of ten: the lead that the first form of this card asked of the revisions beyond the fourth
    { id: 'better than new lists alone after 16 revisions', kind: 'difference', arm: 'exit', over: 'single', claim: 'above', size: 0.1 },
    {
      id: 'the lead grows with the revisions',
      kind: 'slope',
      arms: ['exit-4', 'exit-8', 'exit'],
      over: ['single-4', 'single-8', 'single'],
      x: [2, 3, 4],
      claim: 'above',
      size: 0.05, // a lead of one in ten after sixteen revisions that is none after four
      paired: true,
    },
  ],
  scale: { better: 'more', random: 0, ceiling: 1 },
  exempt: [
    {
      check: 'random',
      arms: ['exit-4', 'single-4', 'exit-8', 'single-8'],
      why: 'a list of five needs 5 exchanges on average: within four or eight many cannot be in order yet',
    },
  ],
  firstSeed: 3001,
  forms: 2,
  tunedOn: [1, 903],
  quick: { run: { steps: 30_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'The task is to put five digits in order by exchanging neighbours, in place of the paper’s arithmetic; the network has 27,000 parameters and starts from random weights. The policy sees the present list, never the history. Both arms write equally many tokens in batches of equally many lists. In one arm half of the revisions start from lists that an earlier revision left behind, drawn by how much their group learned there. A first form, on five seeds from 1,001, compared with a policy trained on four revisions of a new list; it was void, because that policy learned from batches of up to 196 lists and the other from 16, and it went on improving beyond its fourth revision (0.36 to 0.93). In that form the learning rate was 0.002 and the entropy coefficient 0.05, and both kinds of single revisions stopped exploring too early, at 0.04 to 0.61. Here the learning rate is 0.001 and the coefficient 0.1, chosen for both arms on seeds 901 to 903 among 0.05, 0.1 and 0.3. After 100,000 tokens both arms put nine lists of ten in order, which leaves no room for a difference; after 60,000 tokens new lists alone reach about seven. With six digits both ended at 0.15 at most after 200,000 tokens. Result of forty seeds: starting from lists left behind leads by 0.06 [-0.08, 0.18] after sixteen revisions, so a lead of one list in ten remains open.',
  dishonest:
    'A rival that learns from larger or smaller batches; more tokens for the partial histories; calling it growth that more lists are in order after more revisions: that count cannot fall, so only the lead counts.',
  next: 'Train to four revisions of a new list (horizon 4, prompts 4), or ask for 6 digits (numbers) with four times the steps.',
});
