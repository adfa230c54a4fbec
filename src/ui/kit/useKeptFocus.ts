import { type RefObject, useRef } from 'react';

/**
 * A box around a button that goes or is disabled when it is pressed, which would lose the focus: `keep` gives the focus to the box, then does what
 * the button does. The box needs `tabIndex={-1}` and a label.
 */
export function useKeptFocus(): readonly [box: RefObject<HTMLFieldSetElement | null>, keep: (act: () => void) => void] {
  const box = useRef<HTMLFieldSetElement>(null);
  return [
    box,
    (act) => {
      box.current?.focus();
      act();
    },
  ];
}
