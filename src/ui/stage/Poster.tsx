/**
 * The stored picture of the environment with its settings, until its scene has drawn a first frame of its own; before the catalogue is here that of the
 * world that the address names. Where none is stored of these settings nothing stands: another map would be another world.
 */
import { useEffect, useState } from 'react';
import type { EnvCard } from '#contract/catalog.ts';
import { type JsonObject, objectOf } from '#contract/json.ts';
import { decodeLink } from '#contract/link.ts';
import { draftStore } from '#stores/draft.ts';
import { LAB } from '#stores/route.ts';
import { presetOf } from '#ui/kit/format/card-text.ts';
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
  if (hash === LAB) return namedWorld(draftStore.getState().config.env.id, {}, pictures);
  const id = /^#(?:.*&)?env=([a-z0-9-]+)/.exec(hash)?.[1];
  if (id !== undefined) return /[#&]env\./.test(hash) ? '' : namedWorld(id, {}, pictures);
  const packed = packedWorld(hash);
  return typeof packed.id === 'string' ? namedWorld(packed.id, objectOf(packed.config), pictures) : '';
}

/** The picture of a world whose card is not here: `changed` is what of its settings is not the default. */
function namedWorld(id: string, changed: JsonObject, pictures: readonly string[] = PICTURES): string {
  if (Object.keys(changed).length > 0) return '';
  const own = pictures.filter((name) => name.startsWith(`${id}-`));
  // Another world's name may begin alike: a picture is named by its first preset, which most call "standard".
  return own.find((name) => name === `${id}-standard`) ?? (own.length === 1 ? (own[0] ?? '') : '');
}

/** The world of a packed link, which begins with its version. */
function packedWorld(hash: string): JsonObject {
  if (!/^#\d+\./.test(hash)) return {};
  try {
    return objectOf(decodeLink(hash)?.config.env);
  } catch {
    return {}; // a damaged link: who opens it says why
  }
}
