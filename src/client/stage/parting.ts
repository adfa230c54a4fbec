/**
 * Two players from the same start, and the first step at which they act differently: both episodes are played whole, and shown from some steps
 * before that one.
 */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { frameSize } from '#contract/game/frames.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import { SCRIPTED, type WatchApi } from '#contract/session/session.ts';
import { type Clip, clipOf } from './clips.ts';

/** Who plays: a kept policy, or the name of a script of the environment; and in which world. */
export interface Side {
  readonly env: { readonly id: string; readonly config: JsonObject };
  readonly player: PolicySnapshot | string;
}

export interface Parting {
  readonly clips: readonly [Clip, Clip];
  /** Step of both episodes, from 0, in which they first act differently; null: in no start that was tried. */
  readonly step: number | null;
  /** Steps that the clips leave out before. */
  readonly from: number;
  /** Number of the start that is shown, from 1, of those that were tried. */
  readonly start: number;
  /** Actions are numbers on a scale, of which a tenth is a difference; otherwise any other action is one. */
  readonly scaled: boolean;
}

/** The stage's first starts: the first in which the two part is shown. */
const FIRST_SEED = 1001;
const STARTS = 6;
/** Seconds, and steps at least, that are seen before they part. */
const LEAD_S = 1.5;
const LEAD_STEPS = 3;
/** Seconds of a clip at most, and numbers in its frames. */
const MOST_S = 30;
const MOST_NUMBERS = 2_000_000;
/** Share of an action's own scale by which two continuous actions must differ: two networks never act alike to the last bit. */
const APART = 0.1;

/**
 * The first step in which two lists of actions, `width` numbers a step, differ; null: never, over the steps that both have. `reach`: by how much
 * a number must differ; 0: at all.
 */
export function partsAt(one: ArrayLike<number>, other: ArrayLike<number>, width: number, reach: number): number | null {
  const steps = Math.floor(Math.min(one.length, other.length) / width);
  for (let i = 0; i < steps * width; i++) {
    const apart = Math.abs(one[i]! - other[i]!);
    if (reach === 0 ? apart !== 0 : apart > reach) return Math.floor(i / width);
  }
  return null;
}

/** The largest number among actions: what a share of their scale is taken of. */
const scaleOf = (actions: ArrayLike<number>): number => Array.from(actions).reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** An episode; one that was cut short, because a person asked for another on the stage, is played again. */
async function whole(api: WatchApi, { env }: Side, policy: string, seed: number): Promise<Replay> {
  const replay = await api.play(env, policy, { seed, greedy: true });
  return replay.ended === 'cut' ? api.play(env, policy, { seed, greedy: true }) : replay;
}

const stepsOf = ({ actions }: Replay, width: number): number => actions.length / width;

/** The rest of an episode, with what lies before counted in its return and its steps. */
async function rest(api: WatchApi, card: EnvCard, replay: Replay, from: number): Promise<Clip> {
  const most = Math.max(2, Math.min(MOST_S * card.fps, Math.floor(MOST_NUMBERS / frameSize(card.frame))));
  const { frames } = await api.frames(replay, from, most);
  const agents = Math.max(1, card.agents);
  const before = replay.reward.subarray(0, from * agents).reduce((sum, value) => sum + value, 0);
  const clip = clipOf(card, [{ frames, reward: replay.reward.subarray(from * agents) }]);
  return { ...clip, returnAt: (t) => before + clip.returnAt(t), stepAt: (t) => from + clip.stepAt(t) };
}

/** Plays both from the same starts until they part. `name` stands before the names of policies in the worker. Rejects with LabError. */
export async function parting(api: WatchApi, name: string, sides: readonly [Side, Side]): Promise<Parting> {
  const [one, other] = sides;
  const cards = [await api.describe(one.env), await api.describe(other.env)] as const;
  const names = sides.map(({ player }, k) => (typeof player === 'string' ? `${SCRIPTED}${player}` : `${name} ${k}`));
  const kept = sides.flatMap(({ player }, k) => (typeof player === 'string' ? [] : [{ key: names[k]!, player }]));
  for (const { key, player } of kept) await api.setPolicy(key, player);
  try {
    const scaled = cards[0].action.kind === 'box';
    let first: readonly [Replay, Replay] | null = null;
    for (let start = 1; start <= STARTS; start++) {
      const seed = FIRST_SEED + start - 1;
      const replays = [await whole(api, one, names[0]!, seed), await whole(api, other, names[1]!, seed)] as const;
      first ??= replays;
      const [mine, theirs] = replays;
      const steps = mine.reward.length / Math.max(1, cards[0].agents);
      const width = steps > 0 ? mine.actions.length / steps : 1;
      const reach = scaled ? APART * Math.max(scaleOf(mine.actions), scaleOf(theirs.actions)) : 0;
      const apart = partsAt(mine.actions, theirs.actions, width, reach);
      // an episode that ends while the other goes on has parted, too, at its end
      const step = apart ?? (mine.actions.length === theirs.actions.length ? null : Math.min(stepsOf(mine, width), stepsOf(theirs, width)));
      if (step === null && start < STARTS) continue;
      const shown = step === null ? first : replays;
      const from = step === null ? 0 : Math.max(0, step - Math.max(LEAD_STEPS, Math.round(LEAD_S * cards[0].fps)));
      const clips = [await rest(api, cards[0], shown[0], from), await rest(api, cards[1], shown[1], from)] as const;
      return { clips, step, from, start: step === null ? 1 : start, scaled };
    }
    throw new Error('There is no start to play from.'); // STARTS is 1 or more
  } finally {
    for (const { key } of kept) await api.dropPolicy(key);
  }
}
