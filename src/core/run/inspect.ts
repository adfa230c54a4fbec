/** What a policy says about one moment: probabilities, values, and on grids a map of both over every place the agent could stand. */

import { cellsOf } from '#contract/game/frames.ts';
import { present } from '#contract/kit/errors.ts';
import type { GridMap, Inspection } from '#contract/session/session.ts';
import { exp } from '#math/functions.ts';
import { Rng } from '#math/rng.ts';
import { argmax } from '#math/sampling.ts';
import type { Act, Hidden, Policy } from '../algos/api/types.ts';
import { createBuffers } from '../envs/api/buffers.ts';
import { paidOf } from '../envs/api/score.ts';
import type { EnvEntry, Environment, EnvMeta, StepBuffers } from '../envs/api/types.ts';
import type { ReplayReader } from './replay.ts';

/** Probabilities of one row of logits; with only action values, all mass on the best. Illegal actions get 0. */
export function probabilities(act: Pick<Act, 'logits' | 'q'>, row: number, n: number, mask: Uint8Array | undefined): Float32Array | null {
  const out = new Float32Array(n);
  const legal = (a: number): boolean => mask === undefined || mask[row * n + a] !== 0;
  if (act.logits !== undefined) {
    const { logits } = act;
    let top = Number.NEGATIVE_INFINITY;
    for (let a = 0; a < n; a++) if (legal(a)) top = Math.max(top, logits[row * n + a]!);
    let total = 0;
    for (let a = 0; a < n; a++) {
      const weight = legal(a) ? exp(logits[row * n + a]! - top) : 0;
      out[a] = weight;
      total += weight;
    }
    for (let a = 0; a < n; a++) out[a]! /= total;
    return out;
  }
  if (act.q === undefined) return null;
  out[argmax(act.q, row * n, n, mask, row * n)] = 1;
  return out;
}

function part(values: Float32Array | undefined, row: number, size: number): Float32Array | null {
  return values === undefined ? null : values.slice(row * size, (row + 1) * size);
}

async function ask(policy: Policy, meta: EnvMeta, buffers: StepBuffers, hidden: Hidden): Promise<Act> {
  const rows = meta.agentCount;
  const agent = Int32Array.from({ length: rows }, (_, i) => i);
  const query = { obs: buffers.obs, agent, hidden, rng: Rng.from(0), rows, greedy: true, paid: paidOf(meta, buffers) };
  return policy.act(buffers.mask === undefined ? query : { ...query, mask: buffers.mask });
}

/** What a policy with memory remembers along one replay. Asked in order, each frame costs one step; going back starts over. */
export class Memory {
  private t = 0;
  private hidden: Hidden | null = null;
  private readonly policy: Policy;
  private readonly reader: ReplayReader;

  constructor(policy: Policy, reader: ReplayReader) {
    this.policy = policy;
    this.reader = reader;
  }

  /** Before frame t is seen; the reader may be left at an earlier frame. */
  async at(t: number): Promise<Hidden> {
    const { policy, reader } = this;
    const { meta } = reader.env;
    if (this.hidden === null || t < this.t) {
      this.hidden = policy.initial(meta.agentCount).slice();
      this.t = 0;
    }
    if (this.hidden.length === 0) return this.hidden;
    for (; this.t < t; this.t++) {
      reader.seek(this.t);
      this.hidden = (await ask(policy, meta, reader.buffers, this.hidden)).hidden.slice();
    }
    return this.hidden;
  }
}

/** An agent's view of the state that `buffers` hold, with what the policy remembers there. A number too large is the last agent. */
export async function inspect(policy: Policy, meta: EnvMeta, buffers: StepBuffers, hidden: Hidden, agent = 0): Promise<Inspection> {
  const row = Math.min(agent, meta.agentCount - 1);
  const act = await ask(policy, meta, buffers, hidden);
  const { actionCount: n, actionSize: d } = meta;
  const logStd = part(act.logStd, row, d);
  return {
    obs: buffers.obs.slice(row * meta.obsSize, (row + 1) * meta.obsSize),
    probs: n > 0 ? probabilities(act, row, n, buffers.mask) : null,
    mean: part(act.mean, row, d),
    std: logStd === null ? null : logStd.map((v) => exp(v)),
    q: part(act.q, row, n),
    value: act.value?.[row] ?? null,
    chosen: Float32Array.from(act.actions.subarray(row * d, (row + 1) * d)),
    extras: extrasOf(policy, act, row),
  };
}

/** What a method alone reports of one row of its answer; probabilities in place of logits. Rows that have no such output are left out. */
export function extrasOf({ extras = [] }: Policy, act: Act, row: number): Inspection['extras'] {
  return extras.flatMap((card) => {
    const width = card.kind === 'choice' ? 1 : card.labels.length;
    const values = part(act.extras?.[card.id], row, width);
    if (values === null || values.every(Number.isNaN)) return [];
    const shown =
      card.kind === 'logits' ? present(probabilities({ logits: values }, 0, width, undefined), 'probabilities of logits') : values;
    return [{ card, values: shown }];
  });
}

/** The policy at every place agent 0 could stand, all else as `env` row 0 has it. null: no such places here. */
export async function gridMap(policy: Policy, entry: EnvEntry, config: unknown, env: Environment): Promise<GridMap | null> {
  const places = env.placements?.(0);
  const { frame, actionCount: n, obsSize, agentCount } = env.meta;
  const size = cellsOf(frame);
  if (places === undefined || places.length === 0 || size === null || n === 0 || agentCount !== 1) return null;
  const rows = places.length;
  const copies = entry.create(config, rows);
  const buffers = createBuffers(copies.meta, rows);
  copies.reset(new Uint32Array(rows), buffers);
  places.forEach(({ state }, row) => {
    copies.load(row, state, buffers);
  });
  const query = {
    obs: buffers.obs.subarray(0, rows * obsSize),
    agent: new Int32Array(rows),
    hidden: policy.initial(rows),
    rng: Rng.from(0),
    rows,
    greedy: true,
  };
  const act = await policy.act(buffers.mask === undefined ? query : { ...query, mask: buffers.mask });
  const cells = size.width * size.height;
  const map = {
    values: new Float32Array(cells).fill(Number.NaN),
    actions: new Int32Array(cells).fill(-1),
    probs: new Float32Array(cells * n),
  };
  places.forEach(({ cell }, row) => {
    if (act.value !== undefined) map.values[cell] = act.value[row]!;
    map.actions[cell] = act.actions[row]!;
    const probs = probabilities(act, row, n, buffers.mask);
    if (probs !== null) map.probs.set(probs, cell * n);
  });
  return map;
}
