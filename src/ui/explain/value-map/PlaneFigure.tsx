/** The places of a maze where the values of the policy put them: the straight distance of two is about the way between them. */
import { type PointerEvent, useEffect, useRef } from 'react';
import type { GoalValues } from '#contract/explain/goal-values.ts';
import { t } from '#text/text.ts';
import { percent } from '#ui/kit/format/numbers.ts';
import { bandsOf, netOf, paintNet, type Spread, spreadOf } from './paint.ts';
import styles from './ValueMap.module.css';

/** Pixels: the whole of it is seen in the panel. */
const HIGHEST = 280;

export interface PlaneProps {
  readonly found: GoalValues;
  readonly at: number;
  readonly setAt: (point: number) => void;
  /** Puts the goal at a point of the lattice. */
  readonly call: (point: number) => void;
}

export function PlaneFigure({ found, at, setAt, call }: PlaneProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { columns, lines, plane, steps, here, goal } = found;
  const spread = plane && spreadOf(plane.at);
  useEffect(() => {
    if (canvas.current === null || plane === null) return;
    paintNet(canvas.current, spreadOf(plane.at), plane.at, netOf(plane.at, { columns, lines }), bandsOf(steps));
  }, [plane, columns, lines, steps]);
  if (plane === null || spread === null) return null;
  const nearest = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): number => {
    const box = currentTarget.getBoundingClientRect();
    return placeNear(plane.at, spread, (clientX - box.left) / box.width, (clientY - box.top) / box.height);
  };
  const mark = (point: number, name: 'goal' | 'here' | 'at') => {
    const [x, y] = spread.of(plane.at[2 * point]!, plane.at[2 * point + 1]!);
    return <span className={styles[name]} data-mark={name} style={{ left: `${100 * x}%`, bottom: `${100 - 100 * y}%` }} />;
  };
  return (
    <figure className={styles.figure}>
      <figcaption>{t('the places as its values put them')}</figcaption>
      <div
        className={styles.map}
        style={{ aspectRatio: `${spread.aspect}`, maxInlineSize: `${HIGHEST * spread.aspect}px` }}
        onPointerMove={(event) => setAt(nearest(event))}
        onPointerLeave={() => setAt(-1)}
        onPointerDown={(event) => call(nearest(event))}
      >
        <canvas ref={canvas} role="img" aria-label={t('the places as its values put them')} />
        {mark(goal, 'goal')}
        {mark(here, 'here')}
        {at >= 0 && Number.isFinite(steps[at]!) && mark(at, 'at')}
      </div>
      <p className={styles.hint}>
        {t('Two places far apart here are a long way apart to the policy. This plane holds {share} of it; colours are the shortest way.', {
          share: percent((100 * plane.held).toFixed(0)),
        })}
      </p>
    </figure>
  );
}

/** The place nearest to (x, y), 0..1 from the left and the top. */
function placeNear(of: readonly number[], spread: Spread, x: number, y: number): number {
  let [best, least] = [-1, Infinity];
  for (let point = 0; 2 * point < of.length; point++) {
    if (!Number.isFinite(of[2 * point]!)) continue;
    const [px, py] = spread.of(of[2 * point]!, of[2 * point + 1]!);
    const far = (px - x) ** 2 + (py - y) ** 2 / spread.aspect ** 2;
    if (far < least) [best, least] = [point, far];
  }
  return best;
}
