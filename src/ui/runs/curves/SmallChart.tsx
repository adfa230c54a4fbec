/** One small multiple: the same groups, another metric. On a plain canvas, which is there only while it is in sight. Press to make it the big one. */
import { useEffect, useMemo, useRef } from 'react';
import type { MetricCard } from '#contract/catalog/catalog.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { titleOf } from '#ui/kit/format/fact.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { useInSight } from '#ui/kit/useInSight.ts';
import { useSize } from '#ui/kit/useSize.ts';
import styles from './Curves.module.css';
import { type Axis, curvesOf, PER_AGENT } from './data.ts';
import { drawCurves } from './figure.ts';
import { buildModel, readAt } from './model.ts';
import type { ChartPalette } from './palette.ts';
import { canvasPen } from './pens.ts';

const LIMIT = 240; // points of an aggregate; the picture is about 100 px wide

interface Props {
  readonly metric: MetricCard;
  readonly groups: readonly RunGroup[];
  readonly activeId: string | null;
  readonly axis: Axis;
  readonly smoothing: number;
  readonly view: readonly [number, number] | null;
  readonly hoverX: number | null;
  readonly palette: ChartPalette;
  /** Changes when there are new numbers. */
  readonly version: number;
  readonly onChoose: (id: string) => void;
}

export function SmallChart({ metric, groups, activeId, axis, smoothing, view, hoverX, palette, version, onChoose }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const inSight = useInSight(place);
  const [width, height] = useSize(place);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` stands for the numbers in the curve tables
  const model = useMemo(
    () =>
      inSight
        ? buildModel(curvesOf(groups, activeId, metric.id, axis, LIMIT), {
            title: metric.title,
            xTitle: '',
            smoothing,
            rawSeeds: false,
            references: [],
            marks: [],
          })
        : null,
    [inSight, groups, activeId, metric, axis, smoothing, version],
  );
  const shown = model?.groups.find(({ group }) => group.id === activeId) ?? model?.groups[0];
  const reading = shown === undefined ? null : readAt(shown, hoverX ?? Number.POSITIVE_INFINITY);

  useEffect(() => {
    const element = canvas.current;
    // Kept off the graphics card: a hundred pixels are drawn faster than they are sent there.
    const g = element?.getContext('2d', { willReadFrequently: true });
    if (element === null || g === null || g === undefined || model === null || width === 0) return;
    const ratio = Math.min(2, devicePixelRatio);
    element.width = width * ratio;
    element.height = height * ratio;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    const pen = canvasPen(g, palette.font);
    const range = view ?? model.extent;
    drawCurves(pen, model, range, { x: 1, y: 3, width: width - 2, height: height - 6 }, palette, { axes: false });
    if (hoverX !== null && hoverX >= range[0] && hoverX <= range[1]) {
      const x = 1 + ((hoverX - range[0]) / (range[1] - range[0])) * (width - 2);
      pen.line(
        [
          [x, 0],
          [x, height],
        ],
        palette.faint,
        1,
        [2, 2],
      );
    }
  }, [model, width, height, view, hoverX, palette]);

  return (
    <button type="button" className={styles.small} title={titleOf(metric.description)} onClick={() => onChoose(metric.id)}>
      <span className={styles.smallHead}>
        <span className={styles.smallTitle}>{t(metric.title)}</span>
        <span className={styles.smallValue}>
          {metric.id === PER_AGENT ? t('{value} agents', { value: model?.groups.length ?? 0 }) : measure(reading?.value, 3)}
        </span>
      </span>
      <span ref={place} className={styles.smallPlace}>
        {inSight && <canvas ref={canvas} />}
      </span>
    </button>
  );
}
