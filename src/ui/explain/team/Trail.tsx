/** How the estimates settled: values over environment steps (log scale), the band is the interval at that time. */
import type { AgentAttribution } from '#contract/explain/explain.ts';
import type { TrailPoint } from '#stores/explain.ts';
import { LineChart } from '#ui/kit/charts/Chart.tsx';
import { type ChartRow, mostPoints } from '#ui/kit/charts/types.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { thin } from '#ui/runs/population/payoffs.ts';
import { useAgentColour } from '#ui/stage/useAgentColour.ts';
import styles from './Team.module.css';

const HEIGHT = 90; // px

export function Trail({ trail, players }: { readonly trail: readonly TrailPoint[]; readonly players: AgentAttribution['players'] }) {
  const colourOf = useAgentColour();
  // the first estimates are wild, and would set the scale
  const settledAt = (trail.at(-1)?.steps ?? 0) / 64;
  const points = trail.filter(({ steps, halfWidth }) => steps >= settledAt && halfWidth.every(Number.isFinite));
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 3) return null;
  const settled = points.slice(Math.floor(points.length / 2));
  const low = Math.min(0, ...settled.flatMap(({ value, halfWidth }) => value.map((v, i) => v - 2 * halfWidth[i]!)));
  const high = Math.max(0, ...settled.flatMap(({ value, halfWidth }) => value.map((v, i) => v + 2 * halfWidth[i]!)));
  const clip = (v: number): number => Math.min(high, Math.max(low, v));
  const rows = thin(points.length, mostPoints(players.length)).map((at): ChartRow => {
    const { steps, value, halfWidth } = points[at]!;
    const row: { x: number; [key: string]: number | readonly [number, number] } = { x: steps };
    value.forEach((v, i) => {
      row[`v${i}`] = clip(v);
      row[`b${i}`] = [clip(v - halfWidth[i]!), clip(v + halfWidth[i]!)];
    });
    return row;
  });
  return (
    <figure className={styles.trail}>
      <LineChart
        label="How the estimates settled over environment steps"
        height={HEIGHT}
        rows={rows}
        series={players.map(({ agent }, i) => ({ key: `v${i}`, band: `b${i}`, colour: colourOf(agent) }))}
        x={{ domain: [first.steps, Math.max(last.steps, first.steps + 1)], log: true, size: 0 }}
        y={{ domain: [low, high > low ? high : low + 1], size: 0 }}
        rules={[{ axis: 'y', at: 0 }]}
        right={0}
      />
      <figcaption>
        <span>{compact(first.steps)} steps</span>
        <span>
          from {measure(low, 2)} to {measure(high, 2)}
        </span>
        <span>{compact(last.steps)}</span>
      </figcaption>
    </figure>
  );
}
