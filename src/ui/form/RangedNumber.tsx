/**
 * A number of the environment, or a range of it from which each episode draws (contract/catalog/contexts.ts): a button between the two. A range has
 * a text field for each end and a track with two thumbs; the keyboard of an end is that of a number.
 */
import { type PointerEvent, useRef } from 'react';
import { useStore } from 'zustand';
import { type ContextRange, contextsIn, isRange, withDraw } from '#contract/catalog/contexts.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { mayBeLeftOut } from '#contract/run/at-rest.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { t } from '#text/text.ts';
import { langOf } from '#ui/kit/format/fact.ts';
import { Icon } from '#ui/kit/Icon.tsx';
import type { ControlProps } from './control.ts';
import styles from './Field.module.css';
import { clearBad } from './invalid.ts';
import { clamp, fromSlider, type Leaf, sliderOf, toSlider } from './leaves.ts';
import { NumberControl } from './NumberControl.tsx';

const ENV = 'env.';

/** What the draft draws for this field, and what its tasks set it to; undefined: its value is fixed, they leave it alone. */
function useDrawn(path: string) {
  const contexts = useStore(draftStore, ({ config }) => config.env.config.contexts);
  if (contexts === undefined || !path.startsWith(ENV)) return {};
  const { draw, list } = contextsIn({ contexts } as JsonObject) ?? {};
  const field = path.slice(ENV.length);
  return { draw: draw?.[field], tasks: list?.flatMap((task) => task[field] ?? []) };
}

function put(path: string, draw: ContextRange | null): void {
  const { config, set } = draftStore.getState();
  const next = withDraw(contextsIn(config.env.config as JsonObject), path.slice(ENV.length), draw);
  set('env.contexts', next as Json | undefined);
}

/** Half to twice the value, within what is allowed; around 0, a tenth of the slider to both sides. */
function around({ schema }: Leaf, value: number): ContextRange {
  const slider = sliderOf(schema);
  const reach = slider === null ? 1 : (slider[1] - slider[0]) / 10;
  const whole = (x: number): number => clamp(schema, schema.type === 'integer' ? Math.round(x) : Number(x.toPrecision(6)));
  const ends = value === 0 ? [-reach, reach] : [value / 2, value * 2];
  const [from, to] = ends.map(whole).toSorted((a, b) => a - b) as [number, number];
  return { from, to, ...(schema.log && from > 0 && { scale: 'log' as const }) };
}

export function RangedNumber(props: ControlProps) {
  const { leaf, value } = props;
  const { draw, tasks } = useDrawn(leaf.path);
  const simple = useStore(layoutStore, ({ depth }) => depth === 'teach');
  // how many frames agents see is no setting of an episode
  if (!leaf.path.startsWith(ENV) || mayBeLeftOut(leaf.path) || (draw === undefined && typeof value !== 'number'))
    return <NumberControl {...props} />;
  if (tasks?.length) return <span className={styles.unit}>{t('by task: {value}', { value: tasks.join(', ') })}</span>;
  // The simple page has few controls; a link's range shows there, too.
  if (simple && draw === undefined) return <NumberControl {...props} />;
  const ranged = draw !== undefined && isRange(draw as ContextRange | Json[]);
  const toggle = (): void => {
    for (const end of ['from', 'to']) clearBad(`${leaf.path}.${end}`);
    put(leaf.path, draw === undefined && typeof value === 'number' ? around(leaf, value) : null);
  };
  return (
    <>
      {draw === undefined ? (
        <NumberControl {...props} />
      ) : ranged ? (
        <Range {...props} range={draw as ContextRange} />
      ) : (
        <span className={styles.unit}>{t('one of {value}', { value: (draw as readonly Json[]).join(', ') })}</span>
      )}
      <button
        type="button"
        className={styles.reset}
        aria-pressed={draw !== undefined}
        title={draw === undefined ? t('Draw it from a range in each episode') : t('Back to one value')}
        onClick={toggle}
      >
        <Icon name="range" size={14} />
        <span className="visually-hidden" lang={langOf(leaf.title)}>
          {t('{title}: draw from a range in each episode', { title: t(leaf.title) })}
        </span>
      </button>
    </>
  );
}

function Range(props: ControlProps & { readonly range: ContextRange }) {
  const { leaf, id, range } = props;
  const slider = sliderOf(leaf.schema);
  const change = (end: 'from' | 'to', next: number): void => {
    const other = end === 'from' ? range.to : range.from;
    const [from, to] = end === 'from' ? [next, Math.max(next, other)] : [Math.min(next, other), next];
    put(leaf.path, { ...range, from, to });
  };
  return (
    <>
      <span className={styles.ends}>
        {(['from', 'to'] as const).map((end) => (
          <NumberControl
            {...props}
            key={end}
            bare
            label={end === 'from' ? t('{title}, from', { title: t(leaf.title) }) : t('{title}, to', { title: t(leaf.title) })}
            leaf={{ ...leaf, path: `${leaf.path}.${end}` }}
            id={end === 'from' ? id : `${id}-to`}
            value={range[end]}
            onChange={(next) => {
              if (typeof next === 'number') change(end, next);
            }}
          />
        ))}
      </span>
      {slider !== null && (
        <RangeTrack
          from={toSlider(leaf.schema, slider, range.from)}
          to={toSlider(leaf.schema, slider, range.to)}
          onMove={(end, at) => change(end, fromSlider(leaf.schema, slider, at))}
        />
      )}
    </>
  );
}

interface TrackProps {
  readonly from: number; // 0 to 1
  readonly to: number;
  readonly onMove: (end: 'from' | 'to', at: number) => void;
}

/** For mouse and touch: the nearer thumb follows. The fields above it have the keys. */
function RangeTrack({ from, to, onMove }: TrackProps) {
  const held = useRef<'from' | 'to' | null>(null);
  const place = (event: PointerEvent<HTMLDivElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left - 6) / (box.width - 12);
    return Math.min(1, Math.max(0, getComputedStyle(event.currentTarget).direction === 'rtl' ? 1 - share : share));
  };
  return (
    <div
      className={styles.track}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const at = place(event);
        held.current = Math.abs(at - from) < Math.abs(at - to) || at < from ? 'from' : 'to';
        onMove(held.current, at);
      }}
      onPointerMove={(event) => {
        if (held.current !== null) onMove(held.current, place(event));
      }}
      onPointerUp={() => {
        held.current = null;
      }}
    >
      <div className={styles.rail}>
        <div className={styles.fill} style={{ marginInlineStart: `${100 * from}%`, inlineSize: `${100 * (to - from)}%` }} data-range="" />
        <div className={styles.thumb} style={{ insetInlineStart: `${100 * from}%` }} data-range="" />
        <div className={styles.thumb} style={{ insetInlineStart: `${100 * to}%` }} data-range="" />
      </div>
    </div>
  );
}
