/** P126: lists that episodes left behind as new starts, against groups that always begin with a new list. */
import type { JsonObject } from '#contract/json.ts';
import { ABSTRACT_ONLY, type Quantity } from '#contract/papers.ts';
import { definePaper } from '../define.ts';

const algo = (config: JsonObject) => ({ algo: { config } });
const within = (steps: number): Quantity => ({ title: `in order after ${steps} revisions, drawn`, measured: `by${steps}`, drawn: true });
const partial = algo({ horizon: 1, starts: 'partial', prompts: 16 });

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
    'the fixed depth learns from larger batches',
  ],
  question:
    'Does a policy that learned single revisions from partial histories go on improving beyond the depth that another was trained to?',
  idea: 'An episode that is cut leaves a half-finished answer. Kept and drawn by how much a group learned there, such answers become new tasks: one revision of each teaches many in a row.',
  equation: 'P(start s) proportional to the deviation of the rewards of the group that went on from s',
  config: {
    v: 1,
    env: { id: 't-steps', config: { task: 'exchange', numbers: 5, steps: 16, mistakes: 1 } },
    algo: { id: 'group-rl', config: { width: 32, lr: 2e-3, entropyCoef: 0.05, cloneSteps: 40, cloneLr: 3e-3, group: 16 } },
    run: { steps: 200_000, evalEpisodes: 200 },
  },
  arms: [
    { id: 'exit', title: 'ExIt: one revision, from partial histories', trials: 1, differs: partial },
    { id: 'fixed', title: 'four revisions, always a new list', trials: 1, differs: algo({ horizon: 4, prompts: 4 }) },
    { id: 'single', title: 'one revision, always a new list', trials: 1, differs: algo({ horizon: 1, prompts: 16 }) },
    { id: 'exit-4', title: 'ExIt', trials: 1, differs: partial, quantity: within(4) },
    { id: 'fixed-4', title: 'four revisions', trials: 1, differs: algo({ horizon: 4, prompts: 4 }), quantity: within(4) },
  ],
  quantity: within(16),
  contrasts: [
    { id: 'better than a fixed depth after 16 revisions', kind: 'difference', arm: 'exit', over: 'fixed', claim: 'above', size: 0.05 },
    {
      id: 'goes on improving beyond the fourth revision',
      kind: 'difference',
      arm: 'exit',
      over: 'exit-4',
      claim: 'above',
      size: 0.1,
      paired: true,
    },
    {
      id: 'a fixed depth does not',
      kind: 'difference',
      arm: 'fixed',
      over: 'fixed-4',
      claim: 'below',
      none: 0.1,
      paired: true,
      control: true, // where a fixed depth improves as far, there is nothing to mend
    },
  ],
  scale: { better: 'more', random: 0, ceiling: 1 },
  exempt: [
    {
      check: 'random',
      arms: ['exit-4', 'fixed-4'],
      why: 'a list of five needs 5 exchanges on average: after four of them less than half can be in order',
    },
  ],
  tunedOn: [1, 1],
  quick: { run: { steps: 50_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'Five digits that are put in order by exchanging neighbours stand for the arithmetic of the recipe; 27,000 parameters trained from nothing; the row shows the answer as it stands, never the history. Equal tokens for all arms: a batch of four revisions has a fourth of the prompts. The suite was changed once after a run on the first reported seed: with six digits all arms stayed near chance, so it has five, and a larger entropy bonus for all arms. Before that, on seed 1: six and seven digits with entropy coefficients of 0 and 0.01. Policies that learned single revisions, with partial histories or without, end certain too early on most seeds: 97 % of their groups earn all the same, and some lists get the wrong exchange for ever. A batch of single revisions holds 16 lists, one of four revisions up to 196, which may be why; that was not tested. The fixed depth itself goes on improving beyond its four revisions (0.36 to 0.93), so what growing starts would mend is not there: since these runs that is a control, and voids.',
  dishonest:
    'A depth that no fixed arm could be evaluated at; more tokens for the partial histories; leaving out the arm that learns single revisions of new lists, which shows what the starts alone add.',
  next: 'Let the fixed arm train on 8 revisions (horizon), or ask for 6 digits (numbers) with the same 16 revisions.',
});
