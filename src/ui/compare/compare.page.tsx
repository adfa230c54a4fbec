/** Many runs, one answer: groups of runs in panels, their scores in a table, and the conclusions. The view stands in the address. */
import { useDeferredValue, useEffect, useId, useMemo, useReducer, useState } from 'react';
import { useStore } from 'zustand';
import { rewritePage } from '#client/address/pages.ts';
import { MOST_CARD_ARMS } from '#contract/link/card.ts';
import { catalogStore } from '#stores/catalog.ts';
import { curvesStore } from '#stores/curves.ts';
import { hashOf, type Route } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { t } from '#text/text.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { editable, measure, parseNumber } from '#ui/kit/format/numbers.ts';
import { toast } from '#ui/kit/toasts.ts';
import { onAggregate } from '#ui/runs/curves/aggregator.ts';
import { AXES, metricsOf, PER_AGENT } from '#ui/runs/curves/data.ts';
import { usePalette } from '#ui/runs/curves/palette.ts';
import { NoRuns } from '#ui/runs/NoRuns.tsx';
import { runNames } from '#ui/runs/names.ts';
import { WhatDiffers } from '#ui/runs/WhatDiffers.tsx';
import styles from './Compare.module.css';
import { type FigureData, type FigureKind, saveFigure } from './export.ts';
import { type Grouped, groupRuns } from './grouping.ts';
import { PanelView } from './PanelView.tsx';
import { curvePanels, profilePanel } from './panels.ts';
import { ScoreTable } from './ScoreTable.tsx';
import { type Evidence, evidenceOf, scoreFacets } from './scores.ts';
import { LONGEST_NAME, queryOf, SCORES, SEEDS, type View, viewOf } from './view.ts';

const NO_FACETS: ReturnType<typeof scoreFacets> = [];

/** Panels that are drawn; more would be thumbnails. */
const MOST_PANELS = 12;

export default function ComparePage({ route }: { readonly route: Route }) {
  const groups = useStore(runsStore, (state) => state.groups);
  const known = useStore(catalogStore);
  const version = useStore(curvesStore, (state) => state.version);
  const [answers, answered] = useReducer((n: number) => n + 1, 0);
  const [x, setX] = useState<number | null>(null);
  const [profileX, setProfileX] = useState<number | null>(null);
  const palette = usePalette();
  useEffect(() => onAggregate(answered), []);
  const view = useMemo(() => viewOf(route.query), [route.query]);
  const change = (part: Partial<View>): void => rewritePage({ ...route, query: queryOf({ ...view, ...part }) });
  // Runs that go on tell news ten times a second: what is pointed at and typed comes first.
  const numbers = useDeferredValue(version);
  const latest = useDeferredValue(groups);
  // A fork shares its past with another run: it is no evidence of its own.
  const runs = useMemo(() => latest.filter(({ parent }) => parent === null), [latest]);

  const { catalog } = known;
  const grouped = useMemo(() => groupRuns(runs, view, catalog), [runs, view, catalog]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `numbers` stands for the curve tables outside React
  const metrics = useMemo(() => metricsOf(runs, catalog).filter(({ id }) => id !== PER_AGENT), [runs, catalog, numbers]);
  const metric = metrics.find(({ id }) => id === view.metric);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const facets = useMemo(() => scoreFacets(grouped, view), [grouped, view, numbers]);
  // Bootstraps take longer than the curves: the panels stand before them.
  const settled = useDeferredValue(facets, NO_FACETS);
  const evidence = useMemo(() => evidenceOf(settled, view.score, known), [settled, view.score, known]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above, and `answers` for those of the worker
  const panels = useMemo(
    () => curvePanels({ ...grouped, facets: grouped.facets.slice(0, MOST_PANELS) }, view, metric?.title ?? view.metric, known, settled),
    [grouped, view, metric, known, settled, numbers, answers],
  );
  const shares = useMemo(() => profilePanel(evidence), [evidence]);

  if (groups.length === 0) {
    return (
      <PageFrame title={t('Compare runs')} page="compare">
        <NoRuns>{t('There are no runs yet. Train some in the laboratory; each stands here beside the others.')}</NoRuns>
      </PageFrame>
    );
  }

  const { choices, copies } = grouped;
  const notes = notesOf(grouped.facets.length, choices.pooled, copies, evidence);
  const left = latest.length - runs.length;
  if (left > 0) notes.push(`${left} ${left === 1 ? 'fork is' : 'forks are'} left out: a fork shares its past with another run.`);
  const verdictLines = linesOf(evidence);
  const profiled = evidence.overall.length > 1 && evidence.shared.length > 0;
  const figure = (): FigureData => ({
    title: metric?.title ?? view.metric,
    panels: profiled ? [...panels, shares] : panels,
    legend: evidence.overall.map(({ name, colour, dash }) => ({ name, colour, dash })),
    notes: [...notes, ...verdictLines.map(({ where, text }) => `${where}: ${text}`)],
    source: JSON.stringify({
      view: hashOf(route),
      runs: shown.map(({ hash, config }) => ({ hash, config })),
    }),
  });
  const shown = [...new Set(grouped.facets.flatMap((facet) => facet.sets.flatMap((set) => set.members.map(({ group }) => group))))];
  const save = (kind: FigureKind): void => {
    const own = shown.filter(({ imported }) => imported === undefined);
    saveFigure(kind, figure(), palette, own, runNames(own, catalog, 'all')).catch((error: unknown) =>
      toast(error instanceof Error ? error.message : 'The file could not be made.', { tone: 'caution' }),
    );
  };

  return (
    <PageFrame title={t('Compare runs')} page="compare">
      <fieldset className={styles.controls}>
        <legend className="visually-hidden">{t('What is compared')}</legend>
        <Select label={t('Metric')} value={view.metric} onChange={(value) => change({ metric: value })}>
          {metrics.map(({ id, title: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <Select label={t('Against')} value={view.axis} onChange={(value) => change({ axis: viewOf({ x: value }).axis })}>
          {Object.entries(AXES).map(([id, axis]) => (
            <option key={id} value={id}>
              {axis.title}
            </option>
          ))}
        </Select>
        {(['colour', 'dash', 'facet'] as const).map((by) => (
          <Select key={by} label={WORDS[by]} value={choices[by]} onChange={(value) => change({ [by]: value })}>
            {choices.fields.map((field) => (
              <option key={field.by} value={field.by}>
                {field.title}
              </option>
            ))}
          </Select>
        ))}
        <Select label={t('Judge by')} value={view.score} onChange={(value) => change({ score: viewOf({ score: value }).score })}>
          {Object.entries(SCORES).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <NumberField label={t('At step')} value={view.at} onChange={(at) => change({ at })} />
        <NumberField label={t('Level')} value={view.level} onChange={(level) => change({ level })} />
        {choices.bothSeeds && (
          <Select label={t('Seeds')} value={view.seeds} onChange={(value) => change({ seeds: viewOf({ seeds: value }).seeds })}>
            {Object.entries(SEEDS).map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <label className={styles.control}>
          <span>{t('Filter')}</span>
          <input
            type="search"
            value={view.filter}
            placeholder={t('name, environment')}
            onChange={(event) => change({ filter: event.target.value })}
          />
        </label>
        <span className={styles.files}>
          {(['svg', 'png', 'csv'] as const).map((kind) => (
            <Button key={kind} icon="download" onClick={() => save(kind)}>
              {kind.toUpperCase()}
            </Button>
          ))}
          <Button
            icon="download"
            label="Download everything needed to reproduce this: runs, figure, commands, citation"
            onClick={() => save('bundle')}
          >
            {t('Bundle')}
          </Button>
        </span>
      </fieldset>

      <div className={styles.panels}>
        {panels.map((panel, i) => (
          <PanelView key={grouped.facets[i]?.key ?? panel.title} panel={panel} palette={palette} x={x} onX={setX} />
        ))}
        {profiled && <PanelView panel={shares} palette={palette} x={profileX} onX={setProfileX} />}
      </div>
      {grouped.facets.length > MOST_PANELS && (
        <p className={styles.note}>
          {t('{value} more panels are not drawn: filter, or choose other panels.', { value: grouped.facets.length - MOST_PANELS })}
        </p>
      )}
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}

      <section aria-labelledby="verdicts">
        <h2 id="verdicts" className={styles.heading}>
          {t('Conclusions')}
        </h2>
        <Verdicts evidence={evidence} lines={verdictLines} score={view.score} />
        <p className={styles.note}>
          <a
            href={hashOf({
              page: 'papers',
              id: 'new',
              query: {
                runs: shown
                  .map(({ id }) => id)
                  .slice(0, MOST_CARD_ARMS)
                  .join(),
              },
            })}
          >
            {t('Make a card of these runs: a question of your own, judged by the rule of the papers')}
          </a>
        </p>
      </section>

      <section aria-labelledby="scores">
        <h2 id="scores" className={styles.heading}>
          {t('Scores')}
        </h2>
        <ScoreTable facets={facets} view={view} />
      </section>

      <details className={styles.differ}>
        <summary>{t('Names of the groups')}</summary>
        <Names facets={grouped.facets} names={view.names} onNames={(names) => change({ names })} />
      </details>

      <details className={styles.differ}>
        <summary>{t('What differs between these runs')}</summary>
        <WhatDiffers groups={shown} />
      </details>
    </PageFrame>
  );
}

const WORDS = { colour: 'Colour', dash: 'Dashes', facet: 'Panels' } as const;

function notesOf(panels: number, pooled: readonly string[], copies: number, { overall, shared, scales }: Evidence): string[] {
  const notes: string[] = [];
  if (pooled.length > 0)
    notes.push(
      `Some lines pool runs that differ in ${pooled.join(', ')}: choose one of these for colour, dashes or panels to tell them apart.`,
    );
  if (copies > 0)
    notes.push(`${copies} ${copies === 1 ? 'run is a copy' : 'runs are copies'} (same config and seed) and not counted again.`);
  if (panels > 0 && overall.length > 1) {
    const drawn = scales.filter(({ task }) => shared.includes(task));
    if (drawn.length < scales.length)
      notes.push(
        drawn.length === 0
          ? 'No environment has runs of every group, so there is no performance profile.'
          : 'The performance profile is over environments in which every group has runs.',
      );
    if (drawn.length > 0)
      notes.push(
        `Normalised scores: ${drawn.map(({ task, low, high, from }) => `${task} from ${measure(low)} to ${measure(high)} (${from})`).join('; ')}.`,
      );
  }
  return notes;
}

interface VerdictLine {
  readonly where: string;
  readonly text: string;
  readonly state: string;
}

/** Of every place the sentence about all groups, where there are more than two, and one about every two. */
function linesOf({ verdicts }: Evidence): readonly VerdictLine[] {
  return verdicts.flatMap(({ title, standing: { sentence, pairs } }) => {
    const where = title === '' ? 'Environments together' : title;
    const whole = pairs.length > 1 ? [{ where, text: sentence, state: 'all' }] : [];
    return [...whole, ...pairs.map(({ text, state }) => ({ where, text, state }))];
  });
}

interface VerdictsProps {
  readonly evidence: Evidence;
  readonly lines: readonly VerdictLine[];
  readonly score: View['score'];
}

function Verdicts({ evidence, lines, score }: VerdictsProps) {
  const { measured } = evidence;
  if (measured < 2)
    return (
      <p className={styles.note}>
        {measured === 0
          ? t('No run has a {score} yet.', { score: SCORES[score] })
          : t('One group only: choose a field for colour in which the runs differ to compare groups.')}
      </p>
    );
  const left = Math.max(0, ...evidence.verdicts.map(({ standing }) => standing.left));
  return (
    <>
      <ul className={styles.verdicts}>
        {lines.map(({ where, text, state }) => (
          <li key={`${where} ${text}`} data-state={state}>
            <span>{where}</span>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <p className={styles.note}>
          {t('{left} more pairs are not shown; each is judged by itself, without a correction for their number.', { left })}
        </p>
      )}
      <p className={styles.note}>
        Two groups are compared over the environments that both have, each counting alike, on the {SCORES[score]}: how often a run of one
        beats one of the other, with its 95&nbsp;% interval from 2,000 stratified bootstrap resamples. One is called{' '}
        {score === 'reach' ? 'sooner' : 'above'} only where that interval leaves out one half and, in each of these environments, its
        interquartile mean is {score === 'reach' ? 'sooner' : 'higher'} with intervals that do not overlap.
      </p>
    </>
  );
}

interface NamesProps {
  readonly facets: Grouped['facets'];
  readonly names: View['names'];
  readonly onNames: (names: View['names']) => void;
}

/** What each group is called here, in figures, tables and sentences; empty: what it is. */
function Names({ facets, names, onNames }: NamesProps) {
  const plain = [...new Set(facets.flatMap(({ sets }) => sets.map((set) => set.plain)))];
  const give = (group: string, text: string): void => {
    const { [group]: before, ...rest } = names;
    const name = text.trim().slice(0, LONGEST_NAME);
    if (name !== (before ?? '')) onNames(name === '' || name === group ? rest : { ...rest, [group]: name });
  };
  return (
    <ul className={styles.names}>
      {plain.map((group) => (
        <li key={group}>
          <label className={styles.control}>
            <span>{group}</span>
            <input
              key={names[group] ?? ''}
              type="text"
              maxLength={LONGEST_NAME}
              defaultValue={names[group] ?? ''}
              onBlur={(event) => give(group, event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') event.currentTarget.blur();
              }}
            />
          </label>
        </li>
      ))}
    </ul>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: React.ReactNode;
}

function Select({ label, value, onChange, children }: SelectProps) {
  return (
    <label className={styles.control}>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {children}
      </select>
    </label>
  );
}

function NumberField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}) {
  const id = useId();
  const [bad, setBad] = useState(false);
  return (
    <label className={styles.control} htmlFor={id}>
      <span>{label}</span>
      <input
        key={value}
        id={id}
        type="text"
        inputMode="decimal"
        size={7}
        placeholder={t('none')}
        defaultValue={value === null ? '' : editable(value)}
        aria-invalid={bad}
        title={bad ? t('{label} must be a number such as 20k or 475, or empty.', { label }) : undefined}
        onBlur={(event) => {
          const text = event.target.value;
          const next = text.trim() === '' ? null : parseNumber(text);
          setBad(next !== null && !Number.isFinite(next));
          if (next === null || Number.isFinite(next)) onChange(next);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    </label>
  );
}
