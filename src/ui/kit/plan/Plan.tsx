/**
 * A frame as a small drawing whose things can be dragged. For what the scene cannot do: it turns and is shared, this stays and is the
 * panel's own.
 */
import { type PointerEvent, useRef, useState } from 'react';
import { cellsOf, type FrameLayout } from '#contract/game/frames.ts';
import { sceneOf } from '#scenes/index.ts';
import styles from './Plan.module.css';
import { planShape } from './plan-shape.ts';

export interface Dragged {
  /** An agent or point; -1: what lies on a cell. */
  readonly thing: number;
  readonly cell: number;
  readonly x: number;
  readonly y: number;
}

interface Props {
  readonly layout: FrameLayout;
  readonly frame: Float32Array;
  readonly label: string;
  /** What stands on each agent. */
  readonly marks: readonly string[];
  /** Where a thing is going to stand. */
  readonly ghost?: Dragged | null;
  readonly onDrag?: (dragged: Dragged) => void;
  /** While something is being dragged. */
  readonly onMove?: (dragged: Dragged) => void;
}

const LOOKS: Readonly<Record<string, string>> = {
  wall: 'var(--stage-wall)',
  brick: 'var(--stage-wall)',
  counter: 'var(--stage-structure)',
  goal: 'var(--stage-goal)',
  target: 'var(--stage-goal)',
  food: 'var(--stage-goal)',
  coin: 'var(--caution)',
  lava: 'var(--stage-hazard)',
  hole: 'var(--stage-hazard)',
  cliff: 'var(--stage-hazard)',
  water: 'var(--series-5)',
};
/** Of the picture's width: smaller things cannot be grasped. */
const LEAST = 0.012;

export function Plan({ layout, frame, label, marks, ghost = null, onDrag, onMove }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const [held, setHeld] = useState<Dragged | null>(null);
  const scene = sceneOf(layout);
  const [w, h] = scene.extent(layout);
  const cells = cellsOf(layout);
  const things = scene.things(layout);
  const unit = Math.max(w, h) / 100;
  const spots = Array.from({ length: things.count }, (_, thing) => scene.spot(layout, frame, frame, 0, thing));
  const radiusOf = (thing: number): number => Math.max(spots[thing]?.radius ?? 0, LEAST * w);

  const place = (event: PointerEvent): readonly [number, number] => {
    const matrix = svg.current?.getScreenCTM();
    if (!matrix) return [0, 0];
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const inside = (at: number, size: number): number => Math.min(size - 1e-6, Math.max(0, at));
    const point = scene.point(layout, inside(x, w), inside(y, h));
    return [point.x, point.y];
  };
  const take = (thing: number, cell: number, event: PointerEvent): void => {
    if (onDrag === undefined) return;
    svg.current?.setPointerCapture(event.pointerId);
    const [x, y] = place(event);
    setHeld({ thing, cell, x, y });
    event.preventDefault();
  };
  const move = (event: PointerEvent): void => {
    if (held === null) return;
    const [x, y] = place(event);
    setHeld({ ...held, x, y });
    onMove?.({ ...held, x, y });
  };
  const drop = (): void => {
    if (held !== null) onDrag?.(held);
    setHeld(null);
  };
  const shown = held ?? ghost;
  const shownAt = shown === null ? null : scene.place(layout, shown.x, shown.y);

  return (
    <svg
      ref={svg}
      className={styles.plan}
      viewBox={`0 0 ${w} ${h}`}
      role="img"
      aria-label={label}
      data-draggable={onDrag === undefined ? undefined : ''}
      onPointerMove={move}
      onPointerUp={drop}
      onPointerCancel={() => setHeld(null)}
    >
      <rect width={w} height={h} className={styles.floor} />
      {cells !== null &&
        Array.from({ length: cells.width * cells.height }, (_, cell) => {
          const look = scene.contents?.(layout, frame, cell) ?? '';
          if (look === '') return null;
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its index
              key={cell}
              x={(cell % cells.width) + 0.04}
              y={Math.floor(cell / cells.width) + 0.04}
              width={0.92}
              height={0.92}
              rx={0.08}
              fill={LOOKS[look] ?? 'var(--faint)'}
              onPointerDown={(event) => take(-1, cell, event)}
            >
              <title>{look}</title>
            </rect>
          );
        })}
      {spots.map((spot, thing) => {
        if (spot === null) return null;
        const { x, y, colour } = spot;
        const r = radiusOf(thing);
        const agent = things.acts(thing);
        const shape = planShape(layout, frame, thing);
        if (shape !== null)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a thing is its number
            <g key={thing} onPointerDown={(event) => take(thing, -1, event)} className={shape.still ? styles.still : styles.thing}>
              <rect
                x={-shape.width / 2}
                y={-shape.height / 2}
                width={shape.width}
                height={shape.height}
                rx={shape.round ? shape.width / 2 : Math.min(shape.width, shape.height) * 0.2}
                transform={`translate(${x} ${y}) rotate(${shape.turn})`}
                fill={shape.still ? 'var(--line-strong)' : agent ? `var(--series-${colour % 8})` : 'var(--series-1)'}
                stroke="transparent"
                strokeWidth={unit * 3}
              />
            </g>
          );
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a thing is its number
          <g key={thing} onPointerDown={(event) => take(thing, -1, event)} className={styles.thing}>
            <circle
              cx={x}
              cy={y}
              r={r}
              fill={agent ? `var(--series-${colour % 8})` : 'none'}
              stroke={agent ? 'var(--surface)' : 'var(--line-strong)'}
              strokeWidth={unit * 0.7}
            />
            {!agent && <circle cx={x} cy={y} r={r} fill="var(--line-strong)" opacity={0.25} />}
            {agent && spots.length <= 40 && (
              <text x={x} y={y} fontSize={Math.max(r * 1.1, unit * 4)} className={styles.number}>
                {marks[thing] ?? thing}
              </text>
            )}
          </g>
        );
      })}
      {shown !== null && shownAt !== null && (
        <circle
          cx={shownAt[0]}
          cy={shownAt[1]}
          r={cells === null ? Math.max(unit * 3, radiusOf(shown.thing)) : 0.42}
          className={styles.ghost}
          strokeWidth={unit}
        />
      )}
    </svg>
  );
}
