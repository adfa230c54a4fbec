/**
 * The potential of a grid world, painted in levels on a copy of its map: what every step is paid besides (core/envs/api/shaping.ts). It lives
 * in the draft, so it is in the link; the scene shows it in colour while it is there.
 */
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { FieldSchema } from '#contract/catalog/catalog.ts';
import { type FrameSource, frameSize, type GridLook, isGrid } from '#contract/game/frames.ts';
import { parseRows } from '#contract/game/map-cells.ts';
import type { MapFormat } from '#contract/game/maps.ts';
import type { Json } from '#contract/kit/json.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import type { ControlProps } from '../control.ts';
import type { Leaf } from '../leaves.ts';
import { NumberControl } from '../NumberControl.tsx';
import { writeRows } from './format.ts';
import { MapEditor } from './MapEditor.tsx';
import styles from './MapField.module.css';

const LEVELS: MapFormat = {
  tiles: [...'0123456789'].map((digit) => ({
    code: digit,
    title: `level ${digit}`,
    look: 'empty',
    ...(digit === '0' ? {} : { glyph: digit, tint: Number(digit) / 9 }),
  })),
  size: [1, 64],
  rules: [],
};

export function PotentialField({ leaf, value, id, labelId, describedBy, problem, onChange }: ControlProps) {
  const source = useStore(stageStore, (state) => state.source);
  const under = useMemo(() => looksOf(source), [source]);
  const [large, setLarge] = useState(false);
  const levels = useMemo(() => levelsOf(value), [value]);
  if (levels === null) {
    const zeros = (row: readonly GridLook[]) => '0'.repeat(row.length);
    return (
      <div className={styles.none}>
        <Button
          icon="gallery"
          disabled={under === null}
          onClick={() => onChange({ levels: under?.map(zeros) ?? [], unit: numberIn(leaf.schema.properties?.unit?.default) })}
          aria-labelledby={`${labelId} ${labelId}-paint`}
          aria-describedby={describedBy}
        >
          <span id={`${labelId}-paint`}>{t('Paint one')}</span>
        </Button>
      </div>
    );
  }
  const unit = numberIn((value as { readonly unit?: Json }).unit);
  const editor = (
    <MapEditor
      format={LEVELS}
      cells={parseRows(LEVELS, levels)}
      start={null}
      under={under}
      fixed
      problem={problem}
      labelId={labelId}
      describedBy={describedBy}
      onChange={(next) => onChange({ levels: [...writeRows(LEVELS, next)], unit })}
      onStart={null}
      onRemove={() => onChange(undefined)}
      onEnlarge={large ? null : () => setLarge(true)}
    />
  );
  return (
    <>
      {large ? (
        <Dialog title={t('Paint the potential')} width="wide" onClose={() => setLarge(false)}>
          {editor}
        </Dialog>
      ) : (
        editor
      )}
      <div className={styles.foot}>
        <label htmlFor={`${id}-unit`}>{t('worth of a level')}</label>
        <NumberControl
          leaf={unitLeaf(leaf.schema.properties?.unit ?? {})}
          value={unit}
          base={undefined}
          id={`${id}-unit`}
          labelId={`${id}-unit-label`}
          describedBy={describedBy}
          problem={null}
          onChange={(next) => onChange({ levels: [...levels], unit: numberIn(next) })}
        />
      </div>
    </>
  );
}

const unitLeaf = (schema: FieldSchema): Leaf => ({
  path: 'run.shaping.unit',
  title: 'Worth of a level',
  kind: 'number',
  schema,
  nullable: false,
  depth: 'lab',
  group: '',
  beside: [],
});

const numberIn = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

/** The rows of digits of a painted potential; null: there is none. */
function levelsOf(value: Json | undefined): readonly string[] | null {
  const levels = typeof value === 'object' && value !== null && 'levels' in value ? value.levels : undefined;
  return Array.isArray(levels) && levels.length > 0 ? levels.map(String) : null;
}

/** What stands in the cells at the beginning of what the scene shows, [row][column]; null: it shows no grid. */
function looksOf(source: FrameSource | null): readonly (readonly GridLook[])[] | null {
  const layout = source?.layout;
  if (source === null || !isGrid(layout)) return null;
  const frame = new Float32Array(frameSize(layout));
  if (!source.read(0, frame)) return null;
  return Array.from({ length: layout.height }, (_, y) =>
    Array.from({ length: layout.width }, (_unused, x) => layout.looks[frame[3 * (y * layout.width + x)] ?? 0] ?? 'empty'),
  );
}
