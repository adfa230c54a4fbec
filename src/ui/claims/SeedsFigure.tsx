/** Every seed of every arm as a dot over the arm's middle and its interval, the second block as rings; arms of one quantity share an axis. */
import { useRef } from 'react';
import { type JudgedCard, quantityTitle } from '#contract/papers/papers.ts';
import type { ArmResult, Confirmation } from '#contract/papers/results.ts';
import { armsOf } from '#math/contrasts.ts';
import { ticksIn } from '#report/ticks.ts';
import { t, tn } from '#text/text.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { domainOf, type Middle, middleOf } from './figures.ts';
import { Swatch } from './look.tsx';
import styles from './Paper.module.css';

interface Props {
  readonly card: JudgedCard;
  /** Empty: nothing was run, and nothing is drawn. */
  readonly arms: readonly ArmResult[];
  /** The second block; empty: there is none. */
  readonly second: Confirmation['arms'];
}

/** So many arms are seen at once, those of contrasts first; the others unfold. */
const MOST_ARMS = 12;

const known = (scores: readonly (number | null)[]): readonly number[] => scores.flatMap((score) => (score === null ? [] : [score]));

interface Row {
  readonly id: string;
  readonly name: string;
  /** Place of the arm in its card. */
  readonly k: number;
  readonly quantity: string;
  readonly first: readonly number[];
  readonly second: readonly number[];
  readonly middle: Middle | null;
  /** What the source published of this arm; null: nothing, or nothing of the same quantity. */
  readonly published: number | null;
}

function publishedOf({ published, contrasts }: JudgedCard, id: string): number | null {
  if (published?.of === id) return published.value;
  const held = contrasts.find((contrast) => contrast.kind === 'published' && contrast.arm === id);
  return held?.kind === 'published' ? held.theirs.mean : null;
}

function rowsOf(card: JudgedCard, arms: readonly ArmResult[], second: Confirmation['arms']): readonly Row[] {
  const order = [...new Set([...card.contrasts.flatMap(armsOf), ...card.arms.map(({ id }) => id)])];
  return order.flatMap((id) => {
    const k = card.arms.findIndex((arm) => arm.id === id);
    const arm = card.arms[k];
    const ran = arms.find((one) => one.id === id);
    if (arm === undefined || ran === undefined) return [];
    const row: Row = {
      id,
      name: arm.title,
      k,
      quantity: quantityTitle(card, id),
      first: known(ran.scores),
      second: known(second.find((one) => one.id === id)?.scores ?? []),
      middle: middleOf(ran.scores),
      published: publishedOf(card, id),
    };
    return row.first.length + row.second.length === 0 ? [] : [row]; // runs that have only begun
  });
}

export function SeedsFigure({ card, arms, second }: Props) {
  const rows = rowsOf(card, arms, second);
  if (rows.length === 0) return null;
  const rest = rows.slice(MOST_ARMS);
  return (
    <figure className={styles.figure}>
      <figcaption>{t('Every seed')}</figcaption>
      <Groups rows={rows.slice(0, MOST_ARMS)} />
      {rest.length > 0 && (
        <details className={styles.moreSeeds}>
          <summary>{tn('{n} further arm', '{n} further arms', rest.length)}</summary>
          <Groups rows={rest} />
        </details>
      )}
      <p className={styles.key}>
        {t(
          'Dots: seeds, each a little lower than the one before. Bar: interquartile mean and its 95 % interval; below five seeds from the least to the greatest.',
        )}
        {second.length > 0 && ` ${t('Rings: the second block of seeds.')}`}
        {rows.some(({ published }) => published !== null) && ` ${t('Diamond: what the source published.')}`}
      </p>
    </figure>
  );
}

function Groups({ rows }: { readonly rows: readonly Row[] }) {
  return [...new Set(rows.map(({ quantity }) => quantity))].map((title) => {
    const own = rows.filter(({ quantity }) => quantity === title);
    const domain = domainOf(
      own.flatMap(({ first, second, middle, published }) => [
        ...first,
        ...second,
        ...(middle === null ? [] : [middle.low, middle.high]),
        ...(published === null ? [] : [published]),
      ]),
      0.06,
    );
    return (
      <div key={title} className={styles.seeds}>
        <p className={styles.quiet}>{title}</p>
        {own.map((row) => (
          <div key={row.id} className={styles.seedRow}>
            <span>
              <Swatch arm={row.k} /> {row.name}
            </span>
            <Dots row={row} domain={domain} />
          </div>
        ))}
        <Axis domain={domain} />
      </div>
    );
  });
}

const HEIGHT = 30;
/** Dots stand above this, the interval of the arm on it. */
const FLOOR = 24;
const PAD = 8;

type Domain = readonly [number, number];

const placeIn =
  ([low, high]: Domain, width: number) =>
  (value: number): number =>
    PAD + ((value - low) / (high - low)) * (width - 2 * PAD);

function inWords({ first, second, middle, published }: Row): string {
  const seeds = t('{n} seeds: {list}', { n: first.length + second.length, list: first.map((value) => measure(value, 3)).join(', ') });
  const between =
    middle === null
      ? ''
      : ` ${t('Middle {value}, {low} to {high}.', { value: measure(middle.value, 3), low: measure(middle.low, 3), high: measure(middle.high, 3) })}`;
  return `${seeds}.${between}${published === null ? '' : ` ${t('Published: {value}.', { value: measure(published, 3) })}`}`;
}

/** Seeds in their order, so that dots of one block do not hide one another. */
function Dots({ row, domain }: { readonly row: Row; readonly domain: Domain }) {
  const { first, second, middle, published } = row;
  const box = useRef<HTMLDivElement>(null);
  const [width] = useSize(box);
  const x = placeIn(domain, width);
  const y = (i: number, of: number): number => 4 + ((i % 4) / 3) * (FLOOR - 12) * Math.min(1, of / 4);
  return (
    <div ref={box} className={styles.dots}>
      {width > 0 && (
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={inWords(row)}>
          {first.map((value, i) => (
            <circle key={`first ${i.toString()}`} className={styles.dot} cx={x(value)} cy={y(i, first.length)} r={3} />
          ))}
          {second.map((value, i) => (
            <circle key={`second ${i.toString()}`} className={styles.ring} cx={x(value)} cy={y(i + 2, second.length)} r={3} />
          ))}
          {middle !== null && (
            <g className={styles.armInterval}>
              <line x1={x(middle.low)} x2={x(middle.high)} y1={FLOOR} y2={FLOOR} />
              <line x1={x(middle.value)} x2={x(middle.value)} y1={FLOOR - 5} y2={FLOOR + 5} />
            </g>
          )}
          {published !== null && <Diamond x={x(published)} y={FLOOR} />}
        </svg>
      )}
    </div>
  );
}

/** A published number. */
export function Diamond({ x, y }: { readonly x: number; readonly y: number }) {
  return <path className={styles.publishedMark} d={`M${x} ${y - 5}l5 5l-5 5l-5 -5z`} />;
}

function Axis({ domain }: { readonly domain: Domain }) {
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
              <text key={value} x={x(value)} y={11} textAnchor="middle">
                {measure(value)}
              </text>
            ))}
          </svg>
        )}
      </div>
    </div>
  );
}
