/** The picture of a preset where the build found one, loaded when it comes into sight; else, or offline, the small sign drawn from the card. */
import { useState } from 'react';
import type { EnvCard } from '#contract/catalog.ts';
import type { JsonObject } from '#contract/json.ts';
import { Glyph } from '../gallery/Glyph.tsx';
import styles from './EnvPage.module.css';

interface Props {
  readonly env: EnvCard;
  readonly preset: string;
  readonly config: JsonObject;
}

/**
 * During the first visit no service worker answers this page yet, so what is seen then is put where the worker will look for it. Without
 * storage (a private window, a full disk) the sign is drawn offline.
 */
function keep(src: string): void {
  if (!('serviceWorker' in navigator) || navigator.serviceWorker.controller !== null) return;
  caches
    .open('pictures')
    .then((cache) => cache.add(src))
    .catch(() => undefined);
}

export function Picture({ env, preset, config }: Props) {
  const [missing, setMissing] = useState(false);
  const name = `${env.id}-${preset}`;
  if (missing || !PICTURES.includes(name))
    return (
      <span className={styles.picture} data-sign="">
        <Glyph env={env} config={config} />
      </span>
    );
  return (
    <img
      className={styles.picture}
      src={`./pictures/${name}.webp`}
      alt=""
      loading="lazy"
      decoding="async"
      width="480"
      height="300"
      onError={() => setMissing(true)}
      onLoad={(event) => keep(event.currentTarget.src)}
    />
  );
}
