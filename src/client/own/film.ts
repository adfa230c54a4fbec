/** An episode from a sandbox as a film for the small scenes. */
import type { FrameSource } from '#contract/game/frames.ts';
import { frameSize } from '#contract/game/frames.ts';
import type { OwnCard, OwnEpisode } from '#contract/own/sandbox.ts';

/** Seconds that the last frame stands. */
const HOLD_S = 0.7;

export interface OwnClip extends FrameSource {
  readonly env: {
    readonly frame: FrameSource['layout'];
    readonly fps: number;
    readonly agents: number;
    readonly groups: readonly { readonly names: readonly string[] }[];
  };
  returnAt(t: number): number;
  ends(t: number): boolean;
  stepAt(t: number): number;
  /** Steps and return of the whole episode, and how it ended. */
  readonly steps: number;
  readonly total: number;
  readonly ended: OwnEpisode['ended'];
}

export function clipOfEpisode(
  { layout, frames, rewards, ended }: OwnEpisode,
  { fps, agents, agentNames }: Pick<OwnCard, 'fps' | 'agents' | 'agentNames'>,
): OwnClip {
  const size = frameSize(layout);
  const count = frames.length / size;
  const totals = new Float64Array(count);
  for (let t = 1; t < count; t++) totals[t] = totals[t - 1]! + rewards[t - 1]!;
  const frameAt = (t: number): number => Math.min(count - 1, t);
  return {
    env: { frame: layout, fps, agents, groups: [{ names: agentNames }] },
    layout,
    length: count + Math.max(1, Math.round(HOLD_S * fps)),
    dt: 1 / fps,
    read(t, out) {
      const at = frameAt(t) * size;
      out.set(frames.subarray(at, at + size));
      return true;
    },
    returnAt: (t) => totals[frameAt(t)]!,
    ends: (t) => t >= count - 1,
    stepAt: frameAt,
    steps: count - 1,
    total: totals[count - 1]!,
    ended,
  };
}
