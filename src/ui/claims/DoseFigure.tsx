/** One size, swept: every seed at each of its places, the middles, the paper's place, and a slider that reads one place off and plays what was learned there. */
import { useId, useRef, useState } from 'react';
import type { Dose, JudgedCard } from '#contract/papers/papers.ts';
import type { ArmResult } from '#contract/papers/results.ts';
import { ticksIn } from '#report/ticks.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { domainOf, middleOf } from './figures.ts';
import styles from './Paper.module.css';
import { PlayedArms } from './PlayedArms.tsx';
import { hasPolicy } from './policies.ts';

interface Props {
  readonly card: JudgedCard;
  readonly dose: Dose;
  /** Empty: nothing was run. */
  readonly arms: readonly ArmResult[];
}

const HEIGHT = 240;
const LEFT = 52;
const RIGHT = 24;
const TOP = 14;
const BOTTOM = 44;

export function DoseFigure({ card, dose: { size, points, place }, arms }: Props) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [measured] = useSize(box);
  const [at, setAt] = useState(points.length - 1);
  const ran = points.map(({ arm, at: x }) => {
    const scores = (arms.find((one) => one.id === arm)?.scores ?? []).flatMap((score) => score ?? []);
    return { arm, x, scores, middle: middleOf(scores) };
  });
  const all = ran.flatMap(({ scores }) => scores);
  if (all.length === 0) return null;
  const width = Math.max(280, measured);
  const [low, high] = domainOf(all, 0.08);
  const [from, to] = domainOf(
    points.map(({ at: x }) => x),
    0.12,
  );
  const across = (x: number): number => LEFT + ((x - from) / (to - from)) * (width - LEFT - RIGHT);
  const up = (y: number): number => TOP + ((high - y) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const now = ran[at];
  const [left, right] = [across(Math.max(from, place.from ?? from)), across(Math.min(to, place.to ?? to))];
  const line = ran.flatMap(({ x, middle }) => (middle === null ? [] : [`${across(x)},${up(middle.value)}`]));
  const arm = card.arms.find((one) => one.id === now?.arm);
  return (
    <figure className={styles.figure}>
      <figcaption>
        {card.quantity.title}, by {size}: every seed, and the interquartile mean with its interval
      </figcaption>
      <div ref={box} className={styles.plot}>
        {measured > 0 && (
          <svg
            viewBox={`0 0 ${width} ${HEIGHT}`}
            role="img"
            aria-label={ran.map(({ x, middle }) => `${x} ${size}: ${middle === null ? 'nothing' : measure(middle.value)}`).join('; ')}
          >
            <rect className={styles.place} x={left} y={TOP} width={Math.max(3, right - left)} height={HEIGHT - TOP - BOTTOM} />
            {ticksIn(low, high, 4).map((value) => (
              <g key={value} className={styles.grid}>
                <line x1={LEFT} x2={width - RIGHT} y1={up(value)} y2={up(value)} />
                <text x={LEFT - 8} y={up(value) + 4} textAnchor="end">
                  {measure(value)}
                </text>
              </g>
            ))}
            {now !== undefined && <line className={styles.cursor} x1={across(now.x)} x2={across(now.x)} y1={TOP} y2={HEIGHT - BOTTOM} />}
            {ran.map(({ arm: name, x, scores }) =>
              scores.map((score, i) => (
                <circle
                  key={`${name} ${i.toString()}`}
                  className={styles.dot}
                  cx={across(x) + ((i % 7) - 3) * 2.5}
                  cy={up(score)}
                  r={2.5}
                />
              )),
            )}
            <polyline className={styles.curve} points={line.join(' ')} />
            {ran.map(
              ({ arm: name, x, middle }, i) =>
                middle !== null && (
                  <g key={name} className={styles.found} data-state={i === at ? 'held' : 'open'}>
                    <line x1={across(x)} x2={across(x)} y1={up(middle.low)} y2={up(middle.high)} />
                    <circle cx={across(x)} cy={up(middle.value)} r={5} />
                  </g>
                ),
            )}
            {ran.map(({ arm: name, x }) => (
              <text key={name} x={across(x)} y={HEIGHT - BOTTOM + 18} textAnchor="middle">
                {x}
              </text>
            ))}
            <text x={(LEFT + width - RIGHT) / 2} y={HEIGHT - 6} textAnchor="middle">
              {size}
            </text>
          </svg>
        )}
      </div>
      <p className={styles.key}>
        <svg className={styles.keySign} viewBox="0 0 24 14" aria-hidden="true" focusable="false">
          <rect className={styles.place} x={1} y={1} width={22} height={12} />
        </svg>
        the paper’s place. {place.text}
      </p>
      <div className={styles.slide}>
        <label htmlFor={id}>
          Slide: <output>{now?.x}</output> {size}
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={points.length - 1}
          step={1}
          value={at}
          aria-valuetext={`${now?.x} ${size}`}
          onChange={(event) => setAt(Number(event.target.value))}
        />
        {now?.middle != null && (
          <p role="status">
            <b>{measure(now.middle.value, 3)}</b> ({measure(now.middle.low, 3)} to {measure(now.middle.high, 3)}), {now.scores.length}{' '}
            seeds.
          </p>
        )}
      </div>
      {arm !== undefined && hasPolicy(card.id, arm.id) && <PlayedArms key={arm.id} card={card} only={arm} />}
    </figure>
  );
}
