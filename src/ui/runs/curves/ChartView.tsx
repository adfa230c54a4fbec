/** The big chart's place on the page: loads uPlot on demand, gives it size, model and view, and makes it usable by keys. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { late } from '#client/workers/late.ts';
import { t } from '#text/text.ts';
import styles from './Curves.module.css';
import type { ChartModel } from './model.ts';
import type { ChartPalette } from './palette.ts';
import type { CurveChart, PlotArea } from './uplot-chart.ts';

interface Props {
  readonly model: ChartModel;
  readonly view: readonly [number, number] | null;
  readonly palette: ChartPalette;
  readonly hoverX: number | null;
  readonly summary: string;
  readonly onHover: (x: number | null) => void;
  readonly onView: (view: readonly [number, number] | null) => void;
  readonly onPick: (x: number) => void;
  readonly onArea: (area: PlotArea) => void;
}

/** uPlot and what draws with it. */
export const chartCode = late(() => import('./uplot-chart.ts'));

const ZOOM = 0.7;
const PAN = 0.15;

export function ChartView({ model, view, palette, hoverX, summary, onHover, onView, onPick, onArea }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<CurveChart | null>(null);
  const [failed, setFailed] = useState(false);
  const handlers = useRef({ onHover, onView, onPick, onArea, model, view });
  handlers.current = { onHover, onView, onPick, onArea, model, view };

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    let made: CurveChart | null = null;
    let gone = false;
    const observer = new ResizeObserver(() => {
      if (made === null || element.clientWidth < 40) return;
      made.resize(element.clientWidth, element.clientHeight);
      handlers.current.onArea(made.area());
    });
    chartCode().then(
      ({ createUplotChart }) => {
        if (gone) return;
        made = createUplotChart(element, Math.max(60, element.clientWidth), Math.max(60, element.clientHeight), {
          hover: (x) => handlers.current.onHover(x),
          view: (range) => handlers.current.onView(range === null ? null : within(range, handlers.current.model.extent)),
          pick: (x) => handlers.current.onPick(x),
        });
        setChart(made);
        observer.observe(element);
      },
      () => setFailed(true),
    );
    // A wheel zooms only where it cannot be meant for scrolling: over the focused chart, or with Ctrl.
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !element.contains(document.activeElement) && document.activeElement !== element) return;
      event.preventDefault();
      const area = made?.area();
      if (area === undefined) return;
      const left = event.clientX - element.getBoundingClientRect().left - area.left;
      const share = Math.min(1, Math.max(0, left / area.width));
      if (event.shiftKey) move(handlers.current, Math.sign(event.deltaY) * PAN);
      else zoom(handlers.current, event.deltaY > 0 ? 1 / ZOOM : ZOOM, share);
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => {
      gone = true;
      observer.disconnect();
      element.removeEventListener('wheel', wheel);
      made?.destroy();
    };
  }, []);

  useEffect(() => {
    if (chart === null) return;
    chart.draw(model, view, palette);
    handlers.current.onArea(chart.area());
  }, [chart, model, view, palette]);

  useEffect(() => {
    chart?.setHover(hoverX);
  }, [chart, hoverX]);

  const keys = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const now = handlers.current;
    const range = now.view ?? now.model.extent;
    const at = hoverX ?? range[1];
    const focus = Math.min(1, Math.max(0, (at - range[0]) / (range[1] - range[0])));
    switch (event.key) {
      case 'w':
        zoom(now, ZOOM, hoverX === null ? 0.5 : focus);
        break;
      case 's':
        zoom(now, 1 / ZOOM, hoverX === null ? 0.5 : focus);
        break;
      case 'a':
        move(now, -PAN);
        break;
      case 'd':
        move(now, PAN);
        break;
      case 'Escape':
      case '0':
        onView(null);
        break;
      case 'ArrowLeft':
      case 'ArrowRight':
        onHover(Math.min(range[1], Math.max(range[0], at + ((range[1] - range[0]) / 50) * (event.key === 'ArrowLeft' ? -1 : 1))));
        break;
      case 'Enter':
        if (hoverX !== null) onPick(hoverX);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  if (failed) return <p className={styles.empty}>{t('The chart could not be loaded. Reload the page; the numbers are in the table.')}</p>;
  return (
    <div
      ref={host}
      className={styles.plot}
      role="img"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys zoom, pan and read values
      tabIndex={0}
      aria-label={summary}
      title=""
      onKeyDown={keys}
      onPointerLeave={() => onHover(null)}
      onBlur={() => onHover(null)}
    />
  );
}

interface Now {
  readonly model: ChartModel;
  readonly view: readonly [number, number] | null;
  readonly onView: Props['onView'];
}

/** Scales the range about a point of it; showing nearly everything means showing everything. */
function zoom({ model, view, onView }: Now, factor: number, share: number): void {
  const [from, to] = view ?? model.extent;
  const width = Math.max((to - from) * factor, (model.extent[1] - model.extent[0]) / 5000);
  const middle = from + (to - from) * share;
  const next = within([middle - width * share, middle + width * (1 - share)], model.extent);
  onView(next[0] <= model.extent[0] && next[1] >= model.extent[1] ? null : next);
}

function move({ model, view, onView }: Now, share: number): void {
  if (view === null) return;
  const by = (view[1] - view[0]) * share;
  onView(within([view[0] + by, view[1] + by], model.extent));
}

/** Pushes a range back inside the extent without changing its width. */
function within(range: readonly [number, number], extent: readonly [number, number]): readonly [number, number] {
  const width = Math.min(range[1] - range[0], extent[1] - extent[0]);
  const from = Math.min(Math.max(range[0], extent[0]), extent[1] - width);
  return [from, from + width];
}
