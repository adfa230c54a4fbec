/** P061: a customer in the training loop who is asked and changes his mind, against customers who say more at once. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';
import { defineIdea, headOf } from '../define-forms.ts';

/** Turns and what is told at once are chosen so that all rows have as many places. */
const live: JsonObject = { talk: 'customer', items: 3, kinds: 2, changes: 0.3, upfront: 0, turns: 11 };
const half: JsonObject = { ...live, upfront: 1, turns: 10 };
const full: JsonObject = { ...live, upfront: 3, turns: 8 };

const trainedOn = (id: string, title: string, env: JsonObject): Arm => ({
  id,
  title,
  trials: 1,
  against: [live],
  differs: { env: { config: env } },
});

const judged = definePaper({
  id: 'P061',
  title: 'MUA-RL: Multi-turn User-interacting Agent Reinforcement Learning for agentic tool use',
  authors: 'Zhao et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2508.18669',
  claim:
    'An agent trained with a simulated user inside the reinforcement-learning loop reaches 67.3 (retail), 45.4 (airline) and 28.3 (telecom) on multi-turn tool benchmarks, on a par with larger open models.',
  published: null,
  source: {
    read: 'Authors’ code, zzwkk/MUA-RL at 289b623.',
    table: [
      {
        of: 'verl/utils/reward_score/taubench.py: 1 for the right end state, 0 otherwise',
        ours: 'src/core/envs/language/lib/customer.ts (customer)',
        state: 'kept',
      },
      {
        of: 'examples/sglang_multiturn/mua_grpo.sh: groups of eight talks, each with its own user',
        ours: 'src/core/envs/language/t-talk.ts (tTalk)',
        state: 'kept',
      },
      { of: 'the same: advantages within the group', ours: 'src/math/groups.ts (groupAdvantages)', state: 'kept' },
      { of: 'the same: a KL of 0.001', ours: '', state: 'left out', note: 'None.' },
      { of: 'a language model as user', ours: 'src/core/envs/language/lib/customer.ts (customer)', state: 'changed', note: 'A script.' },
    ],
  },
  differs: [
    'a transformer of 27,744 weights, started from a script’s talks, in place of 32 billion',
    'a scripted customer of three items in place of a language model',
    'no tools between question and order',
  ],
  found: {
    outcome: 'open',
    text: 'Training with a user who must be asked ends 0.25 above training with half of what is needed told; 15 of 40 seeds succeed, so shares decide, and they leave it open.',
  },
  question:
    'Does training with a customer who must be asked, and who changes his mind, serve such customers better than training with ones who say more at once?',
  idea: 'Who learns from complete requests never has to ask, and never hears that something has changed. Put the user into the loop: he says what he is asked, and now and then that he wants something else.',
  equation: 'A = R - mean of the group; every conversation of a group has its own user; R = 1 if the order is what he wants at its end',
  config: {
    v: 1,
    env: { id: 't-talk', config: live },
    algo: {
      id: 'group-rl',
      config: { width: 32, lr: 1e-3, prompts: 8, group: 8, samePrompt: false, cloneSteps: 200, cloneLr: 5e-3 },
    },
    run: { steps: 300_000, evalEpisodes: 200 },
  },
  arms: [
    trainedOn('live', 'asked customers, who change their mind', live),
    trainedOn('half', 'one of three wishes told at once', half),
    trainedOn('full', 'everything told at once', full),
  ],
  quantity: { title: 'orders of asked customers that are right, greedy', of: 'againstReturn' },
  contrasts: [
    { id: 'asked against half told', kind: 'difference', arm: 'live', over: 'half', claim: 'above', size: 0.08 },
    { id: 'asked against all told', kind: 'difference', arm: 'live', over: 'full', claim: 'above', size: 0.08 },
  ],
  scale: { better: 'more', ceiling: 1 },
  exempt: [{ check: 'random', arms: ['full'], why: 'it never had to ask: that it does not is what the question is about' }],
  leftOut:
    'The scores on the paper’s benchmarks, and how they stand to larger models, are not tested; what is tested is what its title names: the user in the loop.',
  firstSeed: 3001,
  tunedOn: [1, 3],
  noQuick: 'each of its arms is one press in the set-up',
  scaledDown:
    'A small transformer that copies a scripted player first and then learns by groups; a customer by script who wants of three items one of two kinds or none, says so when asked, and changes one wish in three talks of ten. All arms write as many tokens and have rows of as many places; all are judged with customers who tell nothing unasked. The paper’s tools, databases and policies between question and order are left out, as are its benchmarks; that these are not tested was named after the runs, and lowers the word. The pilot (16:01 on the day of the runs) came before them; it was stored again afterwards, when the word was lowered, and bears that later time. The seeds trained with asked customers end on two humps, which five tuning seeds did not show: a next form should compare shares, on new seeds.',
  dishonest: 'Rows of unequal length, which no network reads alike; customers in the test who tell everything unasked.',
  next: 'Let the customer resist (resistance 0.3), so that things must be asked for twice.',
});

export const muaRl = defineIdea({
  ...headOf(judged),
  claim:
    'An agent trained with a simulated user inside the reinforcement-learning loop is on a par with larger open models that use tools.',
  noVerdict: 'The claim needs a pretrained language model of 32 billion weights and its benchmarks of shops and airlines.',
  quoted: { text: '67.3 (retail), 45.4 (airline) and 28.3 (telecom) on multi-turn tool benchmarks.' },
  asked: {
    ask: 'Both were trained to take orders. One met customers who say nothing unasked and change their mind, the other customers who tell one wish in three at once. Now all customers must be asked. Which gets more orders right?',
    choices: ['Trained with customers who must be asked', 'Trained with customers who tell a part', 'About the same'],
    most: 'more',
    alike: 0.05,
  },
  touch: {
    kind: 'played',
    players: [
      { arm: 'live', title: 'trained with customers who must be asked' },
      { arm: 'half', title: 'trained with customers who tell a part' },
    ],
    world: live,
    dial: { key: 'changes', title: 'chance that a customer changes its mind', values: [0, 0.15, 0.3, 0.6, 1], start: 0.3 },
    episodes: 200,
    measured: 'orders that are right',
  },
  earlier: judged,
});
