/** P126: single revisions of lists that earlier ones left behind, against single revisions of new lists alone. */
import type { JsonObject } from '#contract/json.ts';
import { ABSTRACT_ONLY, type Quantity } from '#contract/papers.ts';
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
  mechanism: ABSTRACT_ONLY,
  differs: [
    'five digits sorted by exchanges of neighbours',
    'the policy sees its last answer, not the history',
    'one of the paper’s ways to grow tasks: no bonus for diverging answers',
  ],
  question:
    'Two policies learn single revisions of lists, one on new lists alone, one half on lists that earlier revisions left unfinished. Does the second put more lists in order in sixteen revisions?',
  idea: 'An episode that is cut leaves a half-finished answer. Kept and drawn by how much a group learned there, such answers become new tasks: one revision of each teaches many in a row.',
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
  tunedOn: [1, 903],
  quick: { run: { steps: 30_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'Five digits that are put in order by exchanging neighbours stand for the arithmetic of the recipe; 27,000 parameters trained from nothing; the row shows the answer as it stands, never the history. Both arms write as many tokens in batches of as many lists; half of the starts of one are lists that an earlier revision left behind, drawn by how much their group learned there. The first form, on five seeds from 1,001, compared with a policy that is trained to four revisions of a new list: that one goes on improving beyond its fourth by itself (0.36 to 0.93), from batches of up to 196 lists against 16, which voided it; with a step of 0.002 and an entropy coefficient of 0.05 both kinds of single revisions ended certain too early, at 0.04 to 0.61. Here the step is 0.001 and the coefficient 0.1, chosen on seeds 901 to 903 among 0.05, 0.1 and 0.3 for both alike; after 100,000 tokens both put nine lists of ten in order there, which leaves no room, after 60,000 new lists alone some seven; with six digits both ended at 0.15 at most after 200,000 tokens. What forty seeds show: the starts that were left behind lead by 0.06 [-0.08, 0.18] after sixteen revisions, which leaves a lead of a tenth open.',
  dishonest:
    'A rival that learns from larger batches, or from fewer; more tokens for the partial histories; to call it growth that more lists are in order within more revisions: that count cannot fall, so the lead is what is followed.',
  next: 'Train to four revisions of a new list (horizon 4, prompts 4), or ask for 6 digits (numbers) with four times the steps.',
});
