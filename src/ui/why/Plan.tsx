/**
 * A frame from above as a small drawing: grids and planes, whose things can be dragged. For what the scene cannot do: it turns and is
 * shared, this stays and is the panel's own.
 */
import { type PointerEvent, useRef, useState } from 'react';
import type { FrameLayout, GridLayout, PointsLayout } from '#contract/frames.ts';
import styles from './Plan.module.css';

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
}

interface Spot {
  readonly thing: number;
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly colour: number;
  readonly agent: boolean;
}

export function isDrawn(layout: FrameLayout): layout is GridLayout | PointsLayout {
  return layout.kind === 'grid' || layout.kind === 'points';
}

/** Things of a frame in drawing units: cells, or metres with y down. */
function spotsOf(layout: GridLayout | PointsLayout, frame: Float32Array): readonly Spot[] {
  if (layout.kind === 'grid')
    return Array.from({ length: layout.agents }, (_, thing) => {
      const at = layout.width * layout.height * 3 + thing * 6;
      const colour = layout.teams?.[thing] ?? thing;
      return { thing, x: frame[at]! + 0.5, y: frame[at + 1]! + 0.5, r: frame[at + 5] === 0 ? 0 : 0.36, colour, agent: true };
    });
  const [minX, , maxX] = layout.bounds;
  const least = (maxX - minX) * 0.012;
  const solid = agentPoints(layout);
  return Array.from({ length: layout.count }, (_, thing) => {
    const r = frame[thing * 6 + 4]!;
    return {
      thing,
      x: frame[thing * 6]!,
      y: -frame[thing * 6 + 1]!,
      r: r === 0 ? 0 : Math.max(r, least),
      colour: Math.max(0, Math.round(frame[thing * 6 + 5]!)),
      agent: thing < solid,
    };
  });
}

/** Points that act: the groups of discs and wedges come first. */
function agentPoints(layout: PointsLayout): number {
  let count = 0;
  for (const group of layout.groups ?? []) {
    if (group.shape !== 'disc' && group.shape !== 'wedge') break;
    count += group.count;
  }
  return layout.groups === undefined ? layout.count : count;
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
const BARE = new Set(['empty', 'unseen', 'floor', 'ice', 'soil', 'agent']);

export function Plan({ layout, frame, label, marks, ghost = null, onDrag }: Props) {
  const svg = useRef<SVGSVGElement>(null);
  const [held, setHeld] = useState<Dragged | null>(null);
  if (!isDrawn(layout)) return null;
  const grid = layout.kind === 'grid' ? layout : null;
  const [x0, y0, w, h] =
    layout.kind === 'grid'
      ? [0, 0, layout.width, layout.height]
      : [layout.bounds[0], -layout.bounds[3], layout.bounds[2] - layout.bounds[0], layout.bounds[3] - layout.bounds[1]];
  const unit = Math.max(w, h) / 100;
  const spots = spotsOf(layout, frame);

  const place = (event: PointerEvent): readonly [number, number] => {
    const matrix = svg.current?.getScreenCTM();
    if (!matrix) return [0, 0];
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const cx = Math.min(x0 + w - 1e-6, Math.max(x0, x));
    const cy = Math.min(y0 + h - 1e-6, Math.max(y0, y));
    return grid === null ? [cx, -cy] : [Math.floor(cx), Math.floor(cy)];
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
  };
  const drop = (): void => {
    if (held !== null) onDrag?.(held);
    setHeld(null);
  };
  const shown = held ?? ghost;
  const at = (thing: number): Spot | undefined => spots[thing];

  return (
    <svg
      ref={svg}
      className={styles.plan}
      viewBox={`${x0} ${y0} ${w} ${h}`}
      role="img"
      aria-label={label}
      data-draggable={onDrag === undefined ? undefined : ''}
      onPointerMove={move}
      onPointerUp={drop}
      onPointerCancel={() => setHeld(null)}
    >
      <rect x={x0} y={y0} width={w} height={h} className={styles.floor} />
      {grid !== null &&
        Array.from({ length: grid.width * grid.height }, (_, cell) => {
          const look = grid.looks[frame[cell * 3]!] ?? 'empty';
          if (BARE.has(look)) return null;
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its index
              key={cell}
              x={(cell % grid.width) + 0.04}
              y={Math.floor(cell / grid.width) + 0.04}
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
      {spots.map(({ thing, x, y, r, colour, agent }) =>
        r === 0 ? null : (
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
        ),
      )}
      {shown !== null && (
        <circle
          cx={grid === null ? shown.x : shown.x + 0.5}
          cy={grid === null ? -shown.y : shown.y + 0.5}
          r={grid === null ? Math.max(unit * 3, at(shown.thing)?.r ?? 0) : 0.42}
          className={styles.ghost}
          strokeWidth={unit}
        />
      )}
    </svg>
  );
}
