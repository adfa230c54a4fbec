/**
 * The field of a map: the editor where there is a map, and a way to draw one where the environment makes its own. The map lives in the
 * draft, so it is in the link; the scene shows it while it changes.
 */
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { lab } from '#client/lab.ts';
import type { Json } from '#contract/json.ts';
import { draftStore } from '#stores/draft.ts';
import { stageStore } from '#stores/stage.ts';
import type { ControlProps } from '../form/control.ts';
import { Button } from '../kit/Button.tsx';
import { MapEditor } from './MapEditor.tsx';
import styles from './MapField.module.css';
import { blocks, mapInView, type Start, startOf } from './start.ts';
import { blank, parseRows, type Written, writeRows } from './tiles.ts';

export function MapField({ leaf, value, labelId, describedBy, problem, onChange }: ControlProps) {
  const editing = useStore(stageStore, (state) => state.mode === 'edit');
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!editing) return;
    place.current?.scrollIntoView({ block: 'nearest' });
    place.current?.querySelector<HTMLElement>('[role="grid"], button')?.focus({ preventScroll: true });
  }, [editing]);
  const siblings = useStore(draftStore, (state) => state.config.env.config);
  const written = writtenAs(leaf.schema.description ?? '', value);
  const stored = rowsOf(value);
  // A token map keeps the agent's start beside it.
  const startPath = written === 'tokens' && 'start' in siblings ? leaf.path.replace(/[^.]+$/, 'start') : null;
  const setStart = (start: Start | null) => {
    if (startPath !== null) draftStore.getState().set(startPath, start);
  };
  if (stored === null) {
    const draw = () => {
      const view = written === 'tokens' ? mapInView(stageStore.getState().source) : null;
      const width = typeof siblings.width === 'number' ? siblings.width : 8;
      const height = typeof siblings.height === 'number' ? siblings.height : 8;
      onChange(writeRows(written, view?.cells ?? blank(written, width, height)));
      setStart(view?.start ?? [1, 1, 0]);
      void lab.editMap(true);
    };
    return (
      <div ref={place} className={styles.none}>
        <Button icon="gallery" onClick={draw} aria-labelledby={`${labelId} ${labelId}-draw`} aria-describedby={describedBy}>
          <span id={`${labelId}-draw`}>Edit this map</span>
        </Button>
      </div>
    );
  }
  const start = startOf(siblings);
  return (
    <div ref={place}>
      <MapEditor
        written={written}
        cells={parseRows(stored).cells}
        start={start}
        problem={problem}
        labelId={labelId}
        describedBy={describedBy}
        onChange={(cells) => {
          // What nobody can stand on takes the start away first, so that no draft in between is wrong.
          showInScene();
          if (start !== null && blocks(cells[start[1]]?.[start[0]] ?? 'WE')) setStart(null);
          onChange(writeRows(written, cells));
        }}
        onStart={startPath === null ? null : setStart}
        onRemove={
          leaf.nullable
            ? () => {
                setStart(null);
                onChange(null);
              }
            : null
        }
      />
    </div>
  );
}

/** The scene shows the map while it changes. */
function showInScene(): void {
  if (stageStore.getState().mode !== 'edit') void lab.editMap(true);
}

function rowsOf(value: Json | undefined): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const rows = value.filter((row): row is string => typeof row === 'string');
  return rows.length === value.length ? rows : null;
}

/** By what is there; where nothing is yet, by what the field says about itself. */
function writtenAs(description: string, value: Json | undefined): Written {
  const rows = rowsOf(value);
  if (rows !== null) return parseRows(rows).written;
  return /\bS start\b/.test(description) ? 'letters' : 'tokens';
}
