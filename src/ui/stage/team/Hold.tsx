/**
 * Over the scene where things may be put elsewhere while it plays: one is chosen and moved by buttons or arrow keys, as the pointer drags it. On a
 * phone the buttons come when they are asked for, since they would lie on the scene.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { game } from '#client/stage/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { calledPoint, frameSize, heldPoints, type PointsLayout, pointName } from '#contract/game/frames.ts';
import { spoken } from '#contract/game/seats.ts';
import { numbered } from '#scenes/lib/words.ts';
import { stageStore } from '#stores/stage.ts';
import { msg, t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { useRoom } from '#ui/kit/media.ts';
import styles from './TeamSize.module.css';

/** A press moves by this share of the longer side, and holds on for so many steps of the world: one of them may be under way. */
const STRIDE = 0.05;
const HOLD_STEPS = 2.5;
/** An order stands, so that a press sends further. */
const ORDER_STRIDE = 0.2;

/** Which way each button and key goes; y points up. */
const WAYS = [
  { key: 'ArrowLeft', sign: '←', label: msg('to the left'), dx: -1, dy: 0 },
  { key: 'ArrowUp', sign: '↑', label: msg('upwards'), dx: 0, dy: 1 },
  { key: 'ArrowDown', sign: '↓', label: msg('downwards'), dx: 0, dy: -1 },
  { key: 'ArrowRight', sign: '→', label: msg('to the right'), dx: 1, dy: 0 },
] as const;

export default function Hold({ env, layout }: { readonly env: EnvCard; readonly layout: PointsLayout }) {
  const phone = useRoom() === 'phone';
  const [asked, setAsked] = useState(false);
  const held = heldPoints(layout);
  const [thing, setThing] = useState((layout.ordered ? held.at(-1) : held[0]) ?? 0);
  const push = usePush(layout, env.fps);
  const label = layout.ordered ? t('Give orders') : t('Move by hand');
  const keys = (event: KeyboardEvent): void => {
    const way = WAYS.find(({ key }) => key === event.key);
    if (way === undefined || event.target instanceof HTMLSelectElement) return;
    event.preventDefault(); // it is no key of the game here
    push(thing, way.dx, way.dy);
  };
  if (phone && !asked)
    return (
      <div className={styles.team}>
        <Button kind="bare" onClick={() => setAsked(true)}>
          {label}
        </Button>
      </div>
    );
  return (
    <fieldset
      className={styles.team}
      aria-label={label}
      title={
        layout.ordered
          ? t('Drag a unit to a place or onto a foe. A press in the scene sends the whole team. Or choose who goes, and press an arrow.')
          : calledPoint(layout) < 0
            ? t('Drag it in the scene, or choose it and press an arrow.')
            : t('Press anywhere in the scene to put it there, drag it, or press an arrow.')
      }
      onKeyDown={keys}
    >
      <select
        // biome-ignore lint/a11y/noAutofocus: the button that was pressed is gone, and this is what it asked for
        autoFocus={phone}
        className={styles.which}
        aria-label={layout.ordered ? t('Who goes') : t('What to move')}
        value={thing}
        onChange={(event) => setThing(Number(event.target.value))}
      >
        {held.map((each) => (
          <option key={each} value={each}>
            {numbered(t, spoken(pointName(layout, each)))}
          </option>
        ))}
      </select>
      {WAYS.map(({ key, sign, label, dx, dy }) => (
        <Button key={key} kind="bare" aria-label={t(label)} onClick={() => push(thing, dx, dy)}>
          {sign}
        </Button>
      ))}
      {phone && <Button kind="bare" icon="close" label={t('Close')} onClick={() => setAsked(false)} />}
    </fieldset>
  );
}

/** Draws a thing on from where it is, or is drawn to already, and lets go when no press follows. */
function usePush(layout: PointsLayout, fps: number): (thing: number, dx: number, dy: number) => void {
  const drawn = useRef<{ readonly thing: number; readonly x: number; readonly y: number } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      if (drawn.current !== null) void game.pull(null);
      drawn.current = null;
    },
    [],
  );
  return (thing, dx, dy) => {
    const [minX, minY, maxX, maxY] = layout.bounds;
    const stride = (layout.ordered ? ORDER_STRIDE : STRIDE) * Math.max(maxX - minX, maxY - minY);
    const from = drawn.current?.thing === thing ? drawn.current : placeNow(layout, thing);
    if (from === null) return;
    const x = Math.min(maxX, Math.max(minX, from.x + dx * stride));
    const y = Math.min(maxY, Math.max(minY, from.y + dy * stride));
    drawn.current = { thing, x, y };
    void game.pull({ part: thing, at: [0, 0, 0], to: [x, y, 0] });
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => {
        drawn.current = null;
        void game.pull(null);
      },
      (1000 * HOLD_STEPS) / Math.max(1, fps * stageStore.getState().speed),
    );
  };
}

/** Where a point is in the shown frame. */
function placeNow(layout: PointsLayout, thing: number): { readonly x: number; readonly y: number } | null {
  const { source, t: now } = stageStore.getState();
  const frame = new Float32Array(frameSize(layout));
  if (source === null || !source.read(now, frame)) return null;
  return { x: frame[6 * thing]!, y: frame[6 * thing + 1]! };
}
