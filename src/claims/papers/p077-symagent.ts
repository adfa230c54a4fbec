/** P077: rules that are counted in a graph with gaps, and texts that fill them, against no rules, and own traces against copies alone. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Quantity } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const env = (config: JsonObject) => ({ env: { config } });
const free = env({ asks: 'relation' });
const recovered: Quantity = { title: 'gaps of the graph that right answers filled, an episode', measured: 'recovered' };

export const symAgent = definePaper({
  id: 'P077',
  title: 'SymAgent: A Neural-Symbolic Self-Learning Agent Framework for Complex Reasoning over Knowledge Graphs',
  authors: 'Liu et al.',
  year: 2025,
  link: 'https://arxiv.org/abs/2502.03283',
  claim:
    'An agent guided by rules induced from a knowledge graph, with self-training, rivals strong language models and finds missing triples.',
  leftOut: 'No rules are written by a language model, and trajectories are not refined by reflection.',
  source: {
    read: 'A public reimplementation that follows the paper’s equations 1 to 8 by number, jqj1234/SymAgent at d140d2a; no code of the authors was found.',
    table: [
      {
        of: 'src/planner.py: closed paths in the graph, their entities replaced by variables',
        ours: 'src/core/envs/language/lib/graph.ts (minedRule)',
        state: 'kept',
        note: 'The way that explains most facts of the graph.',
      },
      {
        of: 'the same: a language model proposes rules after demonstrations',
        ours: '',
        state: 'left out',
        note: 'The count alone proposes.',
      },
      {
        of: 'src/executor.py: thought, action and what came of it, in graph and documents',
        ours: 'src/core/envs/language/lookup-worlds.ts',
        state: 'changed',
        note: 'Lookups of documents; no thoughts.',
      },
      {
        of: 'the same, equation 6: the reward is the share of right answers found',
        ours: 'src/core/envs/language/lookup-worlds.ts',
        state: 'kept',
        note: 'One answer a question.',
      },
      {
        of: 'src/self_learning.py: reflection refines trajectories; the better of both is kept (equation 7)',
        ours: '',
        state: 'left out',
        note: 'Own successes are kept as they were.',
      },
      {
        of: 'the same, equation 8: the kept ones are learned again',
        ours: 'src/core/algos/extensions/spear/successes.ts (createSuccesses)',
        state: 'changed',
        note: 'Beside groups that learn by reinforcement.',
      },
    ],
  },
  differs: [
    'a small policy in a lookup world, a count over the graph as planner',
    'eight documents, a quarter of the fields missing',
    'signs are new in every graph',
  ],
  found: {
    outcome: 'open',
    text: 'Rules counted in the graph help by 0.32; learning from own traces, which the title names, is not ahead of copying to the end (0.07 behind).',
  },
  question:
    'Does an agent that is given rules counted in the graph answer more questions than one without, and does learning from its own traces add to copying?',
  idea: 'A question names a relation that the graph does not have where it is asked. A rule says by which other relations to get there: it is what explains the places where the graph does have it. What is missing on the way stands in a text. The agent learns from its own traces that ended well.',
  equation: 'r(x, z) <- p(x, y), q(y, z): the way with the largest share of right ends, then with most of them',
  config: {
    v: 1,
    env: {
      id: 'lookup-worlds',
      config: {
        hops: 2,
        leastHops: 1,
        fields: 3,
        distractors: 5,
        answers: 4,
        lookups: 5,
        gaps: 0.25,
        asks: 'rule',
        relations: 'own',
        mistakes: 0.1,
      },
    },
    algo: {
      id: 'group-worlds',
      config: { starts: 16, group: 8, lr: 1e-3, entropyCoef: 0.01, replay: 0.5, cloneSteps: 200, cloneLr: 5e-3 },
    },
    run: { steps: 200_000, evalEpisodes: 200 },
  },
  arms: [
    { id: 'rules', title: 'rules counted in the graph, texts', trials: 3 },
    { id: 'free', title: 'no rules', trials: 3, differs: free },
    { id: 'copied', title: 'rules, texts, only copies', trials: 0, differs: { algo: { config: { cloneSteps: 5000 } } } },
    { id: 'rules-recovered', title: 'rules, texts', trials: 3, quantity: recovered },
    { id: 'free-recovered', title: 'no rules', trials: 3, differs: free, quantity: recovered },
  ],
  quantity: { title: 'questions answered right, greedy', measured: 'solved' },
  contrasts: [
    // what the title names: learning from own traces
    { id: 'own traces add to copies', kind: 'difference', arm: 'rules', over: 'copied', claim: 'above', size: 0.05 },
    { id: 'above no rules', kind: 'difference', arm: 'rules', over: 'free', claim: 'above', size: 0.05 },
    {
      id: 'recovers more of what is missing',
      kind: 'difference',
      arm: 'rules-recovered',
      over: 'free-recovered',
      claim: 'above',
      size: 0.05, // as the others
    },
  ],
  scale: { better: 'more', random: 0.206, ceiling: 1 },
  exempt: [
    { check: 'random', arms: ['rules-recovered', 'free-recovered'], why: 'they count gaps; random play fills next to none' },
    { check: 'trials', arms: ['copied'], why: 'what was tried belongs to learning from groups, which it does not do' },
  ],
  forms: 2,
  tunedOn: [1, 1],
  firstSeed: 3001,
  quick: { run: { steps: 160_000, evalEpisodes: 50 }, seeds: 2 },
  scaledDown:
    'A small policy in a lookup world stands in for a language model, a count over the graph for the planner: it is given eight documents with three fields, a quarter of the fields missing, and proposes the right way for eight questions in ten; it never sees the question answered. Questions go over one or two documents, five lookups or texts at most. All arms first copy a scripted player who knows the way and errs once in ten turns; then they learn from groups of own episodes, and more and more from own successes once again. In the arms that are judged a relation has another sign in every graph, so that no policy knows by heart which way it stands for: without rules it is left with what the documents say of the relation. A first form, on five seeds from 1,001, also had arms with the graph alone, which answered 0.58, as those who have it alone can know three answers in four, and with relations that stay the same: those without rules did as well there (0.83 each), so that rules pay for graphs not met before. It did not judge self-training, though a policy that only copies the scripted player to the end of the budget did slightly better (0.83) than one that learns from its own traces (0.79). This form judges it, on new seeds.',
  dishonest:
    'Rules that are given, not induced: they come from the incomplete graph of the question, wrong ones too. Hiding that a policy which meets the same relations again and again needs no rules.',
  next: 'Let relations be the same in every graph (relations), or set as many gaps as the facts to count rules from can bear (gaps).',
});
