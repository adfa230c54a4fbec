/**
 * Policies of teams: rows of any agents go to the network of each (sharing.ts), through programs of two sizes (one row, or chunks
 * of 64) compiled when first needed. A network's program has the inputs `obs` [rows, inputs], `mask` [rows, choices] where the
 * environment masks, and `state` [rows, S] if it is recurrent; its outputs are some of `logits`, `q` [rows, choices], `mean`,
 * `logStd` [rows, D], `value` [rows] and `state`. Actions that a narrower network does not have get logits and values of -1e8.
 */
import type { Program } from '../engine/types.ts';
import type { EnvMeta } from '../envs/types.ts';
import { exp } from '../math/functions.ts';
import { argmax, categorical, normal, randomAction } from '../math/sampling.ts';
import type { SharedNetwork, Sharing } from './sharing.ts';
import type { Act, ActQuery, Hidden, Policy } from './types.ts';

const CHUNK = 64;
const NEVER = -1e8;

export interface TeamPolicyOptions {
  readonly meta: EnvMeta;
  readonly sharing: Sharing;
  compile(network: number, rows: number): Program;
  /** Rows as the network wants them, in place (normalised, say). */
  prepare?(network: number, rows: Float32Array): void;
  /** Values in units of the reward, in place, where the network's own numbers are others. */
  restore?(network: number, values: Float32Array): void;
  /** Recurrent: columns of the state that a row carries, the same for every network; it starts at 0. */
  readonly stateSize?: number;
  /** What action values explore with when not greedy. */
  readonly epsilon?: () => number;
  dispose?(): void;
}

export function teamPolicy(options: TeamPolicyOptions): Policy {
  const { meta, sharing, stateSize = 0 } = options;
  const { obsSize: O, actionCount: N, actionSize: D } = meta;
  const programs = new Map<string, Program>();
  const widths = { logits: N, q: N, mean: D, logStd: D, value: 1 } as const;
  type Name = keyof typeof widths;
  type Outputs = { [K in Name]?: Float32Array };

  function programOf(network: number, rows: number): Program {
    const key = `${network} ${rows}`;
    const program = programs.get(key) ?? options.compile(network, rows);
    programs.set(key, program);
    return program;
  }

  /** Row `from` of the query into place `to` of a program's inputs. */
  function feed(network: SharedNetwork, program: Program, query: ActQuery, from: number, to: number): void {
    const { obs, mask, state } = program.in;
    const { obsWidth, ids, inputs, choices } = network;
    const place = sharing.placeOf[query.agent[from]!]!;
    for (let j = 0; j < obsWidth; j++) obs![to * inputs + j] = query.obs[from * O + j]!;
    for (let j = 0; j < ids; j++) obs![to * inputs + obsWidth + j] = j === place ? 1 : 0;
    if (mask !== undefined) for (let a = 0; a < choices; a++) mask[to * choices + a] = query.mask?.[from * N + a] ?? 1;
    if (state !== undefined) for (let j = 0; j < stateSize; j++) state[to * stateSize + j] = query.hidden[from * stateSize + j]!;
  }

  /** Place `from` of a program's outputs into row `to` of the answer. */
  function fetch(program: Program, size: number, from: number, to: number, rows: number, outputs: Outputs, hidden: Hidden): void {
    for (const name of Object.keys(widths) as Name[]) {
      const found = program.out[name];
      if (found === undefined) continue;
      const width = widths[name];
      const own = found.length / size;
      const all = outputs[name] ?? new Float32Array(rows * width).fill(name === 'logits' || name === 'q' ? NEVER : 0);
      outputs[name] = all;
      for (let j = 0; j < own; j++) all[to * width + j] = found[from * own + j]!;
    }
    const { state } = program.out;
    if (state !== undefined) for (let j = 0; j < stateSize; j++) hidden[to * stateSize + j] = state[from * stateSize + j]!;
  }

  function choose(query: ActQuery, { logits, q, mean, logStd }: Outputs): Act['actions'] {
    const { rows, rng, greedy, mask } = query;
    if (mean !== undefined && logStd !== undefined) {
      const actions = new Float32Array(rows * D);
      for (let row = 0; row < rows; row++) {
        const { action } = sharing.networks[sharing.networkOf[query.agent[row]!]!]!;
        if (action.kind !== 'box') continue;
        for (let d = 0; d < action.size; d++) {
          const i = row * D + d;
          const drawn = greedy ? mean[i]! : mean[i]! + exp(logStd[i]!) * normal(rng);
          actions[i] = Math.min(action.high[d]!, Math.max(action.low[d]!, drawn));
        }
      }
      return actions;
    }
    const actions = new Int32Array(rows);
    for (let row = 0; row < rows; row++) {
      const n = sharing.networks[sharing.networkOf[query.agent[row]!]!]!.choices;
      const at = row * N;
      if (logits !== undefined) actions[row] = greedy ? argmax(logits, at, n) : categorical(logits, at, n, rng.uniform());
      else if (!greedy && rng.uniform() < (options.epsilon?.() ?? 0)) actions[row] = randomAction(rng, n, mask, at);
      else actions[row] = argmax(q as Float32Array, at, n, mask, at);
    }
    return actions;
  }

  return {
    initial: (rows) => new Float32Array(rows * stateSize),
    async act(query): Promise<Act> {
      const { rows } = query;
      const outputs: Outputs = {};
      const hidden = new Float32Array(rows * stateSize);
      for (const [k, network] of sharing.networks.entries()) {
        const mine: number[] = [];
        for (let row = 0; row < rows; row++) if (sharing.networkOf[query.agent[row]!] === k) mine.push(row);
        const size = mine.length === 1 ? 1 : CHUNK;
        for (let from = 0; from < mine.length; from += size) {
          const part = mine.slice(from, from + size);
          const program = programOf(k, size);
          for (const [to, row] of part.entries()) feed(network, program, query, row, to);
          options.prepare?.(k, program.in.obs!.subarray(0, part.length * network.inputs));
          const pending = program.run();
          if (pending) await pending;
          if (program.out.value !== undefined) options.restore?.(k, program.out.value);
          for (const [at, row] of part.entries()) fetch(program, size, at, row, rows, outputs, hidden);
        }
      }
      return { actions: choose(query, outputs), hidden, ...outputs };
    },
    dispose() {
      options.dispose?.();
    },
  };
}
