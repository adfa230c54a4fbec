/** The environment's stored picture, until its scene has drawn a first frame of its own. */
import { useEffect, useState } from 'react';
import type { EnvCard } from '#contract/catalog.ts';
import styles from './Stage.module.css';

/** `shown`: the environment whose frames the scene has got last. */
export function Poster({ env, shown }: { readonly env: EnvCard | null; readonly shown: string }) {
  const [broken, setBroken] = useState('');
  const first = env?.presets[0];
  const name = env === null || first === undefined ? '' : `${env.id}-${first.id}`;
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
