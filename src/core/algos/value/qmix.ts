/**
 * QMIX (Rashid et al. 2018): the team's value is a function of its agents' values that is monotone in each of them, so that the
 * agents' greedy actions are together the greedy joint action. The weights of the mixing network come from the state s through
 * hypernetworks; their absolute values make it monotone:
 *   Q_tot = elu(q |W1(s)| + b1(s)) |w2(s)| + V(s)
 * s is the environment's global state, or all observations together where it has none. Config, learner and loop, shared with IQL
 * and VDN: value/lib/q-learning-team.ts.
 */
import { z } from 'zod';
import type { Preset } from '#contract/catalog.ts';
import { abs, add, elu, matmul, mul, reshape, sum } from '../../engine/ops.ts';
import type { Tensor } from '../../engine/types.ts';
import { column, mlp, type Net } from '../../nets/mlp.ts';
import * as fields from '../api/fields.ts';
import { qLearningTeamFields, qLearningTeamPresets, teamMethod, teamProbeConfig } from './lib/q-learning-team.ts';
import type { MakeMixer } from './lib/team-q.ts';

const source = 'JaxMARL ql_rnn, MPE';

export const mixerFields = {
  mixerUnits: fields.integer(32, {
    min: 1,
    max: 512,
    title: 'mixer units',
    description: 'Width of the mixing network.',
    source,
    slider: [8, 128],
    log: true,
    group: 'mixer',
  }),
  hyperUnits: fields.integer(128, {
    min: 1,
    max: 512,
    title: 'hypernetwork units',
    description: 'Width of the hypernetworks, which compute the mixer’s weights from the state.',
    source: `${source}; 64 in EPyMARL`,
    slider: [8, 256],
    log: true,
    group: 'mixer',
  }),
  mixerScale: fields.real(0.001, {
    above: 0,
    max: 10,
    title: 'hypernetwork initial scale',
    description: 'Scale of the hypernetworks’ initial output weights; if small, the joint value hardly depends on the agents at first.',
    source,
    log: true,
    depth: 'research',
    group: 'mixer',
  }),
} as const;
const config = z.strictObject({ ...qLearningTeamFields, ...mixerFields });
type QmixConfig = z.infer<typeof config>;

export const qmixPresets: readonly Preset[] = qLearningTeamPresets.map((preset) =>
  preset.id === 'epymarl' ? { ...preset, config: { ...preset.config, hyperUnits: 64, mixerScale: Math.SQRT2 } } : preset,
);

export const qmixProbeConfig = { ...teamProbeConfig, mixerUnits: 8, hyperUnits: 8, mixerScale: 1 };

export interface MixingWeights {
  readonly w1: Tensor; // [R, A, E] any sign
  readonly b1: Tensor; // [R, E]
  readonly w2: Tensor; // [R, E] any sign
  readonly v: Tensor; // [R]
}

/** Q_tot of the equation above: agents' values q [R, A] -> [R]. */
export function mixMonotone(q: Tensor, { w1, b1, w2, v }: MixingWeights): Tensor {
  const [R, A] = q.shape as [number, number];
  const E = b1.shape[1]!;
  const hidden = elu(add(reshape(matmul(reshape(q, [R, 1, A]), abs(w1)), [R, E]), b1));
  return add(sum(mul(hidden, abs(w2)), -1), v);
}

/** Hypernetworks of two layers for both weights, one layer for the first bias, two for the last (as PyMARL). */
export const monotoneMixer =
  (c: Pick<QmixConfig, 'mixerUnits' | 'hyperUnits' | 'mixerScale'>): MakeMixer =>
  (group, rng, { agents: A, stateSize }) => {
    const E = c.mixerUnits;
    const hypernetwork = (name: string, sizes: readonly number[]): Net =>
      mlp(group, `mixer.${name}`, rng, [stateSize, ...sizes], { act: 'relu', outGain: c.mixerScale });
    const w1 = hypernetwork('w1', [c.hyperUnits, A * E]);
    const b1 = hypernetwork('b1', [E]);
    const w2 = hypernetwork('w2', [c.hyperUnits, E]);
    const v = hypernetwork('v', [E, 1]);
    return (q, state) =>
      mixMonotone(q, {
        w1: reshape(w1(state), [q.shape[0]!, A, E]),
        b1: b1(state),
        w2: w2(state),
        v: column(v(state)),
      });
  };

export const qmix = teamMethod(
  {
    id: 'qmix',
    title: 'QMIX',
    summary: 'Mixes the agents’ values into a team value that never falls when an agent’s value rises.',
    source: {
      title: 'QMIX: Monotonic Value Function Factorisation for Deep Multi-Agent Reinforcement Learning',
      authors: 'Rashid et al.',
      year: 2018,
      url: 'https://arxiv.org/abs/1803.11485',
    },
    config,
    presets: qmixPresets,
    probes: [
      { on: ['team', 'xorTeam'], steps: 6000, config: { recurrent: false } },
      { on: ['roles', 'memoryOne'], steps: 6000 },
      { on: ['twoStep'], steps: 20_000, config: { hidden: [32], epsilonEnd: 1, recurrent: false }, atLeast: 8 },
    ],
    probeConfig: qmixProbeConfig,
  },
  monotoneMixer,
);
