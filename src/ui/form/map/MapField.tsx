/**
 * The field of a map: the editor where there is a map, and a way to draw one where the environment makes its own. The map lives in the
 * draft, so it is in the link; the scene shows it while it changes.
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { stage } from '#client/stage/service.ts';
import { cellsOf } from '#contract/game/frames.ts';
import { type Cells, parseRows } from '#contract/game/map-cells.ts';
import { blocks } from '#contract/game/map-check.ts';
import type { MapFormat } from '#contract/game/maps.ts';
import type { Json } from '#contract/kit/json.ts';
import { draftStore } from '#stores/draft.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import type { ControlProps } from '../control.ts';
import { blank, writeRows } from './format.ts';
import { MapEditor } from './MapEditor.tsx';
import styles from './MapField.module.css';
import { mapInView, readStart, type Start } from './start.ts';

const USUAL_SIDE = 8;

export function MapField(props: ControlProps) {
  const format = props.leaf.schema.map;
  return format === undefined ? null : <Field {...props} format={format} />;
}

function Field({ leaf, value, labelId, describedBy, problem, onChange, format }: ControlProps & { readonly format: MapFormat }) {
  const editing = useStore(stageStore, (state) => state.mode === 'edit');
  const siblings = useStore(draftStore, (state) => state.config.env.config);
  const [large, setLarge] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!editing) return;
    place.current?.scrollIntoView({ block: 'nearest' });
    place.current?.querySelector<HTMLElement>('[role="grid"], button')?.focus({ preventScroll: true });
  }, [editing]);
  const cells = useMemo(() => {
    const rows = rowsOf(value);
    return rows === null ? null : parseRows(format, rows);
  }, [format, value]);
  const startValue = format.start === undefined ? undefined : siblings[format.start];
  const start = useMemo(() => readStart(startValue), [startValue]);

  /** Map and start change together: one step to undo, and no draft in between is wrong. */
  const put = (next: Cells | null, at: Start | null) => {
    const rows = next === null ? null : [...writeRows(format, next)];
    if (format.start === undefined || JSON.stringify(at) === JSON.stringify(startValue ?? null)) onChange(rows);
    else draftStore.getState().setAll({ [leaf.path]: rows, [besideMap(leaf.path, format.start)]: at === null ? null : [...at] });
  };
  if (cells === null) {
    const draw = () => {
      const begun = begin(format, siblings);
      put(begun.cells, begun.start);
      void stage.editMap(true);
    };
    return (
      <div ref={place} className={styles.none}>
        <Button icon="gallery" onClick={draw} aria-labelledby={`${labelId} ${labelId}-draw`} aria-describedby={describedBy}>
          <span id={`${labelId}-draw`}>{t('Edit this map')}</span>
        </Button>
      </div>
    );
  }
  const editor = (
    <MapEditor
      format={format}
      cells={cells}
      start={start}
      problem={problem}
      labelId={labelId}
      describedBy={describedBy}
      onChange={(next) => {
        showInScene();
        put(next, start !== null && blocks(format, next[start[1]]?.[start[0]] ?? format.edge ?? '') ? null : start);
      }}
      onStart={format.start === undefined ? null : (at) => put(cells, at)}
      onRemove={leaf.nullable ? () => put(null, null) : null}
      onEnlarge={large ? null : () => setLarge(true)}
    />
  );
  return (
    <div ref={place}>
      {large ? (
        <Dialog title={t('Draw the map')} width="wide" onClose={() => setLarge(false)}>
          {editor}
        </Dialog>
      ) : (
        editor
      )}
    </div>
  );
}

function besideMap(path: string, name: string): string {
  return path.replace(/[^.]+$/, name);
}

/** The scene shows the map while it changes. */
function showInScene(): void {
  if (stageStore.getState().mode !== 'edit') void stage.editMap(true);
}

/** The map in use: as the config says it, else as the scene shows it, else an empty one. */
function begin(format: MapFormat, siblings: { readonly [key: string]: Json }): { readonly cells: Cells; readonly start: Start | null } {
  const by = format.begin === undefined ? undefined : siblings[format.begin.by];
  const rows = typeof by === 'string' ? format.begin?.rows[by] : undefined;
  if (rows !== undefined) return { cells: parseRows(format, rows), start: null };
  const layout = draftStore.getState().env?.frame;
  const side = (name: string, drawn: number | undefined) => {
    const wanted = siblings[name];
    return Math.min(format.size[1], Math.max(format.size[0], typeof wanted === 'number' ? wanted : (drawn ?? USUAL_SIDE)));
  };
  const grid = layout === undefined ? null : cellsOf(layout);
  const width = side('width', grid?.width);
  const height = side('height', grid?.height);
  const view = mapInView(format, stageStore.getState().source, { width, height });
  return { cells: view?.cells ?? blank(format, width, height), start: format.start === undefined ? null : (view?.start ?? null) };
}

function rowsOf(value: Json | undefined): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const rows = value.filter((row): row is string => typeof row === 'string');
  return rows.length === value.length ? rows : null;
}
