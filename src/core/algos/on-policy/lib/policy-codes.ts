/** Codes that agents play by: one for each agent and episode, behind what it sees, as numbers of the thing that it is itself. */
import { type EntityKind, entitiesOf, type ObsSpace, obsSize } from '#contract/game/spaces.ts';
import { createBuffers } from '#core/envs/api/buffers.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import type { VectorEnv } from '#core/envs/api/vector-env.ts';
import type { StateLayout } from '#core/state/checkpoint.ts';
import type { Rng } from '#math/rng.ts';

/** Who acts knows its code as it knows its own place: K more numbers of the first kind, at the end of what is seen. */
function widened(space: ObsSpace, codes: number): ObsSpace {
  const width = obsSize(space);
  const more = Array.from({ length: codes }, (_, k) => width + k);
  const kinds = entitiesOf(space) ?? [];
  const entities = kinds.map(
    (kind, at): EntityKind => (at > 0 ? kind : { ...kind, width: kind.width + codes, rows: kind.rows.map((row) => [...row, ...more]) }),
  );
  return { kind: 'box', shape: [width + codes], low: null, high: null, ...(kinds.length > 0 && { entities }) };
}

/** The same environment to agents that see their code as well; with one code there is nothing to see. */
export const metaWithCodes = (meta: EnvMeta, codes: number): EnvMeta =>
  codes === 1
    ? meta
    : { ...meta, obsSize: meta.obsSize + codes, agents: meta.agents.map((group) => ({ ...group, obs: widened(group.obs, codes) })) };

/** Numbers that each agent sees without its code, [A]. */
export const widthsOf = (meta: EnvMeta): readonly number[] =>
  meta.agents.flatMap(({ count, obs }) => Array.from({ length: count }, () => obsSize(obs)));

/** One row of an agent that sees so many numbers, with its code: from `obs` at `from`, to `out` at `to`. */
export function writeCoded(
  obs: Float32Array,
  from: number,
  width: number,
  { code, codes }: { readonly code: number; readonly codes: number },
  out: Float32Array,
  to: number,
): void {
  for (let i = 0; i < width; i++) out[to + i] = obs[from + i]!;
  for (let k = 0; k < codes; k++) out[to + width + k] = k === code ? 1 : 0;
}

/** Copies in which each agent gets a code at the start of every episode, all alike likely. */
export function withCodes(inner: VectorEnv, codes: number, rng: Rng) {
  const { meta, batch } = inner;
  const many = batch * meta.agentCount;
  const wide = metaWithCodes(meta, codes);
  const widths = widthsOf(meta);
  const { obs, finalObs } = createBuffers(wide, batch);
  const drawn = new Int32Array(many);
  const write = (row: number, from: Float32Array, into: Float32Array): void =>
    writeCoded(from, row * meta.obsSize, widths[row % meta.agentCount]!, { code: drawn[row]!, codes }, into, row * wide.obsSize);
  const env: VectorEnv = {
    ...inner,
    meta: wide,
    buffers: { ...inner.buffers, obs, finalObs },
    reset() {
      inner.reset();
      for (let row = 0; row < many; row++) {
        drawn[row] = rng.int(codes);
        write(row, inner.buffers.obs, obs);
      }
    },
    step(actions) {
      inner.step(actions);
      const { terminated, truncated } = inner.buffers;
      for (let row = 0; row < many; row++) {
        const copy = Math.floor(row / meta.agentCount);
        if ((terminated[copy]! | truncated[copy]!) !== 0) {
          write(row, inner.buffers.finalObs, finalObs);
          drawn[row] = rng.int(codes);
        }
        write(row, inner.buffers.obs, obs);
      }
    },
  };
  const state: StateLayout = { arrays: { codes: drawn, codeDraws: rng, codedObs: obs, codedFinalObs: finalObs } };
  return { env, drawn, state };
}
