/** P055: four choices in training an agent with tools (whole traces, clip range, length, number of calls), each alone against the default. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

/** Traces that the default begins with do not go on from what their mistakes have led to. */
const world: JsonObject = { apps: 5, calls: 8, traces: 'stitched' };
const cell = (arm: string): readonly string[] => [arm, 'default'];
const CELLS = ['whole', 'higher', 'shaped', 'few'].map(cell);

export const demystifying = definePaper({
  id: 'P055',
  title: 'Demystifying Reinforcement Learning in Agentic Reasoning',
  authors: 'Yu et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2510.11701',
  claim:
    'Real traces, a higher upper clip, reward shaping and fewer deliberate tool calls each raise accuracy; a 4B model rivals 32B models.',
  leftOut: 'How a small model stands to large ones is not tested, and a limit on calls stands for a deliberative mode.',
  source: {
    read: 'Authors’ code, Gen-Verse/Open-AgentRL at 1fe5dbd.',
    table: [
      {
        of: 'recipe/demystify/grpo_tcr_qwen3_4b.sh: groups, no KL, no critic',
        ours: 'src/math/groups.ts (groupAdvantages)',
        state: 'kept',
      },
      { of: 'the same: clip 0.2 below and 0.28 above', ours: 'src/core/algos/language/lib/policy-loss.ts (policyLoss)', state: 'kept' },
      { of: 'the same: loss averaged over all tokens', ours: 'src/math/groups.ts (rowWeights)', state: 'kept' },
      {
        of: 'the same: overlong buffer, 4,096 of 20,480 tokens, factor 1',
        ours: 'src/math/groups.ts (overlongPenalty)',
        state: 'kept',
        note: 'Straight down to -1 over the last tokens, here six.',
      },
      {
        of: 'the same: groups all right or all wrong are drawn anew',
        ours: '',
        state: 'left out',
        note: 'Switched on in their script, named as unused in the comment above it.',
      },
      {
        of: 'README.md: real traces against stitched ones',
        ours: 'src/core/envs/language/lib/tools.ts',
        state: 'changed',
        note: 'A script writes both kinds.',
      },
      {
        of: 'the same: 16 turns at most, fewer deliberate calls',
        ours: 'env.config.calls',
        state: 'changed',
        note: 'Five calls in place of eight; nothing asks for deliberation.',
      },
    ],
  },
  differs: ['29,000 parameters trained from nothing', 'five apps with three names each', 'a script writes what is copied first'],
  found: {
    outcome: 'open',
    text: 'Of four choices of reward, tools and data none shows on forty seeds that it moves the outcome: the sizes asked for are below what these seeds resolve.',
  },
  question:
    'Do whole traces to copy first, a higher upper clip, a penalty on length and fewer calls each make a policy with tools right more often?',
  idea: 'What is copied first should show how a task goes on after a mistake; what is explored should not be clipped away or run on and on; and a few deliberate calls are better than many.',
  equation: 'min(r A, clip(r, 1 - e_low, 1 + e_high) A); R - max(0, (length - free) / cache)',
  config: {
    v: 1,
    env: { id: 't-tools', config: world },
    algo: {
      id: 'group-rl',
      config: { width: 32, lr: 1e-3, prompts: 8, group: 16, epochs: 2, cloneSteps: 80, cloneLr: 2e-3 },
    },
    run: { steps: 240_000, evalEpisodes: 200 },
  },
  arms: [
    { id: 'default', title: 'groups as published (GRPO), stitched traces', trials: 1 },
    { id: 'whole', title: 'whole traces', trials: 1, differs: { env: { config: { traces: 'whole' } } } },
    { id: 'higher', title: 'clip range above 0.28', trials: 1, differs: { algo: { config: { clipHigh: 0.28 } } } },
    { id: 'shaped', title: 'length penalty', trials: 1, differs: { algo: { config: { overlong: 6 } } } },
    { id: 'few', title: 'five calls in place of eight', trials: 1, differs: { env: { config: { calls: 5 } } } },
  ],
  quantity: { title: 'tasks solved, drawn', measured: 'solved', drawn: true },
  contrasts: [
    // one task of 33, the least that a reader would act on; means, since some seeds of the default end early, which is what the choices are for
    { id: 'three of four choices', kind: 'cells', cells: CELLS, of: 3, claim: 'above', size: 0.03, middle: 'mean', paired: true },
    // as the first
    { id: 'two of four choices', kind: 'cells', cells: CELLS, of: 2, claim: 'above', size: 0.03, middle: 'mean', paired: true },
  ],
  scale: { better: 'more', random: 0, ceiling: 1 },
  looks: [5, 10, 20, 40],
  firstSeed: 4001,
  forms: 3,
  tunedOn: [1, 3],
  noQuick: 'the arms differ by little, and less of it in fewer steps',
  scaledDown:
    'A transformer of 29,000 parameters trained from nothing; files, mail, a calendar, a shop and a calculator with three names each. What is copied first is written by a script: 80 batches of 128 traces in which three calls in ten are random; whole traces go on from there, stitched ones set the steps of the plan in a row. All arms write 240,000 tokens, those that they copy included, of which whole traces take more. A price of 0.05 or 0.01 a call ended at nothing solved on both seeds it was tried on: where no try of a group is right, the scale of the group makes any price as large as success. So fewer calls are asked for by their limit, in which every task can be solved, and such an agent is judged under its limit. What twenty seeds from 3001 showed: the middles end at 0.79 to 0.82, too near each other to tell, but five seeds of the default end below 0.72, three with a penalty on length, two with whole traces, one with each of the others; so means are compared, of seeds that begin alike. On forty fresh seeds that is gone: means of 0.82 by default, 0.82, 0.81 and 0.82 with a wider clip, a penalty on length and fewer calls, 0.77 with whole traces; two to four seeds of each end early.',
  dishonest: 'Choosing the settings of all four together and then showing each alone; copying more traces in one arm.',
  next: 'All four together; a price of calls without the scale of the group.',
});
