/** A small picture of an environment, from what its card says about its frames. Empty until the scenes are loaded. */
import { lazy, Suspense } from 'react';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import styles from './Glyph.module.css';

const GlyphShapes = lazy(() => import('./GlyphShapes.tsx'));

interface Props {
  readonly env: EnvCard | undefined;
  readonly config: JsonObject;
}

export function Glyph({ env, config }: Props) {
  return (
    <svg aria-hidden="true" viewBox="0 0 64 64" focusable="false">
      <rect width="64" height="64" rx="6" className={styles.glyphBack} />
      {env !== undefined && (
        <Suspense>
          <GlyphShapes env={env} config={config} />
        </Suspense>
      )}
    </svg>
  );
}
