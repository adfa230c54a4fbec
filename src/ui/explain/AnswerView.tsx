/** An answer drawn by its kind, whichever explainer gave it: bars, a matrix, lines, a tree of moves or replays, with their 95 % intervals. */
import type { CSSProperties } from 'react';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { Answer, AnswerData, Bar, Interval } from '#contract/explain/explain-api.ts';
import { spoken } from '#contract/game/seats.ts';
import { withWidth } from '#report/explain-words.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { SearchTree } from './SearchTree.tsx';
import styles from './team/Team.module.css';
import { Futures } from './what-if/Futures.tsx';

/** More bars than these are left out, the shortest first. */
const MOST_BARS = 24;
const W = 320;
const H = 110;

const widthOf = (halfWidth: number | null | undefined): number =>
  halfWidth === null || halfWidth === undefined || !Number.isFinite(halfWidth) ? 0 : halfWidth;
const inWords = ({ value, halfWidth }: Interval): string => (halfWidth === null ? measure(value, 3) : withWidth(value, halfWidth));
const colourOf = (agent: number | null, i: number): string => `var(--series-${(agent ?? i) % 8})`;

export function AnswerView({ answer, env }: { readonly answer: Answer; readonly env: EnvCard }) {
  const { title, unit, words, t, end, data } = answer;
  return (
    <div aria-live="polite">
      <p>
        <b>{title}</b>
        {unit === '' ? '' : `, ${unit}`}
        {t === null ? '' : `, frame ${t}`}
        {end === 'running' ? ': estimating' : end === 'cancelled' ? ': stopped' : ''}
      </p>
      {data.kind === 'bars' && <Bars bars={data.bars} />}
      {data.kind === 'matrix' && <Matrix title={title} data={data} />}
      {data.kind === 'series' && <Series title={title} data={data} />}
      {data.kind === 'tree' && <SearchTree moves={data.moves} />}
      {data.kind === 'replays' && <Replays data={data} env={env} />}
      {words.map((sentence) => (
        <p key={sentence} className={styles.small}>
          {sentence}
        </p>
      ))}
    </div>
  );
}

function Bars({ bars }: { readonly bars: readonly Bar[] }) {
  const longest = bars.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, MOST_BARS);
  const shown = bars.filter((bar) => longest.includes(bar));
  const low = Math.min(0, ...shown.map(({ value, halfWidth }) => value - widthOf(halfWidth)));
  const high = Math.max(0, ...shown.map(({ value, halfWidth }) => value + widthOf(halfWidth)));
  const at = (x: number): number => (100 * (x - low)) / (high - low || 1);
  const span = (from: number, to: number): CSSProperties => ({
    insetInlineStart: `${at(Math.min(from, to))}%`,
    inlineSize: `${Math.abs(at(to) - at(from))}%`,
  });
  return (
    <>
      <table className={styles.values}>
        <tbody>
          {shown.map((bar) => (
            <tr key={bar.label}>
              <th scope="row">{spoken(bar.label)}</th>
              <td className={styles.track}>
                <span className={styles.bar} style={{ ...span(0, bar.value), background: colourOf(bar.agent, 0) }} />
                {widthOf(bar.halfWidth) > 0 && (
                  <span className={styles.whisker} style={span(bar.value - widthOf(bar.halfWidth), bar.value + widthOf(bar.halfWidth))} />
                )}
                <i className={styles.zero} style={{ insetInlineStart: `${at(0)}%` }} />
              </td>
              <td className={`${styles.number} figures`}>{inWords(bar)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {bars.length > shown.length && <p className={styles.small}>{bars.length - shown.length} more, with smaller values.</p>}
    </>
  );
}

function Matrix({ title, data }: { readonly title: string; readonly data: Extract<AnswerData, { readonly kind: 'matrix' }> }) {
  const { rows, columns, values, halfWidth } = data;
  const most = Math.max(1e-9, ...values.filter(Number.isFinite).map(Math.abs));
  return (
    <table className={styles.pairs} aria-label={title}>
      <thead>
        <tr>
          <td />
          {columns.map((name) => (
            <th key={name} scope="col">
              {spoken(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={row}>
            <th scope="row">{spoken(row)}</th>
            {columns.map((column, j) => {
              const at = i * columns.length + j;
              const value = values[at]!;
              const strength = Math.round((60 * Math.abs(value)) / most);
              return (
                <td
                  key={column}
                  className="figures"
                  title={halfWidth === null ? undefined : inWords({ value, halfWidth: halfWidth[at]! })}
                  style={{ background: `color-mix(in oklab, var(--div-${value < 0 ? 'neg' : 'pos'}) ${strength}%, transparent)` }}
                >
                  {Number.isFinite(value) ? measure(value, 2) : ''}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Series({ title, data }: { readonly title: string; readonly data: Extract<AnswerData, { readonly kind: 'series' }> }) {
  const { lines, x: axis } = data;
  const points = lines.flatMap(({ x, y, halfWidth }) => x.map((at, k) => ({ at, y: y[k]!, half: widthOf(halfWidth?.[k]) })));
  const [first, last] = [Math.min(...points.map(({ at }) => at)), Math.max(...points.map(({ at }) => at))];
  const low = Math.min(0, ...points.map(({ y, half }) => y - half));
  const high = Math.max(0, ...points.map(({ y, half }) => y + half));
  const px = (x: number): string => ((W * (x - first)) / (last - first || 1)).toFixed(1);
  const py = (y: number): string => (H - (H * (y - low)) / (high - low || 1)).toFixed(1);
  return (
    <figure className={styles.trail}>
      <svg viewBox={`0 0 ${W} ${H}`} preserveAspectRatio="none" role="img" aria-label={`${title}, by ${axis}`}>
        <line x1={0} x2={W} y1={py(0)} y2={py(0)} className={styles.axis} />
        {lines.map(({ label, agent, x, y, halfWidth }, i) => {
          const edge = (sign: number): string[] => x.map((at, k) => `${px(at)},${py(y[k]! + sign * widthOf(halfWidth?.[k]))}`);
          return (
            <g key={label} style={{ color: colourOf(agent, i) }}>
              <polygon className={styles.band} points={[...edge(1), ...edge(-1).reverse()].join(' ')} />
              <polyline className={styles.line} points={x.map((at, k) => `${px(at)},${py(y[k]!)}`).join(' ')}>
                <title>{spoken(label)}</title>
              </polyline>
            </g>
          );
        })}
      </svg>
      <figcaption>
        <span>
          {axis} {first}
        </span>
        <span>
          {measure(low, 2)} to {measure(high, 2)}
        </span>
        <span>{last}</span>
      </figcaption>
      <p className={styles.small}>
        {lines.slice(0, 8).map(({ label, agent }, i) => (
          <span key={label} className={styles.laneValue}>
            <i className={styles.badge} style={{ background: colourOf(agent, i) }} /> {spoken(label)}
          </span>
        ))}
      </p>
    </figure>
  );
}

function Replays({ data, env }: { readonly data: Extract<AnswerData, { readonly kind: 'replays' }>; readonly env: EnvCard }) {
  const { sides, difference } = data;
  const [before, after] = sides;
  return (
    <>
      {before !== undefined && after !== undefined && <Futures asItWas={before.replay} changed={after.replay} env={env} />}
      <Bars
        bars={[
          ...sides.map(({ label, value, halfWidth }, agent) => ({ label, agent, value, halfWidth })),
          { label: 'difference', agent: null, ...difference },
        ]}
      />
    </>
  );
}
