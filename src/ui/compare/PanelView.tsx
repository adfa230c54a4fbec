/** One panel of the figure: its curves on a canvas, which is there only while it is in sight, and below them what each reads at the pointer, else at the end. */
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { t } from '#text/text.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { useInSight } from '#ui/kit/useInSight.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { drawCurves } from '#ui/runs/curves/figure.ts';
import type { ChartPalette } from '#ui/runs/curves/palette.ts';
import { canvasPen } from '#ui/runs/curves/pens.ts';
import { Swatch } from '#ui/runs/Row.tsx';
import styles from './Compare.module.css';
import { type Panel, readCurve } from './panels.ts';

const LEFT = 46; // px kept for the numbers of the y axis
const BELOW = 22;
/** Lines whose values are listed; of more, the table below the figure has all. */
const MOST_READ = 8;

interface Props {
  readonly panel: Panel;
  readonly palette: ChartPalette;
  /** In the units of the x axis; null: it is not pointed at. */
  readonly x: number | null;
  readonly onX: (x: number | null) => void;
}

export function PanelView({ panel, palette, x, onX }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const inSight = useInSight(place);
  const [width, height] = useSize(place);
  const { model, curves, title, waiting } = panel;
  const [from, to] = model.extent;

  useEffect(() => {
    const element = canvas.current;
    const g = element?.getContext('2d', { willReadFrequently: true });
    if (!inSight || element === null || g === null || g === undefined || width === 0) return;
    const ratio = Math.min(2, devicePixelRatio);
    element.width = width * ratio;
    element.height = height * ratio;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    const frame = { x: LEFT, y: 8, width: width - LEFT - 8, height: height - 8 - BELOW };
    drawCurves(canvasPen(g, palette.font), model, model.extent, frame, palette, { axes: true, ends: false });
  }, [inSight, model, width, height, palette]);

  const pointed = (clientX: number): void => {
    const box = canvas.current?.getBoundingClientRect();
    if (box === undefined) return;
    const share = (clientX - box.left - LEFT) / (box.width - LEFT - 8);
    onX(share < 0 || share > 1 ? null : from + share * (to - from));
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onX(null);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const next = (x ?? to) + ((to - from) / 50) * (event.key === 'ArrowLeft' ? -1 : 1);
      onX(Math.min(to, Math.max(from, next)));
      event.preventDefault();
    }
  };
  const shown = x !== null && x >= from && x <= to ? x : null;
  const left = shown === null ? 0 : LEFT + ((shown - from) / (to - from)) * Math.max(0, width - LEFT - 8);

  return (
    <figure className={styles.panel}>
      <figcaption>
        <b>{title || model.title}</b>
        <span>
          {shown === null
            ? panel.rest === undefined
              ? model.xTitle
              : `${model.xTitle}; below ${panel.restTitle ?? 'its end'}`
            : `at ${measure(shown, 4)} ${model.xTitle}`}
          {waiting && t(', counting')}
        </span>
      </figcaption>
      <div ref={place} className={styles.plot}>
        {inSight && (
          <canvas
            ref={canvas}
            role="img"
            tabIndex={0}
            aria-label={summary(panel)}
            onKeyDown={keys}
            onPointerMove={(event) => pointed(event.clientX)}
            onPointerLeave={() => onX(null)}
            onBlur={() => onX(null)}
          />
        )}
        {shown !== null && (
          <svg className={styles.cursor} aria-hidden="true" focusable="false">
            <line x1={left} x2={left} y1="4" y2="100%" />
          </svg>
        )}
      </div>
      <ul className={styles.readings}>
        {curves.slice(0, MOST_READ).map((curve) => {
          const reading =
            (shown === null ? panel.rest?.get(curve.set.key) : undefined) ?? readCurve(curve, shown ?? Number.POSITIVE_INFINITY);
          return (
            <li key={curve.set.key}>
              <Swatch colour={curve.set.colour} dash={curve.set.dash} on />
              <span>{curve.set.name}</span>
              <b>{reading === null ? '–' : measure(reading.value)}</b>
              <small>
                {reading !== null && Number.isFinite(reading.low) && `[${measure(reading.low)}, ${measure(reading.high)}] `}
                {`n=${curve.n}`}
              </small>
            </li>
          );
        })}
        {curves.length > MOST_READ && (
          <li className={styles.more}>{t('and {value} more in the table', { value: curves.length - MOST_READ })}</li>
        )}
        {curves.length === 0 && !waiting && <li className={styles.more}>{t('Nothing of this was measured here.')}</li>}
      </ul>
    </figure>
  );
}

function summary({ title, model, curves }: Panel): string {
  const parts = curves.slice(0, MOST_READ).map((curve) => {
    const reading = readCurve(curve, Number.POSITIVE_INFINITY);
    return `${curve.set.name}: ${measure(reading?.value)}`;
  });
  return `${title || model.title}: ${model.title} against ${model.xTitle}. ${parts.join('; ')}.`;
}
