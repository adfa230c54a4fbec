/**
 * What the hidden units of a policy do while it plays: the last layer before the actions, step by step over greedy episodes on fixed seeds, one
 * after the other. From it the emergence of pairs of units (math/information.ts), a curve of runs that ask for it (run.emergence).
 */

import { OUTPUT_NAMES } from '#contract/game/network-view.ts';
import { present } from '#contract/kit/errors.ts';
import { meanEmergence } from '#math/information.ts';
import { Rng } from '#math/rng.ts';
import type { Policy } from '../algos/api/types.ts';
import type { Program, Tensor } from '../engine/types.ts';
import { createActions, createBuffers } from '../envs/api/buffers.ts';
import { paidOf } from '../envs/api/score.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { type FoundLayers, layersOf } from '../nets/layers.ts';

/** Steps that are kept, the same number at every evaluation: estimates of fewer lie higher. */
const STEPS = 1000;
/** Of wider layers as many units, evenly chosen. */
const MOST_UNITS = 32;
const FIRST_SEED = 2_000_003; // apart from those of training and of evaluation
const [HIDDEN_OUT, ACTING] = ['hidden', ['logits', 'q', 'mean']] as const;

/** The layer before the one that decides; null: nothing hidden lies between what is seen and what is done. */
function hiddenLayer({ layers, outputs }: FoundLayers): Tensor | null {
  const decides = outputs.find(({ name }) => ACTING.some((acting) => acting === name));
  let at = decides === undefined ? undefined : layers[decides.layer];
  while (at?.kind === 'mix') at = layers[at.from[0] ?? -1];
  const before = layers[at?.weights[0]?.from[0]?.layer ?? -1];
  return before === undefined || before.kind === 'input' || before.kind === 'memory' ? null : before.value;
}

/** Numbers of the hidden layer at one step. null: a policy without a network of its own, or without a hidden layer. */
function hiddenProgram(policy: Policy): { readonly program: Program; readonly see: (obs: Float32Array) => void } | null {
  const network = policy.network?.(0);
  if (network === undefined) return null;
  let found = false;
  const program = network.program(1).derive((all) => {
    const named = new Map(OUTPUT_NAMES.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const])));
    const hidden = hiddenLayer(layersOf(named));
    found = hidden !== null;
    return hidden === null ? Object.fromEntries(named) : { [HIDDEN_OUT]: hidden };
  });
  const { obs: input, mask } = program.in;
  if (!found || input === undefined) {
    program.dispose();
    return null;
  }
  mask?.fill(1);
  return {
    program,
    see(obs) {
      input.set(obs.subarray(0, network.obsWidth));
      input.set(network.number, network.obsWidth);
      network.normaliser?.moments.normalise(input, input, network.normaliser.clip);
    },
  };
}

/** Mean emergence of pairs of hidden units over a thousand steps of greedy play; NaN for policies without a hidden layer. One agent alone. */
export async function measureEmergence(policy: Policy, entry: EnvEntry, config: unknown): Promise<number> {
  const hidden = hiddenProgram(policy);
  if (hidden === null) return Number.NaN;
  await entry.prepare?.();
  const env = entry.create(config, 1);
  try {
    const { meta } = env;
    const { program, see } = hidden;
    const buffers = createBuffers(meta, 1);
    const actions = createActions(meta, 1);
    const over = Uint8Array.of(1);
    const rng = Rng.from(FIRST_SEED);
    const agent = Int32Array.of(0);
    env.reset(Uint32Array.of(FIRST_SEED), buffers);
    let memory = policy.initial(1);
    let units: readonly number[] = [];
    const unitsNow = async (): Promise<Float64Array> => {
      see(buffers.obs);
      const pending = program.run();
      if (pending) await pending;
      const all = present(program.out[HIDDEN_OUT], 'the hidden layer');
      if (units.length === 0) {
        const count = Math.min(all.length, MOST_UNITS);
        units = Array.from({ length: count }, (_, i) => Math.floor((i * all.length) / count));
      }
      return Float64Array.from(units, (unit) => all[unit]!);
    };
    const [now, next]: [Float64Array[], Float64Array[]] = [[], []];
    let before = await unitsNow();
    let begun = 0; // steps of this episode
    while (now.length < STEPS) {
      const query = { obs: buffers.obs, agent, hidden: memory, rng, rows: 1, greedy: true, paid: paidOf(meta, buffers) };
      const act = await policy.act(buffers.mask === undefined ? query : { ...query, mask: buffers.mask });
      actions.set(act.actions);
      memory = act.hidden;
      env.step(actions, buffers);
      begun++;
      const ends = buffers.terminated[0] !== 0 || buffers.truncated[0] !== 0 || begun >= meta.evalMaxSteps;
      const after = await unitsNow();
      now.push(before);
      next.push(after);
      before = after;
      if (!ends) continue;
      env.restart(over, buffers);
      memory = policy.initial(1);
      before = await unitsNow();
      begun = 0;
    }
    const flat = (rows: readonly Float64Array[]): Float64Array =>
      Float64Array.from({ length: rows.length * units.length }, (_, at) => rows[Math.floor(at / units.length)]![at % units.length]!);
    return meanEmergence(flat(now), flat(next), units.length);
  } finally {
    hidden.program.dispose();
    env.dispose?.();
  }
}
