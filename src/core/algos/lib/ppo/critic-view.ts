/**
 * What a critic sees of a team. Rows are [B, M, width], like the rows of the network (sharing.ts) whose agents it values.
 *   own    what the agent itself sees: an independent critic (IPPO)
 *   joint  own observation, then those of all others, by network and number: the joint observation seen from one's own place
 *   state  the environment's global state, then the own observation; 'joint' where the environment gives no state
 * The last two differ between the agents of a copy on purpose: agent-specific global states (Yu et al. 2022, section 5.3).
 * A team's critic (HAPPO) values whole copies: [B, 1, width], the state alone, or all observations by number.
 */

import { type ObsSpace, obsSize } from '#contract/spaces.ts';
import { concat, sliceAxis } from '#core/engine/ops.ts';
import type { Graph, Tensor } from '#core/engine/types.ts';
import { perAgent } from '#core/envs/api/meta.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { encode, encodedSize } from '#core/nets/encoder.ts';
import type { ParameterSharing } from '../sharing.ts';

export type CriticSight = 'own' | 'joint' | 'state';

export interface CriticView {
  /** 'own' needs no rows of its own: they are the actor's. */
  readonly own: boolean;
  readonly width: number; // columns of a row
  readonly inputs: number; // columns after encoding
  encode(g: Graph, rows: Tensor): Tensor;
  /** obs [B, A, O] and state [B, S] -> out [B, M, width] from `at` on. */
  fill(obs: Float32Array, state: Float32Array | undefined, out: Float32Array, at?: number): void;
}

interface Part {
  readonly space: ObsSpace | null; // null: plain numbers, the state
  readonly width: number;
}

function encodeParts(parts: readonly Part[]): Pick<CriticView, 'width' | 'inputs' | 'encode'> {
  return {
    width: parts.reduce((sum, part) => sum + part.width, 0),
    inputs: parts.reduce((sum, { space, width }) => sum + (space === null ? width : encodedSize(space)), 0),
    encode(g, rows) {
      let from = 0;
      const seen = parts.map(({ space, width }) => {
        const piece = sliceAxis(rows, 1, from, width);
        from += width;
        return space === null ? piece : encode(g, piece, space);
      });
      return seen.length === 1 ? seen[0]! : concat(seen, 1);
    },
  };
}

const spacesOf = (meta: EnvMeta): readonly ObsSpace[] => perAgent(meta, (group) => group.obs);
const partOf = (space: ObsSpace): Part => ({ space, width: obsSize(space) });

/** Copies agents' observations one after the other; returns where it stopped. */
function copyObs(
  obs: Float32Array,
  b: number,
  agents: readonly number[],
  widths: readonly number[],
  meta: EnvMeta,
  out: Float32Array,
  at: number,
): number {
  let to = at;
  for (const agent of agents) {
    const from = (b * meta.agentCount + agent) * meta.obsSize;
    const width = widths[agent]!;
    for (let j = 0; j < width; j++) out[to + j] = obs[from + j]!;
    to += width;
  }
  return to;
}

/** What the critic of network `k` sees. */
export function criticView(meta: EnvMeta, sharing: ParameterSharing, k: number, sight: CriticSight): CriticView {
  const network = sharing.networks[k]!;
  if (sight === 'own') return { own: true, ...encodeParts([partOf(network.obs)]), fill: () => {} };
  const spaces = spacesOf(meta);
  const widths = spaces.map(obsSize);
  const useState = sight === 'state' && meta.globalSize > 0;
  // Others by network and number, so that every agent of this network finds the same spaces at the same columns.
  const byNetwork = spaces.map((_, i) => i).sort((a, b) => sharing.agentToNetwork[a]! - sharing.agentToNetwork[b]! || a - b);
  const seenBy = network.agents.map((own) => (useState ? [own] : [own, ...byNetwork.filter((other) => other !== own)]));
  const state: readonly Part[] = useState ? [{ space: null, width: meta.globalSize }] : [];
  return {
    own: false,
    ...encodeParts([...state, ...seenBy[0]!.map((agent) => partOf(spaces[agent]!))]),
    fill(obs, global, out, at = 0) {
      let to = at;
      const batch = obs.length / (meta.agentCount * meta.obsSize);
      for (let b = 0; b < batch; b++) {
        for (const agents of seenBy) {
          if (useState) to = copyState(global, meta.globalSize, b, out, to);
          to = copyObs(obs, b, agents, widths, meta, out, to);
        }
      }
    },
  };
}

/** What one critic for the whole team sees. */
export function teamView(meta: EnvMeta): CriticView {
  const spaces = spacesOf(meta);
  const widths = spaces.map(obsSize);
  const useState = meta.globalSize > 0;
  const everyone = spaces.map((_, i) => i);
  return {
    own: false,
    ...encodeParts(useState ? [{ space: null, width: meta.globalSize }] : spaces.map(partOf)),
    fill(obs, global, out, at = 0) {
      const batch = obs.length / (meta.agentCount * meta.obsSize);
      let to = at;
      for (let b = 0; b < batch; b++) {
        to = useState ? copyState(global, meta.globalSize, b, out, to) : copyObs(obs, b, everyone, widths, meta, out, to);
      }
    },
  };
}

function copyState(state: Float32Array | undefined, width: number, b: number, out: Float32Array, at: number): number {
  if (state === undefined) throw new Error('This environment promised a global state and has none.');
  for (let j = 0; j < width; j++) out[at + j] = state[b * width + j]!;
  return at + width;
}
