/**
 * A text field over a value: what is typed is read at once and told at once when it is wrong; a good text becomes the value after a
 * short rest, on Enter or on leaving the field; a bad one stays as typed and keeps Train off. Escape brings the value back.
 */
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Json } from '#contract/kit/json.ts';
import { clearBad, invalidStore, markBad } from './invalid.ts';
import { type Leaf, read, textOf } from './leaves.ts';

const REST = 350; // ms

export interface Typed {
  readonly text: string;
  readonly message: string | null;
  /** Attributes of the input. Nothing is being typed: Ctrl+Z undoes the last change of the set-up, not one of the text (shell/keyboard/keys.ts). */
  readonly mark: { readonly 'data-settled': '' | undefined };
  type(text: string): void;
  settle(): void;
  revert(): void;
}

export function useTyped(leaf: Leaf, value: Json | undefined, onChange: (value: Json) => void): Typed {
  const bad = useStore(invalidStore, (state) => state.fields[leaf.path]);
  const [typing, setTyping] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const change = useRef(onChange);
  change.current = onChange;

  useEffect(() => () => clearTimeout(timer.current), []);

  // A value set elsewhere (undo, reset, another preset) wins over a text that was wrong before.
  const known = useRef(value);
  useEffect(() => {
    if (JSON.stringify(known.current) === JSON.stringify(value)) return;
    known.current = value;
    clearBad(leaf.path);
  }, [leaf.path, value]);

  const commit = (text: string) => {
    clearTimeout(timer.current);
    const reading = read(leaf, text);
    if (!reading.ok) return;
    if (JSON.stringify(reading.value) !== JSON.stringify(value)) change.current(reading.value);
  };

  return {
    text: typing ?? bad?.text ?? fieldText(leaf, value),
    message: bad?.message ?? null,
    mark: { 'data-settled': typing === null && bad === undefined ? '' : undefined },
    type: (text) => {
      setTyping(text);
      clearTimeout(timer.current);
      const reading = read(leaf, text);
      if (!reading.ok) {
        markBad(leaf.path, { text, message: reading.message });
        return;
      }
      clearBad(leaf.path);
      timer.current = setTimeout(() => commit(text), REST);
    },
    settle: () => {
      if (typing !== null) commit(typing);
      setTyping(null);
    },
    revert: () => {
      clearTimeout(timer.current);
      clearBad(leaf.path);
      setTyping(null);
    },
  };
}

/** A long fraction is shown with five figures; it stays what it is until something is typed. */
function fieldText(leaf: Leaf, value: Json | undefined): string {
  const text = textOf(leaf, value);
  return typeof value === 'number' && text.length > 8 && !Number.isInteger(value) ? textOf(leaf, Number(value.toPrecision(5))) : text;
}
