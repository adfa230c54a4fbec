/** What the chart draws (axis, smoothing, seeds, table) and what it gives away (files). */
import { useId } from 'react';
import { useStore } from 'zustand';
import { curvesStore } from '#stores/curves.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { Icon } from '#ui/kit/Icon.tsx';
import { Popover } from '#ui/kit/Popover.tsx';
import { toast } from '#ui/kit/toasts.ts';
import { bundle } from '../bundle.ts';
import styles from './Curves.module.css';
import { AXES, type Axis } from './data.ts';
import { download, toCsv, toPng, toSvg } from './export.ts';
import type { ChartModel } from './model.ts';
import type { ChartPalette } from './palette.ts';
import { MOST_SMOOTHING } from './smooth.ts';

// The slider is finer near 1, where the eye notices: position p gives 1 - (1 - p)^3, capped.
const toAmount = (position: number): number =>
  position === 0 ? 0 : Math.min(MOST_SMOOTHING, Number((1 - (1 - position) ** 3).toFixed(3)));
const toPosition = (amount: number): number => (amount >= MOST_SMOOTHING ? 1 : 1 - (1 - amount) ** (1 / 3));

export function Options({ table, onTable }: { readonly table: boolean; readonly onTable: (on: boolean) => void }) {
  const { xAxis, smoothing, rawSeeds, setXAxis, setSmoothing, setRawSeeds } = useStore(curvesStore);
  const id = useId();
  return (
    <Popover trigger={<Icon name="sliders" />} label={t('Chart options')} title={t('Chart options')} align="end" width={270}>
      {() => (
        <div className={styles.options}>
          <label htmlFor={`${id}-axis`}>{t('Against')}</label>
          <select id={`${id}-axis`} value={xAxis} onChange={(event) => setXAxis(event.target.value as Axis)}>
            {Object.entries(AXES).map(([axis, { title }]) => (
              <option key={axis} value={axis}>
                {title}
              </option>
            ))}
          </select>
          <label htmlFor={`${id}-smooth`}>{t('Smoothing')}</label>
          <span className={styles.slider}>
            <input
              id={`${id}-smooth`}
              type="range"
              min={0}
              max={1}
              step={0.01}
              value={toPosition(smoothing)}
              aria-valuetext={smoothing === 0 ? 'off' : smoothing.toFixed(3)}
              onChange={(event) => setSmoothing(toAmount(Number(event.target.value)))}
            />
            <output className="figures">{smoothing === 0 ? t('off') : smoothing.toFixed(3)}</output>
          </span>
          <label className={styles.check}>
            <input type="checkbox" checked={rawSeeds} onChange={(event) => setRawSeeds(event.target.checked)} />
            {t('Every seed')}
          </label>
          <label className={styles.check}>
            <input type="checkbox" checked={table} onChange={(event) => onTable(event.target.checked)} />
            {t('Numbers as a table')}
          </label>
          <p>
            {t(
              'Drag or Ctrl + wheel to zoom, double-click for the whole run; on the focused chart W A S D and the arrows. A click shows the policy of that step.',
            )}
          </p>
        </div>
      )}
    </Popover>
  );
}

interface ExportProps {
  readonly groups: readonly RunGroup[];
  readonly names: ReadonlyMap<string, string>;
  readonly model: ChartModel;
  readonly view: readonly [number, number] | null;
  readonly palette: ChartPalette;
}

export function ExportMenu({ groups, names, model, view, palette }: ExportProps) {
  const range = view ?? model.extent;
  const own = groups.filter(({ imported }) => imported === undefined);
  const name = `${groups.length === 1 ? (groups[0]?.hash ?? 'run') : 'runs'}-${model.title.replace(/\W+/g, '-')}`;
  const save = async (kind: 'csv' | 'svg' | 'png' | 'bundle', close: () => void): Promise<void> => {
    close();
    try {
      if (kind === 'csv') download(`${name}.csv`, new Blob([toCsv(groups, names)], { type: 'text/csv' }));
      else if (kind === 'svg') download(`${name}.svg`, new Blob([toSvg(model, range, palette)], { type: 'image/svg+xml' }));
      else if (kind === 'png') download(`${name}.png`, await toPng(model, range, palette));
      else
        download(`${name}.zip`, await bundle(own, names, { svg: toSvg(model, range, palette), csv: toCsv(groups, names) }, `${name}.zip`));
    } catch (error) {
      toast(error instanceof Error ? error.message : 'The file could not be made.', { tone: 'caution' });
    }
  };
  return (
    <Popover trigger={<Icon name="download" />} label={t('Save the curves')} title={t('Save the curves')} align="end" width={230}>
      {(close) => (
        <div className={styles.menu}>
          <button type="button" onClick={() => void save('csv', close)}>
            CSV <small>{t('every metric, unsmoothed')}</small>
          </button>
          <button type="button" onClick={() => void save('png', close)}>
            PNG <small>{t('this chart, twice the size')}</small>
          </button>
          <button type="button" onClick={() => void save('svg', close)}>
            SVG <small>{t('this chart')}</small>
          </button>
          {own.length > 0 && (
            <button type="button" onClick={() => void save('bundle', close)}>
              {t('Bundle')} <small>{t('all it takes to repeat it: runs, figure, commands, citation')}</small>
            </button>
          )}
        </div>
      )}
    </Popover>
  );
}
