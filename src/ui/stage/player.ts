/**
 * Keeps the scene at the stage's moment: shows frame t and how far it is to the next, in animation frames only while something
 * moves or a frame is awaited. Single steps (paused, or a person playing) glide instead of jumping. The clock itself is the client's.
 */
import { stageAlpha } from '#client/stage/stage-clock.ts';
import type { FrameSource } from '#contract/game/frames.ts';
import type { Scene } from '#scenes/types.ts';
import { stageStore } from '#stores/stage.ts';

const GLIDE_S = 0.15;

/** `onShown` is called with each source whose first frame is on the canvas. */
export function startPlayer(scene: Scene, reducedMotion: () => boolean, onShown: (source: FrameSource) => void): () => void {
  let request = 0;
  let source: FrameSource | null = null;
  let t = -1;
  let alpha = -1;
  let there = false;
  let shown: FrameSource | null = null;
  let glideFrom = 0;
  let gliding = false;

  function frame(now: number): void {
    request = 0;
    const stage = stageStore.getState();
    if (stage.source !== source) {
      source = stage.source;
      scene.setSource(source);
      there = false;
      t = -1;
      gliding = false;
    }
    if (source === null) return;
    if (there && shown !== source && !scene.waits()) {
      shown = source;
      onShown(source);
    }
    const still = stage.mode === 'play' || !stage.playing;
    const stepped = still && t >= 0 && stage.t === t + 1 && !reducedMotion();
    if (stepped) {
      gliding = true;
      glideFrom = now;
    } else if (stage.t !== t) {
      gliding = false;
    }
    const share = gliding ? Math.min(1, (now - glideFrom) / 1000 / Math.min(GLIDE_S, source.dt * 1.5)) : 1;
    if (share >= 1) gliding = false;
    const next = gliding ? share : still ? 0 : stageAlpha();
    if (stage.t !== t || next !== alpha || !there) {
      there = scene.show(gliding ? stage.t - 1 : stage.t, next);
      t = stage.t;
      alpha = next;
    }
    // Where the processor draws, a picture may come some frames after it was shown.
    if (gliding || !there || shown !== source || (stage.playing && stage.mode !== 'play' && stage.length > 1)) schedule();
  }

  function schedule(): void {
    if (request === 0) request = requestAnimationFrame(frame);
  }

  const stop = stageStore.subscribe(schedule);
  schedule();
  return () => {
    stop();
    cancelAnimationFrame(request);
  };
}
