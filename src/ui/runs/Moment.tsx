/** How the run that is looked at stands, in a sentence below the scene, at the simple depth. */
import { type ReactNode, Suspense } from 'react';
import { useStore } from 'zustand';
import { strengthWanted } from '#client/runs/strength.ts';
import { alikeSeeds } from '#stores/alike.ts';
import { catalogStore, referencesOf } from '#stores/catalog.ts';
import { curves, curvesStore } from '#stores/curves.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { inLesson, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import { strengthStore, strengths } from '#stores/strength.ts';
import type { RunGroup } from '#stores/types.ts';
import { phaseOf } from '#ui/kit/progress.ts';
import { editsNote } from './edit-words.ts';
import styles from './Moment.module.css';
import { type Figures, momentOf } from './moment.ts';
import { outcomeOf } from './rows.ts';

function scoresOf(runId: string, seed: number): Figures['scores'] {
  const scores = curves.series(runId, seed, 'episodicReturn');
  if (scores === null) return [];
  // Rows without a finished episode have a count and no score.
  const counted = curves.series(runId, seed, 'episodes');
  const skipped = (counted?.steps.length ?? 0) - scores.steps.length;
  const episodes = counted !== null && skipped >= 0 && counted.steps[skipped] === scores.steps[0] ? counted.values.subarray(skipped) : null;
  return [{ ...scores, ...(episodes === null ? {} : { episodes }) }];
}

/** Tests of the kept policies; the sentence speaks of them where they are the main line. */
function testsOf(group: RunGroup): Pick<Figures, 'scores' | 'tested' | 'phase'> | null {
  const wanted = strengthWanted(group.config);
  if (wanted === null || strengths.problem(group.id) !== null) return null;
  const phase = phaseOf(group);
  return {
    tested: strengths.kind(group.id) ?? wanted,
    scores: alikeSeeds(group)
      .flatMap(({ seed }) => strengths.series(group.id, seed) ?? [])
      .map(({ steps, values, errors }) => ({ steps, values, errors })),
    phase: phase === 'done' && !strengths.reached(group.id, group.seeds) ? 'running' : phase, // the tests go on
  };
}

/** `Next`: what stands below the sentence once the run has ended. */
export function Moment({ Next }: { readonly Next: (props: { readonly group: RunGroup; readonly figures: Figures }) => ReactNode }) {
  useStore(strengthStore, (state) => state.version);
  useStore(curvesStore, (state) => state.version);
  const group = useStore(runsStore, ({ groups, activeId }) => groups.find(({ id }) => id === activeId) ?? null);
  const known = useStore(catalogStore);
  const simple = useStore(layoutStore, ({ depth }) => depth === 'teach');
  const lesson = useStore(routeStore, inLesson);
  const playing = useStore(stageStore, ({ mode }) => mode === 'play' || mode === 'edit');
  const world = useStore(stageStore, ({ replay }) => replay?.env.id);
  const draft = useStore(draftStore, ({ config }) => config.env.id);
  if (!simple || lesson || playing || group === null || group.imported !== undefined) return null;
  // Below the scene of another world it would be read as said of that one.
  if ((world ?? draft) !== group.config.env.id) return null;
  const alone = known.catalog?.envs.find(({ id }) => id === group.config.env.id)?.agents === 1;
  const figures: Figures = {
    phase: phaseOf(group),
    failed: { n: group.seeds.filter(({ state }) => state === 'failed').length, all: group.seeds.length },
    ...(testsOf(group) ?? { scores: alikeSeeds(group).flatMap(({ seed }) => scoresOf(group.id, seed)) }),
    budget: group.config.run.steps,
    test: outcomeOf(group).iqm,
    // Against others it is what both earn who play perfectly, not the most that one of them can.
    optimal: alone ? (referencesOf(group.config.env, known).find(({ name }) => name === 'optimal')?.value ?? null) : null,
  };
  const words = momentOf(figures);
  const edits = editsNote(group, known.catalog);
  if (words === null && edits === '') return null;
  return (
    <div className={styles.moment}>
      <p>{[words ?? '', edits].join(' ').trim()}</p>
      {figures.phase === 'done' && (
        <Suspense fallback={null}>
          <Next key={group.id} group={group} figures={figures} />
        </Suspense>
      )}
    </div>
  );
}
