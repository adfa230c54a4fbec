/** The numbers of this state along the episode, as far as it has been looked at. The chart library comes only when there is something to draw. */
import { useEffect, useState } from 'react';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { LineChart } from '#ui/kit/charts/Chart.tsx';
import { type ChartRow, mostPoints } from '#ui/kit/charts/types.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { lasting, useLasting } from '#ui/stage/lasting.ts';
import { momentsAround } from './history.ts';
import styles from './Why.module.css';

const MOST_LINES = 5;
const LEAST_POINTS = 4;
/** One drawing costs some 10 ms of the main thread, which curves and scene share while runs train. */
const EVERY_MS = 1000;
const HEIGHT = 112; // px
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '1 4'] as const;

type Kind = 'probability' | 'value';

const choices = lasting<{ readonly kind: Kind }>({ kind: 'probability' });

export function Along({ world, labels }: { readonly world: string; readonly labels: readonly string[] }) {
  const [drawn, setDrawn] = useState(() => stageStore.getState().t);
  const [{ kind }, choose] = useLasting(choices, world);
  // The chart follows the episode at its own, slower pace.
  useEffect(() => {
    const timer = setInterval(() => setDrawn(stageStore.getState().t), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const moments = momentsAround(drawn, mostPoints(MOST_LINES));
  if (moments.length < LEAST_POINTS) return null;
  const hasProbs = moments.some((m) => m.probs !== null);
  const hasValue = moments.some((m) => m.value !== null);
  const shown: Kind = kind === 'probability' && !hasProbs ? 'value' : kind === 'value' && !hasValue ? 'probability' : kind;
  if (shown === 'value' && !hasValue) return null;
  const actions = mostUsed(moments, labels.length);
  const series =
    shown === 'value'
      ? [{ key: 'value', colour: 'var(--accent)', dash: '', width: 2 }]
      : actions.map((a, i) => ({ key: `a${a}`, colour: `var(--series-${i % 8})`, dash: DASHES[i % DASHES.length]!, width: 1.25 }));
  const rows = moments.map((m): ChartRow => {
    const row: { x: number; [key: string]: number } = { x: m.t };
    if (shown === 'value') row.value = m.value ?? Number.NaN;
    else for (const a of actions) row[`a${a}`] = m.probs?.[a] ?? Number.NaN;
    return row;
  });
  const first = rows[0]!;
  const last = rows[rows.length - 1]!;
  const caption =
    shown === 'value'
      ? t('Value along the episode: from {from} at frame {first} to {to} at frame {last}.', {
          from: measure(Number(first.value)),
          first: first.x,
          to: measure(Number(last.value)),
          last: last.x,
        })
      : t('Probabilities along the episode, frames {first} to {last}: {actions}.', {
          first: first.x,
          last: last.x,
          actions: actions.map((a) => t(labels[a] ?? String(a))).join(', '),
        });
  return (
    <figure className={styles.along}>
      <div className={styles.alongHead}>
        <h3>{t('Along the episode')}</h3>
        {hasProbs && hasValue && (
          <select
            value={shown}
            aria-label={t('Shown along the episode')}
            onChange={(event) => choose({ kind: event.target.value as Kind })}
          >
            <option value="probability">{t('probabilities')}</option>
            <option value="value">{t('value')}</option>
          </select>
        )}
      </div>
      <figcaption className="visually-hidden">{caption}</figcaption>
      <LineChart
        label=""
        height={HEIGHT}
        rows={rows}
        series={series}
        x={{ domain: 'data', size: 20 }}
        y={{ domain: shown === 'probability' ? [0, 1] : 'round', tickCount: 3, format: (v) => measure(v, 3), size: 38 }}
        rules={[{ axis: 'x', at: drawn }]}
        grid
      />
      {shown === 'probability' && (
        <p className={styles.keys}>
          {actions.map((a, i) => (
            <span key={a}>
              <svg width="16" height="6" aria-hidden="true" focusable="false">
                <line
                  x1="0"
                  x2="16"
                  y1="3"
                  y2="3"
                  stroke={`var(--series-${i % 8})`}
                  strokeWidth="2"
                  strokeDasharray={DASHES[i % DASHES.length]}
                />
              </svg>
              {t(labels[a] ?? String(a))}
            </span>
          ))}
        </p>
      )}
    </figure>
  );
}

/** The actions with the greatest mean probability, in their own order. */
function mostUsed(moments: ReturnType<typeof momentsAround>, n: number): readonly number[] {
  const mass = new Float64Array(n);
  for (const { probs } of moments) for (let a = 0; a < n; a++) mass[a] = mass[a]! + (probs?.[a] ?? 0);
  return Array.from(mass, (_, a) => a)
    .sort((a, b) => mass[b]! - mass[a]!)
    .slice(0, MOST_LINES)
    .sort((a, b) => a - b);
}
