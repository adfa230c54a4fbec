/** P181: three learners whose training episodes begin in states of a teacher's way, or of random play, or as usual, on the hill of the mountain car. */
import type { JsonObject } from '#contract/kit/json.ts';
import type { Arm } from '#contract/papers/papers.ts';
import { definePaper } from '../define.ts';

/** Of the training episodes eight in ten begin in one of twenty states, each of another episode after a drawn number of steps. */
const starts = (from: string): JsonObject => ({ starts: { share: 0.8, from, steps: 999, states: 20 } });

const REPLAY: JsonObject = {
  hidden: [32, 32],
  lr: 1e-3,
  criticLr: 1e-3,
  tau: 0.01,
  batchSize: 64,
  learningStarts: 200,
  trainEvery: 4,
  bufferSize: 50_000,
};

/**
 * Of each learner a few settings were tried on tuning seeds 901 to 903: TD3 with noise 1 and 2 and an update every second and fourth step, SAC with two discounts and a fixed temperature, PPO
 * with and without normalised observations. All arms of a learner have the same.
 */
const LEARNERS: readonly (readonly [id: string, title: string, config: JsonObject])[] = [
  ['ppo', 'PPO', { lr: 1e-3, envs: 4, normaliseObs: true, hidden: [32, 32] }],
  ['sac', 'SAC', REPLAY],
  ['td3', 'TD3', { ...REPLAY, trainEvery: 2, explorationNoise: 2 }],
];

const arms = LEARNERS.flatMap(([id, title, config]): readonly Arm[] => {
  const arm: Arm = { id: `${id}-usual`, title: `${title}, usual starts`, trials: 4, differs: { algo: { id, config } } };
  const begun = (name: string, words: string, from: string): Arm => ({
    ...arm,
    id: `${id}-${name}`,
    title: `${title}, ${words}`,
    differs: { ...arm.differs, run: starts(from) },
  });
  return [begun('snapshot', 'starts on the teacher’s way', 'expert'), begun('random', 'starts on the way of random play', 'random'), arm];
});

const others = (name: string): readonly string[] => LEARNERS.map(([id]) => `${id}-${name}`);

export const snapshots = definePaper({
  id: 'P181',
  title: 'Snapshot Reinforcement Learning: Leveraging Prior Trajectories for Efficiency',
  authors: 'Zhao et al.',
  year: 2024,
  link: 'https://arxiv.org/abs/2403.00673',
  claim:
    'Beginning a student’s episodes in states of a teacher’s trajectories, with neither algorithm nor model changed, improves sample efficiency and average return of PPO, SAC and TD3.',
  leftOut: 'The paper’s choice of states by their kind and its shorter episodes are not tested, and help does not end during training.',
  source: {
    read: 'Authors’ code, sdpkjc/snapshotrl at 0f0d192.',
    table: [
      {
        of: 'src/snapshot_td3_mujoco_random.py, reset(): an episode begins in a state of the teacher, drawn evenly',
        ours: 'run.starts',
        state: 'kept',
        note: 'Four of five episodes.',
      },
      {
        of: 'the same: the first 100,000 of a million steps, then usual starts',
        ours: 'run.starts',
        state: 'changed',
        note: 'To the end of training.',
      },
      {
        of: 'the same: every tenth state of the teacher’s ten episodes',
        ours: 'run.starts',
        state: 'changed',
        note: 'Twenty states of a scripted driver.',
      },
      { of: 'the same: an episode ends 100 steps after such a start', ours: '', state: 'left out', note: 'Episodes are as long as usual.' },
      { of: 'src/snapshot_td3_mujoco.py: states by kind, of six clusters', ours: '', state: 'left out', note: 'At drawn steps.' },
      { of: 'PPO, SAC and TD3 as they are', ours: 'algo.id', state: 'kept' },
    ],
  },
  differs: [
    'one world, the mountain car with a continuous force',
    'states at drawn steps of the teacher, not chosen by their kind',
    'episodes are as long as from usual starts',
  ],
  found: {
    outcome: 'open',
    text: 'PPO is at its ceiling from usual starts, so states of a teacher cannot help it; SAC learns with them on 13 of the 15 seeds of both blocks and on none without.',
  },
  question:
    'Do PPO, SAC and TD3 each learn more from the same number of steps when most of their training episodes begin on a teacher’s way?',
  idea: 'Who begins at the bottom of the valley must find the flag before anything is learned. Who begins half-way up somebody else’s way finds it soon, and learns backwards from there. Only where episodes begin is changed; every evaluation begins as usual.',
  equation: 's_0 ~ 0.8 Uniform{states of the teacher} + 0.2 usual starts',
  config: {
    v: 1,
    env: { id: 'mountain-car-continuous' },
    algo: { id: 'ppo' },
    run: { steps: 80_000, evalEvery: 4000, evalEpisodes: 5 },
  },
  arms,
  quantity: { title: 'greedy return from usual starts, mean over training', metric: 'evalReturn', take: 'mean' },
  contrasts: [
    {
      id: 'teacher’s states beat usual and random ones, all three',
      kind: 'cells',
      cells: LEARNERS.map(([id]) => [`${id}-snapshot`, `${id}-random`, `${id}-usual`]),
      of: 3,
      claim: 'above',
      // a sixth of the way from random play to the teacher
      size: 20,
    },
    {
      id: 'in two of three',
      kind: 'cells',
      cells: LEARNERS.map(([id]) => [`${id}-snapshot`, `${id}-random`, `${id}-usual`]),
      of: 2,
      claim: 'above',
      size: 20,
    },
    // the size that is claimed, below the 94 of the teacher
    { id: 'PPO leaves room from usual starts', kind: 'level', arm: 'ppo-usual', claim: 'below', none: 74, premise: true },
  ],
  scale: { better: 'more' },
  exempt: [
    {
      check: 'random',
      arms: [...others('usual'), ...others('random')],
      why: 'that without the teacher’s states the flag may never be found is what they are meant to help with',
    },
    {
      check: 'parameters',
      arms: arms.map(({ id }) => id),
      why: 'each learner is compared with itself alone, and all of its arms have as many',
    },
  ],
  tunedOn: [901, 905],
  quick: { run: { steps: 10_000 }, seeds: 2 },
  scaledDown:
    'One world in place of many, 80,000 steps (at 40,000, on a pilot, TD3 had not learned in any arm); networks of 32 units. The teacher is a scripted driver that needs the whole time; its twenty states cost about ten thousand steps, which are not counted among the student’s (a curve counts them). On tuning seeds PPO and TD3 learned the hill from usual starts as well, SAC did not: that all three gain was not expected when this rule was written. Beginning on the way of random play stands beside, so that it is the teacher that helps and not the change of starts. The paper’s choice of states and its shorter student episodes are not tested. It found, as mean returns over training: PPO has nothing to gain (90 from the teacher’s states, 92 from usual ones), SAC learns by them alone (62 against 0); TD3’s lead (56 against 35) is open at five seeds, by which the claim about all three was refuted.',
  dishonest: 'Evaluation from the teacher’s states; the teacher’s steps free without a word; only learners that fail without help.',
  next: 'Set “starts until” so that help ends half-way; or let a recording of your own driving be the teacher.',
});
