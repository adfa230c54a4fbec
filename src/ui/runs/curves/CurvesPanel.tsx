/**
 * Curves of the visible runs: one big chart of a chosen metric, small ones of the others. Groups are aggregated on their own, so
 * hiding one never changes another. Redraws when new numbers come, at most ten times a second.
 */
import { useEffect, useMemo, useReducer, useState } from 'react';
import { useStore } from 'zustand';
import { newestPolicy } from '#client/runs/policies.ts';
import { stage } from '#client/stage/service.ts';
import { canLearn } from '#contract/catalog/learnable.ts';
import { catalogStore } from '#stores/catalog.ts';
import { curvesStore } from '#stores/curves.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { hashOf, inLesson, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { strengthStore, strengths } from '#stores/strength.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { termOfMetric } from '#ui/glossary/ids.ts';
import { Term } from '#ui/glossary/Term.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { langOf, titleOf } from '#ui/kit/format/fact.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { phaseOf } from '#ui/kit/progress.ts';
import { inWorld, runsHere } from '../here.ts';
import { runNames } from '../names.ts';
import { onAggregate } from './aggregator.ts';
import { ChartView } from './ChartView.tsx';
import styles from './Curves.module.css';
import { CurveTable } from './CurveTable.tsx';
import {
  type Axis,
  axisOf,
  axisToStep,
  BESIDE,
  boundLines,
  curvesBeside,
  curvesOf,
  type GroupCurve,
  metricsOf,
  PER_AGENT,
  STRENGTH,
  sharedReferences,
  startLines,
  stepToAxis,
  strengthHere,
} from './data.ts';
import { EventLane } from './EventLane.tsx';
import { useExpected } from './expected.ts';
import { Findings } from './Findings.tsx';
import { Legend } from './Legend.tsx';
import { buildModel, type ChartMark, type ChartModel, endOf, readAt } from './model.ts';
import { ExportMenu, Options } from './Options.tsx';
import { usePalette } from './palette.ts';
import { Remembered } from './Remembered.tsx';
import { SmallChart } from './SmallChart.tsx';
import { TrainingLines } from './TrainingLines.tsx';
import type { PlotArea } from './uplot-chart.ts';

const LIMIT = 2000; // points of an aggregate
const MOST_MARKS = 400;

export function CurvesPanel() {
  const groups = useStore(runsStore, (state) => state.groups);
  const activeId = useStore(runsStore, (state) => state.activeId);
  const teach = useStore(layoutStore, (state) => state.depth === 'teach');
  const allCurves = useStore(layoutStore, (state) => state.lesson?.allCurves === true);
  const known = useStore(catalogStore);
  const { catalog } = known;
  const tests = useStore(strengthStore, (state) => state.version);
  const { version, metric: wanted, xAxis, smoothing, rawSeeds, hoverStep, setMetric, setHover } = useStore(curvesStore);
  const [answers, answered] = useReducer((n: number) => n + 1, 0);
  const [view, setView] = useState<readonly [number, number] | null>(null);
  const [area, setArea] = useState<PlotArea>({ left: 44, width: 0 });
  const [table, setTable] = useState(false);
  const palette = usePalette();
  useEffect(() => onAggregate(answered), []);

  const lessonId = useStore(routeStore, (state) => (inLesson(state) ? (state.route?.id ?? null) : null));
  const here = useMemo(() => runsHere(groups, activeId, lessonId), [groups, activeId, lessonId]);
  const draftEnv = useStore(draftStore, (state) => state.config.env.id);
  const env = catalog?.envs.find(({ id }) => id === draftEnv);
  const { alike, visible, elsewhere } = useMemo(() => inWorld(here, activeId, draftEnv, lessonId), [here, activeId, draftEnv, lessonId]);
  const envId = alike[0]?.config.env.id;
  const numbers = version + answers + tests;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `numbers` stands for the curve tables outside React
  const metrics = useMemo(() => metricsOf(visible, catalog), [visible, catalog, numbers]);
  // Where something is held to a bound there is a second curve to look at, at every depth.
  const onlyLab =
    allCurves || metrics.some(({ bounds = [] }) => bounds.some((id) => metrics.some((one) => one.id === id))) ? undefined : 'lab';
  // A single visible run is still named by how it differs from hidden ones.
  const names = runNames(visible.length > 1 ? visible : alike, catalog, 'all');
  const metric = metrics.find((m) => m.id === wanted) ?? metrics[0];
  const axis = axisOf(
    xAxis,
    catalog?.envs.find(({ id }) => id === envId),
  );
  const strength = metric?.id === STRENGTH ? strengthHere(visible) : null;
  const expected = useExpected(visible.find((group) => group.id === activeId) ?? visible[0], metric?.id, strength);

  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const model = useMemo<ChartModel | null>(() => {
    if (metric === undefined) return null;
    const curves = [
      ...curvesOf(visible, activeId, metric.id, xAxis, LIMIT, names),
      ...curvesBeside(visible, metric.id, xAxis, LIMIT, names),
    ];
    return buildModel(curves, {
      title: metric.title,
      xTitle: axis.title,
      smoothing,
      rawSeeds,
      references: [
        ...sharedReferences(visible, metric.id, known),
        ...boundLines(visible, metric, metrics),
        ...startLines(visible.find((group) => group.id === activeId) ?? visible[0], metric, metrics),
      ],
      expected,
      marks: marksOf(visible, names, xAxis),
      plain: teach,
      fromStart: metric.id === STRENGTH,
    });
  }, [teach, visible, names, activeId, metric, xAxis, axis, smoothing, rawSeeds, known, expected, numbers]);

  // Another axis has other numbers: the old range means nothing there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the axis is what it resets on
  useEffect(() => setView(null), [xAxis]);

  // Tests are awaited where something has been learned already: what is scored meanwhile stands below.
  const awaited = metric?.id === STRENGTH && metrics.length > 1;
  if (model === null || metric === undefined || (model.groups.length === 0 && !awaited)) {
    return (
      <section className={styles.panel} aria-labelledby="curves-title">
        <header className={styles.head}>
          <h2 id="curves-title">{t('Curves')}</h2>
        </header>
        <Findings />
        <p className={styles.empty}>
          {alike.length > 0 && visible.length === 0
            ? t('Every run is hidden. Show one with the eye in the table of runs.')
            : env !== undefined && !canLearn(env)
              ? t('Nothing is learned here, so there is no curve.')
              : lessonId !== null
                ? t('The runs of this lesson draw their lines here. The higher a line climbs, the better.')
                : teach
                  ? t('Press Train: every learner draws a line here. The higher it climbs, the better it does.')
                  : t(
                      'Press Train: each seed draws a line here while it learns. From five seeds on the page draws their interquartile mean with a 95 % interval.',
                    )}
        </p>
        {elsewhere > 0 && (
          <p className={styles.empty}>
            <a href={hashOf({ page: 'compare', id: null, query: {} })}>{t('{n} in other environments: compare', { n: elsewhere })}</a>
          </p>
        )}
      </section>
    );
  }

  const main = visible.find((group) => group.id === activeId) ?? visible[0]!;
  const hoverX = hoverStep === null ? null : finite(stepToAxis(main, hoverStep, xAxis));
  const range = view ?? model.extent;
  const summary = summarise(model, axis.title);
  const others = metrics.filter((m) => m.id !== metric.id && m.id !== BESIDE[metric.id]);
  const own = model.groups.filter(({ look }) => look.beside !== true);
  const second = metric.id === STRENGTH ? others.find(({ id }) => id === 'episodicReturn') : undefined;
  const problem = metric.id === STRENGTH ? strengths.problem(main.id) : null;
  const term = termOfMetric(metric.id);

  const hover = (x: number | null): void => setHover(x === null ? null : finite(axisToStep(main, x, xAxis)));
  const pick = (x: number): void => {
    const step = axisToStep(main, x, xAxis);
    const seed = main.seeds.find((s) => newestPolicy(main.id, s.seed) !== null)?.seed;
    if (seed !== undefined && Number.isFinite(step)) void stage.watch(main.id, seed, Math.round(step));
  };

  const smallOf = (m: (typeof metrics)[number]) => (
    <SmallChart
      key={m.id}
      metric={m}
      groups={visible}
      activeId={main.id}
      axis={xAxis}
      smoothing={smoothing}
      view={view}
      hoverX={hoverX}
      palette={palette}
      version={numbers}
      onChoose={setMetric}
    />
  );

  return (
    <section className={styles.panel} aria-labelledby="curves-title">
      <header className={styles.head}>
        <h2 id="curves-title" className="visually-hidden">
          {t('Curves')}
        </h2>
        <select
          className={styles.metric}
          data-from={onlyLab}
          aria-label={t('Metric')}
          title={titleOf(metric.description)}
          value={metric.id}
          onChange={(event) => setMetric(event.target.value)}
        >
          {metrics.map((m) => (
            <option key={m.id} value={m.id} lang={langOf(m.title)}>
              {t(m.title)}
            </option>
          ))}
        </select>
        {onlyLab !== undefined && (
          <b data-only="teach">{metric.id === 'episodicReturn' ? t('reward per episode while it learns') : t(metric.title)}</b>
        )}
        {metric.unit !== undefined && <span className={styles.unit}>{t(metric.unit)}</span>}
        {term !== null && (
          <span data-from="lab">
            <Term id={term} label={t(metric.title)} />
          </span>
        )}
        <span className={styles.space} />
        {/* Its place is kept: putting it in with every zoom costs as much as drawing the curves. */}
        <span className={styles.whole} data-idle={view === null ? '' : undefined}>
          <Button kind="bare" icon="expand" label={t('Whole run')} disabled={view === null} onClick={() => setView(null)} />
        </span>
        <span className={styles.tools} data-from="lab">
          <Options table={table} onTable={setTable} />
          <ExportMenu groups={visible} names={names} model={model} view={view} palette={palette} />
        </span>
      </header>
      <div className={styles.body}>
        <Findings />
        <Legend
          curves={model.groups}
          metric={metric.id}
          x={hoverX}
          xText={
            hoverX === null ? endInWords(own, metric.id, t(axis.unit)) : t('at {n} {unit}', { n: compact(hoverX, 4), unit: t(axis.unit) })
          }
          smoothing={smoothing}
          rawSeeds={rawSeeds}
          elsewhere={elsewhere}
          only={metric.id === PER_AGENT && visible.length > 1 ? (names.get(main.id) ?? main.name) : null}
        />
        <figure className={styles.figure}>
          <figcaption className="visually-hidden">{summary}</figcaption>
          {model.groups.length === 0 ? (
            <p className={styles.empty}>{problem ?? t('What it has learned is tested beside the training.')}</p>
          ) : table ? (
            <CurveTable model={model} view={view} />
          ) : (
            <>
              <ChartView
                model={model}
                view={view}
                palette={palette}
                hoverX={hoverX}
                summary={summary}
                onHover={hover}
                onView={setView}
                onPick={pick}
                onArea={(next) => setArea((now) => (now.left === next.left && now.width === next.width ? now : next))}
              />
              <EventLane marks={model.marks} range={range} area={area} series={palette.series} />
            </>
          )}
        </figure>
        {problem !== null && model.groups.length > 0 && (
          <p className={styles.empty}>{t('No further tests of what it has learned: {why}', { why: problem })}</p>
        )}
        {second !== undefined && <div className={styles.second}>{smallOf(second)}</div>}
        <Remembered group={main} />
        {!table && <TrainingLines group={main} axis={xAxis} range={range} area={area} />}
        {others.length > 0 && (
          <div className={styles.smalls} data-from={onlyLab}>
            {others.filter((m) => m !== second).map(smallOf)}
          </div>
        )}
      </div>
    </section>
  );
}

/** Where the numbers of the legend stand: at the end of every seed, as far as every seed has come, or at the newest value of each that has more than its start. */
function endInWords(groups: readonly GroupCurve[], metric: string, unit: string): string {
  const ends = new Set(groups.map(endOf));
  const [end] = ends;
  const over = groups.every(({ group }) => phaseOf(group) === 'done' && (metric !== STRENGTH || strengths.reached(group.id, group.seeds)));
  if (end === undefined || end === null || ends.size > 1)
    return over ? t('at the end of every seed') : t('newest value of the seeds trained so far');
  const values = { n: compact(end), unit };
  return over ? t('at the end of every seed, {n} {unit}', values) : t('as far as every seed has come, {n} {unit}', values);
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function marksOf(groups: readonly RunGroup[], names: ReadonlyMap<string, string>, axis: Axis): ChartMark[] {
  const marks: ChartMark[] = [];
  for (const group of groups) {
    for (const { marks: own } of group.seeds) {
      for (const mark of own) {
        const x = stepToAxis(group, mark.step, axis);
        if (Number.isFinite(x))
          marks.push({ x, type: mark.type, text: mark.text, group: names.get(group.id) ?? group.name, colour: group.colour });
      }
    }
  }
  return marks.sort((a, b) => a.x - b.x).slice(-MOST_MARKS);
}

/** The chart in a sentence per group. */
function summarise(model: ChartModel, axisTitle: string): string {
  const parts = model.groups.map((curve) => {
    const r = readAt(curve, Number.POSITIVE_INFINITY);
    if (r === null) return '';
    const said = { name: curve.look.name, value: measure(r.value), n: r.n, low: measure(r.low), high: measure(r.high) };
    if (Number.isFinite(r.low) && r.n > 1)
      return t('{name}: {value} (interquartile mean of {n} seeds, 95 % interval {low} to {high}).', said);
    if (Number.isFinite(r.low)) return t('{name}: {value} (one seed, 95 % interval of its tests {low} to {high}).', said);
    return r.n === 1 ? t('{name}: {value} (one seed).', said) : t('{name}: {value} (mean of {n} seeds, no interval).', said);
  });
  const chart = t('{title} against {axis}, up to {end}.', { title: t(model.title), axis: t(axisTitle), end: compact(model.extent[1]) });
  return `${chart} ${parts.join(' ')}`;
}
