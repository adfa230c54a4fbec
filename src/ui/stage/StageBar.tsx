/** One corner for everything that lies over the picture: layers with their legends, and where the camera stands. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { cellsOf, type FrameLayout, frameSize, type GridLayout, isGrid, namedNumbers } from '#contract/game/frames.ts';
import { sceneOf } from '#scenes/index.ts';
import { finiteRange, scaleGradient } from '#scenes/lib/colours.ts';
import { bareName, withUnit } from '#scenes/lib/words.ts';
import type { SceneLayer } from '#scenes/types.ts';
import { layoutStore } from '#stores/layout.ts';
import { stageStore } from '#stores/stage.ts';
import type { StageState } from '#stores/types.ts';
import { msg, t, tn } from '#text/text.ts';
import { langOf } from '#ui/kit/format/fact.ts';
import { compact, measure, percent } from '#ui/kit/format/numbers.ts';
import { shownStore } from '#ui/kit/shown.ts';
import { cellOfInterest, cellStore } from './cell.ts';
import { groupStore } from './group/shown.ts';
import { StageIcon } from './icons.tsx';
import { marksStore, switchMarks } from './marks.ts';
import { potentialRange, usePotential } from './potential.ts';
import styles from './Stage.module.css';
import { useStageEnv } from './useStageEnv.ts';

const LAYERS: readonly { readonly name: SceneLayer; readonly title: string; readonly what: string; readonly missing: string }[] = [
  { name: 'potential', title: msg('Potential'), what: msg('What was painted on the cells'), missing: '' },
  {
    name: 'values',
    title: msg('Values'),
    what: msg('Expected return from every cell'),
    missing: msg('Needs a trained policy: press Train'),
  },
  {
    name: 'policy',
    title: msg('Policy'),
    what: msg('What the policy would do in every cell'),
    missing: msg('Needs a trained policy: press Train'),
  },
  {
    name: 'visits',
    title: msg('Visits'),
    what: msg('How often training came to every cell'),
    missing: msg('Counted while training: press Train'),
  },
  { name: 'view', title: msg('View'), what: msg('What the agent can see'), missing: '' },
  { name: 'trails', title: msg('Trails'), what: msg('Where things have come from'), missing: '' },
  { name: 'rays', title: msg('Rays'), what: msg('What the agents measure around them'), missing: '' },
  { name: 'messages', title: msg('Messages'), what: msg('What the agents say'), missing: '' },
  { name: 'forces', title: msg('Forces'), what: msg('Thrust of rotors, and forces where bodies touch'), missing: '' },
  { name: 'payouts', title: msg('Payouts'), what: msg('What every lever pays, unknown to the player'), missing: '' },
];
/** Always there to look at; the others come with a policy or with training. */
const OWN: ReadonlySet<SceneLayer> = new Set(['view', 'trails', 'rays', 'messages', 'forces', 'payouts', 'potential']);

const CAMERAS: readonly { readonly name: StageState['camera']; readonly title: string; readonly key: string }[] = [
  { name: 'home', title: msg('Camera home'), key: '1' },
  { name: 'top', title: msg('From above'), key: '2' },
  { name: 'side', title: msg('From the side, panning with a ball'), key: '3' },
  { name: 'follow', title: msg('Follow the agent'), key: '4' },
];

interface Props {
  readonly onCamera: (camera: StageState['camera']) => void;
  readonly flat: boolean;
}

export function StageBar({ onCamera, flat }: Props) {
  const layout = useStore(stageStore, (state) => state.source?.layout);
  const overlays = useStore(stageStore, (state) => state.overlays);
  const camera = useStore(stageStore, (state) => state.camera);
  const trained = useStore(stageStore, (state) => state.policy !== null);
  const counted = useStore(stageStore, (state) => state.visits !== null);
  const available = (name: SceneLayer): boolean => (OWN.has(name) ? true : name === 'visits' ? counted : trained);
  const has: readonly SceneLayer[] = layout === undefined ? [] : sceneOf(layout).layers(layout);
  // a map of values asks for every cell, and no prompt says where its words would stand
  const written = useStageEnv()?.tokens !== undefined;
  const painted = usePotential() !== null;
  const lesson = useStore(layoutStore, (state) => state.lesson);
  const layers = LAYERS.filter(
    ({ name }) =>
      has.includes(name) &&
      (OWN.has(name) || !written) &&
      (name !== 'potential' || painted) &&
      (lesson === null || lesson.overlays.includes(name)),
  );
  const grouped = useStore(groupStore, (state) => state.on);
  const said = useStore(marksStore, (state) => state.said !== null);
  const marksOn = useStore(marksStore, (state) => state.on);
  return (
    <div className={styles.corner}>
      {written && trained && (
        <fieldset className={styles.bar}>
          <legend className="visually-hidden">{t('What is shown')}</legend>
          <button type="button" aria-pressed={grouped} onClick={groupStore.getState().toggle}>
            {t('16 answers')}
          </button>
        </fieldset>
      )}
      {(layers.length > 0 || said) && (
        <fieldset className={styles.bar} data-from={!said && layers.every(({ name }) => OWN.has(name)) ? 'lab' : undefined}>
          <legend className="visually-hidden">
            {layout !== undefined && cellsOf(layout) !== null ? t('Layers over the map') : t('Layers over the picture')}
          </legend>
          {layers.map(({ name, title, what, missing }) => (
            <button
              key={name}
              type="button"
              data-from={OWN.has(name) ? 'lab' : undefined}
              aria-pressed={overlays[name]}
              aria-label={t(title)}
              disabled={!available(name)}
              title={t(available(name) ? what : missing)}
              onClick={() => stageStore.getState().setOverlay(name, !overlays[name])}
            >
              <StageIcon name={name} />
              <span className={styles.wide}>{t(title)}</span>
            </button>
          ))}
          {said && (
            <button
              type="button"
              aria-pressed={marksOn}
              aria-label={t('Explanation')}
              title={t('Marks of the open explanation on agents and objects')}
              onClick={switchMarks}
            >
              <StageIcon name="marks" />
              <span className={styles.wide}>{t('Why')}</span>
            </button>
          )}
        </fieldset>
      )}
      {!flat && (
        <fieldset className={styles.bar} data-from="lab">
          <legend className="visually-hidden">{t('Camera of the scene')}</legend>
          {CAMERAS.map(({ name, title, key }) => (
            <button
              key={name}
              type="button"
              aria-pressed={camera === name}
              aria-label={t(title)}
              title={`${t(title)} (${key})`}
              onClick={() => onCamera(name)}
            >
              <StageIcon name={name} />
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

/** Scales of the layers that are on, and what the cell pointed at has. */
export function Legends() {
  const layout = useStore(stageStore, (state) => state.source?.layout);
  const overlays = useStore(stageStore, (state) => state.overlays);
  const map = useStore(stageStore, (state) => state.valueMap);
  const visits = useStore(stageStore, (state) => state.visits);
  const cell = useStore(cellStore, cellOfInterest);
  const env = useStageEnv();
  const potential = usePotential();
  if (layout === undefined) return null;
  if (!isGrid(layout)) return <Numbers layout={layout} />;
  const cells = layout.width * layout.height;
  const values = overlays.values && map !== null && map.values.length === cells ? map.values : null;
  const counts = overlays.visits && visits !== null && visits.length === cells ? visits : null;
  const painted = overlays.potential && values === null ? potential : null;
  const signs = overlays.policy && map !== null;
  if (values === null && painted === null && counts === null && !signs) return null;
  const scale = values ?? painted;
  const [low, high] = scale === null ? [0, 1] : values === null ? potentialRange(scale) : finiteRange(scale);
  return (
    <div className={styles.legends}>
      {scale !== null && (
        <div className={styles.scale}>
          <span>{values === null ? t('potential') : t('value')}</span>
          <span className="figures">{measure(low, 3)}</span>
          <span className={styles.gradient} style={{ background: scaleGradient('viridis') }} />
          <span className="figures">{measure(high, 3)}</span>
        </div>
      )}
      {counts !== null && <Discs most={finiteRange(counts)[1]} />}
      {signs && (
        <div className={styles.scale}>
          {layout.headings ? t('sign: the likeliest action, seen with the heading of now') : t('arrow: its length is the probability')}
        </div>
      )}
      <div className={styles.scale}>
        {cell < 0
          ? t('Point at a cell to read it')
          : describeCell(cell, layout, map, counts ?? visits, potential, env?.action.labels ?? [])}
      </div>
    </div>
  );
}

/** Named numbers of the frame shown: order parameters, forces. */
function Numbers({ layout }: { readonly layout: FrameLayout }) {
  const source = useStore(stageStore, (state) => state.source);
  const at = useStore(shownStore, (state) => state.t);
  const names = namedNumbers(layout);
  const frame = useMemo(() => new Float32Array(frameSize(layout)), [layout]);
  if (names.length === 0 || source === null || !source.read(at, frame)) return null;
  return (
    <div className={styles.legends}>
      {names.map((name, i) => (
        <div key={name} className={styles.scale}>
          <span lang={langOf(bareName(name))}>{t(bareName(name))}</span>
          <span className="figures">{withUnit(name, measure(frame[frame.length - names.length + i]!, 3))}</span>
        </div>
      ))}
    </div>
  );
}

function Discs({ most }: { readonly most: number }) {
  return (
    <div className={styles.scale}>
      <span>{t('visits')}</span>
      {[0.05, 0.3, 1].map((share) => (
        <span key={share} className={styles.disc}>
          <svg width="14" height="14" aria-hidden="true" focusable="false">
            <circle cx="7" cy="7" r={6 * Math.sqrt(share)} fill="currentColor" fillOpacity="0.2" stroke="currentColor" />
          </svg>
          {compact(Math.max(1, Math.round(share * most)))}
        </span>
      ))}
    </div>
  );
}

function describeCell(
  cell: number,
  layout: GridLayout,
  map: StageState['valueMap'],
  visits: Float64Array | null,
  potential: Float64Array | null,
  labels: readonly string[],
): string {
  const parts = [t('column {column}, row {row}', { column: cell % layout.width, row: Math.floor(cell / layout.width) })];
  const painted = potential?.[cell];
  if (painted !== undefined) parts.push(`${t('potential')} ${measure(painted)}`);
  const value = map?.values[cell];
  if (value !== undefined && Number.isFinite(value)) parts.push(`${t('value')} ${measure(value)}`);
  const action = map?.actions[cell] ?? -1;
  if (map !== null && action >= 0) {
    const n = map.probs.length / map.values.length;
    const p = map.probs[cell * n + action]!;
    parts.push(
      Number.isFinite(p) ? `${t(labels[action] ?? String(action))} ${percent(Math.round(p * 100))}` : t(labels[action] ?? String(action)),
    );
  }
  const count = visits?.[cell];
  if (count !== undefined) parts.push(tn('{count} visit', '{count} visits', count, { count: compact(count) }));
  return parts.join(' · ');
}
