/** An episode as a small plan that plays by itself, and a slider to go to any of its steps. */
import { useEffect, useId, useState } from 'react';
import { framesOf } from '#client/compare/mazes.ts';
import { type FrameLayout, frameSize } from '#contract/game/frames.ts';
import type { Replay } from '#contract/run/events.ts';
import { t } from '#text/text.ts';
import { Plan } from '#ui/kit/plan/Plan.tsx';
import styles from './Levels.module.css';

/** Milliseconds a step is shown for. */
const PAUSE = 70;

export function Episode({ replay, layout }: { readonly replay: Replay; readonly layout: FrameLayout }) {
  const [frames, setFrames] = useState<Float32Array | null>(null);
  const [at, setAt] = useState(0);
  const [plays, setPlays] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches);
  const id = useId();
  const most = replay.reward.length;
  useEffect(() => {
    let live = true;
    framesOf(replay).then(
      (found) => live && setFrames(found),
      () => live && setFrames(null), // what became of it is said in words
    );
    return () => {
      live = false;
    };
  }, [replay]);
  useEffect(() => {
    if (!plays || frames === null || at >= most) return;
    const timer = setTimeout(() => setAt(at + 1), PAUSE);
    return () => clearTimeout(timer);
  }, [plays, frames, at, most]);
  if (frames === null) return null;
  const size = frameSize(layout);
  return (
    <div className={styles.episode}>
      <Plan
        layout={layout}
        frame={frames.subarray(at * size, (at + 1) * size)}
        label={t('Step {n} of its episode', { n: at })}
        marks={['']}
      />
      <label htmlFor={id}>{t('Step {n} of {all}', { n: at, all: most })}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={most}
        value={at}
        onChange={(event) => {
          setPlays(false);
          setAt(Number(event.target.value));
        }}
      />
    </div>
  );
}
