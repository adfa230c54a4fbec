/** A number: typed entry with unit, and under it a thin track to drag where the range is known. The notch marks the base value. */
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { msg, t } from '#text/text.ts';
import { langOf } from '#ui/kit/format/fact.ts';
import { editable } from '#ui/kit/format/numbers.ts';
import type { ControlProps } from './control.ts';
import styles from './Field.module.css';
import { clamp, fromSlider, limitsOf, read, sliderOf, stepped, toSlider } from './leaves.ts';
import { useTyped } from './useTyped.ts';

interface Props extends ControlProps {
  /** The number alone, without a track. */
  readonly bare?: boolean;
  /** In place of the label of the field. */
  readonly label?: string;
}

export function NumberControl({ leaf, value, base, id, describedBy, problem, onChange, bare = false, label }: Props) {
  const { schema } = leaf;
  const typed = useTyped(leaf, value, onChange);
  const [dragged, setDragged] = useState<number | null>(null);
  const errorId = useId();
  const range = sliderOf(schema);
  const limits = limitsOf(schema);
  const message = typed.message ?? problem;
  const reading = read(leaf, typed.text);
  const now = dragged ?? (reading.ok && typeof reading.value === 'number' ? reading.value : typeof value === 'number' ? value : null);

  const put = (next: number) => {
    typed.revert();
    onChange(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const from = now ?? range?.[0] ?? 0;
    if (event.key === 'ArrowUp') put(stepped(schema, from, 1, event.shiftKey ? 10 : 1));
    else if (event.key === 'ArrowDown') put(stepped(schema, from, -1, event.shiftKey ? 10 : 1));
    else if (event.key === 'PageUp') put(stepped(schema, from, 1, 10));
    else if (event.key === 'PageDown') put(stepped(schema, from, -1, 10));
    else if (event.key === 'Home' && range !== null && !event.shiftKey) put(clamp(schema, range[0]));
    else if (event.key === 'End' && range !== null && !event.shiftKey) put(clamp(schema, range[1]));
    else if (event.key === 'Enter') typed.settle();
    else if (event.key === 'Escape' && typed.message !== null) typed.revert();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const shown = dragged === null ? typed.text : editable(dragged);
  const spoken =
    now === null ? undefined : `${editable(now)}${schema.unit ? ` ${t(schema.unit)}` : ''}${schema.log ? ` ${t('(log)')}` : ''}`;

  return (
    <>
      <span className={styles.entry} data-invalid={message === null ? undefined : ''}>
        <input
          {...typed.mark}
          type="text"
          inputMode={schema.type === 'integer' && limits.min >= 0 ? 'numeric' : 'decimal'}
          role="spinbutton"
          autoComplete="off"
          spellCheck={false}
          className={styles.number}
          id={id}
          aria-label={label}
          aria-describedby={message === null ? describedBy : `${errorId} ${describedBy}`}
          aria-invalid={message !== null}
          aria-valuenow={now ?? undefined}
          aria-valuetext={spoken}
          aria-valuemin={Number.isFinite(limits.min) ? limits.min : undefined}
          aria-valuemax={Number.isFinite(limits.max) ? limits.max : undefined}
          value={shown}
          placeholder={leaf.nullable ? t(schema.empty ?? msg('auto')) : undefined}
          onChange={(event) => typed.type(event.target.value)}
          onBlur={typed.settle}
          onKeyDown={onKeyDown}
        />
        {schema.unit && (
          <span className={styles.unit} aria-hidden="true" lang={langOf(schema.unit)}>
            {t(schema.unit)}
          </span>
        )}
      </span>
      {!bare && range !== null && now !== null && (
        <Track
          at={toSlider(schema, range, now)}
          base={typeof base === 'number' ? toSlider(schema, range, base) : null}
          onDrag={(at) => setDragged(fromSlider(schema, range, at))}
          onDrop={(at) => {
            setDragged(null);
            put(fromSlider(schema, range, at));
          }}
        />
      )}
      {message !== null && (
        <p id={errorId} className={styles.error} role="alert">
          {message}
        </p>
      )}
    </>
  );
}

interface TrackProps {
  readonly at: number;
  readonly base: number | null;
  readonly onDrag: (at: number) => void;
  readonly onDrop: (at: number) => void;
}

/** For mouse and touch. Not in the Tab order: the number above it has the same keys and the same range. */
function Track({ at, base, onDrag, onDrop }: TrackProps) {
  const held = useRef(false);
  const place = (event: PointerEvent<HTMLDivElement>) => {
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
        held.current = true;
        onDrag(place(event));
      }}
      onPointerMove={(event) => {
        if (held.current) onDrag(place(event));
      }}
      onPointerUp={(event) => {
        if (held.current) onDrop(place(event));
        held.current = false;
      }}
    >
      <div className={styles.rail}>
        <div className={styles.fill} style={{ inlineSize: `${100 * at}%` }} />
        {base !== null && <div className={styles.notch} style={{ insetInlineStart: `${100 * base}%` }} />}
        <div className={styles.thumb} style={{ insetInlineStart: `${100 * at}%` }} />
      </div>
    </div>
  );
}
