/**
 * A policy's network as it is: its layers and weights, and what they do at one state, from a program of the same executor that also gives
 * every layer's numbers and the slopes of one output along them (derived from the policy's own, so the same expressions).
 */

import { type NetworkValues, type NetworkView, OUTPUT_NAMES, type OutputName, type SlopeQuestion } from '#contract/game/network-view.ts';
import type { ObsSpace } from '#contract/game/spaces.ts';
import { fail, present } from '#contract/kit/errors.ts';
import { gradients } from '../engine/autodiff.ts';
import { add, mul, softmax, sum } from '../engine/ops.ts';
import type { Program, Tensor } from '../engine/types.ts';
import type { AgentNetwork } from '../nets/agent-network.ts';
import { inputNames } from '../nets/input-names.ts';
import { type FoundLayers, layersOf } from '../nets/layers.ts';
import type { BuiltPolicy } from './policy.ts';

/** What one agent's network gets at a moment. */
export interface Seen {
  readonly obs: Float32Array; // [O], its own columns first
  readonly mask: Uint8Array | null; // [N]
  readonly memory: Float32Array; // [S]
}

/** Weights and programs of more layers than this are no picture. */
const MOST_LAYERS = 32;
const ASKED = ['logits', 'q', 'mean', 'value'] as const;

export class NetworkProbe {
  readonly view: NetworkView;
  private readonly network: AgentNetwork;
  private readonly whole: Program;
  private readonly program: Program;
  private readonly found: FoundLayers;

  /** Throws LabError('incompatible') for policies that are not one network per agent (tables, planners, teams that talk). */
  constructor({ policy, meta, read }: BuiltPolicy, agent: number) {
    const network = policy.network?.(agent);
    if (network === undefined)
      throw fail(
        'incompatible',
        'This policy is not one network that acts from its own observation: there is nothing to draw.',
        'Tables are shown by the value map; of agents that talk see Communication.',
      );
    this.network = network;
    this.whole = network.program(1);
    const { program, found } = traced(this.whole);
    this.program = program;
    this.found = found;
    if (found.layers.length > MOST_LAYERS) {
      program.dispose();
      throw fail('incompatible', `This network has ${found.layers.length} layers: too many to draw.`, 'Use a network of fewer layers.');
    }
    const space = spaceOf(meta.agents, agent);
    const layers = found.layers.map(({ kind, units, map, activation, normed, weights, from }) => ({
      kind,
      units,
      map,
      activation,
      normed,
      from,
      labels: kind === 'input' ? inputNames(space, network.number.length, units) : [],
      weights: weights.map(({ weights: param, bias, ...rest }) => ({
        ...rest,
        name: param.name,
        weights: read(param),
        bias: bias === null ? null : read(bias),
      })),
    }));
    const parameters = layers.reduce(
      (total, layer) => layer.weights.reduce((n, { weights, bias }) => n + weights.length + (bias?.length ?? 0), total),
      0,
    );
    this.view = { layers, outputs: found.outputs, parameters, normalised: network.normaliser !== null };
  }

  /** What every unit does with this observation. */
  async values({ obs, mask, memory }: Seen, asked: SlopeQuestion | null): Promise<NetworkValues> {
    const { network, program, found } = this;
    const row = present(program.in.obs, 'the input "obs"');
    row.set(obs.subarray(0, network.obsWidth));
    row.set(network.number, network.obsWidth);
    network.normaliser?.moments.normalise(row, row, network.normaliser.clip);
    if (mask === null) program.in.mask?.fill(1);
    else program.in.mask?.set(mask);
    program.in.state?.set(memory);
    // inputs of the method's own, as its policy fills them
    for (const [name, values] of Object.entries(this.whole.in))
      if (name !== 'obs' && name !== 'mask' && name !== 'state' && values !== undefined) program.in[name]?.set(values);
    for (const name of ASKED) {
      const into = program.in[`ask.${name}`];
      into?.fill(0);
      if (asked?.output === name && into !== undefined && asked.index < into.length) into[asked.index] = 1;
    }
    const pending = program.run();
    if (pending) await pending;
    const out = (name: string): Float32Array => present(program.out[name], `the output "${name}"`);
    const outputs: { [K in OutputName]?: Float32Array } = {};
    for (const name of OUTPUT_NAMES) {
      const given = program.out[name];
      if (given !== undefined) outputs[name] = given.slice();
    }
    if (outputs.value !== undefined) network.restore?.(outputs.value);
    const unit = asked?.output === 'value' ? unitOf(network) : 1;
    return {
      layers: found.layers.map(({ units }, i) => averaged(out(`value ${i}`), units)),
      sums: found.layers.map(({ sums, units }, i) => (sums === null ? null : averaged(out(`sums ${i}`), units))),
      slopes: found.layers.map(({ units }, i) => {
        const slope = asked === null ? undefined : program.out[`slope ${i}`];
        return slope === undefined ? null : summed(slope, units, unit);
      }),
      outputs,
    };
  }

  /** Frees its own program; the policy stays. */
  dispose(): void {
    this.program.dispose();
  }
}

function traced(whole: Program): { readonly program: Program; readonly found: FoundLayers } {
  let found: FoundLayers = { layers: [], outputs: [] };
  const program = whole.derive((all) => {
    const wanted = new Map(OUTPUT_NAMES.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const])));
    found = layersOf(wanted);
    const out: { [name: string]: Tensor } = Object.fromEntries(wanted);
    found.layers.forEach(({ value, sums }, i) => {
      out[`value ${i}`] = value;
      if (sums !== null) out[`sums ${i}`] = sums;
    });
    const terms = ASKED.flatMap((name) => {
      const given = wanted.get(name);
      if (given === undefined) return [];
      const target = name === 'logits' ? softmax(given) : given;
      return [sum(mul(target, target.graph.input(`ask.${name}`, target.shape)))];
    });
    const [first, ...others] = terms;
    if (first !== undefined) {
      const loss = others.reduce((total, term) => add(total, term), first);
      gradients(
        loss,
        found.layers.map(({ value }) => value),
      ).forEach((slope, i) => {
        out[`slope ${i}`] = slope;
      });
    }
    return out;
  });
  return { program, found };
}

const spaceOf = (groups: BuiltPolicy['meta']['agents'], agent: number): ObsSpace =>
  present(groups.flatMap(({ obs, count }) => Array.from({ length: count }, () => obs))[agent], 'the observation of an agent');

/** What one unit of the network's own values is in units of the reward. */
function unitOf(network: AgentNetwork): number {
  const unit = Float32Array.of(0, 1);
  network.restore?.(unit);
  return unit[1]! - unit[0]!;
}

/** The mean over rows [rows, units]. */
function averaged(values: Float32Array, units: number): Float32Array {
  const rows = values.length / units;
  if (rows <= 1) return values.slice();
  return summed(values, units, 1 / rows);
}

/** The sum over rows, scaled. */
function summed(values: Float32Array, units: number, scale: number): Float32Array {
  const out = new Float32Array(units);
  for (let i = 0; i < values.length; i++) out[i % units] = out[i % units]! + values[i]! * scale;
  return out;
}
