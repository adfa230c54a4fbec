/**
 * A lineage: its generations in a row, each on the same clock from the begin of its life to its end. A broken line says where the one before ended; the
 * wedge below, how often it is seen.
 */
import { useRef } from 'react';
import { useStore } from 'zustand';
import { ticksIn } from '#report/ticks.ts';
import { curves, curvesStore } from '#stores/curves.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { useSize } from '#ui/kit/useSize.ts';
import styles from './Lineage.module.css';
import { endOf, type Generation, type Lineage, lineageOf } from './lives.ts';

const [LEFT, RIGHT, TOP, BOTTOM, GAP] = [40, 10, 22, 34, 8] as const;
const LEAST = 46; // px of a panel: narrower ones are scrolled
const WORDS = 130; // px in which a panel is named in words
const WEDGE = 10; // px

export default function LineageRoom({ group }: { readonly group: RunGroup }) {
  useStore(curvesStore, (state) => state.version);
  const lineage = lineageOf(
    group.seeds.flatMap(({ seed }) => {
      const generation = curves.series(group.id, seed, 'generation');
      const value = curves.series(group.id, seed, 'episodicReturn');
      return generation === null || value === null
        ? []
        : [{ seed, generation, value, seen: curves.series(group.id, seed, 'predecessorSeen') }];
    }),
  );
  return (
    <div className={styles.room}>
      <Panels lineage={lineage} colour={`var(--series-${group.colour % 8})`} />
      <p className={styles.about}>
        {t(
          'Return while exploring: one panel for each generation, all on the same clock. Broken line: where the one before ended. Below: how often that one is seen.',
        )}
      </p>
    </div>
  );
}

function Panels({ lineage, colour }: { readonly lineage: Lineage; readonly colour: string }) {
  const host = useRef<HTMLDivElement>(null);
  const [given, height] = useSize(host);
  const { generations, life } = lineage;
  const count = Math.max(1, generations.length);
  const width = Math.max(given, LEFT + RIGHT + count * (LEAST + GAP));
  const panel = (width - LEFT - RIGHT - (count - 1) * GAP) / count;
  const values = generations.flatMap(({ lives }) => lives.flatMap(({ points }) => points.map(([, y]) => y)));
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  const floor = height - BOTTOM;
  const py = (y: number): number => TOP + (1 - (y - low) / (high - low)) * Math.max(10, floor - TOP);
  return (
    <div ref={host} className={styles.chart}>
      {given > 0 && (
        <svg width={width} height={height} role="img" aria-label={summaryOf(generations)}>
          {ticksIn(low, high, Math.max(2, Math.floor((floor - TOP) / 40))).map((y) => (
            <g key={y}>
              <line className={styles.grid} x1={LEFT} x2={width - RIGHT} y1={py(y)} y2={py(y)} />
              <text className={styles.tick} x={LEFT - 6} y={py(y) + 4} textAnchor="end">
                {measure(y, 3)}
              </text>
            </g>
          ))}
          {generations.map((generation, i) => (
            <Panel
              key={generation.number}
              generation={generation}
              before={generations[i - 1]}
              left={LEFT + i * (panel + GAP)}
              width={panel}
              floor={floor}
              life={life}
              py={py}
              colour={colour}
            />
          ))}
        </svg>
      )}
    </div>
  );
}

interface PanelProps {
  readonly generation: Generation;
  readonly before: Generation | undefined;
  readonly left: number;
  readonly width: number;
  readonly floor: number;
  readonly life: number;
  readonly py: (y: number) => number;
  readonly colour: string;
}

function Panel({ generation, before, left, width, floor, life, py, colour }: PanelProps) {
  const px = (steps: number): number => left + (steps / Math.max(1, life)) * width;
  const end = endOf(generation);
  const former = before === undefined ? Number.NaN : endOf(before);
  const { lives, seen, number } = generation;
  const wedge = floor + 4 + WEDGE;
  return (
    <g>
      <rect className={styles.panel} x={left} y={TOP} width={width} height={Math.max(0, floor - TOP)} />
      <text className={styles.number} x={left} y={TOP - 8}>
        {width < WORDS ? number : t('generation {n}', { n: number })}
      </text>
      {!Number.isNaN(end) && (
        <text className={styles.end} x={left + width} y={TOP - 8} textAnchor="end">
          {measure(end, 3)}
        </text>
      )}
      {!Number.isNaN(former) && <line className={styles.former} x1={left} x2={left + width} y1={py(former)} y2={py(former)} />}
      {lives.map(({ seed, points }) => (
        <polyline
          key={seed}
          className={styles.life}
          data-many={lives.length > 1}
          stroke={colour}
          points={points.map(([x, y]) => `${px(x)},${py(y)}`).join(' ')}
        />
      ))}
      {seen !== null && seen[0] + seen[1] > 0 && (
        <polygon
          className={styles.seen}
          points={`${left},${wedge} ${left},${wedge - seen[0] * WEDGE} ${left + width},${wedge - seen[1] * WEDGE} ${left + width},${wedge}`}
        />
      )}
      <text className={styles.tick} x={left + width} y={floor + BOTTOM - 5} textAnchor="end">
        {compact(life)}
      </text>
    </g>
  );
}

/** For readers of screens. */
function summaryOf(generations: readonly Generation[]): string {
  const ends = generations.map((generation) => `${generation.number}: ${measure(endOf(generation), 3)}`);
  return t('Where each generation ended: {ends}', { ends: ends.join(', ') });
}
