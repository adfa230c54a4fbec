/** A stick for thumb or mouse: pushes one axis or two while it is held and springs back. Keys do the same; see the tables of the environment. */
import { type PointerEvent, useRef } from 'react';
import { useStore } from 'zustand';
import { pushSticks, stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { keyName, type StickControl } from './controls.ts';
import styles from './Stage.module.css';

const REACH = 26; // px from the middle to a full push

export function Stick({ stick }: { readonly stick: StickControl }) {
  const { x, y, signX, name, keys } = stick;
  const pushed = useStore(stageStore, (state) => state.sticks);
  const held = useStore(stageStore, (state) => state.held);
  const middle = useRef<{ x: number; y: number } | null>(null);
  const push = (dx: number, dy: number): void => {
    const sticks = [...stageStore.getState().sticks];
    const put = (axis: number, value: number): void => {
      for (let i = sticks.length; i <= axis; i++) sticks[i] = 0;
      if (axis >= 0) sticks[axis] = value;
    };
    put(x, dx * signX);
    put(y, dy);
    pushSticks(sticks);
  };
  const move = (event: PointerEvent<HTMLButtonElement>): void => {
    if (middle.current === null) return;
    const limit = (value: number): number => Math.min(1, Math.max(-1, value / REACH));
    push(limit(event.clientX - middle.current.x), limit(middle.current.y - event.clientY));
  };
  const end = (): void => {
    middle.current = null;
    push(0, 0);
  };
  const down = (key: string): number => (key !== '' && held.includes(key) ? 1 : 0);
  const limited = (value: number): number => Math.min(1, Math.max(-1, value));
  const at = {
    x: x < 0 ? 0 : limited((pushed[x] ?? 0) * signX + down(keys[3]) - down(keys[2])),
    y: y < 0 ? 0 : limited((pushed[y] ?? 0) + down(keys[1]) - down(keys[0])),
  };
  return (
    <div className={styles.stickBox}>
      <button
        type="button"
        aria-label={t('Stick: {name}', { name })}
        className={styles.stick}
        data-way={x < 0 ? 'y' : y < 0 ? 'x' : 'both'}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const box = event.currentTarget.getBoundingClientRect();
          middle.current = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
          move(event);
        }}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
        onContextMenu={(event) => event.preventDefault()}
      >
        <span className={styles.knob} style={{ transform: `translate(${at.x * REACH}px, ${-at.y * REACH}px)` }} />
      </button>
      <span aria-hidden="true">{name}</span>
      <span>{keys.flatMap((key) => (key === '' ? [] : [<kbd key={key}>{keyName(key)}</kbd>]))}</span>
    </div>
  );
}
