/** The newest episode, played by random actions, by the person's player or by what was learned. */
import { useState } from 'react';
import type { OwnClip } from '#client/own/film.ts';
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

const ENDS = { terminated: 'it ended', truncated: 'cut by the step limit', cut: 'cut here' } as const;

export function Scene({ shown, title, who }: Props) {
  const reduced = useReducedMotion();
  const [reel] = useState(() => new Reel());
  const [playing, setPlaying] = useState(!reduced);
  reel.playing = playing;
  if (shown === null) return <p className={styles.empty}>The picture comes when the code can be run.</p>;
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
        label={`${title}, played by ${who}: ${clip.steps} steps, return ${measure(clip.total)}.`}
      />
      <div className={styles.bar}>
        <Button pressed={playing} onClick={() => setPlaying(!playing)}>
          {playing ? 'Pause' : 'Play'}
        </Button>
        <span className={styles.quiet}>{`Played by ${who}: ${clip.steps} steps, return ${measure(clip.total)}, ${ENDS[clip.ended]}`}</span>
      </div>
    </>
  );
}
