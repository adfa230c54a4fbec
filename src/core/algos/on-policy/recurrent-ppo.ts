/**
 * PPO with a memory: observations go through a cell whose state each agent carries from step to step (Hausknecht & Stone 2015; the
 * recurrent details of Huang et al. 2022): a GRU, an LSTM, or in its place a memory body (core/nets: memory.ts, slots.ts) whose state
 * holds what it remembers: attention over the last steps, attention over the most relevant of their chunks (HCAM, Lampinen et al. 2021),
 * or slots (after Graves et al. 2014). Minibatches are whole environments in time order; each sequence starts from the state it was
 * played with, and an episode's first step from zero. Longer `sequence`s see further back and cost more to compile; states at their
 * starts go stale while the update goes on. Works alone and in teams (recurrent IPPO).
 *   h_t = cell(layers(o_t), h_{t-1}),   pi(a|h_t) and V(h_t) by one head each,   h = 0 before an episode's first step: nothing remembered
 *   attention: h_t = tanh([e_t, sum_i a_i m_i] Wh),   e = tanh(layers(o) We),   m = norm(e),   a = softmax(m_t Wq (m_i + age of i))
 *   chunks: a_i = (softmax over the k most relevant chunks) (softmax within the chunk);   slots: s_i <- s_i (1 - w_i erase) + w_i v, read alike
 *   L = -mean min(r A, clip(r, 1 - e, 1 + e) A) - entropyCoef mean H(pi) + valueCoef L_V,   r = pi(a|h) / pi_old(a|h)
 *   L_V = mean max((V - R)^2, (V_old + clip(V - V_old, -e, e) - R)^2) / 2;   without clipValue mean (V - R)^2 / 2
 * Pseudo-code:
 *   repeat until the budget is spent
 *     for T steps of B environments
 *       every `sequence` steps: keep the state h of every agent
 *       h from observation and last h; draw the action from pi, keep ln pi and V
 *       where an episode ended: h = 0
 *     for each network, from the steps of the agents it serves
 *       advantages A by GAE(lambda), returns R = A + V
 *       for each epoch
 *         shuffle the rows (an agent in an environment each), deal them to the minibatches
 *         for each minibatch: unroll its sequences from the kept states, 0 where an episode begins
 *           standardise A (over the minibatch by default)
 *           one step of Adam on L, backpropagated through `memory.sequence` steps
 * Throws LabError('nan-loss').
 */
import { z } from 'zod';
import type { Preset } from '#contract/catalog/catalog.ts';
import { fail } from '#contract/kit/errors.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import { defineAlgo } from '../api/define.ts';
import * as fields from '../api/fields.ts';
import { teamExtensionsOf } from '../extensions/index.ts';
import { commonFields, ppoMetrics } from '../lib/ppo/common.ts';
import { checkTeam, memoryFields, policyFromTeam, type TeamConfig, teamFields, timedUpdate, trainTeam } from '../lib/ppo/team.ts';

const { layerNorm: _, ...teamOnly } = teamFields; // the cell keeps its own scale
const source = 'CleanRL ppo_atari_lstm.py';
const window = fields.integer(64, {
  title: 'memory window',
  unit: 'steps',
  description: 'Past steps that are looked back on.',
  source: 'longer than an episode of the memory grids’ shorter tasks',
  min: 4,
  max: 512,
  slider: [16, 256],
  group: 'network',
});
const config = z.strictObject({
  ...commonFields,
  envs: fields.numEnvs(8, source),
  hidden: fields.hidden([64], 'one layer before the cell'),
  memory: variant(
    'gru',
    [
      kind('gru', memoryFields),
      kind('lstm', memoryFields),
      kind('attention', { ...memoryFields, window }),
      kind('chunks', {
        ...memoryFields,
        window,
        chunk: fields.integer(8, {
          title: 'chunk length',
          unit: 'steps',
          description: 'Steps of a chunk, two chunks or more in the window.',
          source: 'Lampinen et al. 2021; shorter here, as episodes are',
          min: 2,
          max: 128,
          slider: [4, 32],
          group: 'network',
        }),
        topK: fields.integer(4, {
          title: 'chunks read',
          description: 'The most relevant chunks, which alone are read.',
          source: 'own choice: half of the chunks in the window',
          min: 1,
          max: 64,
          slider: [1, 8],
          depth: 'research',
          group: 'network',
        }),
      }),
      kind('slots', {
        ...memoryFields,
        slots: fields.integer(8, {
          title: 'memory slots',
          description: 'Each as wide as the cell.',
          source: 'own choice',
          min: 1,
          max: 64,
          slider: [2, 16],
          depth: 'research',
          group: 'network',
        }),
      }),
    ],
    {
      title: 'recurrent cell',
      description:
        'GRU, LSTM, attention over the last steps, attention over chunks of them (HCAM), or slots that are written and read by content.',
      source: 'GRU in MAPPO and JaxMARL, LSTM in CleanRL and sb3-contrib',
      depth: 'teach',
      group: 'network',
    },
  ),
  ...teamOnly,
});
type Config = z.infer<typeof config>;

const presets: readonly Preset[] = [
  {
    id: 'memory',
    title: 'Small memory tasks (chains, T-mazes)',
    config: { envs: 16, rolloutSteps: 32, minibatches: 4, lr: 1e-3, annealLr: false, hidden: [64], memory: { kind: 'gru', units: 64 } },
  },
  {
    id: 'lstm',
    title: 'LSTM (CleanRL ppo_atari_lstm.py)',
    config: { memory: { kind: 'lstm', units: 128 }, clip: 0.1, hidden: [128] },
  },
  {
    id: 'team',
    title: 'JaxMARL ippo_rnn_mpe',
    config: {
      envs: 16,
      minibatches: 2,
      clip: 0.3,
      valueCoef: 1,
      lr: 5e-4,
      hidden: [128],
      activation: 'relu',
      memory: { kind: 'gru', units: 128 },
    },
  },
];

const asTeam = (c: Config): Config & TeamConfig => ({ ...c, layerNorm: false });

/** Throws LabError('config-invalid') unless the window is two whole chunks or more. */
function checkChunks({ memory }: Config): void {
  if (memory.kind !== 'chunks') return;
  const { window: steps, chunk } = memory;
  if (steps % chunk === 0 && steps >= 2 * chunk) return;
  const message = `A window of ${steps} steps is not two or more whole chunks of ${chunk}.`;
  throw fail('config-invalid', message, `Choose a multiple of ${chunk}.`, 'algo.memory.window');
}

const extensions = teamExtensionsOf({ loop: 'team', networks: 'other', reward: 'own' });

export const recurrentPpo = defineAlgo<Config>({
  spec: {
    id: 'recurrent-ppo',
    version: 2,
    changes: [{ version: 2, what: 'Death ends no return where the environment’s agents come back.', rerun: true }],
    title: 'Recurrent PPO',
    summary: 'PPO with a memory, for worlds that do not show everything at once.',
    source: {
      title: 'The 37 Implementation Details of Proximal Policy Optimization',
      authors: 'Huang et al.',
      year: 2022,
      url: 'https://iclr-blog-track.github.io/2022/03/25/ppo-implementation-details/',
    },
    config,
    extensions,
    presets,
    action: 'any',
    learner: 'network',
    agents: 'many',
    trial: {
      env: 'memory-chain',
      steps: 1280,
      config: { envs: 4, rolloutSteps: 16, minibatches: 2, epochs: 2, hidden: [8], memory: { kind: 'gru', units: 8, sequence: 8 } },
    },
    probes: [
      { on: ['cued', 'team'], steps: 6000 },
      { on: ['delayed'], steps: 8000 },
      { on: ['memoryOne'], steps: 10_000, config: { lr: 1e-2, memory: { kind: 'gru', units: 16 } } },
      { on: ['memoryOne'], steps: 10_000, config: { lr: 1e-2, memory: { kind: 'attention', units: 16, window: 8 } } },
      {
        on: ['memoryOne'],
        steps: 10_000,
        config: { lr: 1e-2, memory: { kind: 'chunks', units: 16, window: 8, chunk: 2, topK: 2 } },
      },
      { on: ['memoryOne'], steps: 10_000, config: { lr: 1e-2, memory: { kind: 'slots', units: 16, slots: 4 } } },
      { on: ['roles'], steps: 10_000, config: { memory: { kind: 'gru', sequence: 8 } } },
      { on: ['pointingTeam'], steps: 12_000, atLeast: 0.97 },
    ],
    probeConfig: { envs: 8, rolloutSteps: 16, lr: 3e-3, annealLr: false, gamma: 0.9, entropyCoef: 0.001, hidden: [16] },
    metrics: ppoMetrics,
  },

  fits(meta, c) {
    checkTeam(meta, asTeam(c), 'Recurrent PPO');
    checkChunks(c);
  },

  train: (run, resume) => trainTeam(run, asTeam(run.config), 'own', resume, extensions),

  policy: (context, saved) => policyFromTeam(context, asTeam(context.config), 'own', saved),

  benchmark: ({ config: c, meta, engine }) => timedUpdate(engine, meta, asTeam(c), 'own'),
});
