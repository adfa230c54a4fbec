/** One episode as a film: which moment of it each picture shows, drawn one after the other as fast as the file takes them. */
import type { FrameSource } from '#contract/game/frames.ts';
import type { FilmWriter } from './encode.ts';

/** The last frame stands for so long. */
const HOLD_S = 0.7;
/** A film is longer than this only at a higher speed. */
export const LONGEST_S = 300;
/** How long a frame that is on its way is waited for. */
const PATIENCE_MS = 20_000;
/** The page may stand still for so long. */
const TURN_MS = 200;

type Episode = Pick<FrameSource, 'length' | 'dt'>;

/** Seconds of the film. */
export const lengthOf = ({ length, dt }: Episode, speed: number): number => ((length - 1) * dt) / speed + HOLD_S;

export interface Moment {
  readonly t: number;
  /** How far it is from frame t to the next, 0 to 1. */
  readonly alpha: number;
}

/** The moment that picture `i` shows, at `fps` pictures a second. */
export function momentOf(i: number, { length, dt }: Episode, speed: number, fps: number): Moment {
  const place = Math.min(length - 1, (i * speed) / (fps * dt));
  // a hair below a whole frame is that frame
  const t = Math.floor(place + 1e-9);
  return { t, alpha: Math.max(0, place - t) };
}

export const picturesOf = (episode: Episode, speed: number, fps: number): number => Math.max(1, Math.round(lengthOf(episode, speed) * fps));

export interface ShootOptions {
  readonly episode: Episode;
  readonly speed: number;
  /** Pictures a second. */
  readonly fps: number;
  readonly writer: FilmWriter;
  /** Draws a moment into the writer's canvas; false: its frame is not there yet. */
  draw(moment: Moment, seconds: number): boolean;
  /** 0 to 1. */
  onProgress(share: number): void;
  readonly signal: AbortSignal;
  readonly now?: () => number;
}

/** Answers the file; null: it was cancelled, and nothing is left of it. Rejects where a frame does not come or the file cannot be written. */
export async function shoot({
  episode,
  speed,
  fps,
  writer,
  draw,
  onProgress,
  signal,
  now = () => performance.now(),
}: ShootOptions): Promise<Blob | null> {
  const count = picturesOf(episode, speed, fps);
  let turn = now();
  try {
    for (let i = 0; i < count; i++) {
      const moment = momentOf(i, episode, speed, fps);
      for (const asked = now(); !draw(moment, 1 / fps); ) {
        if (signal.aborted) break;
        if (now() - asked > PATIENCE_MS) throw new Error(`Frame ${moment.t} of the episode did not come.`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      if (signal.aborted) {
        await writer.cancel();
        return null;
      }
      await writer.add(i / fps, 1 / fps);
      onProgress((i + 1) / count);
      // encoders answer within the same task: the page must get its turn
      if (now() - turn > TURN_MS) {
        await new Promise((resolve) => setTimeout(resolve));
        turn = now();
      }
    }
    return await writer.finish();
  } catch (error) {
    await writer.cancel().catch(() => {}); // the first error is the one to tell
    throw error;
  }
}
