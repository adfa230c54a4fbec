/** What this page is, in one sentence, until the first run exists. */
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog.ts';
import { inLesson, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import styles from './Stage.module.css';
import { tourStore } from './tour.ts';

export function Welcome({ env }: { readonly env: EnvCard | null }) {
  const fresh = useStore(runsStore, (state) => state.groups.length === 0);
  const watching = useStore(stageStore, (state) => state.mode === 'live' || state.mode === 'idle');
  const lesson = useStore(routeStore, inLesson);
  const told = useStore(tourStore, ({ step }) => step === 'train'); // the tour's first card says the same
  if (!fresh || !watching || lesson || told || env === null) return null;
  return (
    <p className={styles.welcome}>
      <b>A program that learns by trying.</b> <span className={styles.about}>{env.summary}</span> Press <b>Train</b> and watch it learn,
      here in your browser.
    </p>
  );
}
