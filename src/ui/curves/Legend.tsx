/** Which line is whose, and what it reads: at the hovered step, else at its end. Also says what the band is and how far to trust it. */
import { runsStore } from '#stores/runs.ts';
import { measure } from '../format/numbers.ts';
import { Popover } from '../kit/Popover.tsx';
import { COVERAGE, ENOUGH_SEEDS, RESAMPLES } from './aggregate.ts';
import styles from './Curves.module.css';
import type { GroupCurve } from './data.ts';
import { DASHES, readAt } from './model.ts';

interface Props {
  readonly curves: readonly GroupCurve[];
  readonly x: number | null;
  readonly xText: string;
  readonly smoothing: number;
  readonly rawSeeds: boolean;
  /** Visible runs of other environments, not drawn here. */
  readonly elsewhere: number;
}

export function Legend({ curves, x, xText, smoothing, rawSeeds, elsewhere }: Props) {
  return (
    <div className={styles.legend}>
      <div className={styles.legendHead}>
        <span className="figures">{xText}</span>
        {smoothing > 0 && <span>smoothed {smoothing.toFixed(3).replace(/0+$/, '')}, raw behind</span>}
        {elsewhere > 0 && <span>{`${elsewhere} in other environments not drawn`}</span>}
        <span className={styles.space} />
        {curves.some((curve) => curve.enough) ? (
          <Popover trigger={<span className={styles.help}>interval?</span>} label="What the interval means" align="end" width={300}>
            {() => <About />}
          </Popover>
        ) : (
          curves.length > 0 && <span>no interval below {ENOUGH_SEEDS} seeds</span>
        )}
      </div>
      <ul>
        {curves.map((curve) => (
          <Row key={curve.group.id} curve={curve} x={x} rawSeeds={rawSeeds} />
        ))}
      </ul>
    </div>
  );
}

function Row({ curve, x, rawSeeds }: { readonly curve: GroupCurve; readonly x: number | null; readonly rawSeeds: boolean }) {
  const { group } = curve;
  const reading = readAt(curve, x ?? Number.POSITIVE_INFINITY);
  const interval = reading !== null && Number.isFinite(reading.low);
  return (
    <li>
      <button
        type="button"
        className={styles.legendRow}
        title={`Make ${group.name} the active run`}
        onClick={() => runsStore.getState().setActive(group.id)}
      >
        <svg width="18" height="8" aria-hidden="true" focusable="false">
          <line
            x1="0"
            x2="18"
            y1="4"
            y2="4"
            stroke={`var(--series-${group.colour % 8})`}
            strokeWidth="2"
            strokeDasharray={DASHES[group.dash % DASHES.length]!.join(' ')}
          />
        </svg>
        <span className={styles.legendName}>{group.name}</span>
        <span className={styles.legendKind}>{interval ? `IQM n=${reading.n}` : kind(curve)}</span>
        <span className={styles.legendValue}>
          {reading === null ? '–' : measure(reading.value)}
          {interval && <small>{` [${measure(reading.low)}, ${measure(reading.high)}]`}</small>}
        </span>
      </button>
      {reading !== null && (rawSeeds || (!interval && reading.seeds.length > 1)) && (
        <p className={styles.seeds}>{reading.seeds.map(({ seed, value }) => `${seed}: ${measure(value, 3)}`).join('  ')}</p>
      )}
    </li>
  );
}

function kind(curve: GroupCurve): string {
  const n = curve.seeds.length;
  if (n === 0) return 'nothing yet';
  if (curve.enough) return `${n} seeds`;
  return n === 1 ? 'one seed' : `mean of ${n}`;
}

function About() {
  const coverage = COVERAGE.map(({ seeds, percent }) => `${percent}\u202f% at ${seeds} seeds`).join(', ');
  return (
    <div className={styles.about}>
      <h3>Line and band</h3>
      <p>
        The line is the interquartile mean over seeds: the lowest and the highest quarter are left out. For five seeds that is the middle
        three.
      </p>
      <p>
        The band is a 95 % percentile interval from {RESAMPLES.toLocaleString('en')} stratified bootstrap resamples with a fixed seed. How
        often such an interval really holds the true value was measured: {coverage}. Below {ENOUGH_SEEDS} seeds no interval is drawn.
      </p>
    </div>
  );
}
