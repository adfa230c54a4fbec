/** Which line is whose, and what it reads: at the hovered step, else at its end. Also says what the band is and how far to trust it. */
import { useStore } from 'zustand';
import { COVERAGE, RESAMPLES, SEEDS_FOR_INTERVAL } from '#math/seeds.ts';
import { catalogStore } from '#stores/catalog.ts';
import { layoutStore } from '#stores/layout.ts';
import { hashOf, inLesson, routeStore } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { shapeAt } from '#ui/kit/charts/shapes.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { GREEDY_TEST } from '#ui/kit/format/returns.ts';
import { Popover } from '#ui/kit/Popover.tsx';
import { editsNote } from '../edit-words.ts';
import { greedyTells, outcomeOf } from '../rows.ts';
import styles from './Curves.module.css';
import type { GroupCurve, Look } from './data.ts';
import { DASHES, readAt } from './model.ts';

interface Props {
  readonly curves: readonly GroupCurve[];
  /** Id of what the curves measure. */
  readonly metric: string;
  readonly x: number | null;
  readonly xText: string;
  readonly smoothing: number;
  readonly rawSeeds: boolean;
  /** Visible runs of other environments, not drawn here. */
  readonly elsewhere: number;
  /** The one run that is drawn, where others could be meant; null: unambiguous. */
  readonly only: string | null;
}

export function Legend({ curves, metric, x, xText, smoothing, rawSeeds, elsewhere, only }: Props) {
  const simple = useStore(layoutStore, ({ depth }) => depth === 'teach');
  const read = curves.flatMap((curve) => readAt(curve, x ?? Number.POSITIVE_INFINITY) ?? []);
  const whiskers = simple ? scaleOf(read) : null;
  return (
    <div className={styles.legend} data-simple={simple}>
      <div className={styles.legendHead}>
        <span className="figures">{xText}</span>
        {smoothing > 0 && <span>{t('smoothed {value}, raw behind', { value: smoothing.toFixed(3).replace(/0+$/, '') })}</span>}
        {elsewhere > 0 && (
          <a href={hashOf({ page: 'compare', id: null, query: {} })}>{t('{n} in other environments: compare', { n: elsewhere })}</a>
        )}
        {only !== null && <span>{`of ${only}`}</span>}
        <span className={styles.space} />
        {simple ? null : curves.some((curve) => curve.enough) ? (
          <Popover
            trigger={<span className={styles.help}>{t('interval?')}</span>}
            label={t('What the interval means')}
            align="end"
            width={300}
          >
            {() => <About />}
          </Popover>
        ) : (
          curves.length > 0 && <span>{t('no interval below {n} seeds', { n: SEEDS_FOR_INTERVAL })}</span>
        )}
      </div>
      <ul data-agents={curves.some((curve) => curve.look.shape !== null)}>
        {curves.map((curve) => (
          <Row key={curve.look.id} curve={curve} x={x} rawSeeds={rawSeeds} metric={metric} simple={simple} whiskers={whiskers} />
        ))}
      </ul>
    </div>
  );
}

interface RowProps {
  readonly curve: GroupCurve;
  readonly x: number | null;
  readonly rawSeeds: boolean;
  readonly metric: string;
  /** Name, colour, one number and a whisker. */
  readonly simple: boolean;
  readonly whiskers: readonly [number, number] | null;
}

/** The range that the whiskers of all rows share; null: no row has an interval. */
function scaleOf(
  read: readonly { readonly value: number; readonly low: number; readonly high: number }[],
): readonly [number, number] | null {
  const with_ = read.filter(({ low, high }) => Number.isFinite(low) && Number.isFinite(high));
  if (with_.length === 0) return null;
  const low = Math.min(...read.map(({ value, low }) => (Number.isFinite(low) ? low : value)));
  const high = Math.max(...read.map(({ value, high }) => (Number.isFinite(high) ? high : value)));
  return high > low ? [low, high] : null;
}

const WHISKER = 44; // px

/** How far the learners lie apart: the interval as a line, the value as a dot, on one scale for all rows. */
function Whisker({ at, scale }: { readonly at: NonNullable<ReturnType<typeof readAt>>; readonly scale: readonly [number, number] }) {
  const x = (value: number): number => 4 + ((WHISKER - 8) * (value - scale[0])) / (scale[1] - scale[0]);
  const ends = { low: measure(at.low), high: measure(at.high) };
  const words =
    at.episodes === undefined
      ? t('Interval of {n} learners: {low} to {high}', { n: at.n, ...ends })
      : t('Interval of {n} test episodes: {low} to {high}', { n: at.episodes, ...ends });
  return (
    <svg width={WHISKER} height="12" role="img" aria-label={words} className={styles.whisker}>
      <title>{words}</title>
      <path d={`M${x(at.low)} 3V9M${x(at.low)} 6H${x(at.high)}M${x(at.high)} 3V9`} />
      <circle cx={x(at.value)} cy="6" r="3" />
    </svg>
  );
}

function Row({ curve, x, rawSeeds, metric, simple, whiskers }: RowProps) {
  const { group, look } = curve;
  const reading = readAt(curve, x ?? Number.POSITIVE_INFINITY);
  const interval = reading !== null && Number.isFinite(reading.low);
  const line = (
    <>
      <Sample look={look} />
      <span className={styles.legendName}>{look.name}</span>
      <span className={styles.legendKind}>
        {simple ? '' : interval && reading.episodes === undefined ? t('IQM n={n}', { n: reading.n }) : kind(curve, reading?.episodes)}
      </span>
      {simple && interval && whiskers !== null && <Whisker at={reading} scale={whiskers} />}
      <span className={styles.legendValue}>
        {reading === null ? '–' : measure(reading.value, simple ? 3 : undefined)}
        {interval && !simple && <small>{` [${measure(reading.low)}, ${measure(reading.high)}]`}</small>}
      </span>
    </>
  );
  return (
    <li>
      {look.shape === null ? (
        <button
          type="button"
          className={styles.legendRow}
          title={t('Make {name} the active run', { name: look.name })}
          onClick={() => runsStore.getState().setActive(group.id)}
        >
          {line}
        </button>
      ) : (
        <div className={styles.legendRow}>{line}</div>
      )}
      {metric === 'episodicReturn' && !simple && look.beside !== true && <Headline group={group} />}
      {look.beside !== true && <Edits group={group} simple={simple} />}
      {reading !== null && !simple && (rawSeeds || (!interval && reading.seeds.length > 1)) && (
        <p className={styles.seeds}>{reading.seeds.map(({ seed, value }) => `${seed}: ${measure(value, 3)}`).join('  ')}</p>
      )}
    </li>
  );
}

/** The curve is what was scored while exploring: the number of the table stands beside it, under its own name. */
function Headline({ group }: { readonly group: RunGroup }) {
  const { iqm, ci } = outcomeOf(group);
  if (iqm === null || !greedyTells(group)) return null;
  return (
    <p className={styles.headline}>
      {t(GREEDY_TEST)} <b>{measure(iqm)}</b>
      {ci !== null && ` [${measure(ci[0])}, ${measure(ci[1])}]`}
    </p>
  );
}

/** Which seeds had live edits, and from where; at the simple depth the sentence below the scene says so. */
function Edits({ group, simple }: { readonly group: RunGroup; readonly simple: boolean }) {
  const note = editsNote(group, useStore(catalogStore).catalog);
  const lesson = useStore(routeStore, inLesson);
  return note === '' || (simple && !lesson) ? null : <p className={styles.edits}>{note}</p>;
}

/** A piece of the line as it is drawn. */
function Sample({ look }: { readonly look: Look }) {
  const colour = `var(--series-${look.colour % 8})`;
  return (
    <svg width="18" height="10" aria-hidden="true" focusable="false">
      <line x1="0" x2="18" y1="5" y2="5" stroke={colour} strokeWidth="2" strokeDasharray={DASHES[look.dash % DASHES.length]!.join(' ')} />
      {look.shape !== null && <polygon points={shapeAt(look.shape, 9, 5, 4).join(' ')} fill={colour} />}
    </svg>
  );
}

function kind(curve: GroupCurve, episodes?: number): string {
  const n = curve.seeds.length;
  if (episodes !== undefined) return t('one seed, test of {n} episodes', { n: episodes });
  if (n === 0) return t('nothing yet');
  if (curve.enough) return t('{n} seeds', { n });
  return n === 1 ? t('one seed') : t('mean of {n}', { n });
}

function About() {
  const [five, ten] = COVERAGE;
  return (
    <div className={styles.about}>
      <h3>{t('Line and band')}</h3>
      <p>
        {t(
          'The line is the interquartile mean over seeds: the lowest and the highest quarter are left out. For five seeds that is the middle three.',
        )}
      </p>
      <p>
        {t(
          'The band is a 95 % percentile interval from {value} stratified bootstrap resamples with a fixed seed. Below {SEEDS_FOR_INTERVAL} seeds no interval is drawn.',
          { value: RESAMPLES.toLocaleString('en'), SEEDS_FOR_INTERVAL },
        )}
      </p>
      <p>
        {t(
          'How often such an interval holds the true value was measured. Of normal scores: {normal} % at {few} seeds, {normalMore} % at {more}. Where some seeds fail: {low} to {high} % at {few}, {lowMore} to {highMore} % at {more}.',
          {
            normal: five.normal,
            few: five.seeds,
            normalMore: ten.normal,
            more: ten.seeds,
            low: five.failing[0],
            high: five.failing[1],
            lowMore: ten.failing[0],
            highMore: ten.failing[1],
          },
        )}
      </p>
    </div>
  );
}
