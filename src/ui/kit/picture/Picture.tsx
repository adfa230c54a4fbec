/** The picture of a preset where the build found one, loaded when it comes into sight; else, or offline, the small sign drawn from the card. */
import { useState } from 'react';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { keepOffline } from '../keep.ts';
import { Glyph } from './Glyph.tsx';
import styles from './Picture.module.css';
import { useStoredPicture } from './stored.ts';

interface Props {
  /** Of the environment, where its card may not be here yet. */
  readonly id?: string;
  readonly env: EnvCard | undefined;
  readonly preset: string;
  readonly config: JsonObject;
}

export function Picture({ env, id = env?.id, preset, config }: Props) {
  const [missing, setMissing] = useState(false);
  const name = `${id}-${preset}`;
  const address = useStoredPicture(name);
  if (missing || !PICTURES.includes(name))
    return (
      <span className={styles.picture} data-picture="" data-sign="">
        <Glyph env={env} config={config} />
      </span>
    );
  return (
    <img
      className={styles.picture}
      data-picture=""
      src={address}
      alt=""
      loading="lazy"
      decoding="async"
      width="480"
      height="300"
      onError={() => setMissing(true)}
      onLoad={(event) => keepOffline('pictures', event.currentTarget.src)}
    />
  );
}
