/**
 * The laboratory: one grid, three arrangements (desktop, 700 to 1100 px, phone). The stage keeps its place in the tree in all of
 * them, so that its canvas lives as long as the page. DOM order is reading order in each.
 */
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { forkStore } from '#stores/fork.ts';
import { layoutStore } from '#stores/layout.ts';
import { inLesson, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { Boundary } from '#ui/kit/Boundary.tsx';
import { Fold } from '#ui/kit/Fold.tsx';
import { late } from '#ui/kit/late.tsx';
import { useLow, useRoom } from '#ui/kit/media.ts';
import { Splitter } from '#ui/kit/Splitter.tsx';
import { setSizes, sizesStore } from '#ui/kit/sizes.ts';
import { Moment } from '#ui/runs/Moment.tsx';
import { RunsPanel } from '#ui/runs/RunsPanel.tsx';
import { SetupPanel } from '#ui/setup/SetupPanel.tsx';
import { GalleryStrip } from '#ui/shell/gallery/GalleryStrip.tsx';
import { DownloadNote } from '#ui/shell/header/DownloadNote.tsx';
import { FailureNote } from '#ui/shell/header/FailureNote.tsx';
import { Header } from '#ui/shell/header/Header.tsx';
import { PhoneBar } from '#ui/shell/header/PhoneBar.tsx';
import { RuleNote } from '#ui/shell/header/RuleNote.tsx';
import { tourStore } from '#ui/stage/tour.ts';
import styles from './App.module.css';
import { Tabs } from './Tabs.tsx';

/** An offer below the scene: where its code is not on this device there is none, and the scene goes on. */
const ThenWhat = late(() => import('#ui/lessons/next/ThenWhat.tsx').catch(() => ({ default: () => null })));
const LessonPanel = late(() => import('#ui/lessons/LessonPanel.tsx'));
const Tour = late(() => import('#ui/shell/tour/Tour.tsx'));
const Stage = late(() => import('#ui/stage/Stage.tsx').then((module) => ({ default: module.Stage })));
const CurvesRoom = late(() => import('#ui/runs/curves/CurvesRoom.tsx').then((module) => ({ default: module.CurvesRoom })));
const WhoDidIt = late(() => import('#ui/explain/team/WhoDidIt.tsx').then((module) => ({ default: module.WhoDidIt })));
const WhyRoom = late(() => import('#ui/explain/team/WhyRoom.tsx').then((module) => ({ default: module.WhyRoom })));

const whoDidIt = (env: EnvCard) => <WhoDidIt env={env} />;

/** Widths are kept for the usual size of text. */
const perScale = (): number => 1 / (Number(getComputedStyle(document.documentElement).getPropertyValue('--scale')) || 1);

/** `hidden`: another page lies over it; it goes on below. */
export default function Laboratory({ hidden }: { readonly hidden: boolean }) {
  const room = useRoom();
  const low = useLow() && room !== 'phone';
  const layout = useStore(layoutStore);
  const sizes = useStore(sizesStore);
  const route = useStore(routeStore, (state) => state.route);
  const lesson = useStore(routeStore, inLesson);
  const [sheet, setSheet] = useState(false);
  // A low window begins without the table of runs, whatever a higher one shows.
  const [lowRuns, setLowRuns] = useState(false);
  const touring = useStore(tourStore, ({ step }) => step);
  const some = useStore(runsStore, (state) => state.groups.length > 0);
  const editing = useStore(stageStore, (state) => state.mode === 'edit');
  const forking = useStore(forkStore, (state) => state.fork);
  const { set } = layout;
  const teach = layout.depth === 'teach';
  const bare = layout.projector && room !== 'phone';
  // A lesson shows explanations only where its step is about them.
  const explained = !lesson || layout.lesson?.why === true;
  const tab = layout.tab === 'scene' || (layout.tab === 'why' && !explained) ? 'curves' : layout.tab;

  // The map's editor stands in the set-up panel: editing started in the scene opens it.
  useEffect(() => {
    if (!editing) return;
    layoutStore.getState().set('leftOpen', true);
    layoutStore.getState().set('tab', 'setup');
    setSheet(true);
  }, [editing]);

  // A lesson is opened where it can be seen, and a fork where its settings are changed.
  useEffect(() => {
    if (!lesson && forking === null) return;
    layoutStore.getState().set('leftOpen', true);
    layoutStore.getState().set('tab', 'setup');
    setSheet(true);
  }, [lesson, forking]);

  /** The curves have the whole side to themselves. */
  const alone = bare || !explained || (teach && !some && room !== 'phone');
  /** At the simple depth and in a lesson there is nothing to show beside the scene before the first run: the scene takes the room. */
  const idle = teach && !some && room !== 'phone';
  const left = room === 'desktop' ? layout.leftOpen : room === 'medium' ? sheet : tab === 'setup';
  const right = room === 'phone' || (layout.rightOpen && !idle);
  const runs = room === 'phone' ? tab === 'runs' : low ? lowRuns : layout.runsOpen;
  /** Curves and why take turns beside the scene of a low window. */
  const turns = low && right && !alone;
  const side = tab === 'why' ? 'why' : 'curves';
  /** On a tablet a lesson stands beside what it speaks of, and the curves below the scene. */
  const beside = room === 'medium' && lesson && left && !low;
  const variables = {
    // Larger type needs more room beside the scene.
    '--left': beside
      ? 'min(320px * var(--scale), 38vw)'
      : left && room === 'desktop'
        ? `min(${sizes.left * (bare && lesson ? 1.5 : 1)}px * var(--scale), 27vw)`
        : '0px',
    '--right': right ? `min(${sizes.right}px * var(--scale), ${room === 'medium' ? '38vw' : '50vw'})` : '0px',
    '--runs': `min(${sizes.runs}px, 60dvh)`,
    '--curves': `${sizes.curves}fr`,
    '--why': `${100 - sizes.curves}fr`,
  };

  const setup = (
    <Part
      key="left"
      id="panel-left"
      tab={room === 'phone' ? 'tab-setup' : undefined}
      className={styles.left}
      hidden={!left}
      name={lesson ? t('Lesson') : t('Set up')}
      onEscape={room === 'medium' ? () => setSheet(false) : null}
    >
      {lesson && route !== null ? (
        <LessonPanel route={route} />
      ) : (
        <SetupPanel
          onFold={room === 'desktop' && !teach ? () => set('leftOpen', false) : room === 'medium' ? () => setSheet(false) : null}
        />
      )}
    </Part>
  );
  const stage = (
    <section key="stage" className={styles.stage} id="stage" aria-label={t('Scene')}>
      {room !== 'phone' && !low && !teach && !bare && <GalleryStrip />}
      <RuleNote />
      <FailureNote />
      <DownloadNote />
      <Boundary name={t('The scene')}>
        <Suspense fallback={<div className={styles.wait} />}>
          <Stage moment={<Moment Next={ThenWhat} />} who={whoDidIt} />
        </Suspense>
      </Boundary>
    </section>
  );
  const curves = (
    <Part
      key="curves"
      id="panel-curves"
      tab={room === 'phone' || turns ? 'tab-curves' : undefined}
      className={styles.curves}
      hidden={!right || (room === 'phone' && tab !== 'curves') || (turns && side !== 'curves')}
      name={t('Curves')}
    >
      <CurvesRoom />
    </Part>
  );
  const why = (
    <Part
      key="why"
      id="panel-why"
      tab={room === 'phone' || turns ? 'tab-why' : undefined}
      className={styles.why}
      hidden={!right || alone || (room === 'phone' && tab !== 'why') || (turns && side !== 'why')}
      name={t('Why')}
    >
      <WhyRoom />
    </Part>
  );
  const table = !teach && !bare && (
    <Part
      key="runs"
      id="panel-runs"
      tab={room === 'phone' ? 'tab-runs' : undefined}
      className={styles.runs}
      hidden={room === 'phone' && !runs}
      name={t('Runs')}
      open={runs && some}
    >
      <RunsPanel open={runs} onFold={room === 'phone' ? null : () => (low ? setLowRuns(!lowRuns) : set('runsOpen', !layout.runsOpen))} />
    </Part>
  );
  const split = room === 'desktop' && !teach;

  return (
    <div
      className={styles.app}
      data-room={room}
      data-tab={room === 'phone' ? tab : undefined}
      data-left={left}
      data-right={right}
      data-runs={runs}
      data-teach={teach}
      data-alone={alone}
      data-lesson={lesson}
      data-beside={beside}
      data-some={some}
      data-turns={turns}
      data-tour-step={touring ?? undefined}
      style={variables as object}
      hidden={hidden}
    >
      <main className={styles.main}>
        <div className={styles.head}>
          <Header room={room} setupOpen={sheet} onSetup={() => setSheet(!sheet)} />
          {touring !== null && !hidden && (
            <Suspense fallback={null}>
              <Tour />
            </Suspense>
          )}
        </div>
        {room === 'phone' ? (
          <>
            {stage}
            <Tabs
              key="tabs"
              tab={tab}
              offered={['setup', 'curves', ...(explained ? (['why'] as const) : []), ...(teach ? [] : (['runs'] as const))]}
              lesson={lesson}
              onChange={(next) => set('tab', next)}
            />
            {setup}
            {curves}
            {why}
            {table}
            <PhoneBar />
          </>
        ) : (
          <>
            {setup}
            {split && left && (
              <Splitter
                label={t('Width of the configuration panel')}
                controls="panel-left"
                orientation="vertical"
                value={sizes.left}
                min={240}
                max={480}
                grows={1}
                scale={perScale}
                onChange={(size) => setSizes({ left: size })}
                onFold={() => set('leftOpen', false)}
              />
            )}
            {split && !left && <Fold title={t('Set up')} side="left" onOpen={() => set('leftOpen', true)} />}
            {stage}
            {split && right && (
              <Splitter
                label={t('Width of the curves')}
                controls="panel-curves"
                orientation="vertical"
                value={sizes.right}
                min={280}
                max={720}
                grows={-1}
                scale={perScale}
                onChange={(size) => setSizes({ right: size })}
                onFold={() => set('rightOpen', false)}
              />
            )}
            {!right && !idle && <Fold title={t('Curves and why')} side="right" onOpen={() => set('rightOpen', true)} />}
            {turns && <Tabs key="turns" tab={side} offered={['curves', 'why']} lesson={lesson} onChange={(next) => set('tab', next)} />}
            {curves}
            {split && right && !bare && !turns && (
              <div className={styles.between}>
                <Splitter
                  label={t('Height of the curves')}
                  controls="panel-curves"
                  orientation="horizontal"
                  value={sizes.curves}
                  min={20}
                  max={80}
                  grows={1}
                  scale={() => 100 / Math.max(200, window.innerHeight - 80)}
                  onChange={(size) => setSizes({ curves: size })}
                  onFold={() => set('rightOpen', false)}
                />
              </div>
            )}
            {why}
            {table}
          </>
        )}
      </main>
    </div>
  );
}

interface PartProps {
  readonly id: string;
  readonly name: string;
  readonly className: string | undefined;
  readonly hidden: boolean;
  readonly open?: boolean;
  /** Id of the tab that shows it, on the phone. */
  readonly tab?: string | undefined;
  readonly onEscape?: (() => void) | null;
  readonly children: ReactNode;
}

/** One panel's place, its failure kept inside, its code loaded when first needed. */
function Part({ id, name, className, hidden, open, tab, onEscape = null, children }: PartProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape only, and only while the sheet is open
    <div
      id={id}
      className={className}
      {...(tab === undefined ? {} : { role: 'tabpanel', 'aria-labelledby': tab })}
      hidden={hidden}
      data-open={open}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onEscape?.();
      }}
    >
      <Boundary name={name}>
        <Suspense fallback={<div className={styles.wait} />}>{children}</Suspense>
      </Boundary>
    </div>
  );
}
