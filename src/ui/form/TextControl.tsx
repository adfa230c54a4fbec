/** A text, or a list or object as compact JSON. */
import { useId } from 'react';
import type { ControlProps } from './control.ts';
import styles from './Field.module.css';
import { useTyped } from './useTyped.ts';

export function TextControl({ leaf, value, id, describedBy, problem, onChange }: ControlProps) {
  const typed = useTyped(leaf, value, onChange);
  const errorId = useId();
  const message = typed.message ?? problem;
  return (
    <>
      <input
        {...typed.mark}
        type="text"
        className={styles.text}
        data-json={leaf.kind === 'json' ? '' : undefined}
        autoComplete="off"
        spellCheck={false}
        id={id}
        aria-describedby={message === null ? describedBy : `${errorId} ${describedBy}`}
        aria-invalid={message !== null}
        value={typed.text}
        onChange={(event) => typed.type(event.target.value)}
        onBlur={typed.settle}
        onKeyDown={(event) => {
          if (event.key === 'Enter') typed.settle();
          if (event.key === 'Escape' && typed.message !== null) {
            typed.revert();
            event.stopPropagation();
          }
        }}
      />
      {message !== null && (
        <p id={errorId} className={styles.error} role="alert">
          {message}
        </p>
      )}
    </>
  );
}
