/** The episode on the stage as a video: form, size and speed; then a film that is made as fast as its pictures are drawn, which are shown meanwhile. */
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { isOwnWorld } from '#contract/run/own-world.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { clock } from '#ui/kit/format/numbers.ts';
import { fileName, save } from '#ui/kit/save.ts';
import { openShow } from '../show/host.ts';
import { useStageEnv } from '../useStageEnv.ts';
import { probeWebGl } from '../webgl.ts';
import type { FilmForm } from './encode.ts';
import styles from './Film.module.css';
import { LONGEST_S, lengthOf, shoot } from './film.ts';

const SIZES = [
  { title: '640 × 360, 20 pictures a second', width: 640, height: 360, fps: 20 },
  { title: '1280 × 720', width: 1280, height: 720, fps: 30 },
  { title: '1920 × 1080', width: 1920, height: 1080, fps: 30 },
  { title: '720 × 720', width: 720, height: 720, fps: 30 },
] as const;
/** Done in half of the time that the film lasts: with a graphics card, and where the processor plays one. */
const QUICK = { card: 1, processor: 0 } as const;
const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;

/** An own world is called by its title: its id is made of its code. */
const nameOf = (env: EnvCard | null): string => (env === null ? 'episode' : isOwnWorld(env.id) ? fileName(env.title) : env.id);

export function FilmDialog({ onClose }: { readonly onClose: () => void }) {
  // The episode that was on the stage when the dialog opened: the stage goes on.
  const [source] = useState(() => stageStore.getState().source);
  const playing = useStore(stageStore, (state) => state.speed);
  const env = useStageEnv();
  const canvas = useRef<HTMLCanvasElement>(null);
  const stop = useRef<AbortController | null>(null);
  const [size, setSize] = useState<number>(() => (probeWebGl() === 'hardware' ? QUICK.card : QUICK.processor));
  const [speed, setSpeed] = useState<number>(SPEEDS.find((one) => one === playing) ?? 1);
  const [forms, setForms] = useState<readonly FilmForm[] | null>(null);
  const [form, setForm] = useState('');
  const [share, setShare] = useState<number | null>(null);
  const [problem, setProblem] = useState('');
  const { width, height, fps } = SIZES[size] ?? SIZES[0];
  const chosen = forms?.find(({ id }) => id === form) ?? forms?.[0];

  useEffect(() => {
    let live = true;
    import('./encode.ts')
      .then(({ formsHere }) => formsHere(width, height))
      .then(
        (found) => live && setForms(found),
        (error: unknown) => live && setProblem(wordsOf(error)),
      );
    return () => {
      live = false;
    };
  }, [width, height]);
  useEffect(() => () => stop.current?.abort(), []);

  const seconds = source === null ? 0 : lengthOf(source, speed);
  const tooLong = seconds > LONGEST_S;

  const make = async (): Promise<void> => {
    const sheet = canvas.current;
    if (source === null || chosen === undefined || sheet === null) return;
    const own = new AbortController();
    stop.current = own;
    setProblem('');
    setShare(0);
    const stage = stageStore.getState();
    stage.setPlaying(false); // two pictures at once would take twice as long
    try {
      const [{ openWriter }, { wall }] = await Promise.all([import('./encode.ts'), openShow()]);
      // In memory: an encoder reads every picture back, which a canvas on the graphics card answers slowly where the processor plays the card
      // (measured: 271 pictures of 1280 x 720 in 33 s of processor time instead of 4).
      const pen = sheet.getContext('2d', { willReadFrequently: true });
      if (pen === null) throw new Error('This browser offers no 2D canvas.');
      const scene = await wall.scene(sheet);
      try {
        scene.resize(width, height, 1);
        scene.setSource(source);
        const ground = backgroundOf(sheet, pen);
        const film = await shoot({
          episode: source,
          speed,
          fps,
          writer: await openWriter(chosen, sheet, fps),
          draw({ t, alpha }, passed) {
            if (!scene.show(t, alpha, passed)) return false;
            pen.globalCompositeOperation = 'destination-over';
            pen.fillStyle = ground;
            pen.fillRect(0, 0, width, height);
            pen.globalCompositeOperation = 'source-over';
            return true;
          },
          onProgress: setShare,
          signal: own.signal,
        });
        if (film !== null) await save(film, `${nameOf(env)}.${chosen.extension}`);
      } finally {
        scene.dispose();
      }
    } catch (error) {
      setProblem(wordsOf(error));
    } finally {
      stage.setPlaying(stage.playing);
      stop.current = null;
      setShare(null);
    }
  };

  return (
    <Dialog title={t('Save as a video')} onClose={onClose}>
      {source === null || source.length < 2 ? (
        <p>{t('There is no episode on the stage yet.')}</p>
      ) : (
        <>
          <div className={styles.fields}>
            <label>
              {t('Form')}
              <select value={chosen?.id ?? ''} disabled={share !== null} onChange={(event) => setForm(event.target.value)}>
                {(forms ?? []).map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {t('Size')}
              <select value={size} disabled={share !== null} onChange={(event) => setSize(Number(event.target.value))}>
                {SIZES.map(({ title }, i) => (
                  <option key={title} value={i}>
                    {title}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {t('Speed')}
              <select value={speed} disabled={share !== null} onChange={(event) => setSpeed(Number(event.target.value))}>
                {SPEEDS.map((one) => (
                  <option key={one} value={one}>
                    {one}×
                  </option>
                ))}
              </select>
            </label>
          </div>
          <p className={styles.quiet}>
            {forms?.length === 0
              ? t('This browser can write no video. Chromium and recent Firefox and Safari can.')
              : tooLong
                ? t('It would last {seconds}; a film may last {LONGEST_S}. Choose a higher speed.', {
                    seconds: clock(seconds),
                    LONGEST_S: clock(LONGEST_S),
                  })
                : t('The episode that was on the stage, {n} frames: {seconds} of film at {fps} pictures a second.', {
                    n: source.length,
                    seconds: clock(seconds),
                    fps,
                  })}
          </p>
          <canvas
            ref={canvas}
            className={styles.sheet}
            hidden={share === null}
            role="img"
            aria-label={t('The picture that is being drawn')}
          />
          {share !== null && <progress className={styles.progress} max={1} value={share} aria-label={t('Film')} />}
          {problem !== '' && (
            <p className={styles.problem} role="alert">
              {problem}
            </p>
          )}
          <div className={styles.row}>
            {share === null ? (
              <Button kind="solid" icon="download" disabled={chosen === undefined || tooLong} onClick={() => void make()}>
                {t('Make the film')}
              </Button>
            ) : (
              <Button icon="stop" onClick={() => stop.current?.abort()}>
                {t('Cancel')}
              </Button>
            )}
          </div>
        </>
      )}
    </Dialog>
  );
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The stage's own background: pictures are drawn with nothing behind them, and a video shows no page through. */
function backgroundOf(canvas: HTMLCanvasElement, pen: CanvasRenderingContext2D): CanvasGradient {
  const style = getComputedStyle(canvas);
  const ground = pen.createLinearGradient(0, 0, 0, canvas.height);
  ground.addColorStop(0, style.getPropertyValue('--stage-top').trim());
  ground.addColorStop(1, style.getPropertyValue('--stage-bottom').trim());
  return ground;
}
