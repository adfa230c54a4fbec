/** The room of numbers: curves, and where the active run has them, its population, its generations, its trade-offs and its levels. */
import { Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { newestPolicy } from '#client/runs/policies.ts';
import { curves, curvesStore } from '#stores/curves.ts';
import { draftStore } from '#stores/draft.ts';
import { policiesStore } from '#stores/policies.ts';
import { populations, populationsStore } from '#stores/populations.ts';
import { activeIn, runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { msg, t } from '#text/text.ts';
import { late } from '#ui/kit/late.tsx';
import { Segmented } from '#ui/kit/Segmented.tsx';
import { chartCode } from './ChartView.tsx';
import styles from './Curves.module.css';
import { CurvesPanel } from './CurvesPanel.tsx';

const PopulationRoom = late(() => import('../population/PopulationRoom.tsx').then((module) => ({ default: module.PopulationRoom })));
const ParetoRoom = late(() => import('../pareto/ParetoRoom.tsx').then((module) => ({ default: module.ParetoRoom })));

const LineageRoom = late(() => import('../lineage/LineageRoom.tsx'));
const LevelWall = late(() => import('../levels/LevelWall.tsx').then((module) => ({ default: module.LevelWall })));

const TITLES = {
  curves: msg('Curves'),
  population: msg('Population'),
  generations: msg('Generations'),
  tradeoffs: msg('Trade-offs'),
  levels: msg('Levels'),
} as const;
type View = keyof typeof TITLES;

export function CurvesRoom() {
  useStore(curvesStore, (state) => state.version);
  useStore(populationsStore, (state) => state.version);
  useStore(policiesStore, (state) => state.version);
  const env = useStore(draftStore, ({ config }) => config.env.id);
  const group = useStore(runsStore, (state) => activeIn(state, env) ?? state.groups.find(({ config }) => config.env.id === env));
  const [wanted, setWanted] = useState<View>('curves');
  useEffect(() => void chartCode().catch(() => {}), []); // before the first curve; the chart says what is wrong
  const views = viewsOf(group);
  const view = views.includes(wanted) ? wanted : 'curves';
  if (group === undefined || views.length < 2) return <CurvesPanel />;
  return (
    <div className={styles.room}>
      <div className={styles.switch}>
        <Segmented
          label={t('What is shown')}
          value={view}
          options={views.map((value) => ({ value, label: t(TITLES[value]) }))}
          onChange={setWanted}
        />
      </div>
      <div className={styles.view}>
        <Suspense fallback={null}>
          {view === 'curves' ? (
            <CurvesPanel />
          ) : view === 'population' ? (
            <PopulationRoom key={group.id} group={group} />
          ) : view === 'generations' ? (
            <LineageRoom key={group.id} group={group} />
          ) : view === 'levels' ? (
            <LevelWall key={group.id} group={group} />
          ) : (
            <ParetoRoom key={group.id} group={group} />
          )}
        </Suspense>
      </div>
    </div>
  );
}

function viewsOf(group: RunGroup | undefined): readonly View[] {
  if (group === undefined) return ['curves'];
  const some = (has: (seed: number) => boolean): boolean => group.seeds.some(({ seed }) => has(seed));
  const shows = (what: string): boolean => some((seed) => newestPolicy(group.id, seed)?.saved.meta[what] !== undefined);
  return [
    'curves',
    ...(some((seed) => populations.of(group.id, seed) !== null) ? (['population'] as const) : []),
    ...(some((seed) => curves.series(group.id, seed, 'generation') !== null) ? (['generations'] as const) : []),
    ...(shows('front') ? (['tradeoffs'] as const) : []),
    ...(shows('levels') ? (['levels'] as const) : []),
  ];
}
