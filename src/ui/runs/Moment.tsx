/** How the run that is looked at stands, in a sentence below the scene, at the simple depth. */
import { useStore } from 'zustand';
import { catalogStore, referencesOf } from '#stores/catalog.ts';
import { curves, curvesStore } from '#stores/curves.ts';
import { layoutStore } from '#stores/layout.ts';
import { inLesson, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import { phaseOf } from '#ui/kit/progress.ts';
import styles from './Moment.module.css';
import { type Figures, momentOf } from './moment.ts';
import { outcomeOf } from './rows.ts';

export function Moment() {
  useStore(curvesStore, (state) => state.version);
  const group = useStore(runsStore, ({ groups, activeId }) => groups.find(({ id }) => id === activeId) ?? null);
  const known = useStore(catalogStore);
  const simple = useStore(layoutStore, ({ depth }) => depth === 'teach');
  const lesson = useStore(routeStore, inLesson);
  const playing = useStore(stageStore, ({ mode }) => mode === 'play' || mode === 'edit');
  if (!simple || lesson || playing || group === null || group.imported !== undefined) return null;
  const figures: Figures = {
    phase: phaseOf(group),
    scores: group.seeds.flatMap(({ seed }) => curves.series(group.id, seed, 'episodicReturn') ?? []),
    budget: group.config.run.steps,
    test: outcomeOf(group).iqm,
    optimal: referencesOf(group.config.env, known).find(({ name }) => name === 'optimal')?.value ?? null,
  };
  const words = momentOf(figures);
  return words === null ? null : <p className={styles.moment}>{words}</p>;
}
