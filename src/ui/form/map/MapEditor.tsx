/** Palette, map and what the map lacks, for any environment that says what its maps are made of. */
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { GridLook } from '#contract/game/frames.ts';
import { type Cells, firstTile } from '#contract/game/map-cells.ts';
import { blocks, complaints } from '#contract/game/map-check.ts';
import type { MapFormat } from '#contract/game/maps.ts';
import { draftStore } from '#stores/draft.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Count } from '../Count.tsx';
import { blank, codeOf, inWords, paint, resize } from './format.ts';
import styles from './MapField.module.css';
import { MapGrid } from './MapGrid.tsx';
import { type Brush, Palette } from './Palette.tsx';
import { DIRECTIONS, type Start } from './start.ts';

interface Props {
  readonly format: MapFormat;
  readonly cells: Cells;
  readonly start: Start | null;
  /** What is drawn below levels, [row][column]. */
  readonly under?: readonly (readonly GridLook[])[] | null;
  /** It keeps its size. */
  readonly fixed?: boolean;
  readonly problem: string | null;
  readonly labelId: string;
  readonly describedBy: string;
  readonly onChange: (cells: Cells) => void;
  /** null: the agent's start is no field of its own. */
  readonly onStart: ((start: Start) => void) | null;
  readonly onRemove: (() => void) | null;
  /** null: it is as large as it gets. */
  readonly onEnlarge: (() => void) | null;
}

export function MapEditor(props: Props) {
  const {
    format,
    cells,
    start,
    under = null,
    fixed = false,
    problem,
    labelId,
    describedBy,
    onChange,
    onStart,
    onRemove,
    onEnlarge,
  } = props;
  const [chosen, setChosen] = useState<Brush>(format.tiles.length > 1 ? 1 : 0);
  const [colour, setColour] = useState(() => (format.colours?.find(({ name }) => name === 'yellow') ?? format.colours?.[0])?.code ?? '');
  const undoable = useStore(draftStore, (state) => state.past.length > 0);
  const redoable = useStore(draftStore, (state) => state.future.length > 0);
  const tile = chosen === 'agent' ? null : (format.tiles[chosen] ?? null);
  const code = tile === null ? '' : codeOf(tile, colour);
  const plain = firstTile(format).code;
  const height = cells.length;
  const width = Math.max(1, cells[0]?.length ?? 0);
  const lacks = useMemo(() => complaints(format, cells, start === null ? null : [start[0], start[1]]), [format, cells, start]);

  /** Puts the agent there; where it stands already, turns it. */
  const place = (x: number, y: number): string => {
    if (blocks(format, cells[y]?.[x] ?? '')) return t('The agent cannot stand there.');
    const here = start !== null && start[0] === x && start[1] === y;
    const direction = here ? (start[2] + 1) % 4 : (start?.[2] ?? 0);
    onStart?.([x, y, direction]);
    return t('agent at row {row}, column {column}, facing {direction}', {
      row: y + 1,
      column: x + 1,
      direction: t(DIRECTIONS[direction] ?? ''),
    });
  };
  const choose = (key: string): string | null => {
    const digit = '1234567890'.indexOf(key);
    const lettered = format.tiles.findIndex((one) => one.code.trim() !== '' && one.code[0]?.toLowerCase() === key.toLowerCase());
    const levels = format.tiles.some(({ tint }) => tint !== undefined);
    const brush = digit < 0 || levels ? lettered : digit;
    if (onStart !== null && brush === format.tiles.length) {
      setChosen('agent');
      return t('agent');
    }
    const next = format.tiles[brush];
    if (next === undefined) return null;
    setChosen(brush);
    return inWords(format, codeOf(next, colour));
  };

  return (
    <div className={styles.editor} data-large={onEnlarge === null ? '' : undefined}>
      <Palette format={format} agent={onStart !== null} chosen={chosen} colour={colour} onChoose={setChosen} onColour={setColour} />
      <MapGrid
        format={format}
        cells={cells}
        start={start}
        under={under}
        invalid={problem !== null}
        labelId={labelId}
        describedBy={describedBy}
        stroke={(now, x, y, erase) => (tile === null && !erase ? null : paint(format, now, x, y, erase ? plain : code))}
        erases={(x, y) => cells[y]?.[x] === code && !tile?.once}
        onPaint={onChange}
        onPress={place}
        onKey={choose}
      />
      <div className={styles.foot}>
        {!fixed && (
          <>
            <Count of="columns" value={width} range={format.size} onChange={(next) => onChange(resize(format, cells, next, height))} />
            <Count of="rows" value={height} range={format.size} onChange={(next) => onChange(resize(format, cells, width, next))} />
          </>
        )}
        <span className={styles.tools}>
          <Button kind="bare" icon="undo" label={t('Undo')} disabled={!undoable} onClick={() => draftStore.getState().undo()} />
          <Button kind="bare" icon="redo" label={t('Redo')} disabled={!redoable} onClick={() => draftStore.getState().redo()} />
          {onEnlarge && <Button kind="bare" icon="expand" label={t('Draw in a large window')} onClick={onEnlarge} />}
          <Button kind="bare" onClick={() => onChange(blank(format, width, height))}>
            {t('Clear')}
          </Button>
          {onRemove && (
            <Button kind="bare" onClick={onRemove}>
              {t('Remove')}
            </Button>
          )}
        </span>
      </div>
      {lacks.length > 0 && (
        <ul className={styles.warning} role="status">
          {lacks.map((says) => (
            <li key={says}>{t(says)}</li>
          ))}
        </ul>
      )}
      {problem !== null && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
