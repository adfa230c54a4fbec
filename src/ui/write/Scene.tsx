/** The newest episode, played by random actions, by the person's player or by what was learned. */
import { useState } from 'react';
import type { OwnClip } from '#client/own/film.ts';
import { msg, t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure } from '#ui/kit/format/numbers.ts';
import { useReducedMotion } from '#ui/stage/motion.ts';
import { Live } from '#ui/stage/show/Live.tsx';
import { Reel } from '#ui/stage/show/reel.ts';
import styles from './Write.module.css';

interface Props {
  readonly shown: { readonly name: string; readonly clip: OwnClip } | null;
  readonly title: string;
  /** Who plays, in words. */
  readonly who: string;
}

const ENDS = { terminated: msg('it ended'), truncated: msg('cut by the step limit'), cut: msg('cut here') } as const;

export function Scene({ shown, title, who }: Props) {
  const reduced = useReducedMotion();
  const [reel] = useState(() => new Reel());
  const [playing, setPlaying] = useState(!reduced);
  reel.playing = playing;
  if (shown === null) return <p className={styles.empty}>{t('The picture comes when the code can be run.')}</p>;
  const { clip, name } = shown;
  return (
    <>
      <Live
        reel={reel}
        playing={playing}
        eager
        name={name}
        load={() => Promise.resolve(clip)}
        poster={null}
        label={t('{title}, played by {who}: {steps} steps, return {total}.', { title, who, steps: clip.steps, total: measure(clip.total) })}
      />
      <div className={styles.bar}>
        <Button pressed={playing} onClick={() => setPlaying(!playing)}>
          {playing ? t('Pause') : t('Play')}
        </Button>
        <span className={styles.quiet}>
          {t('Played by {who}: {steps} steps, return {total}, {value}', {
            who,
            steps: clip.steps,
            total: measure(clip.total),
            value: t(ENDS[clip.ended]),
          })}
        </span>
      </div>
    </>
  );
}
