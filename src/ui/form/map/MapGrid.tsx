/**
 * The map itself, painted with mouse, touch or keys. One Tab stop: arrows move, Enter or Space paints, digits and letters choose the
 * tile, Home and End go along the row, Page Up and Down along the column, Delete takes away. A stroke is one change.
 */
import { type KeyboardEvent, memo, type PointerEvent, useId, useRef, useState } from 'react';
import type { GridLook } from '#contract/game/frames.ts';
import type { Cells } from '#contract/game/map-cells.ts';
import type { MapFormat } from '#contract/game/maps.ts';
import { t } from '#text/text.ts';
import { inWords } from './format.ts';
import styles from './MapField.module.css';
import { DIRECTIONS, type Start } from './start.ts';
import { TileArt } from './TileArt.tsx';

interface Props {
  readonly format: MapFormat;
  readonly cells: Cells;
  readonly start: Start | null;
  /** What is drawn below levels, [row][column]. */
  readonly under?: readonly (readonly GridLook[])[] | null;
  readonly invalid: boolean;
  readonly labelId: string;
  readonly describedBy: string;
  /** What one press does to a cell; null: nothing is dragged with this brush. */
  readonly stroke: (cells: Cells, x: number, y: number, erase: boolean) => Cells | null;
  /** The code that a drag from here paints: dragging over what is there already takes it away. */
  readonly erases: (x: number, y: number) => boolean;
  readonly onPaint: (cells: Cells) => void;
  /** A press that is not dragged (the agent). */
  readonly onPress: (x: number, y: number) => string;
  /** A digit or a letter: what it chose, or null. */
  readonly onKey: (key: string) => string | null;
}

export function MapGrid({
  format,
  cells: stored,
  start,
  under,
  invalid,
  labelId,
  describedBy,
  stroke,
  erases,
  onPaint,
  onPress,
  onKey,
}: Props) {
  const id = useId();
  const [cursor, setCursor] = useState<readonly [number, number]>([0, 0]);
  const [drawn, setDrawn] = useState<Cells | null>(null);
  const [said, setSaid] = useState('');
  const grid = useRef<HTMLDivElement>(null);
  const dragging = useRef<{ cells: Cells; readonly erase: boolean } | null>(null);

  const cells = drawn ?? stored;
  const height = cells.length;
  const width = Math.max(1, cells[0]?.length ?? 0);
  const [x, y] = [Math.min(cursor[0], width - 1), Math.min(cursor[1], height - 1)];
  const where = (cx: number, cy: number, now: Cells) =>
    t('row {row}, column {column}: {what}', { row: cy + 1, column: cx + 1, what: inWords(format, now[cy]?.[cx] ?? '') });

  const put = (erase: boolean) => {
    const next = stroke(cells, x, y, erase);
    if (next === null) {
      setSaid(onPress(x, y));
      return;
    }
    onPaint(next);
    setSaid(where(x, y, next));
  };
  const go = (cx: number, cy: number) => {
    const to = [Math.min(width - 1, Math.max(0, cx)), Math.min(height - 1, Math.max(0, cy))] as const;
    setCursor(to);
    setSaid(where(to[0], to[1], cells));
  };
  const MOVES: { readonly [key: string]: () => void } = {
    ArrowRight: () => go(x + 1, y),
    ArrowLeft: () => go(x - 1, y),
    ArrowDown: () => go(x, y + 1),
    ArrowUp: () => go(x, y - 1),
    Home: () => go(0, y),
    End: () => go(width - 1, y),
    PageUp: () => go(x, 0),
    PageDown: () => go(x, height - 1),
    Enter: () => put(false),
    ' ': () => put(false),
    Delete: () => put(true),
    Backspace: () => put(true),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = MOVES[event.key];
    if (move !== undefined) move();
    else {
      const chose = event.key.length === 1 ? onKey(event.key) : null;
      if (chose === null) return;
      setSaid(t('{what} chosen', { what: chose }));
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const cellAt = (event: PointerEvent): readonly [number, number] | null => {
    const box = grid.current?.getBoundingClientRect();
    if (box === undefined) return null;
    const cx = Math.floor(((event.clientX - box.left) / box.width) * width);
    const cy = Math.floor(((event.clientY - box.top) / box.height) * height);
    return cx < 0 || cy < 0 || cx >= width || cy >= height ? null : [cx, cy];
  };
  const drag = (event: PointerEvent) => {
    const at = cellAt(event);
    const now = dragging.current;
    if (at === null || now === null) return;
    const next = stroke(now.cells, at[0], at[1], now.erase);
    if (next === null) return;
    now.cells = next;
    setDrawn(next);
    setCursor(at);
  };
  const drop = () => {
    dragging.current = null;
    setDrawn(null);
  };

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a grid of cells that are painted, not a table of data */}
      <div
        ref={grid}
        role="grid"
        tabIndex={0}
        className={styles.grid}
        data-fine={width > 24 ? '' : undefined}
        aria-labelledby={labelId}
        aria-describedby={describedBy}
        aria-rowcount={height}
        aria-colcount={width}
        aria-activedescendant={`${id}-${x}-${y}`}
        aria-invalid={invalid}
        style={{
          gridTemplateColumns: `repeat(${width}, 1fr)`,
          aspectRatio: `${width} / ${height}`,
          inlineSize: `min(100%, ${width} * var(--cell), ${width / height} * var(--tallest))`,
        }}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          const at = cellAt(event);
          if (at === null || event.button === 1) return;
          if (stroke(stored, at[0], at[1], false) === null) {
            setCursor(at);
            setSaid(onPress(at[0], at[1]));
            return;
          }
          event.currentTarget.setPointerCapture(event.pointerId);
          dragging.current = { cells: stored, erase: event.button === 2 || erases(at[0], at[1]) };
          drag(event);
        }}
        onPointerMove={drag}
        onPointerUp={() => {
          const now = dragging.current;
          drop();
          if (now !== null && now.cells !== stored) onPaint(now.cells);
        }}
        onPointerCancel={drop}
        onContextMenu={(event) => event.preventDefault()}
      >
        {cells.map((row, cy) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            key={cy}
            id={id}
            format={format}
            row={row}
            y={cy}
            cursor={cy === y ? x : -1}
            agent={start !== null && start[1] === cy ? start[0] : -1}
            facing={start?.[2] ?? 0}
            under={under?.[cy]}
          />
        ))}
      </div>
      <p className="visually-hidden" aria-live="polite">
        {said}
      </p>
    </>
  );
}

interface RowProps {
  readonly id: string;
  readonly format: MapFormat;
  readonly row: readonly string[];
  readonly y: number;
  /** Column of the cursor, of the agent; -1: not in this row. */
  readonly cursor: number;
  readonly agent: number;
  readonly facing: number;
  readonly under: readonly GridLook[] | undefined;
}

/** A row that did not change is not drawn again: maps have up to 4,096 cells. */
const Row = memo(function Row({ id, format, row, y, cursor, agent, facing, under }: RowProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useSemanticElements: the grid holds the focus for all cells
    <div role="row" className={styles.row} aria-rowindex={y + 1}>
      {row.map((code, x) => (
        // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useSemanticElements: see the row
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
          key={x}
          id={`${id}-${x}-${y}`}
          role="gridcell"
          className={styles.cell}
          aria-colindex={x + 1}
          aria-label={
            x === agent
              ? t('{format}, agent facing {value}', { format: inWords(format, code), value: DIRECTIONS[facing % 4] ?? '' })
              : inWords(format, code)
          }
          data-cursor={x === cursor ? '' : undefined}
        >
          <TileArt format={format} code={code} agent={x === agent ? facing : null} under={under?.[x]} />
        </div>
      ))}
    </div>
  );
});
