/**
 * Draws a grid map with mouse, touch or keys. The grid is one Tab stop: arrows move, Enter or Space paints, digits choose the tile,
 * Home and End go along the row, Delete takes away. A stroke is one undo step.
 */
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { Button } from '../kit/Button.tsx';
import styles from './MapField.module.css';
import { Palette } from './Palette.tsx';
import { reach } from './reach.ts';
import { blocks, DIRECTIONS, type Start } from './start.ts';
import { TileArt } from './TileArt.tsx';
import { blank, type Cells, codeOf, inWords, paint, resize, seen, tilesOf, type Written } from './tiles.ts';

const LARGEST = 25;

interface EditorProps {
  readonly written: Written;
  readonly cells: Cells;
  readonly start: Start | null;
  readonly problem: string | null;
  readonly labelId: string;
  readonly describedBy: string;
  readonly onChange: (cells: Cells) => void;
  readonly onStart: ((start: Start) => void) | null;
  readonly onRemove: (() => void) | null;
}

export function MapEditor({ written, cells: stored, start, problem, labelId, describedBy, onChange, onStart, onRemove }: EditorProps) {
  const id = useId();
  const tiles = tilesOf(written).filter((tile) => tile.look !== 'agent' || onStart !== null);
  const [chosen, setChosen] = useState(tiles[1]!);
  const [colour, setColour] = useState('Y');
  const [cursor, setCursor] = useState<readonly [number, number]>([0, 0]);
  const [stroke, setStroke] = useState<Cells | null>(null);
  const [said, setSaid] = useState('');
  const grid = useRef<HTMLDivElement>(null);
  const painting = useRef<{ code: string; cells: Cells } | null>(null);

  const cells = stroke ?? stored;
  const height = cells.length;
  const width = Math.max(1, ...cells.map((row) => row.length));
  const [x, y] = [Math.min(cursor[0], width - 1), Math.min(cursor[1], height - 1)];
  const state = reach(written, cells, start === null ? null : [start[0], start[1]]);
  const where = (cx: number, cy: number, now: Cells) => `row ${cy + 1}, column ${cx + 1}: ${inWords(written, now[cy]?.[cx] ?? '')}`;

  const here = (cx: number, cy: number) => start !== null && start[0] === cx && start[1] === cy;

  /** Puts the agent there; where it stands already, turns it. */
  const place = (cx: number, cy: number) => {
    if (blocks(cells[cy]?.[cx] ?? 'WE')) {
      setSaid('The agent cannot stand there.');
      return;
    }
    const direction = here(cx, cy) ? (start![2] + 1) % 4 : (start?.[2] ?? 0);
    onStart?.([cx, cy, direction]);
    setSaid(`agent at row ${cy + 1}, column ${cx + 1}, facing ${DIRECTIONS[direction]}`);
  };
  const put = (cx: number, cy: number) => {
    if (chosen.look === 'agent') {
      place(cx, cy);
      return;
    }
    const next = paint(written, cells, cx, cy, codeOf(written, chosen, colour));
    onChange(next);
    setSaid(where(cx, cy, next));
  };
  const go = (cx: number, cy: number) => {
    const to = [Math.min(width - 1, Math.max(0, cx)), Math.min(height - 1, Math.max(0, cy))] as const;
    setCursor(to);
    setSaid(where(to[0], to[1], cells));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const digit = '1234567890'.indexOf(event.key);
    if (event.key === 'ArrowRight') go(x + 1, y);
    else if (event.key === 'ArrowLeft') go(x - 1, y);
    else if (event.key === 'ArrowDown') go(x, y + 1);
    else if (event.key === 'ArrowUp') go(x, y - 1);
    else if (event.key === 'Home') go(0, y);
    else if (event.key === 'End') go(width - 1, y);
    else if (event.key === 'Enter' || event.key === ' ') put(x, y);
    else if (event.key === 'Delete' || event.key === 'Backspace') {
      const next = paint(written, cells, x, y, tiles[0]!.code);
      onChange(next);
      setSaid(where(x, y, next));
    } else if (event.key.length === 1 && digit >= 0 && digit < tiles.length) {
      setChosen(tiles[digit]!);
      setSaid(`${tiles[digit]!.title} chosen`);
    } else return;
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
  const brush = (event: PointerEvent) => {
    const at = cellAt(event);
    const now = painting.current;
    if (at === null || now === null || now.cells[at[1]]?.[at[0]] === now.code) return;
    now.cells = paint(written, now.cells, at[0], at[1], now.code);
    setStroke(now.cells);
    setCursor(at);
  };

  return (
    <div className={styles.editor}>
      <Palette tiles={tiles} chosen={chosen} colour={colour} onChoose={setChosen} onColour={setColour} />
      {/* biome-ignore lint/a11y/useSemanticElements: a grid of cells that are painted, not a table of data */}
      <div
        ref={grid}
        role="grid"
        tabIndex={0}
        className={styles.grid}
        aria-labelledby={labelId}
        aria-describedby={describedBy}
        aria-rowcount={height}
        aria-colcount={width}
        aria-activedescendant={`${id}-${x}-${y}`}
        aria-invalid={problem !== null}
        style={{
          gridTemplateColumns: `repeat(${width}, 1fr)`,
          aspectRatio: `${width} / ${height}`,
          inlineSize: `min(100%, ${width * 48}px)`,
        }}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          const at = cellAt(event);
          if (at === null || event.button === 1) return;
          if (chosen.look === 'agent') {
            setCursor(at);
            place(at[0], at[1]);
            return;
          }
          event.currentTarget.setPointerCapture(event.pointerId);
          const paintCode = codeOf(written, chosen, colour);
          // Painting over what is there already takes it away; so does the second mouse button.
          const erase = event.button === 2 || stored[at[1]]?.[at[0]] === paintCode;
          painting.current = { code: erase && !chosen.single ? tiles[0]!.code : paintCode, cells: stored };
          brush(event);
        }}
        onPointerMove={brush}
        onPointerUp={() => {
          if (painting.current !== null && painting.current.cells !== stored) onChange(painting.current.cells);
          painting.current = null;
          setStroke(null);
        }}
        onPointerCancel={() => {
          painting.current = null;
          setStroke(null);
        }}
        onContextMenu={(event) => event.preventDefault()}
      >
        {cells.map((row, cy) => (
          // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useSemanticElements lint/suspicious/noArrayIndexKey: the grid holds the focus for all cells, and a row is its place
          <div key={cy} role="row" className={styles.row} aria-rowindex={cy + 1}>
            {row.map((code, cx) => (
              // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useSemanticElements: see the row
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                key={cx}
                id={`${id}-${cx}-${cy}`}
                role="gridcell"
                className={styles.cell}
                aria-colindex={cx + 1}
                aria-label={here(cx, cy) ? `${inWords(written, code)}, agent facing ${DIRECTIONS[start![2] % 4]}` : inWords(written, code)}
                data-cursor={cx === x && cy === y ? '' : undefined}
              >
                <TileArt seen={seen(written, code)} agent={here(cx, cy) ? start![2] : null} />
              </div>
            ))}
          </div>
        ))}
      </div>
      <div className={styles.foot}>
        <Count label="columns" value={width} onChange={(next) => onChange(resize(written, cells, next, height))} />
        <Count label="rows" value={height} onChange={(next) => onChange(resize(written, cells, width, next))} />
        <span className={styles.space} />
        <Button kind="bare" onClick={() => onChange(blank(written, width, height))}>
          Clear
        </Button>
        {onRemove && (
          <Button kind="bare" onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
      {state !== 'reachable' && !(state === 'no start' && written === 'tokens') && (
        <p className={styles.warning} role="status">
          {WARNINGS[state]}
        </p>
      )}
      {problem !== null && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
      <p className="visually-hidden" aria-live="polite">
        {said}
      </p>
    </div>
  );
}

const WARNINGS = {
  unreachable: 'The goal cannot be reached from the start. Open a way, or add the key of the door.',
  'no goal': 'There is no goal on this map, so nothing ends an episode with a reward.',
  'no start': 'There is no start on this map. Paint one.',
} as const;

function Count({ label, value, onChange }: { readonly label: string; readonly value: number; readonly onChange: (value: number) => void }) {
  return (
    <span className={styles.count}>
      <Button kind="bare" icon="minus" label={`One of the ${label} less`} disabled={value <= 3} onClick={() => onChange(value - 1)} />
      <span className={styles.number}>
        {value} {label}
      </span>
      <Button kind="bare" icon="plus" label={`One of the ${label} more`} disabled={value >= LARGEST} onClick={() => onChange(value + 1)} />
    </span>
  );
}
