/** The environment's stored picture, until its scene has drawn a first frame of its own; before the catalogue is here that of the world that the address names. */
import { useEffect, useState } from 'react';
import type { EnvCard } from '#contract/catalog.ts';
import { objectOf } from '#contract/json.ts';
import { decodeLink } from '#contract/link.ts';
import { draftStore } from '#stores/draft.ts';
import { LAB } from '#stores/route.ts';
import styles from './Stage.module.css';

interface Props {
  readonly env: EnvCard | null;
  /** The environment whose frame is on the canvas. */
  readonly drawn: string;
  /** The environment on its way, which may not be in the catalogue yet; null: none is known. */
  readonly coming: string | null;
}

export function Poster({ env, drawn, coming }: Props) {
  const [broken, setBroken] = useState('');
  const first = env?.presets[0];
  const name =
    env === null ? namedPicture(coming === null ? location.hash : `#env=${coming}`) : first === undefined ? '' : `${env.id}-${first.id}`;
  const there = env !== null && drawn === env.id;
  if (there || name === broken || !PICTURES.includes(name)) return null;
  return <img className={styles.poster} src={`./pictures/${name}.webp`} alt="" decoding="async" onError={() => setBroken(name)} />;
}

/** The environment whose frame the canvas shows. `shown`: that whose frames the scene has got last; it draws in the animation frame after. */
export function useDrawn(shown: string): string {
  const [drawn, setDrawn] = useState('');
  useEffect(() => {
    let second = 0;
    const frame = requestAnimationFrame(() => {
      second = requestAnimationFrame(() => setDrawn(shown));
    });
    return () => {
      cancelAnimationFrame(frame);
      cancelAnimationFrame(second);
    };
  }, [shown]);
  return drawn;
}

/** The picture of the world in a link, or of the first experiment in a laboratory without one; ''. */
export function namedPicture(hash: string, pictures: readonly string[] = PICTURES): string {
  const id = hash === LAB ? draftStore.getState().config.env.id : (/^#(?:.*&)?env=([a-z0-9-]+)/.exec(hash)?.[1] ?? packedWorld(hash));
  if (id === undefined) return '';
  const own = pictures.filter((name) => name.startsWith(`${id}-`));
  // Another world's name may begin alike: a picture is named by its first preset, which most call "standard".
  return own.find((name) => name === `${id}-standard`) ?? (own.length === 1 ? (own[0] ?? '') : '');
}

/** The world of a packed link, which begins with its version. */
function packedWorld(hash: string): string | undefined {
  if (!/^#\d+\./.test(hash)) return undefined;
  try {
    const { id } = objectOf(decodeLink(hash)?.config.env);
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined; // a damaged link: who opens it says why
  }
}
