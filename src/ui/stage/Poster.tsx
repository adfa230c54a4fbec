/** The environment's stored picture, until its scene has drawn a first frame of its own. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog.ts';
import { stageStore } from '#stores/stage.ts';
import styles from './Stage.module.css';

/** `ready`: the scene is there and draws. */
export function Poster({ env, ready }: { readonly env: EnvCard | null; readonly ready: boolean }) {
  const source = useStore(stageStore, (state) => state.source);
  const [broken, setBroken] = useState('');
  const first = env?.presets[0];
  const name = env === null || first === undefined ? '' : `${env.id}-${first.id}`;
  const [drawn, setDrawn] = useState(false);
  // The scene draws in the animation frame after it got its source, or after its code was loaded.
  useEffect(() => {
    if (source === null || !ready) {
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
  }, [source, ready]);
  if (drawn || name === broken || !PICTURES.includes(name)) return null;
  return <img className={styles.poster} src={`./pictures/${name}.webp`} alt="" decoding="async" onError={() => setBroken(name)} />;
}
