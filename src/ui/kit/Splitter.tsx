/**
 * A movable border between two panels after the ARIA window-splitter pattern: arrows move by 16 px (Shift: 64), Home and End go to
 * the ends, Enter folds the panel away. Sizes in px unless `scale` says otherwise.
 */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import styles from './Splitter.module.css';

interface Props {
  readonly label: string;
  /** Id of the panel it sizes. */
  readonly controls: string;
  readonly orientation: 'vertical' | 'horizontal';
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** +1: moving right or down makes the panel larger; -1: smaller. */
  readonly grows: 1 | -1;
  /** Units of `value` per px; 1 when the value is in px. */
  readonly scale?: () => number;
  readonly onChange: (size: number) => void;
  readonly onFold: () => void;
}

export function Splitter({ label, controls, orientation, value, min, max, grows, scale = () => 1, onChange, onFold }: Props) {
  const drag = useRef<{ readonly at: number; readonly size: number } | null>(null);
  const vertical = orientation === 'vertical';
  const move = (size: number) => onChange(Math.round(Math.min(max, Math.max(min, size))));

  const onKeyDown = (event: KeyboardEvent) => {
    const step = (event.shiftKey ? 64 : 16) * scale();
    const [less, more] = vertical ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    if (event.key === less) move(value - grows * step);
    else if (event.key === more) move(value + grows * step);
    else if (event.key === 'Home') move(min);
    else if (event.key === 'End') move(max);
    else if (event.key === 'Enter') onFold();
    else return;
    event.preventDefault();
  };
  const at = (event: PointerEvent) => (vertical ? event.clientX : event.clientY);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable separator is a widget; hr cannot be one
    <div
      role="separator"
      tabIndex={0}
      className={styles.splitter}
      aria-label={label}
      aria-controls={controls}
      aria-orientation={orientation}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={onKeyDown}
      onDoubleClick={onFold}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { at: at(event), size: value };
      }}
      onPointerMove={(event) => {
        if (drag.current !== null) move(drag.current.size + grows * (at(event) - drag.current.at) * scale());
      }}
      onPointerUp={() => {
        drag.current = null;
      }}
      onPointerCancel={() => {
        drag.current = null;
      }}
    />
  );
}
