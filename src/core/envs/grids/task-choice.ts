/**
 * Choose what to train on next, so that the policies trained so far do well over a whole range of settings of the cart with a pole. Training is recorded
 * (lib/task-choice/recorded.ts): an episode draws the seed of a recording, and a choice uncovers how the policy trained with that setting does
 * in each of twenty. What counts is the best policy in every setting, as a mean over the range.
 * Obs [3 n], shares of the best possible return: which settings were trained (0 or 1), how well each of these did where it was trained (else 0), the best of
 * all trained policies in every setting. Actions: the n settings, those not yet trained. Reward -1 for each choice.
 * Ends once the mean over the range is `share` of what training on all settings would give. Truncates at `maxSteps`.
 * Source: own world, after the protocol of Cho et al. 2024, who replay choices on finished recordings, too.
 */
import { z } from 'zod';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { GridLayout } from '#contract/game/frames.ts';
import { Rng } from '#math/rng.ts';
import { checkCell } from '../api/checks.ts';
import { defineEnv } from '../api/define.ts';
import { Draws } from '../api/draws.ts';
import { assemble } from '../api/environment.ts';
import { maxStepsField } from '../api/limits.ts';
import { soloMeta } from '../api/meta.ts';
import { allocateRows, defineState } from '../api/state.ts';
import type { EnvMeta, StepBuffers } from '../api/types.ts';
import { remembered } from '../lib/remembered.ts';
import { byGaps, byModel } from './lib/task-choice/choosers.ts';
import { greedyChoice, Mission, meanBest } from './lib/task-choice/mission.ts';
import { byDraw, byKnown, bySight } from './lib/task-choice/policies.ts';
import { COUNT, RECORDINGS, recordingsOf, SETTINGS, UNITS, valuesOf } from './lib/task-choice/recorded.ts';

const config = z.strictObject({
  setting: z.enum(SETTINGS).default('pole length').meta({
    title: 'setting',
    description: 'Which setting of the cart with a pole takes the twenty values.',
    source: 'Cho et al. 2024',
  }),
  share: z
    .number()
    .min(0.5)
    .max(1)
    .default(0.95)
    .meta({
      title: 'good enough',
      description: 'Mean over the range at which it ends, as a share of what training on all settings would give.',
      source: 'own choice',
      slider: [0.8, 1],
    }),
  maxSteps: maxStepsField(COUNT, 'own choice', [1, COUNT]),
});
type Config = z.infer<typeof config>;

const REACHED: MetricCard = {
  id: 'covered',
  title: 'covered',
  description: 'Mean over the range of the best trained policy in each setting, as a share of what training on all settings would give.',
};
const CHOICES: MetricCard = {
  id: 'choices',
  title: 'choices',
  description: 'Settings trained until the mean over the range was good enough; all of them where it never was.',
};

const n = COUNT;
const state = defineState(1, [
  { name: 'trained', type: 'u32', shape: [n], doc: '1: trained in this episode' },
  { name: 'recording', type: 'u32', shape: [], doc: 'which recording, counted from 0' },
  { name: 'last', type: 'u32', shape: [], doc: 'the setting that was trained last; 0 before the first' },
  { name: 'steps', type: 'u32', shape: [], doc: 'choices made in this episode' },
]);
const [RECORDING, LAST, STEPS] = [n, n + 1, n + 2];

/** Orders that random play is measured on, for each recording. */
const ORDERS = 50;

/** Mean return of random choices, over drawn orders of every recording, and of the choice that gains most, which sees the whole recording. */
const referencesOf = remembered(({ setting, share, maxSteps }: Config) => {
  const rng = Rng.from(1).split('task-choice');
  let [random, greedy] = [0, 0];
  for (const matrix of recordingsOf(setting)) {
    const mission = new Mission(matrix, share);
    const length = (choose: (trained: readonly number[]) => number): number => {
      const trained: number[] = [];
      while (trained.length < maxSteps && !mission.isEnough(trained)) trained.push(choose(trained));
      return trained.length;
    };
    greedy -= length((trained) => greedyChoice(matrix, trained));
    for (let k = 0; k < ORDERS; k++) {
      const order = Array.from({ length: n }, (_, i) => i);
      rng.shuffle(order);
      random -= length((trained) => order[trained.length]!) / ORDERS;
    }
  }
  return { random: random / RECORDINGS, greedy: greedy / RECORDINGS };
});

/** Rows: trained with; columns: tested with. The lowest row is the best of all trained policies, below a gap. */
const layoutOf = ({ setting }: Config): GridLayout => {
  const values = valuesOf(setting);
  const range = `${values[0]} to ${values[n - 1]} ${UNITS[setting]}`;
  return {
    kind: 'grid',
    width: n,
    height: n + 2,
    agents: 1,
    headings: false,
    looks: ['empty', 'unseen', 'floor'],
    colours: ['grey'],
    view: 0,
    stage: 'board',
    figures: ['none'],
    layers: ['heat'],
    signs: [
      { x: (n - 1) / 2, y: -1, text: `tested with a ${setting} of ${range}` },
      { x: (n - 1) / 2, y: n, text: 'the best so far' },
    ],
  };
};
const [EMPTY, UNSEEN, FLOOR] = [0, 1, 2] as const;

const KEYS = '1234567890qwertyuiop';

function meta(c: Config): EnvMeta {
  const { random, greedy } = referencesOf(c);
  const { setting } = c;
  return {
    ...soloMeta({
      id: 'task-choice',
      agent: 'chooser',
      obs: { kind: 'box', shape: [3 * n], low: 0, high: 1 },
      action: { kind: 'discrete', n, labels: valuesOf(setting).map((value) => `${value} ${UNITS[setting]}`) },
      gamma: 1,
      maxSteps: c.maxSteps,
      evalMaxSteps: c.maxSteps,
      state,
      frame: layoutOf(c),
      references: [
        { name: 'random', value: random, source: `measured: ${ORDERS} drawn orders of each recording` },
        { name: 'optimal', value: greedy, source: 'exact: sees the whole recording and takes what gains most' },
      ],
      keys: Array.from(KEYS.slice(0, n), (key) => [key]),
      idleAction: null,
      fps: 2,
      masked: true,
    }),
    measures: [CHOICES, REACHED],
  };
}

export const taskChoice = defineEnv<Config>({
  spec: {
    id: 'task-choice',
    version: 1,
    title: 'Task choice',
    summary: 'Choose what to train on next, so that few trainings serve a whole range of settings.',
    source: {
      title: 'Model-Based Transfer Learning for Contextual Reinforcement Learning',
      authors: 'Cho et al.',
      year: 2024,
      url: 'https://arxiv.org/abs/2408.04498',
    },
    config,
    presets: [
      { id: 'pole-length', title: 'length of the pole', config: {} },
      { id: 'cart-mass', title: 'mass of the cart', config: { setting: 'cart mass' } },
      { id: 'pole-mass', title: 'mass of the pole', config: { setting: 'pole mass' } },
    ],
    meta,
  },
  create(c, batch, options) {
    const missions = recordingsOf(c.setting).map((matrix) => new Mission(matrix, c.share));
    const rows = allocateRows(state, batch);
    const { words, wordStride } = rows;
    const draws = new Draws(rows.rng, options?.draws);
    /** [batch][n] the best of what is trained; follows from the state. */
    const best = Array.from({ length: batch }, () => new Float64Array(n));
    const missionOf = (row: number): Mission => missions[words[row * wordStride + RECORDING]!]!;
    const observe = (row: number, { obs, mask }: StepBuffers): void => {
      const [s, at] = [row * wordStride, row * 3 * n];
      const { matrix } = missionOf(row);
      const all = words[s + STEPS]! >= n;
      for (let i = 0; i < n; i++) {
        const trained = words[s + i]!;
        obs[at + i] = trained;
        obs[at + n + i] = trained * matrix[i * n + i]!;
        obs[at + 2 * n + i] = best[row]![i]!;
        if (mask) mask[row * n + i] = all ? 1 : 1 - trained;
      }
    };
    const recount = (row: number): void => {
      const s = row * wordStride;
      const { matrix } = missionOf(row);
      best[row]!.fill(0);
      for (let i = 0; i < n; i++)
        if (words[s + i] === 1) for (let j = 0; j < n; j++) best[row]![j] = Math.max(best[row]![j]!, matrix[i * n + j]!);
    };
    return assemble(meta(c), batch, rows, {
      start(row) {
        const s = row * wordStride;
        words.fill(0, s, s + STEPS + 1);
        words[s + RECORDING] = draws.int(row, RECORDINGS, 'recording');
        best[row]!.fill(0);
      },
      step(actions, out) {
        for (let row = 0; row < batch; row++) {
          const s = row * wordStride;
          const chosen = actions[row]!;
          const { matrix, target } = missionOf(row);
          words[s + chosen] = 1;
          words[s + LAST] = chosen;
          const steps = words[s + STEPS]! + 1;
          words[s + STEPS] = steps;
          for (let j = 0; j < n; j++) best[row]![j] = Math.max(best[row]![j]!, matrix[chosen * n + j]!);
          const enough = meanBest(best[row]!) >= target;
          out.reward[row] = -1;
          out.terminated[row] = enough ? 1 : 0;
          out.truncated[row] = !enough && steps >= c.maxSteps ? 1 : 0;
          observe(row, out);
        }
      },
      observe,
      loaded(row) {
        const s = row * wordStride;
        checkCell(words[s + RECORDING]!, RECORDINGS, 'recording');
        checkCell(words[s + LAST]!, n, 'last');
        for (let i = 0; i < n; i++) if (words[s + i]! > 1) words[s + i] = 1;
        recount(row);
      },
      measure(row, out, at) {
        const { full, target } = missionOf(row);
        const reached = meanBest(best[row]!);
        out[at] = reached >= target ? words[row * wordStride + STEPS]! : n;
        out[at + 1] = reached / full;
      },
      frame(row, out) {
        const s = row * wordStride;
        const cells = n * (n + 2);
        const heat = 3 * cells + 6;
        const { matrix } = missionOf(row);
        out.fill(0);
        const paint = (cell: number, share: number): void => {
          out[3 * cell] = FLOOR;
          out[heat + cell] = share;
        };
        for (let i = 0; i < n; i++)
          for (let j = 0; j < n; j++)
            if (words[s + i] === 1) paint(i * n + j, matrix[i * n + j]!);
            else out[3 * (i * n + j)] = UNSEEN;
        for (let j = 0; j < n; j++) {
          out[3 * (n * n + j)] = EMPTY;
          paint(n * (n + 1) + j, best[row]![j]!);
        }
        out[3 * cells] = words[s + LAST]!;
        out[3 * cells + 1] = words[s + LAST]!;
        out[3 * cells + 5] = 1;
      },
    });
  },
  policies: {
    model: () => bySight(byModel),
    'equal gaps': () => bySight(byGaps),
    drawn: () => byDraw,
    'gains most': ({ setting }) => byKnown(setting),
  },
});
