/** Two replays beside each other in flat pictures, moved by one clock that begins again when the longer one is over. */
import { useEffect, useRef, useState } from 'react';
import { explain } from '#client/explain/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { FrameSource } from '#contract/game/frames.ts';
import type { Replay } from '#contract/run/events.ts';
import type { Scene } from '#scenes/types.ts';
import { Button } from '#ui/kit/Button.tsx';
import { onThemeChange } from '#ui/kit/theme/theme-change.ts';
import { useReducedMotion } from '#ui/stage/motion.ts';
import styles from './WhatIf.module.css';

interface Props {
  readonly asItWas: Replay;
  readonly changed: Replay;
  readonly env: EnvCard;
}

/** Seconds that the last frame stays before it begins again. */
const REST_S = 1;

export function Futures({ asItWas, changed, env }: Props) {
  const left = useRef<HTMLCanvasElement>(null);
  const right = useRef<HTMLCanvasElement>(null);
  const [scenes, setScenes] = useState<readonly { readonly scene: Scene; readonly source: FrameSource }[]>([]);
  const reduced = useReducedMotion();
  const [playing, setPlaying] = useState(!reduced);
  const [t, setT] = useState(0);
  const length = Math.max(asItWas.reward.length, changed.reward.length) / Math.max(1, env.agents) + 1;

  useEffect(() => {
    let gone = false;
    const made: Scene[] = [];
    const open = async (): Promise<void> => {
      const [{ createFlatScene }, ...sources] = await Promise.all([
        import('#scenes/flat.ts'),
        explain.source(asItWas),
        explain.source(changed),
      ]);
      if (gone) return;
      const show = async (canvas: HTMLCanvasElement, source: FrameSource) => {
        const scene = await createFlatScene(canvas, { reducedMotion: true, lean: true });
        made.push(scene);
        scene.resize(canvas.clientWidth, canvas.clientHeight, devicePixelRatio);
        scene.setSource(source);
        return { scene, source };
      };
      if (left.current === null || right.current === null) return;
      const both = await Promise.all([show(left.current, sources[0]), show(right.current, sources[1])]);
      if (gone) {
        for (const scene of made) scene.dispose();
        return;
      }
      setT(0);
      setScenes(both);
    };
    open().catch(() => setScenes([])); // the replay cannot be drawn: the numbers stand without pictures
    const stop = onThemeChange(() => {
      for (const scene of made) scene.refreshTheme();
    });
    return () => {
      gone = true;
      stop();
      for (const scene of made) scene.dispose();
    };
  }, [asItWas, changed]);

  // draws the moment; a future that has ended stays at its last frame
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      const there = scenes.map(({ scene, source }) => scene.show(Math.min(t, source.length - 1), 0));
      if (there.includes(false)) timer = setTimeout(draw, 60);
    };
    draw();
    return () => clearTimeout(timer);
  }, [scenes, t]);

  useEffect(() => {
    if (!playing || scenes.length === 0) return;
    const step = 1000 / Math.max(1, Math.min(30, env.fps));
    const timer = setTimeout(() => setT(t >= length - 1 ? 0 : t + 1), t >= length - 1 ? REST_S * 1000 : step);
    return () => clearTimeout(timer);
  }, [playing, scenes, t, length, env.fps]);

  return (
    <div>
      <div className={styles.pair}>
        <figure>
          <canvas ref={left} role="img" aria-label="The future as it was" />
          <figcaption>as it was</figcaption>
        </figure>
        <figure>
          <canvas ref={right} role="img" aria-label="The changed future" />
          <figcaption>changed</figcaption>
        </figure>
      </div>
      <div className={styles.row}>
        <Button
          kind="bare"
          icon={playing ? 'pause' : 'play'}
          label={playing ? 'Pause both' : 'Play both'}
          onClick={() => setPlaying(!playing)}
        />
        <input
          type="range"
          className={styles.scrub}
          aria-label="Moment of both futures"
          min={0}
          max={length - 1}
          value={Math.min(t, length - 1)}
          onChange={(event) => {
            setPlaying(false);
            setT(Number(event.target.value));
          }}
        />
        <span className={`${styles.small} figures`}>+{Math.min(t, length - 1)}</span>
      </div>
    </div>
  );
}
