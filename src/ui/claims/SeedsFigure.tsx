/** Every seed of every arm as a dot, the second block of seeds as rings; arms of one quantity share an axis. */
import { useRef } from 'react';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult, Confirmation } from '#contract/papers/results.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { domainOf, ticksIn } from './figures.ts';
import { Swatch } from './look.tsx';
import styles from './Paper.module.css';

interface Props {
  readonly card: JudgedCard;
  /** Empty: nothing was run, and nothing is drawn. */
  readonly arms: readonly ArmResult[];
  /** The second block; empty: there is none. */
  readonly second: Confirmation['arms'];
}

/** More arms than this would be a screen of dots that cannot be read. */
const MOST_ARMS = 12;

const known = (scores: readonly (number | null)[]): readonly number[] => scores.flatMap((score) => (score === null ? [] : [score]));

export function SeedsFigure({ card, arms, second }: Props) {
  const used = card.arms.flatMap((arm, k) => {
    const ran = arms.find(({ id }) => id === arm.id);
    if (ran === undefined || k >= MOST_ARMS) return [];
    const again = second.find(({ id }) => id === arm.id);
    const row = { arm, k, first: known(ran.scores), second: known(again?.scores ?? []) };
    return row.first.length + row.second.length === 0 ? [] : [row]; // runs that have only begun
  });
  if (used.length === 0) return null;
  const titles = [...new Set(used.map(({ arm }) => (arm.quantity ?? card.quantity).title))];
  return (
    <figure className={styles.figure}>
      <figcaption>Every seed</figcaption>
      {titles.map((title) => {
        const rows = used.filter(({ arm }) => (arm.quantity ?? card.quantity).title === title);
        const domain = domainOf(
          rows.flatMap((row) => [...row.first, ...row.second]),
          0.06,
        );
        return (
          <div key={title} className={styles.seeds}>
            <p className={styles.quiet}>{title}</p>
            {rows.map(({ arm, k, first, second: again }) => (
              <div key={arm.id} className={styles.seedRow}>
                <span>
                  <Swatch arm={k} /> {arm.title}
                </span>
                <Dots first={first} second={again} domain={domain} />
              </div>
            ))}
            <Axis domain={domain} />
          </div>
        );
      })}
      {second.length > 0 && <p className={styles.key}>dots: the first block of seeds; rings: the second</p>}
    </figure>
  );
}

const HEIGHT = 22;
const PAD = 8;

interface DotsProps {
  readonly first: readonly number[];
  readonly second: readonly number[];
  readonly domain: readonly [number, number];
}

const placeIn =
  ([low, high]: readonly [number, number], width: number) =>
  (value: number): number =>
    PAD + ((value - low) / (high - low)) * (width - 2 * PAD);

/** Seeds in their order, so that dots of one block do not hide one another: each a little lower than the one before. */
function Dots({ first, second, domain }: DotsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width] = useSize(box);
  const x = placeIn(domain, width);
  const y = (i: number, of: number): number => 5 + ((i % 4) / 3) * (HEIGHT - 10) * Math.min(1, of / 4);
  return (
    <div ref={box} className={styles.dots}>
      {width > 0 && (
        <svg
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="img"
          aria-label={`${first.length + second.length} seeds: ${first.map((value) => measure(value)).join(', ')}`}
        >
          {first.map((value, i) => (
            <circle key={`first ${i.toString()}`} className={styles.dot} cx={x(value)} cy={y(i, first.length)} r={3} />
          ))}
          {second.map((value, i) => (
            <circle key={`second ${i.toString()}`} className={styles.ring} cx={x(value)} cy={y(i + 2, second.length)} r={3} />
          ))}
        </svg>
      )}
    </div>
  );
}

function Axis({ domain }: { readonly domain: readonly [number, number] }) {
  const box = useRef<HTMLDivElement>(null);
  const [width] = useSize(box);
  const x = placeIn(domain, width);
  return (
    <div className={styles.seedRow} aria-hidden="true">
      <span />
      <div ref={box} className={styles.dots}>
        {width > 0 && (
          <svg viewBox={`0 0 ${width} 14`} aria-hidden="true" focusable="false">
            {ticksIn(domain[0], domain[1], 4).map((value) => (
              <text key={value} className={styles.tick} x={x(value)} y={11} textAnchor="middle">
                {measure(value)}
              </text>
            ))}
          </svg>
        )}
      </div>
    </div>
  );
}
