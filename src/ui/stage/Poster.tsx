/**
 * The stored picture of the environment with its settings, until its scene has drawn a first frame of its own; before the catalogue is here that of the
 * world that the address names. Where none is stored of these settings nothing stands: another map would be another world.
 */
import { useState } from 'react';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { presetOf } from '#ui/kit/format/card-text.ts';
import { namedPicture, namedWorld } from '#ui/kit/picture/named.ts';
import { useStoredPicture } from '#ui/kit/picture/stored.ts';
import styles from './Stage.module.css';

interface Props {
  readonly env: EnvCard | null;
  /** Of that environment. */
  readonly config: JsonObject;
  /** The environment whose frame is on the canvas. */
  readonly drawn: string;
  /** The environment on its way, which may not be in the catalogue yet; null: none is known. */
  readonly coming: string | null;
}

export function Poster({ env, config, drawn, coming }: Props) {
  const [broken, setBroken] = useState('');
  const name =
    env !== null ? `${env.id}-${presetOf(env, config)}` : coming === null ? namedPicture(location.hash) : namedWorld(coming, config);
  const address = useStoredPicture(String(name));
  const there = env !== null && drawn === env.id;
  if (there || name === broken || !PICTURES.includes(name)) return null;
  return <img className={styles.poster} src={address} alt="" decoding="async" onError={() => setBroken(name)} />;
}
