/**
 * Policies of teams: rows of any agents go to the network of each (sharing.ts), through programs of a few sizes (chunks.ts). A
 * network's program has the inputs `obs` [rows, inputs], `mask` [rows, choices] where the
 * environment masks, and `state` [rows, S] if it is recurrent; its outputs are some of `logits`, `q` [rows, choices], `mean`,
 * `logStd` [rows, D], `value` [rows] and `state`. Actions that a narrower network does not have get logits and values of -1e8.
 */

import { exp } from '#math/functions.ts';
import { argmax, categorical, normal, randomAction } from '#math/sampling.ts';
import type { Program, Tensor } from '../../engine/types.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import type { Act, ActQuery, Policy } from '../api/types.ts';
import { giveRows, partOf, takeRows } from './chunks.ts';
import { type CutNetwork, cutNetwork } from './cut-network.ts';
import type { SharedNetwork, Sharing } from './sharing.ts';

const NEVER = -1e8;

/** Rows of a query that belong together: where they begin, and how many (A: a whole team, agents 0 .. A - 1 in order; 1: an agent alone). */
export function teamsOf({ rows, agent }: ActQuery, agents: number): { readonly first: number; readonly size: number }[] {
  const found: { first: number; size: number }[] = [];
  for (let row = 0; row < rows; ) {
    let whole = row + agents <= rows;
    for (let i = 0; i < agents && whole; i++) whole = agent[row + i] === i;
    found.push({ first: row, size: whole ? agents : 1 });
    row += whole ? agents : 1;
  }
  return found;
}

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

  const names = Object.keys(widths) as Name[];
  const actors = new Map<string, Program>();
  const cuts = new Map<string, CutNetwork | null>();
  let asked = new Int32Array(0);

  function programOf(network: number, rows: number): Program {
    const key = `${network} ${rows}`;
    let found = programs.get(key);
    if (found === undefined) programs.set(key, (found = options.compile(network, rows)));
    return found;
  }

  /** Without the part of the network that only the value needs. */
  function actorOf(network: number, rows: number): Program {
    const key = `${network} ${rows}`;
    let found = actors.get(key);
    if (found === undefined) {
      const acting = (name: string): boolean => name === 'state' || (name !== 'value' && name in widths);
      const change = (outputs: { readonly [name: string]: Tensor }) =>
        Object.fromEntries(Object.entries(outputs).filter(([name]) => acting(name)));
      actors.set(key, (found = programOf(network, rows).derive(change)));
    }
    return found;
  }

  /** An observation as the network wants it, but for `prepare`: its own columns, then its agent's number. */
  function place(network: SharedNetwork, agent: number, obs: Float32Array, from: number, into: Float32Array, to: number): void {
    const { obsWidth, ids, inputs } = network;
    const number = sharing.placeOf[agent]!;
    for (let j = 0; j < obsWidth; j++) into[to * inputs + j] = obs[from * O + j]!;
    for (let j = 0; j < ids; j++) into[to * inputs + obsWidth + j] = j === number ? 1 : 0;
  }

  /** Rows asked[from .. from + count - 1] of the query into a program's inputs. */
  function feed(network: SharedNetwork, program: Program, query: ActQuery, from: number, count: number): void {
    const { obs, mask, state } = program.in;
    const { choices } = network;
    for (let i = 0; i < count; i++) {
      const row = asked[from + i]!;
      place(network, query.agent[row]!, query.obs, row, obs!, i);
      if (mask !== undefined) for (let a = 0; a < choices; a++) mask[i * choices + a] = query.mask?.[row * N + a] ?? 1;
    }
    if (state !== undefined) takeRows(asked, from, count, query.hidden, stateSize, state);
  }

  /** The other way round: what the program says to those rows of the answer. */
  function fetch(program: Program, size: number, from: number, count: number, rows: number, outputs: Outputs): void {
    for (const name of names) {
      const found = program.out[name];
      if (found === undefined) continue;
      const width = widths[name];
      const own = found.length / size;
      const all = (outputs[name] ??= new Float32Array(rows * width).fill(name === 'logits' || name === 'q' ? NEVER : 0));
      if (own === width) giveRows(asked, from, count, found, width, all);
      else for (let i = 0; i < count; i++) for (let j = 0; j < own; j++) all[asked[from + i]! * width + j] = found[i * own + j]!;
    }
  }

  function choose(query: ActQuery, { logits, q, mean, logStd }: Outputs): Act['actions'] {
    const { rows, rng, greedy, mask, unread } = query;
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
      if (unread?.[row] === 1) continue;
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
      const { rows, agent, valueless } = query;
      // who remembers has to follow the episode, read or not
      const unread = stateSize > 0 ? undefined : query.unread;
      const outputs: Outputs = {};
      const hidden = new Float32Array(rows * stateSize);
      if (asked.length < rows) asked = new Int32Array(rows);
      for (const [k, network] of sharing.networks.entries()) {
        let total = 0;
        let other = -1; // served, but not read: asked if no other is, so that an answer has all its parts
        for (let row = 0; row < rows; row++) {
          if (sharing.networkOf[agent[row]!] !== k) continue;
          if (unread?.[row] === 1) other = row;
          else asked[total++] = row;
        }
        if (total === 0 && other >= 0) asked[total++] = other;
        for (let from = 0; from < total; ) {
          const size = partOf(total - from);
          const count = Math.min(size, total - from);
          const program = valueless === true ? actorOf(k, size) : programOf(k, size);
          feed(network, program, query, from, count);
          options.prepare?.(k, program.in.obs!.subarray(0, count * network.inputs));
          const pending = program.run();
          if (pending) await pending;
          if (program.out.value !== undefined) options.restore?.(k, program.out.value);
          fetch(program, size, from, count, rows, outputs);
          if (program.out.state !== undefined) giveRows(asked, from, count, program.out.state, stateSize, hidden);
          from += count;
        }
      }
      return { actions: choose(query, outputs), hidden, ...outputs };
    },
    cut(output, agent) {
      const key = `${output} ${agent}`;
      let found = cuts.get(key);
      if (found === undefined) {
        const k = sharing.networkOf[agent]!;
        const network = sharing.networks[k]!;
        const write = (obs: Float32Array, from: number, count: number, into: Float32Array): void => {
          for (let i = 0; i < count; i++) place(network, agent, obs, from + i, into, i);
          options.prepare?.(k, into.subarray(0, count * network.inputs));
        };
        const restore = (values: Float32Array): void => options.restore?.(k, values);
        found = stateSize > 0 ? null : cutNetwork({ program: (rows) => programOf(k, rows), feed: write, restore }, output);
        cuts.set(key, found);
      }
      return found;
    },
    dispose() {
      options.dispose?.();
    },
  };
}
