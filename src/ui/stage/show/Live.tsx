/**
 * A small live scene: a stored picture until its clip is here and drawn, then the clip, moved by its reel. The clip is asked for when the scene is
 * first in sight and may move; nothing is drawn out of sight.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Clip } from '#client/stage/clips.ts';
import { pictureShown } from '#client/stage/first-picture.ts';
import { frameSize } from '#contract/game/frames.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { onThemeChange } from '#ui/kit/theme/theme-change.ts';
import { frameInWords } from '../describe.ts';
import { openShow } from './host.ts';
import styles from './Live.module.css';
import type { Shown } from './projector.ts';
import type { Reel } from './reel.ts';

interface Props {
  readonly reel: Reel;
  /** Scenes may move: the reel runs. */
  readonly playing: boolean;
  /** Names the clip: another one is loaded where it changes. */
  readonly name: string;
  /** Rejects with an Error in words or a LabError. `wanted`: the scene is still there and in sight. */
  readonly load: (wanted: () => boolean) => Promise<Clip>;
  readonly poster: ReactNode;
  /** Description of the picture for screen readers; '': the words beside it say it. */
  readonly label: string;
  /** The return so far of the episode that is shown, as it changes; null: there is none yet. */
  readonly onReturn?: (value: number | null) => void;
  /** The frame that was drawn; null: there is none yet. */
  readonly onFrame?: (at: { readonly clip: Clip; readonly t: number } | null) => void;
  /** The clip is loaded in sight even while nothing moves. */
  readonly eager?: boolean;
}

export function Live({ reel, playing, name, load, poster, label, onReturn, onFrame, eager = false }: Props) {
  const host = useRef<HTMLSpanElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [inSight, setInSight] = useState(false);
  const [clip, setClip] = useState<{ readonly name: string; readonly clip: Clip } | null>(null);
  const [drawn, setDrawn] = useState(false);
  const [problem, setProblem] = useState('');
  const [told, setTold] = useState('');
  const shown = useRef<Shown | null>(null);
  const tell = useRef(onReturn);
  tell.current = onReturn;
  const tellFrame = useRef(onFrame);
  tellFrame.current = onFrame;
  const loader = useRef(load);
  loader.current = load;

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    // The observer answers a frame later, and on a page of many scenes the first frames are the longest.
    const { top, bottom } = element.getBoundingClientRect();
    setInSight(top < innerHeight && bottom > 0);
    const observer = new IntersectionObserver(([entry]) => setInSight(entry?.isIntersecting === true), { rootMargin: '40px' });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const wanted = inSight && (playing || eager) && clip?.name !== name;
  useEffect(() => {
    if (!wanted) return;
    let live = true;
    setProblem('');
    openShow().catch(() => {}); // loads meanwhile; who draws with it says what is wrong
    loader
      .current(() => live)
      .then(
        (found) => live && setClip({ name, clip: found }),
        (error: unknown) => live && setProblem(error instanceof Error ? error.message : toFailure(error).message),
      );
    return () => {
      live = false;
    };
  }, [wanted, name]);

  const current = clip?.name === name ? clip.clip : null;
  useEffect(() => {
    const target = canvas.current;
    if (current === null || target === null) return;
    let stops: (() => void)[] = [];
    let gone = false;
    openShow()
      .then(async ({ wall, projector }) => {
        const scene = await wall.scene(target);
        if (gone) {
          scene.dispose();
          return;
        }
        scene.setSource(current);
        let value = Number.NaN;
        let frames = 0;
        const member: Shown = {
          scene,
          clip: current,
          reel,
          inSight: true,
          stale: true,
          drawn: (t) => {
            setDrawn(true);
            if (frames++ > 0) pictureShown();
            tellFrame.current?.({ clip: current, t });
            const next = current.returnAt(t);
            if (next === value) return;
            value = next;
            tell.current?.(next);
          },
        };
        shown.current = member;
        const again = (): void => {
          member.stale = true;
          projector.wake();
        };
        const toSize = (): void => {
          if (target.clientWidth === 0) return;
          scene.resize(target.clientWidth, target.clientHeight, devicePixelRatio);
          again();
        };
        const observer = new ResizeObserver(toSize);
        observer.observe(target);
        toSize();
        stops = [
          projector.add(member),
          () => observer.disconnect(),
          onThemeChange(() => {
            scene.refreshTheme();
            again();
          }),
          () => scene.dispose(),
        ];
      })
      .catch(() => setProblem('This browser can draw neither with WebGL nor on a 2D canvas.'));
    return () => {
      gone = true;
      shown.current = null;
      for (const stop of stops) stop();
      setDrawn(false);
      tell.current?.(null);
      tellFrame.current?.(null);
    };
  }, [current, reel]);

  // What moves is not described frame by frame; what stands still is.
  useEffect(() => {
    if (shown.current !== null) shown.current.inSight = inSight;
    if (inSight && current !== null) void openShow().then(({ projector }) => projector.wake());
    if (playing || current === null || label === '') {
      setTold('');
      return;
    }
    const frame = new Float32Array(frameSize(current.layout));
    const names = current.env.groups.flatMap((group) => group.names);
    if (current.read(reel.momentOf(current).t, frame)) setTold(frameInWords(current.layout, frame, names));
  }, [inSight, playing, current, label, reel]);

  const words = label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': `${label} ${told}`.trim() };
  return (
    <span ref={host} className={styles.live} data-drawn={drawn} data-state={problem !== '' ? 'failed' : drawn ? 'playing' : 'waiting'}>
      <span className={styles.scene} {...words}>
        {poster}
        {current !== null && <canvas key={name} ref={canvas} className={styles.canvas} />}
      </span>
      {problem !== '' && <span className={styles.problem}>{problem}</span>}
    </span>
  );
}
