/**
 * A frozen policy that sits in a seat of a team: its network as it stands in the settings of an environment, with the numbers in it. It is
 * named by its content, so that the same name is the same player everywhere; what carries settings carries it (run folders, files, replays),
 * but a link has no room for it. Core/envs/api/frozen.ts plays it; core/run/freeze.ts makes it of a policy.
 */
import { hashBytes } from '#math/hash.ts';
import { canonicalJson, utf8 } from '../kit/canonical.ts';
import { isObject, type Json } from '../kit/json.ts';

/** How the last numbers become an action: as core/nets/agent-network.ts, with tanh before it where `bent`; null: the best one is taken. */
export interface FrozenBox {
  /** Cut to [low, low + width], or low + width * (1 + x) / 2. */
  readonly form: 'clipped' | 'scaled';
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly bent: boolean;
}

export interface FrozenNet {
  /** Numbers that the agent sees, the first of its observation. */
  readonly inputs: number;
  /** Observations are scaled, shifted and cut to +- this; null: they are read as they are. */
  readonly clip: number | null;
  /** `norm`: epsilon of the layer norm before the activation. */
  readonly layers: readonly { readonly units: number; readonly act: string; readonly norm: number | null }[];
  readonly box: FrozenBox | null;
  /** Base64 of little-endian float32: scale and shift of the inputs, then of each layer its kernel [inputs, units], bias, gain and shift. */
  readonly weights: string;
}

export interface Frozen {
  /** First 12 hex digits of the 64-bit FNV-1a hash of `net`. It tells one from another; the network itself stands beside it. */
  readonly frozen: string;
  /** Where it comes from, for people. */
  readonly title: string;
  readonly net: FrozenNet;
}

/** Characters of the weights of one. */
export const MOST_WEIGHTS = 2_000_000;

export const frozenHash = (net: FrozenNet): string => hashBytes(utf8(canonicalJson(net))).slice(0, 12);

/** Whether a player of a seat is a frozen policy; its numbers are not checked. */
export const isFrozen = (player: unknown): player is Frozen => isObject(player) && typeof player.frozen === 'string';

/** As one of the players of a pool. */
export const frozenName = ({ frozen }: Pick<Frozen, 'frozen'>): string => `frozen ${frozen}`;

/** Frozen policies anywhere in settings. */
export function frozenIn(value: Json | undefined): readonly Frozen[] {
  if (Array.isArray(value)) return value.flatMap(frozenIn);
  if (!isObject(value)) return [];
  return isFrozen(value) ? [value] : Object.values(value).flatMap(frozenIn);
}
