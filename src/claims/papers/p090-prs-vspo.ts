/** P090: a reward in stages against one for the answer alone, and valuable groups learned from again in place of uniform ones. */
import type { JsonObject } from '#contract/kit/json.ts';
import { definePaper } from '../define.ts';

const staged: JsonObject = { callBonus: 0.1, documentBonus: 0.3 };

export const prsVspo = definePaper({
  id: 'P090',
  title: 'Enhancing Agentic RL with Progressive Reward Shaping and Value-based Sampling Policy Optimization',
  authors: 'Zhuang et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2512.07478',
  claim:
    'A reward in stages beats a binary one, and value-based sampling learns faster, more steadily and higher than PPO, GRPO, CISPO and cloning.',
  leftOut: 'Prompts are not drawn anew for groups that teach nothing, and neither CISPO nor cloning is an arm.',
  source: {
    read: 'Two public accounts: the README of an environment that follows its staged reward (found by 2512.07478) and a note on both parts; the paper’s page is stored only up to its introduction, and no code of the authors was found.',
    table: [
      {
        of: 'first calls that can be read, then their content, then the answer, paid in stages',
        ours: 'src/core/envs/language/lookup-worlds.ts',
        state: 'kept',
        note: 'A call 0.1, a document on the way 0.3, the answer.',
      },
      {
        of: 'a stage counts only where the one before is passed',
        ours: 'src/core/envs/language/lookup-worlds.ts',
        state: 'changed',
        note: 'Each is paid by itself; a document is never there without a call.',
      },
      {
        of: 'groups without advantage make place for prompts of more worth',
        ours: 'src/core/algos/extensions/vspo/extension.ts (chosenGroups)',
        state: 'changed',
        note: 'For another group of the same update, learned from again.',
      },
      {
        of: 'worth: difficulty and uncertainty in balance',
        ours: 'src/core/algos/extensions/vspo/extension.ts (chosenGroups)',
        state: 'kept',
      },
      { of: 'clipping that smooths the worth', ours: 'algo.config.copies', state: 'changed', note: 'A limit on repeats.' },
    ],
  },
  differs: [
    'a small policy in a lookup world',
    'at most four lookups',
    'no CISPO and no cloning; a limit on repeats stands for the clipping',
  ],
  found: { outcome: 'open', text: 'Groups repeated by value, which the title names, are no sooner (0.01); reward in stages is.' },
  question:
    'Do a reward in stages, and learning again from hard and uncertain questions in place of those that teach nothing, each reach a level sooner?',
  idea: 'A searcher that is paid for right answers alone hears little at first. Stages pay a valid call, then the right document, then the answer. And a group whose episodes all earned the same teaches nothing: its place is taken by a group that is hard and undecided.',
  equation: 'R = 0.1 [valid call] + 0.3 (documents found) / hops + [right]; value of a group = (1 - mean) x deviation',
  config: {
    v: 1,
    env: { id: 'lookup-worlds', config: { hops: 3, leastHops: 1, fields: 2, distractors: 2, answers: 4, lookups: 4 } },
    algo: { id: 'group-worlds', config: { starts: 8, group: 16, lr: 3e-3, entropyCoef: 0.03 } },
    run: { steps: 200_000, evalEpisodes: 50 },
  },
  arms: [
    { id: 'staged', title: 'reward in stages', trials: 1, differs: { env: { config: staged } } },
    { id: 'binary', title: 'the answer alone', trials: 3 },
    { id: 'value', title: 'the answer alone, groups by value', trials: 2, differs: { algo: { config: { copies: 4 } } } },
    {
      id: 'critic',
      title: 'the answer alone, PPO',
      trials: 3,
      differs: { algo: { id: 'ppo', config: { envs: 16, lr: 3e-3, entropyCoef: 0.03, sharedTrunk: true } } },
    },
  ],
  quantity: {
    title: 'steps until 8 of 10 questions are answered right',
    unit: 'steps, log10',
    metric: 'solved',
    reaches: 0.8,
    log10: true,
  },
  contrasts: [
    // what the method is named after
    { id: 'groups by value are sooner', kind: 'difference', arm: 'value', over: 'binary', claim: 'below', size: -0.1 },
    { id: 'stages are sooner', kind: 'difference', arm: 'staged', over: 'binary', claim: 'below', size: -0.1 },
    // as the others
    { id: 'sooner than a critic', kind: 'difference', arm: 'value', over: 'critic', claim: 'below', size: -0.1 },
  ],
  scale: { better: 'more' },
  tunedOn: [1, 3],
  quick: { run: { steps: 40_000, evalEpisodes: 10 }, seeds: 2 },
  scaledDown:
    'A small policy in a lookup world stands in for a language model with tools: one to three documents on the way, two fields in each, at most four lookups; it sees in plain numbers what it has found so far, and learns from nothing. CISPO and cloning are left out. Value-smoothing clipping is a limit on how often a group is repeated. The finding: stages reach the level with less than half of the steps; groups repeated by value make no difference that five seeds can see, nor is a critic clearly slower.',
  dishonest:
    'Stages that reveal the answer: they pay for a lookup and for the documents on the way, and success is counted by the verifier alone.',
  next: 'Raise the number of copies, or ask for four hops, where right answers are rare at first.',
});
