/** A maze twice: how far every place is from the goal, exactly, and what the policy on the stage thinks it is worth; and as its values lay it out. A press puts the goal there. */
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { game } from '#client/stage/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { GoalValues } from '#contract/explain/goal-values.ts';
import { calledPoint } from '#contract/game/frames.ts';
import { scaleGradient } from '#scenes/lib/colours.ts';
import { t } from '#text/text.ts';
import { measure, percent } from '#ui/kit/format/numbers.ts';
import { PlaneFigure } from './PlaneFigure.tsx';
import { bandsOf, type Part, paint, partOf, rangeOf } from './paint.ts';
import { useGoalValues } from './useGoalValues.ts';
import styles from './ValueMap.module.css';

const WAY = { first: 25, most: 100 };

export function ValueMapPanel({ env }: { readonly env: EnvCard }) {
  const [way, setWay] = useState(WAY.first);
  const [at, setAt] = useState(-1); // the point under the pointer
  const [unfolded, setUnfolded] = useState(false);
  const { found, failed } = useGoalValues(way, unfolded);
  const part = useMemo(() => found && partOf(found.steps, found), [found]);
  if (failed !== '')
    return (
      <p className={styles.hint} role="alert">
        {failed}
      </p>
    );
  if (found === null || part === null) return <p className={styles.hint}>{t('Measuring the ways.')}</p>;
  const { steps, values, wrong } = found;
  const places = steps.filter(Number.isFinite).length;
  const share = places === 0 ? 0 : wrong.reduce((sum, one) => sum + one, 0) / places;
  const call = (point: number): void => {
    const { frame } = env;
    if (frame.kind !== 'points' || point < 0) return;
    const { columns, lines } = found;
    const [minX, minY, maxX, maxY] = frame.bounds;
    const x = minX + (((point % columns) + 0.5) / columns) * (maxX - minX);
    const y = minY + ((Math.floor(point / columns) + 0.5) / lines) * (maxY - minY);
    void game.pull({ part: calledPoint(frame), at: [0, 0, 0], to: [x, y, 0] });
    void game.pull(null); // a press is let go at once
  };
  const both = { found, part, at, setAt, call };
  return (
    <section className={styles.body} aria-label={t('Value map')}>
      <p className={styles.hint}>
        {t('Press a place, here or in the scene, and the goal is there. Colours follow the order of the places.')}
      </p>
      <div className={styles.maps}>
        <MapFigure
          {...both}
          title={t('shortest way')}
          of={steps}
          ends={[t('{n} steps', { n: measure(rangeOf(steps)[1], 3) }), t('goal')]}
          far
        />
        {values === null ? (
          <p className={styles.hint}>{t('Nothing is learned yet. Train, and its values stand here.')}</p>
        ) : (
          <MapFigure {...both} title={t('value')} of={values} ends={rangeOf(values).map((end) => measure(end, 3))} wrong={wrong} />
        )}
      </div>
      <p className="figures" aria-live="off">
        {at < 0 || !Number.isFinite(steps[at]!)
          ? '\u00a0'
          : values === null
            ? t('{n} steps from here', { n: measure(steps[at]!, 3) })
            : t('{n} steps from here, value {value}', { n: measure(steps[at]!, 3), value: measure(values[at]!, 3) })}
      </p>
      {values !== null && (
        <>
          <p>
            <span className={styles.hatch} aria-hidden="true" />{' '}
            {t('At {share} of the places the value is not higher {n} steps along the shortest way: a wrong sign.', {
              share: percent((100 * share).toFixed(0)),
              n: way,
            })}
          </p>
          <label className={styles.slider}>
            <span>{t('steps ahead')}</span>
            <input type="range" min={1} max={WAY.most} value={way} onChange={(event) => setWay(Number(event.target.value))} />
            <output className="figures">{way}</output>
          </label>
          <details className={styles.plane} onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}>
            <summary>{t('The maze as its values lay it out')}</summary>
            {unfolded && <PlaneFigure found={found} at={at} setAt={setAt} call={call} />}
          </details>
        </>
      )}
    </section>
  );
}

interface MapProps {
  readonly found: GoalValues;
  /** The part of its lattice that is drawn. */
  readonly part: Part;
  readonly title: string;
  readonly of: readonly number[];
  /** What the ends of the scale say, from dark to light. */
  readonly ends: readonly string[];
  readonly wrong?: readonly number[];
  /** Small numbers are light. */
  readonly far?: boolean;
  readonly at: number;
  readonly setAt: (point: number) => void;
  /** Puts the goal at a point of the lattice. */
  readonly call: (point: number) => void;
}

function MapFigure({ found, part, title, of, ends, wrong, far = false, at, setAt, call }: MapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { columns, here, goal } = found;
  useEffect(() => {
    if (canvas.current !== null) paint(canvas.current, part, { width: columns, bands: bandsOf(of), wrong: wrong ?? null, far });
  }, [columns, part, of, wrong, far]);
  const pointOf = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): number => {
    const box = currentTarget.getBoundingClientRect();
    const column = Math.min(part.columns - 1, Math.max(0, Math.floor(((clientX - box.left) / box.width) * part.columns)));
    const line = Math.min(part.lines - 1, Math.max(0, Math.floor(((box.bottom - clientY) / box.height) * part.lines)));
    return (part.below + line) * columns + part.left + column;
  };
  const mark = (point: number, name: 'goal' | 'here' | 'at') => (
    <span
      className={styles[name]}
      data-mark={name}
      style={{
        left: `${(100 * ((point % columns) - part.left + 0.5)) / part.columns}%`,
        bottom: `${(100 * (Math.floor(point / columns) - part.below + 0.5)) / part.lines}%`,
      }}
    />
  );
  return (
    <figure className={styles.figure}>
      <figcaption>{title}</figcaption>
      <div
        className={styles.map}
        style={{ aspectRatio: `${part.columns} / ${part.lines}` }}
        onPointerMove={(event) => setAt(pointOf(event))}
        onPointerLeave={() => setAt(-1)}
        onPointerDown={(event) => call(pointOf(event))}
      >
        <canvas ref={canvas} role="img" aria-label={`${title}: ${ends.join(', ')}`} />
        {mark(goal, 'goal')}
        {mark(here, 'here')}
        {at >= 0 && mark(at, 'at')}
      </div>
      <div className={styles.scale} aria-hidden="true">
        <span>{ends[0]}</span>
        <span className={styles.gradient} style={{ background: scaleGradient('viridis') }} />
        <span>{ends[1]}</span>
      </div>
    </figure>
  );
}
