/** The environment's stored picture, until its scene has drawn a first frame of its own; before the catalogue is here that of the world that the address names. */
import { useEffect, useState } from 'react';
import type { EnvCard } from '#contract/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { LAB } from '#stores/route.ts';
import styles from './Stage.module.css';

/** `shown`: the environment whose frames the scene has got last. */
export function Poster({ env, shown }: { readonly env: EnvCard | null; readonly shown: string }) {
  const [broken, setBroken] = useState('');
  const first = env?.presets[0];
  const name = env === null ? namedPicture(location.hash) : first === undefined ? '' : `${env.id}-${first.id}`;
  const [drawn, setDrawn] = useState(false);
  const there = env !== null && shown === env.id;
  // The scene draws in the animation frame after it got its frame.
  useEffect(() => {
    if (!there) {
      setDrawn(false);
      return;
    }
    let second = 0;
    const frame = requestAnimationFrame(() => {
      second = requestAnimationFrame(() => setDrawn(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      cancelAnimationFrame(second);
    };
  }, [there]);
  if (drawn || name === broken || !PICTURES.includes(name)) return null;
  return <img className={styles.poster} src={`./pictures/${name}.webp`} alt="" decoding="async" onError={() => setBroken(name)} />;
}

/** The picture of the world in a link, or of the first experiment in a laboratory without one. A packed link names none that can be read at once; ''. */
export function namedPicture(hash: string, pictures: readonly string[] = PICTURES): string {
  const id = hash === LAB ? draftStore.getState().config.env.id : /^#(?:.*&)?env=([a-z0-9-]+)/.exec(hash)?.[1];
  if (id === undefined) return '';
  const own = pictures.filter((name) => name.startsWith(`${id}-`));
  // Another world's name may begin alike: a picture is named by its first preset, which most call "standard".
  return own.find((name) => name === `${id}-standard`) ?? (own.length === 1 ? (own[0] ?? '') : '');
}
