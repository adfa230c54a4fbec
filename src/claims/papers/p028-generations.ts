/** P028: a lineage whose learners watch the one before them less and less, against one lifetime of the same steps, in a memory sequence. */
import { definePaper } from '../define.ts';

const more = { entropyCoef: 0.07 };
const lifetime = { generations: 1 };

export const generations = definePaper({
  id: 'P028',
  title: 'Artificial Generational Intelligence: Cultural Accumulation in Reinforcement Learning',
  authors: 'Cook et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2406.00392',
  claim:
    'Training that balances watching others with learning alone lets skill accumulate over generations: such agents outperform those trained for a single lifetime with the same experience.',
  published: null,
  source: {
    read: 'The abstract, and the public code of the paper: the memory sequence, both goal sequences, and how a generation follows another.',
    table: [
      {
        of: 'the chance to see the predecessor falls in a straight line from 1 to 0 over a life',
        ours: 'src/core/algos/games/generations.ts (train)',
        state: 'kept',
      },
      {
        of: 'a new network for each generation, watching frozen ones that sample their actions',
        ours: 'src/core/algos/games/generations.ts (succeed)',
        state: 'changed',
        note: 'One predecessor; the code has five learners a generation and shows all five.',
      },
      {
        of: 'memory sequence: 1 or -1 for a choice, a wrong one is the end; others are seen one choice ahead',
        ours: 'src/core/envs/grids/goal-sequence.ts (goalSequence)',
        state: 'changed',
        note: 'Six symbols in place of ten, none twice in a row; a predecessor that errs leaves.',
      },
      {
        of: 'generations in context: one network, whose memory of an episode is what is passed on',
        ours: '',
        state: 'left out',
        note: 'In weights alone.',
      },
    ],
  },
  differs: [
    'generations in weights alone, none in context',
    'one predecessor in place of five, six symbols in place of ten',
    '100,000 steps a generation and larger steps of the optimiser',
  ],
  found: {
    outcome: 'open',
    text: 'On ten seeds five generations remember 3.2 symbols fewer than one lifetime of the same steps, and 4.7 fewer where both explore more: both intervals include no difference. A predecessor that is seen to the end leaves seven of ten learners at -1 without it.',
  },
  question:
    'Does a lineage of five learners, each watching the one before it less and less, remember a longer sequence than one learner with the steps of all five?',
  idea: 'A learner that errs at one place always in the same way no longer finds out what is right there. A new one has no such habit, and the one before shows it the way to that place.',
  equation: 'p(k) = 1 - k / K,   the chance to see generation g in the k-th of the K updates of generation g + 1',
  config: {
    v: 1,
    env: { id: 'goal-sequence', config: { task: 'memory', goals: 6, length: 24, visible: 0 } },
    algo: {
      id: 'generations',
      config: { generations: 5, envs: 32, rolloutSteps: 32, lr: 2e-3, annealLr: false, entropyCoef: 0.05 },
    },
    run: { steps: 500_000, evalEpisodes: 5 },
  },
  arms: [
    { id: 'lineage', title: 'five generations', trials: 6 },
    { id: 'lifetime', title: 'one lifetime', trials: 6, differs: { algo: { config: lifetime } } },
    { id: 'always', title: 'predecessor always seen', trials: 1, differs: { algo: { config: { seenLast: 1 } } } },
    { id: 'never', title: 'predecessor never seen', trials: 1, differs: { algo: { config: { seenFirst: 0 } } } },
    { id: 'lineage-more', title: 'five generations, more exploration', trials: 2, differs: { algo: { config: more } } },
    { id: 'lifetime-more', title: 'one lifetime, more exploration', trials: 2, differs: { algo: { config: { ...lifetime, ...more } } } },
  ],
  quantity: { title: 'return of greedy episodes without a predecessor, at most 24', of: 'evalReturn' },
  contrasts: [
    // one symbol more than one learner remembers
    { id: 'over one lifetime', kind: 'difference', arm: 'lineage', over: 'lifetime', claim: 'above', size: 1 },
    { id: 'with more exploration too', kind: 'difference', arm: 'lineage-more', over: 'lifetime-more', claim: 'above', size: 1 },
    {
      id: 'over both ends',
      kind: 'cells',
      cells: [
        ['lineage', 'always'],
        ['lineage', 'never'],
      ],
      of: 2,
      claim: 'above',
      size: 1,
    },
  ],
  scale: { better: 'more', random: -0.8, ceiling: 24 },
  exempt: [
    {
      check: 'trials',
      arms: ['always', 'never'],
      why: 'the two ends are the lineage with one number changed, and nothing else of it was chosen for them',
    },
    {
      check: 'parameters',
      arms: ['lineage', 'lifetime', 'always', 'never', 'lineage-more', 'lifetime-more'],
      why: 'the predecessor’s network is kept beside the learner’s; learners are the same',
    },
    { check: 'ceiling', arms: ['lifetime-more'], why: 'how much one learner reaches that explores more is what the second contrast asks' },
  ],
  leftOut: 'Generations in context are not built, and a generation is one learner.',
  tunedOn: [901, 904],
  tenSeeds: true,
  quick: { run: { steps: 100_000, evalEpisodes: 5 }, seeds: 2 },
  scaledDown:
    'Six symbols, an order of 24, one hidden order for all seeds. Tried on seeds 901 to 904: entropy coefficients of 0.01 to 0.2, step sizes of 0.0003 to 0.004, six and ten symbols, lives of 50,000 and 100,000 steps. At 0.05 one lifetime stays at 12 in all four seeds, at 0.07 it mostly gets past that, and so it does at 0.1; the coefficient of the public code, 0.01, leaves both at 12 to 14. The goal sequence in a room is built and not judged: with these steps no learner met more of its order than by chance.',
  dishonest: 'A predecessor that knows the order; a lifetime with fewer steps; only the exploration at which one learner stops.',
  next: 'Five learners a generation, of which all are seen: does the lineage get past every such place?',
});
