/** Values of agents over training, below the learning curve and on its axis: a small line per agent with its interval. A point opens that policy. */
import { useStore } from 'zustand';
import { explain } from '#client/explain/service.ts';
import { nameOf, withWidth } from '#report/explain-words.ts';
import { explainStore } from '#stores/explain.ts';
import type { RunGroup } from '#stores/types.ts';
import { Button } from '#ui/kit/Button.tsx';
import { LineChart } from '#ui/kit/charts/Chart.tsx';
import type { ChartRow } from '#ui/kit/charts/types.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { Badge } from '#ui/stage/Badge.tsx';
import type { Axis } from './data.ts';
import { stepToAxis } from './data.ts';
import styles from './Training.module.css';
import type { PlotArea } from './uplot-chart.ts';

const H = 72;
/** px that the chart leaves free above and below its values. */
const [TOP, BOTTOM] = [6, 4];

interface Props {
  readonly group: RunGroup;
  readonly axis: Axis;
  readonly range: readonly [number, number];
  readonly area: PlotArea;
}

export function TrainingLines({ group, axis, range, area }: Props) {
  const training = useStore(explainStore, (state) => state.training);
  const about = useStore(explainStore, (state) => state.about);
  if (training === null || training.runId !== group.id || training.points.length === 0) return null;
  const [from, to] = range;
  const points = training.points
    .map(({ step, answer }) => ({ step, answer, x: stepToAxis(group, step, axis) }))
    .filter(({ x }) => Number.isFinite(x) && x >= from && x <= to);
  const { players } = training.points[0]!.answer;
  const reach = points.flatMap(({ answer }) =>
    answer.value.flatMap((v, i) => [v - wide(answer.halfWidth[i]!), v + wide(answer.halfWidth[i]!)]),
  );
  const low = Math.min(0, ...reach);
  const high = Math.max(0, ...reach);
  const left = (x: number): number => area.left + ((x - from) / (to - from || 1)) * area.width;
  const y = (v: number): number => TOP + (H - TOP - BOTTOM) * (1 - (v - low) / (high - low || 1));
  return (
    <section className={styles.training} aria-label="What each agent contributes, over training">
      <header className={styles.head}>
        <span>
          what each agent contributes, seed {training.seed}
          {training.status === 'running' ? `: ${training.points.length} of ${training.wanted} points` : ''}
        </span>
        {training.status === 'running' && (
          <Button kind="bare" icon="stop" label="Stop explaining points of training" onClick={() => explain.cancel()} />
        )}
      </header>
      <div className={styles.plot} style={{ blockSize: `${H}px` }}>
        <svg aria-hidden="true" focusable="false">
          <text x={area.left - 5} y={y(high) + 4} className={styles.tick}>
            {measure(high, 2)}
          </text>
          {low < 0 && (
            <text x={area.left - 5} y={y(low) + 4} className={styles.tick}>
              {measure(low, 2)}
            </text>
          )}
        </svg>
        <div className={styles.lines} style={{ insetInlineStart: `${area.left}px`, inlineSize: `${area.width}px` }}>
          <LineChart
            label=""
            height={H}
            rows={points.map((p): ChartRow => {
              const row: { x: number; [key: string]: number | readonly [number, number] } = { x: p.x };
              p.answer.value.forEach((v, i) => {
                row[`v${i}`] = v;
                row[`w${i}`] = [wide(p.answer.halfWidth[i]!), wide(p.answer.halfWidth[i]!)];
              });
              return row;
            })}
            series={players.map(({ agent }, i) => ({ key: `v${i}`, interval: `w${i}`, colour: `var(--series-${agent % 8})` }))}
            x={{ domain: [from, to > from ? to : from + 1], size: 0 }}
            y={{ domain: [low, high > low ? high : low + 1], size: 0 }}
            rules={[{ axis: 'y', at: 0 }]}
            right={0}
          />
        </div>
        {points.map((p, k) => {
          const [start, end] = reachOf(points, k, left);
          const words = players.map((player, i) => `${nameOf(player)} ${withWidth(p.answer.value[i]!, p.answer.halfWidth[i]!)}`).join(', ');
          return (
            <button
              key={p.step}
              type="button"
              className={styles.column}
              style={{ insetInlineStart: `${start}px`, inlineSize: `${end - start}px` }}
              aria-pressed={about === `seed ${training.seed} at step ${p.step}`}
              aria-label={`Step ${compact(p.step)}: ${words}. Watch this policy.`}
              title={`Step ${compact(p.step)}: ${words}`}
              onClick={() => void explain.openPoint(p.step)}
            />
          );
        })}
      </div>
      <p className={styles.keys}>
        {players.map((player) => (
          <span key={player.agent}>
            <Badge agent={player.agent} />
            {nameOf(player)}
          </span>
        ))}
      </p>
    </section>
  );
}

/** Where a point is hit: as far as half-way to its neighbours, so that none lies over another, and at most ten pixels each way. */
function reachOf(points: readonly { readonly x: number }[], k: number, left: (x: number) => number): readonly [number, number] {
  const at = left(points[k]!.x);
  const before = k > 0 ? (at - left(points[k - 1]!.x)) / 2 : 10;
  const after = k < points.length - 1 ? (left(points[k + 1]!.x) - at) / 2 : 10;
  return [at - Math.min(10, before), at + Math.min(10, after)];
}

const wide = (halfWidth: number): number => (Number.isFinite(halfWidth) ? halfWidth : 0);
