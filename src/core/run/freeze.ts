/**
 * A policy as a frozen player of a seat (contract/run/frozen.ts): the network of one of its agents with the numbers in it. What that agent
 * was told beside its observation is folded into the first layer: its own number, and of the partners it was told about none.
 */

import { kindOf, spoken } from '#contract/game/seats.ts';
import { obsSize } from '#contract/game/spaces.ts';
import { floatBytes, toBase64 } from '#contract/kit/bytes.ts';
import { fail, type LabError } from '#contract/kit/errors.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { type Frozen, type FrozenBox, type FrozenNet, frozenHash } from '#contract/run/frozen.ts';
import { NORMALISE_EPSILON } from '#math/normalise.ts';
import { perAgent } from '../envs/api/meta.ts';
import type { EnvMeta } from '../envs/api/types.ts';
import type { AgentNetwork } from '../nets/agent-network.ts';
import { type Dense, outputsOf, stackTo, unmasked } from '../nets/dense-stack.ts';
import type { BuiltPolicy } from './policy.ts';

const no = (why: string): LabError =>
  fail(
    'incompatible',
    `This policy cannot be frozen into a seat: ${why}.`,
    'Freeze a policy with a dense network (body dense), trained without memory.',
    'seats',
  );

/** Of the agents of a policy the one that is called like the seat, or is of its kind. Throws LabError('incompatible'). */
function agentFor(meta: EnvMeta, seat: string): number {
  const names = meta.agents.flatMap((group) => group.names);
  const same = names.indexOf(seat);
  const found = same >= 0 ? same : names.findIndex((name) => kindOf(name) === kindOf(seat));
  if (found >= 0) return found;
  throw no(`it plays ${names.slice(0, 6).map(spoken).join(', ')}, and none of these is of the kind of "${spoken(seat)}"`);
}

/** `seat`: an agent or a kind of agents. Throws LabError('incompatible') for policies that are no stack of dense layers. */
export function freeze({ policy, meta, read }: BuiltPolicy, snapshot: PolicySnapshot, seat: string): Frozen {
  const agent = agentFor(meta, seat);
  const network = policy.network?.(agent);
  if (network === undefined) throw no('it is more than one network');
  const { logits, q, mean, logStd, state } = outputsOf(network);
  if (state !== undefined) throw no('it has a memory');
  const head = logits ?? q ?? mean;
  if (head === undefined) throw no('it has no output that a frozen player reads');
  const layers = stackTo(unmasked(head), network.obsWidth + network.number.length, { read, no });
  const told = (meta.partners ?? []).reduce((sum, pool) => sum + (pool.told ? pool.members.length : 0), 0);
  const seen = (perAgent(meta, ({ obs }) => obsSize(obs))[agent] ?? 0) - told;
  const net = netOf(network, layers, seen, mean === undefined ? null : boxOf(network, logStd !== undefined));
  const { algo, seed, step } = snapshot;
  return { frozen: frozenHash(net), title: `${algo.id}, seed ${seed}, step ${step}`, net };
}

function netOf({ number, normaliser, obsWidth }: AgentNetwork, layers: readonly Dense[], inputs: number, box: FrozenBox | null): FrozenNet {
  const [first, ...later] = layers;
  if (first === undefined) throw no('it has no layers');
  const fixed = [...new Array<number>(obsWidth - inputs).fill(0), ...number]; // columns that never change from here on
  const scale = Array.from(normaliser?.moments.variance ?? [], (v) => 1 / Math.sqrt(v + NORMALISE_EPSILON));
  const bias = Float64Array.from(first.bias);
  for (const [i, value] of fixed.entries()) {
    const column = inputs + i;
    const normal = normaliser === null ? value : (value - normaliser.moments.mean[column]!) * scale[column]!;
    const clip = normaliser?.clip ?? Number.POSITIVE_INFINITY;
    const x = Math.min(clip, Math.max(-clip, normal));
    for (let u = 0; u < first.units; u++) bias[u] = bias[u]! + x * first.kernel[column * first.units + u]!;
  }
  const read: Dense = { ...first, inputs, kernel: first.kernel.subarray(0, inputs * first.units), bias: Float32Array.from(bias) };
  const parts: Float32Array[] = [];
  if (normaliser !== null) {
    parts.push(Float32Array.from(scale.slice(0, inputs)));
    parts.push(Float32Array.from(scale.slice(0, inputs), (s, i) => -s * normaliser.moments.mean[i]!));
  }
  for (const { kernel, bias: shift, norm } of [read, ...later])
    parts.push(kernel, shift, ...(norm === undefined ? [] : [norm.gain, norm.shift]));
  return {
    inputs,
    clip: normaliser?.clip ?? null,
    layers: layers.map(({ units, activation, norm }) => ({ units, act: activation, norm: norm?.epsilon ?? null })),
    box,
    weights: toBase64(floatBytes(parts)),
  };
}

function boxOf({ box }: AgentNetwork, squashed: boolean): FrozenBox {
  if (box === null) throw no('the bounds of its actions are not known');
  if (box.form === 'clipped') return { form: 'clipped', low: [...box.low], high: [...box.high], bent: false };
  const ends = (sign: number) => box.centre.map((centre, d) => centre + sign * box.half[d]!);
  return { form: 'scaled', low: ends(-1), high: ends(1), bent: squashed };
}
