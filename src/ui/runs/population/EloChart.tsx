/** Ratings over training, a line for each member: its role's colour, its name at the end where there is room. */
import { useRef, useState } from 'react';
import type { PopulationMember } from '#contract/game/population.ts';
import { ticksIn } from '#report/ticks.ts';
import type { Ratings } from '#stores/populations.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { useSize } from '#ui/kit/useSize.ts';
import styles from './Population.module.css';

interface Props {
  readonly members: readonly PopulationMember[];
  readonly ratings: readonly Ratings[];
  readonly roles: readonly string[];
}

const [LEFT, RIGHT, TOP, BOTTOM] = [40, 84, 8, 22];

export function EloChart({ members, ratings, roles }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [width, height] = useSize(host);
  const [lit, setLit] = useState<string | null>(null);
  const lines = members.map((member) => {
    const points = ratings.flatMap(({ step, elo }) => {
      const rating = elo.get(member.id);
      return rating === undefined ? [] : [[step, rating] as const];
    });
    return { member, points, last: points.at(-1) };
  });
  const values = lines.flatMap(({ points }) => points.map(([, y]) => y));
  const steps = ratings.map(({ step }) => step);
  const [x0, x1] = [0, Math.max(1, ...steps)];
  const [low, high] = [Math.min(-20, ...values), Math.max(20, ...values)];
  const air = (high - low) * 0.06;
  const px = (x: number): number => LEFT + ((x - x0) / (x1 - x0)) * Math.max(10, width - LEFT - RIGHT);
  const py = (y: number): number => TOP + (1 - (y - low + air) / (high - low + 2 * air)) * Math.max(10, height - TOP - BOTTOM);
  const best = lines
    .flatMap(({ member, last }) => (last === undefined ? [] : [{ member, rating: last[1] }]))
    .sort((a, b) => b.rating - a.rating);
  const leader = best[0];
  const summary =
    leader === undefined
      ? 'No ratings yet.'
      : `Ratings of ${best.length} members; the best is ${leader.member.id} with ${measure(leader.rating, 4)}.`;
  return (
    <div ref={host} className={styles.chart}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={summary}>
          {ticksIn(low - air, high + air, Math.max(2, Math.floor(height / 40))).map((y) => (
            <g key={y}>
              <line className={styles.grid} data-zero={y === 0} x1={LEFT} x2={width - RIGHT} y1={py(y)} y2={py(y)} />
              <text className={styles.tick} x={LEFT - 6} y={py(y) + 4} textAnchor="end">
                {measure(y, 4)}
              </text>
            </g>
          ))}
          {ticksIn(x0, x1, Math.max(2, Math.floor((width - LEFT - RIGHT) / 60))).map((x) => (
            <text key={x} className={styles.tick} x={px(x)} y={height - 5} textAnchor="middle">
              {compact(x)}
            </text>
          ))}
          {lines.map(({ member, points, last }) => (
            <g
              key={member.id}
              className={styles.rating}
              data-lit={lit === member.id}
              data-dim={lit !== null && lit !== member.id}
              stroke={`var(--series-${Math.max(0, roles.indexOf(member.role)) % 8})`}
            >
              <polyline
                points={points.map(([x, y]) => `${px(x)},${py(y)}`).join(' ')}
                strokeDasharray={member.held ? '2 3' : member.learning ? undefined : '6 3'}
              />
              {last !== undefined && <circle cx={px(last[0])} cy={py(last[1])} r={member.learning ? 3.5 : 2} />}
              <polyline
                className={styles.grab}
                points={points.map(([x, y]) => `${px(x)},${py(y)}`).join(' ')}
                onPointerEnter={() => setLit(member.id)}
                onPointerLeave={() => setLit(null)}
              />
            </g>
          ))}
          {spread(
            best.map(({ member, rating }) => ({ id: member.id, role: member.role, y: py(rating), elo: rating })),
            lit,
            TOP + 8,
            height - BOTTOM,
          ).map(({ id, role, y, elo }) => (
            <text
              key={id}
              className={styles.name}
              data-lit={lit === id}
              x={width - RIGHT + 7}
              y={y + 4}
              fill={`var(--series-${Math.max(0, roles.indexOf(role)) % 8})`}
            >
              {`${id} ${measure(elo, 3)}`}
            </text>
          ))}
        </svg>
      )}
    </div>
  );
}

interface Label {
  readonly id: string;
  readonly role: string;
  readonly y: number;
  readonly elo: number;
}

/** Names that do not lie on one another: the one pointed at first, then the best. */
function spread(labels: readonly Label[], lit: string | null, top: number, bottom: number): readonly Label[] {
  const kept: Label[] = [];
  for (const label of [...labels].sort((a, b) => Number(b.id === lit) - Number(a.id === lit))) {
    if (label.y >= top && label.y <= bottom && kept.every(({ y }) => Math.abs(y - label.y) >= 13)) kept.push(label);
  }
  return kept;
}
