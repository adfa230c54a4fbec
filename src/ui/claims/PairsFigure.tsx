/** Two quantities of every run against each other, where a contrast is their rank correlation: a dot for each seed, which opens its run. */
import { useRef } from 'react';
import { linkHashOf } from '#client/links/writing.ts';
import type { JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import { ticksIn } from '#report/ticks.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { useArms } from './ArmsTable.tsx';
import { domainOf, pairsOf } from './figures.ts';
import styles from './Paper.module.css';

const HEIGHT = 220;
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 10, 10, 38] as const;

interface Props {
  readonly card: JudgedCard;
  readonly arms: readonly ArmResult[];
}

export function PairsFigure({ card, arms }: Props) {
  const places = pairsOf(card, arms);
  if (places.length === 0) return null;
  return (
    <figure className={styles.figure}>
      <figcaption>Each run as a dot: one quantity against the other. Press a dot to open its run.</figcaption>
      <div className={styles.pairs}>
        {places.map((place) => (
          <Scatter key={place.id} card={card} place={place} />
        ))}
      </div>
    </figure>
  );
}

function Scatter({ card, place }: { readonly card: JudgedCard; readonly place: ReturnType<typeof pairsOf>[number] }) {
  const box = useRef<HTMLDivElement>(null);
  const [measured] = useSize(box);
  const forms = useArms(card);
  const width = Math.max(200, measured);
  const { dots, across, up } = place;
  const [left, right] = domainOf(
    dots.map(({ x }) => x),
    0.08,
  );
  const [low, high] = domainOf(
    dots.map(({ y }) => y),
    0.08,
  );
  const x = (value: number): number => LEFT + ((value - left) / (right - left)) * (width - LEFT - RIGHT);
  const y = (value: number): number => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const config = forms?.find(({ arm }) => arm.id === place.arm)?.config;
  return (
    <div ref={box} className={styles.plot}>
      <p>{place.id}</p>
      {measured > 0 && (
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={`${place.id}: ${dots.length} runs, ${up} against ${across}.`}>
          {ticksIn(low, high, 4).map((value) => (
            <g key={value} className={styles.grid}>
              <line x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
              <text x={LEFT - 6} y={y(value) + 4} textAnchor="end">
                {measure(value)}
              </text>
            </g>
          ))}
          {ticksIn(left, right, 4).map((value) => (
            <text key={value} x={x(value)} y={HEIGHT - BOTTOM + 16} textAnchor="middle">
              {measure(value)}
            </text>
          ))}
          <text x={width - RIGHT} y={HEIGHT - 4} textAnchor="end">
            {across}
          </text>
          {dots.map((dot) => {
            const mark = (
              <circle className={styles.dot} cx={x(dot.x)} cy={y(dot.y)} r={4}>
                <title>{`seed ${dot.seed}: ${measure(dot.x)}, ${measure(dot.y)}`}</title>
              </circle>
            );
            const hash = config === undefined ? null : linkHashOf({ ...config, run: { ...config.run, seedStart: dot.seed, seeds: 1 } });
            if (hash === null) return <g key={dot.seed}>{mark}</g>;
            return (
              // the arms' own links are the way without a pointer: a stop for each of forty dots would be none
              <a key={dot.seed} href={hash} tabIndex={-1}>
                {mark}
              </a>
            );
          })}
        </svg>
      )}
    </div>
  );
}
