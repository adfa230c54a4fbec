/** The results of a class as dots on one axis: reached, not reached, not verified, forged; the goal as a line. The same is in the table below it. */
import type { Check, Lesson } from '#lessons/define.ts';
import { measureOf } from '#lessons/result.ts';
import { t, tn } from '#text/text.ts';
import { figure, measureWords } from '../results.ts';
import { kindOf, scoreOf } from './board.ts';
import styles from './Class.module.css';
import type { Entry } from './entries.ts';
import type { Verdict } from './verify.ts';

const WIDTH = 640;
const BOTTOM = 40;
const SIDE = 26;
/** Large enough for the number of a seat in it. */
const DOT = 8.5;
const TOP = 36;
const BINS = 33;

interface Props {
  readonly lesson: Lesson;
  readonly step: number;
  readonly entries: readonly Entry[];
  readonly verdicts: Readonly<Record<string, Verdict>>;
}

export function Plot({ lesson, step, entries, verdicts }: Props) {
  const { check, ...at } = lesson.steps[step]!;
  const dots = entries.flatMap(({ code, result }) => {
    const { value, met } = scoreOf(result);
    const state = verdicts[code]?.state ?? 'waiting';
    return value === null ? [] : [{ code, value, seat: result.seat, kind: kindOf(state, met) }];
  });
  if (dots.length === 0) return null;
  const goal = check?.min ?? check?.max ?? null;
  // A forged value may be of any size: the axis is that of the others.
  const honest = dots.filter(({ kind }) => kind !== 'forged').map(({ value }) => value);
  const all = [...(honest.length > 0 ? honest : dots.map(({ value }) => value)), ...(goal === null ? [] : [goal])];
  const low = Math.min(...all);
  const high = Math.max(...all);
  const pad = high > low ? (high - low) * 0.08 : Math.max(1, Math.abs(high)) * 0.1;
  const share = (value: number): number => Math.min(1, Math.max(0, (value - low + pad) / (high - low + 2 * pad)));
  const x = (value: number): number => SIDE + share(value) * (WIDTH - 2 * SIDE);
  const stacked = new Map<number, number>();
  const placed = dots.map((dot) => {
    const bin = Math.round(share(dot.value) * BINS);
    const level = stacked.get(bin) ?? 0;
    stacked.set(bin, level + 1);
    return { ...dot, level, x: SIDE + (bin / BINS) * (WIDTH - 2 * SIDE) };
  });
  const tallest = Math.max(...stacked.values());
  const height = TOP + BOTTOM + Math.max(4, tallest) * DOT * 2.3;
  const base = height - BOTTOM;
  const count = (kind: string): number => dots.filter((dot) => dot.kind === kind).length;
  const words =
    check === undefined
      ? tn('{n} result', '{n} results', dots.length)
      : t('{n} of {all} reached the goal', { n: count('met'), all: dots.length });
  const forged = count('forged');
  const told = forged > 0 ? t('{words}, {n} forged', { words, n: forged }) : words;
  const open = count('open');
  const counted = open > 0 ? t('{words}, {n} not verified', { words: told, n: open }) : told;
  const measure = measureWords(measureOf({ ...at, ...(check === undefined ? {} : { check }) }));
  return (
    <figure className={styles.plot}>
      <svg viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={counted}>
        <line className={styles.axis} x1={SIDE} x2={WIDTH - SIDE} y1={base} y2={base} />
        {[low, (low + high) / 2, high]
          .filter((value, i, list) => i === 0 || value !== list[i - 1])
          .map((value) => (
            <text key={value} x={x(value)} y={base + 26} textAnchor="middle">
              {figure(value)}
            </text>
          ))}
        {goal !== null && (
          <>
            <line className={styles.goalLine} x1={x(goal)} x2={x(goal)} y1={TOP - 8} y2={base} />
            <text
              className={styles.goalText}
              x={x(goal)}
              y={TOP - 12}
              textAnchor={share(goal) > 0.8 ? 'end' : share(goal) < 0.2 ? 'start' : 'middle'}
            >
              {t('goal {value}', { value: figure(goal) })}
            </text>
          </>
        )}
        {placed.map(({ code, kind, level, x: at, seat }) => {
          const y = base - DOT * 1.4 - level * DOT * 2.3;
          return (
            <g key={code} className={styles.dot} data-kind={kind}>
              <title>{seat === 0 ? t('no seat') : t('seat {n}', { n: seat })}</title>
              <circle cx={at} cy={y} r={DOT} />
              {seat > 0 && (
                <text className={styles.seat} x={at} y={y} textAnchor="middle" dominantBaseline="central">
                  {seat}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <figcaption>
        <span>{counted}</span> · <span>{axisText(measure, check)}</span>
      </figcaption>
    </figure>
  );
}

/** What the axis is, in a sentence. */
function axisText(measure: string, check: Check | undefined): string {
  if (check?.than !== undefined) return t('Return, {measure}, mean over seeds, less that of {other}.', { measure, other: check.than });
  return check === undefined || check.of === 'mean'
    ? t('Return, {measure}, mean over seeds.', { measure })
    : t('Return, {measure}, the seed that decides.', { measure });
}
