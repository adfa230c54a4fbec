/** How the estimates settled: values over environment steps (log scale), the band is the interval at that time. */
import type { AgentAttribution } from '#contract/explain.ts';
import type { TrailPoint } from '#stores/explain.ts';
import { compact, measure } from '../format/numbers.ts';
import styles from './Team.module.css';

const W = 320;
const H = 90;

export function Trail({ trail, players }: { readonly trail: readonly TrailPoint[]; readonly players: AgentAttribution['players'] }) {
  // the first estimates are wild, and would set the scale
  const settledAt = (trail.at(-1)?.steps ?? 0) / 64;
  const points = trail.filter(({ steps, halfWidth }) => steps >= settledAt && halfWidth.every(Number.isFinite));
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 3) return null;
  const settled = points.slice(Math.floor(points.length / 2));
  const low = Math.min(0, ...settled.flatMap(({ value, halfWidth }) => value.map((v, i) => v - 2 * halfWidth[i]!)));
  const high = Math.max(0, ...settled.flatMap(({ value, halfWidth }) => value.map((v, i) => v + 2 * halfWidth[i]!)));
  const width = Math.log(last.steps / first.steps) || 1;
  const x = (steps: number): number => (W * Math.log(steps / first.steps)) / width;
  const y = (v: number): number => H - (H * (Math.min(high, Math.max(low, v)) - low)) / (high - low || 1);
  const path = (of: (point: TrailPoint) => number): string =>
    points.map((point) => `${x(point.steps).toFixed(1)},${y(of(point)).toFixed(1)}`).join(' ');
  const band = (i: number): string => {
    const upper = points.map((p) => `${x(p.steps).toFixed(1)},${y(p.value[i]! + p.halfWidth[i]!).toFixed(1)}`);
    const lower = points.map((p) => `${x(p.steps).toFixed(1)},${y(p.value[i]! - p.halfWidth[i]!).toFixed(1)}`).reverse();
    return [...upper, ...lower].join(' ');
  };
  return (
    <figure className={styles.trail}>
      <svg viewBox={`0 0 ${W} ${H}`} preserveAspectRatio="none" role="img" aria-label="How the estimates settled over environment steps">
        <line x1={0} x2={W} y1={y(0)} y2={y(0)} className={styles.axis} />
        {players.map(({ agent }, i) => (
          <g key={agent} style={{ color: `var(--series-${agent % 8})` }}>
            <polygon points={band(i)} className={styles.band} />
            <polyline points={path(({ value }) => value[i]!)} className={styles.line} />
          </g>
        ))}
      </svg>
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
