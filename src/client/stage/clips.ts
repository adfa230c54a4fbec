/**
 * Short films for small scenes: a learned or a scripted policy plays one episode or, where episodes are short, several, and all their frames are
 * here at once. Clips are asked for one after the other, so that the first one comes first. What was made stays for the visit, the newest ones.
 */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { type FrameLayout, type FrameSource, frameSize } from '#contract/game/frames.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import { SCRIPTED, type WatchApi } from '#contract/session/session.ts';

/** Clips begin where the stage's first episode does. */
const FIRST_SEED = 1001;
/** Seconds that a clip lasts at least, if it may have several episodes, and at most. */
const LEAST_S = 6;
const MOST_S = 40;
const MOST_EPISODES = 6;
/** The last frame of an episode stands for so long. */
const HOLD_S = 0.7;
/** Numbers in all frames of a clip. */
const MOST_NUMBERS = 2_000_000;
/** Clips that are kept. */
const KEPT = 32;

/** Why a clip was not made: no view waits for it any more. */
export const NOT_WANTED = new Error('No view waits for this scene any more.');

/** Who plays: a policy from a file, or a scripted one of the environment. */
export type Player =
  | { readonly kind: 'policy'; readonly snapshot: PolicySnapshot }
  | { readonly kind: 'script'; readonly env: World; readonly script: string }
  /** An episode that was played before. */
  | { readonly kind: 'replay'; readonly replay: Replay }
  /** What `playShow` answered before, for the front page when it was built. */
  | { readonly kind: 'film'; readonly film: Film }
  /** One episode from this start. One player for all agents or one for each: a policy, the name of a script, or null for random actions. */
  | {
      readonly kind: 'match';
      readonly env: World;
      readonly players: readonly (PolicySnapshot | string | null)[];
      readonly start: number;
      /** Agents whose rewards the return sums; all if missing. */
      readonly counted?: readonly number[];
    };

type World = { readonly id: string; readonly config: JsonObject };

/** What a film needs to know of its world. */
export type Filmed = Pick<EnvCard, 'frame' | 'fps' | 'agents'> & { readonly groups: readonly { readonly names: readonly string[] }[] };

/** Frames at hand, with what the episode of each has returned so far, summed over the agents that count. */
export interface Clip extends FrameSource {
  readonly env: Filmed;
  returnAt(t: number): number;
  /** Frame t is the last of its episode, or stands still: nothing lies between it and the next. */
  ends(t: number): boolean;
  /** Steps of its episode that lie before frame t. */
  stepAt(t: number): number;
}

/** Frames of one episode as the watch worker answers them. */
export interface Episode {
  readonly frames: Float32Array; // [n, F]
  readonly reward: Float32Array; // [n - 1, A] or longer
}

/** The episodes of a clip. */
export interface Film {
  readonly env: Filmed;
  readonly episodes: readonly Episode[];
}

type Solo = Extract<Player, { kind: 'policy' | 'script' }>;

export class Clips {
  private readonly watch: () => WatchApi;
  private readonly made = new Map<string, { readonly clip: Promise<Clip>; readonly askers: (() => boolean)[] }>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(watch: () => WatchApi) {
    this.watch = watch;
  }

  /**
   * `key` names the clip. Where there is none yet, `get` begins at once, what it got becomes a player when its turn has come. A clip for which none
   * of `wanted` answers true by then is not made: those views are gone, and the worker is free for those that are there. Clips that are asked for
   * later wait for `rest` too, so that what it waits for has the processor. Rejects with what `get` and `read` reject with, with LabError, and with
   * NOT_WANTED.
   */
  clip<T>(
    key: string,
    get: () => Promise<T>,
    read: (got: T) => Player | Promise<Player>,
    wanted: () => boolean = () => true,
    rest: () => Promise<void> = () => Promise.resolve(),
  ): Promise<Clip> {
    const known = this.made.get(key);
    if (known !== undefined) {
      known.askers.push(wanted);
      return known.clip;
    }
    const got = get();
    got.catch(() => {}); // told by the clip
    const askers = [wanted];
    const clip = this.last.then(async () => {
      if (!askers.some((asks) => asks())) throw NOT_WANTED;
      return this.make(key, await read(await got));
    });
    this.last = clip.then(rest, () => {});
    this.made.set(key, { clip, askers });
    clip.catch(() => this.made.delete(key)); // may be asked for again
    for (const old of [...this.made.keys()].slice(0, -KEPT)) this.made.delete(old);
    return clip;
  }

  private async make(key: string, player: Player): Promise<Clip> {
    if (player.kind === 'replay') return this.makeReplay(player.replay);
    if (player.kind === 'match') return this.makeMatch(key, player);
    const { env, episodes } = player.kind === 'film' ? player.film : await playShow(this.watch(), `clip ${key}`, player);
    return clipOf(env, episodes);
  }

  private async makeReplay(replay: Replay): Promise<Clip> {
    const api = this.watch();
    const card = await api.describe(replay.env);
    const { frames } = await api.frames(replay, 0, framesOf(card));
    return clipOf(card, [{ frames, reward: replay.reward }]);
  }

  private async makeMatch(key: string, { env, players, start, counted }: Extract<Player, { kind: 'match' }>): Promise<Clip> {
    const api = this.watch();
    const card = await api.describe(env);
    const given: string[] = [];
    const names = new Map<PolicySnapshot, string>();
    try {
      for (const player of players) {
        if (player === null || typeof player === 'string' || names.has(player)) continue;
        const name = `clip ${key} ${given.length}`;
        names.set(player, name);
        given.push(name);
        await api.setPolicy(name, player);
      }
      const named = players.map((player) =>
        player === null ? null : typeof player === 'string' ? `${SCRIPTED}${player}` : (names.get(player) ?? null),
      );
      const options = { seed: start, greedy: true };
      const [only = null] = named;
      const play = (): Promise<Replay> => (named.length > 1 ? api.playTeam(env, named, options) : api.play(env, only, options));
      const first = await play();
      const replay = first.ended === 'cut' ? await play() : first;
      const { frames } = await api.frames(replay, 0, framesOf(card));
      return clipOf(card, [{ frames, reward: replay.reward }], counted);
    } finally {
      for (const name of given) await api.dropPolicy(name);
    }
  }
}

/** One episode, or several short ones, that a policy or a script plays. `name`: of the policy while it plays. Rejects with LabError. */
export async function playShow(api: WatchApi, name: string, player: Solo): Promise<Film> {
  const policy = player.kind === 'script' ? `${SCRIPTED}${player.script}` : name;
  const env = player.kind === 'script' ? player.env : await envOf(api, player.snapshot);
  const card = await api.describe(env);
  if (player.kind === 'policy') await api.setPolicy(policy, player.snapshot);
  try {
    const most = framesOf(card);
    const episodes: Episode[] = [];
    for (let count = 0; count < MOST_EPISODES && length(episodes, card) < Math.min(most, LEAST_S * card.fps); count++) {
      const replay = await whole(api, env, policy, FIRST_SEED + count);
      const { frames } = await api.frames(replay, 0, most);
      episodes.push({ frames, reward: replay.reward });
    }
    return { env: card, episodes };
  } finally {
    if (player.kind === 'policy') await api.dropPolicy(policy);
  }
}

/**
 * The world that a policy was trained in, as the environments of today read it. Its method is not asked: what it needs for training, a
 * sequence of tasks, say, is no part of the world in which it acts.
 */
async function envOf(api: WatchApi, { env, seed }: PolicySnapshot): Promise<{ readonly id: string; readonly config: JsonObject }> {
  const config = await api.complete({ env, algo: { id: 'random' }, run: { seedStart: seed, seeds: 1 } });
  return config.env;
}

/** An episode; one that the stage cut short, because a person asked for another there, is played again. */
async function whole(
  api: WatchApi,
  env: { readonly id: string; readonly config: JsonObject },
  policy: string,
  seed: number,
): Promise<Replay> {
  const replay = await api.play(env, policy, { seed, greedy: true });
  return replay.ended === 'cut' ? api.play(env, policy, { seed, greedy: true }) : replay;
}

/** Frames that a clip of this environment may have. */
function framesOf({ frame, fps }: EnvCard): number {
  return Math.max(2, Math.min(MOST_S * fps, Math.floor(MOST_NUMBERS / frameSize(frame))));
}

function length(episodes: readonly Episode[], { frame }: Pick<EnvCard, 'frame'>): number {
  const size = frameSize(frame);
  return episodes.reduce((sum, { frames }) => sum + frames.length / size, 0);
}

/** One film of several episodes; each one's last frame stands for a moment. */
export function clipOf(env: Filmed, episodes: readonly Episode[], counted?: readonly number[]): Clip {
  const layout: FrameLayout = env.frame;
  const size = frameSize(layout);
  const agents = Math.max(1, env.agents);
  const own = counted ?? Array.from({ length: agents }, (_, agent) => agent);
  const hold = Math.max(1, Math.round(HOLD_S * env.fps));
  const places: {
    readonly frames: Float32Array;
    readonly at: number;
    readonly step: number;
    readonly total: number;
    readonly end: boolean;
  }[] = [];
  for (const { frames, reward } of episodes) {
    const count = frames.length / size;
    let total = 0;
    for (let t = 0; t < count; t++) {
      if (t > 0) for (const agent of own) total += reward[(t - 1) * agents + agent] ?? 0;
      const end = t === count - 1;
      for (let again = end ? hold : 1; again > 0; again--) places.push({ frames, at: t * size, step: t, total, end });
    }
  }
  return {
    env,
    layout,
    length: places.length,
    dt: 1 / Math.max(1, env.fps),
    read(t, out) {
      const place = places[t];
      if (place === undefined) return false;
      out.set(place.frames.subarray(place.at, place.at + size));
      return true;
    },
    returnAt: (t) => places[t]?.total ?? 0,
    ends: (t) => places[t]?.end ?? true,
    stepAt: (t) => places[t]?.step ?? 0,
  };
}
