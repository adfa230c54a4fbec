/** The contrasts of a paper as intervals: against where the effect is absent (a full line) and the size that is claimed (a dashed one). */
import { useRef } from 'react';
import type { JudgedCard, Published } from '#contract/papers/papers.ts';
import type { ArmResult, PaperResult } from '#contract/papers/results.ts';
import { type Contrast, noneOf } from '#math/contrasts.ts';
import { ticksIn } from '#report/ticks.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { domainOf, estimateOf } from './figures.ts';
import styles from './Paper.module.css';
import { Diamond } from './SeedsFigure.tsx';
import { cameOut, claimInWords, contrastInWords, stateInWords } from './sentences.ts';

interface Props {
  readonly paper: JudgedCard;
  /** Empty: not judged yet; the claims are shown all the same, and what the arms' runs give without an interval. */
  readonly findings: PaperResult['findings'];
  /** Those of the second block of seeds; empty: there is none. */
  readonly second: PaperResult['findings'];
  readonly arms: readonly ArmResult[];
}

type Finding = PaperResult['findings'][number];

export function ContrastFigure({ paper, findings, second, arms }: Props) {
  const estimates = new Map(paper.contrasts.map((contrast) => [contrast.id, findings.length > 0 ? null : estimateOf(contrast, arms)]));
  return (
    <figure className={styles.figure}>
      <figcaption>Contrasts and their intervals</figcaption>
      <ol className={styles.contrasts}>
        {paper.contrasts.map((contrast) => {
          const finding = findings.find(({ id }) => id === contrast.id) ?? null;
          const again = second.find(({ id }) => id === contrast.id) ?? null;
          const estimate = finding?.estimate ?? estimates.get(contrast.id) ?? null;
          // Contrasts of one kind stand on one axis, so that they can be compared.
          const alike = paper.contrasts.filter(({ kind }) => kind === contrast.kind && kind !== 'level' && kind !== 'every');
          const domain = domainFor(alike.includes(contrast) ? alike : [contrast], [...findings, ...second], estimates, paper.published);
          return (
            <li key={contrast.id}>
              <p className={styles.contrastName}>
                <b>{contrast.id}</b>
                <span>{contrastInWords(contrast, paper)}</span>
              </p>
              <IntervalPlot
                contrast={contrast}
                finding={finding}
                again={again}
                estimate={estimate}
                domain={domain}
                published={paper.published?.of === contrast.id ? paper.published.value : null}
              />
              <p className={styles.state} data-state={finding?.state ?? 'none'}>
                {finding === null ? 'not judged' : stateInWords(finding.state)}
                <span>
                  {finding === null
                    ? `claimed: ${claimInWords(contrast)}${estimate === null ? '' : `; found ${measure(estimate)}`}`
                    : cameOut(contrast, finding, paper)}
                  {again !== null && ` Second block: ${measure(again.estimate)} (${measure(again.low)} to ${measure(again.high)}).`}
                </span>
              </p>
            </li>
          );
        })}
      </ol>
      <p className={styles.key}>
        <Key mark="none" /> no effect <Key mark="size" /> size claimed <Key mark="interval" /> estimate and interval
        {second.length > 0 && ', the second block of seeds below the first'}
        {paper.contrasts.some(({ id }) => id === paper.published?.of) && ', a diamond: what the source published'}
      </p>
    </figure>
  );
}

const sizeOf = (contrast: Contrast): number => contrast.size ?? noneOf(contrast);

type Estimates = ReadonlyMap<string, number | null>;

function domainFor(
  contrasts: readonly Contrast[],
  findings: readonly Finding[],
  estimates: Estimates,
  published: Published | null,
): readonly [number, number] {
  const values = contrasts.flatMap((contrast) => {
    const own = findings.filter(({ id }) => id === contrast.id);
    const theirs = published?.of === contrast.id ? [published.value] : [];
    const ends = own.length === 0 ? [estimates.get(contrast.id) ?? noneOf(contrast)] : own.flatMap(({ low, high }) => [low, high]);
    return [noneOf(contrast), sizeOf(contrast), ...ends, ...theirs];
  });
  return domainOf(values.filter(Number.isFinite), 0.12);
}

const HEIGHT = 54;
const MIDDLE = 18;
/** Where the two blocks stand, where there are two. */
const ABOVE = 12;
const BELOW = 26;
const FLOOR = 36;
const PAD = 14;

interface PlotProps {
  readonly contrast: Contrast;
  readonly finding: Finding | null;
  /** Of the second block. */
  readonly again: Finding | null;
  /** null: nothing was measured yet. */
  readonly estimate: number | null;
  readonly domain: readonly [number, number];
  /** What the source published of it; null: nothing. */
  readonly published: number | null;
}

function IntervalPlot({ contrast, finding, again, estimate, domain: [low, high], published }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const [measured] = useSize(box);
  const width = Math.max(160, measured);
  const x = (value: number): number => PAD + ((value - low) / (high - low)) * (width - 2 * PAD);
  const none = noneOf(contrast);
  const size = sizeOf(contrast);
  return (
    <div ref={box} className={styles.interval}>
      {measured > 0 && (
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true" focusable="false">
          <line className={styles.floor} x1={PAD} x2={width - PAD} y1={FLOOR} y2={FLOOR} />
          {ticksIn(low, high, 4).map((value) => (
            <text key={value} x={x(value)} y={HEIGHT - 3} textAnchor="middle">
              {measure(value)}
            </text>
          ))}
          <line className={styles.none} x1={x(none)} x2={x(none)} y1={3} y2={FLOOR} />
          {size !== none && <line className={styles.size} x1={x(size)} x2={x(size)} y1={3} y2={FLOOR} />}
          {published !== null && <Diamond x={x(published)} y={MIDDLE} />}
          {estimate !== null && (
            <g className={styles.found} data-state={finding?.state ?? 'open'}>
              {finding !== null && <Interval low={x(finding.low)} high={x(finding.high)} at={again === null ? MIDDLE : ABOVE} />}
              <circle cx={x(estimate)} cy={again === null ? MIDDLE : ABOVE} r={4.5} />
            </g>
          )}
          {again !== null && (
            <g className={styles.found} data-state={again.state} data-block="second">
              <Interval low={x(again.low)} high={x(again.high)} at={BELOW} />
              <circle cx={x(again.estimate)} cy={BELOW} r={3.5} />
            </g>
          )}
        </svg>
      )}
    </div>
  );
}

function Interval({ low, high, at }: { readonly low: number; readonly high: number; readonly at: number }) {
  return (
    <>
      <line x1={low} x2={high} y1={at} y2={at} />
      <line x1={low} x2={low} y1={at - 5} y2={at + 5} />
      <line x1={high} x2={high} y1={at - 5} y2={at + 5} />
    </>
  );
}

function Key({ mark }: { readonly mark: 'none' | 'size' | 'interval' }) {
  return (
    <svg className={styles.keySign} viewBox="0 0 24 14" aria-hidden="true" focusable="false">
      {mark === 'interval' ? (
        <g className={styles.found}>
          <line x1={1} x2={23} y1={7} y2={7} />
          <circle cx={12} cy={7} r={3.5} />
        </g>
      ) : (
        <line className={mark === 'none' ? styles.none : styles.size} x1={12} x2={12} y1={0} y2={14} />
      )}
    </svg>
  );
}
