/**
 * Claims of our own about learning from recordings alone, one in each of three worlds: how far every method gets with every grade of
 * recording, from random play (0) to the recorded expert (100). They stand in no list of papers: `npm run claims -- offline-cartpole`.
 */
import type { JsonObject } from '#contract/json.ts';
import type { Arm, PaperCard } from '#contract/papers.ts';
import type { Contrast } from '#math/verdict.ts';
import { definePaper } from './define.ts';

const GRADES = ['expert', 'medium', 'mixed', 'random'] as const;

const METHODS = {
  'behaviour-cloning': { id: 'cloning', title: 'cloning' },
  cql: { id: 'cql', title: 'CQL' },
  'td3-bc': { id: 'td3-bc', title: 'TD3+BC' },
  'implicit-q-learning': { id: 'implicit-q', title: 'implicit Q-learning' },
} as const;
type Method = keyof typeof METHODS;

interface World {
  readonly id: string;
  /** "CartPole" */
  readonly name: string;
  readonly env: JsonObject;
  /** Mean returns of uniform actions and of the recorded player. */
  readonly random: number;
  readonly expert: number;
  /** The method that compares the values of actions. */
  readonly values: 'cql' | 'td3-bc';
  readonly updates: number;
  readonly recordSteps: number;
  readonly hidden: readonly [number, number];
  /** How many settings of each method were tried before, at least. */
  readonly trials: number;
  readonly scaledDown: string;
}

/** What is called 95 of 100: the wanted share of the way from random play to the expert. */
const SHARE = 0.95;

function comparison(world: World): PaperCard {
  const { id, name, env, random, expert, values, updates, recordSteps, hidden, trials, scaledDown } = world;
  const methods: readonly Method[] = ['behaviour-cloning', values, 'implicit-q-learning'];
  const config = (method: Method): JsonObject => ({
    ...(method !== 'behaviour-cloning' && { fitted: false, tau: 0.01 }),
    hidden,
    batchSize: 64,
    lr: 1e-3,
    recordSteps,
  });
  const arms = methods.flatMap((method) =>
    GRADES.map((grade): Arm => {
      const { id: short, title } = METHODS[method];
      const differs = { algo: { id: method, config: { ...config(method), dataset: grade } } };
      return { id: `${short}-${grade}`, title: `${title}, ${grade} recordings`, trials, differs };
    }),
  );
  const every = arms.map((arm) => arm.id);
  const overCloning = (method: Method): Contrast => ({
    id: `${METHODS[method].title} over cloning, mixed recordings`,
    kind: 'difference',
    arm: `${METHODS[method].id}-mixed`,
    over: 'cloning-mixed',
    claim: 'above',
  });
  return definePaper({
    id,
    title: `Learning from recordings alone: ${name}`,
    authors: 'Fu et al.',
    year: 2020,
    link: 'https://arxiv.org/abs/2004.07219',
    question: `Does a clone of a recorded expert reach 95 of 100 in ${name}, and do methods that learn values beat cloning where recordings are mixed?`,
    idea: 'Recordings of an expert, of one who errs, of random play, and of all three; no step of its own.',
    equation: 'normalised score = 100 (return - random) / (expert - random)',
    config: {
      v: 1,
      env,
      algo: { id: 'behaviour-cloning', config: config('behaviour-cloning') },
      run: { steps: updates, evalEpisodes: 20 },
    },
    arms,
    quantity: { title: 'mean greedy return', of: 'evalReturn' },
    contrasts: [
      {
        id: 'a clone of the expert reaches 95 of 100',
        kind: 'level',
        arm: 'cloning-expert',
        claim: 'above',
        none: random + SHARE * (expert - random),
      },
      overCloning(values),
      overCloning('implicit-q-learning'),
    ],
    scale: { better: 'more', random, ceiling: expert },
    exempt: [
      { check: 'parameters', arms: every, why: 'who learns values has networks for them beside its policy' },
      { check: 'random', arms: every, why: 'at which grade a method fails is what is asked; all have the same recordings and updates' },
      { check: 'ceiling', arms: every, why: 'a clone that nothing can beat refutes the contrast, which is not to be hidden' },
    ],
    tunedOn: [1, 3],
    noQuick: 'it compares twelve arms; each of them is one press in the set-up',
    scaledDown,
    dishonest: 'Tuning one method on the reported recordings; leaving out the grade at which a method fails.',
    next: 'Keep only the best tenth of the mixed episodes (share 0.1) and clone those.',
  });
}

const small = (hidden: string, updates: string, steps: string): string =>
  `Networks of ${hidden}, batches of 64, ${updates} updates on ${steps} recorded steps; D4RL has a million and more. Errors of the recorded player are uniform.`;

/** Returns of random play and of the expert: references of the environments. */
export const offline: readonly PaperCard[] = [
  comparison({
    id: 'offline-cartpole',
    name: 'CartPole',
    env: { id: 'cartpole' },
    random: 22.65,
    expert: 500,
    values: 'cql',
    hidden: [64, 64],
    updates: 5000,
    recordSteps: 10_000,
    trials: 2,
    scaledDown: `${small('64-64', '5,000', '10,000')} So the most probable action of a clone is the expert's whatever share of the rows is random.`,
  }),
  comparison({
    id: 'offline-spread',
    name: 'simple spread',
    env: { id: 'mpe-simple-spread' },
    random: -26.56,
    expert: -7.59,
    values: 'cql',
    hidden: [64, 64],
    updates: 10_000,
    recordSteps: 30_000,
    trials: 1,
    scaledDown: `${small('64-64', '10,000', '30,000')} Three agents share one network, each learning from its own rows. On one smaller seed, 256-256 with batches of 256 and 20,000 updates on 100,000 steps came to 82 of 100: the expert matches agents with landmarks, which a small network hardly learns.`,
  }),
  comparison({
    id: 'offline-hover',
    name: 'drone hover',
    env: { id: 'drone-hover', config: { actionType: 'pid' } },
    random: 25.6,
    expert: 481.18,
    values: 'td3-bc',
    hidden: [32, 32],
    updates: 15_000,
    recordSteps: 10_000,
    trials: 3,
    scaledDown: `${small('32-32', '15,000', '10,000')} A clone by squared error learns their mean. Commands are places for the inner controller, where the expert says one place always; commanded by motor speeds, clones of the expert ended between 20 and 29 of 100 on smaller seeds, because the drone always starts at rest in one place and an expert who does not err shows one flight. CQL compares the values of listed actions and does not apply.`,
  }),
];
