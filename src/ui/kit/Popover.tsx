/**
 * A button and the panel it opens, on the native popover: light dismissal and Escape come from the browser, and focus returns to
 * the button. The panel is placed under its button and kept inside the window.
 */
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import styles from './Popover.module.css';

interface Props {
  /** Content of the button. */
  readonly trigger: ReactNode;
  readonly label?: string;
  readonly title?: string;
  readonly look?: 'bare' | 'badge' | 'word' | 'sign' | 'door';
  readonly align?: 'start' | 'end';
  readonly width?: number;
  readonly children: (close: () => void) => ReactNode;
}

export function Popover({ trigger, label, title, look = 'bare', align = 'start', width = 280, children }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  useLayoutEffect(() => {
    const box = button.current?.getBoundingClientRect();
    const target = panel.current;
    if (!open || box === undefined || target === null) return;
    const wide = Math.min(width, window.innerWidth - 16);
    const left = align === 'start' ? box.left : box.right - wide;
    const below = window.innerHeight - box.bottom - 16;
    const above = box.top - 16;
    target.style.width = `${wide}px`;
    target.style.left = `${Math.max(8, Math.min(left, window.innerWidth - wide - 8))}px`;
    if (below < 240 && above > below) {
      target.style.top = 'auto';
      target.style.bottom = `${window.innerHeight - box.top + 6}px`;
      target.style.maxHeight = `${above}px`;
    } else {
      target.style.bottom = 'auto';
      target.style.top = `${box.bottom + 6}px`;
      target.style.maxHeight = `${below}px`;
    }
  }, [open, align, width]);

  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.trigger}
        data-look={look}
        popoverTarget={id}
        aria-label={label}
        aria-expanded={open}
        title={title}
      >
        {trigger}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        className={styles.panel}
        onToggle={(event) => {
          setOpen(event.newState === 'open');
        }}
      >
        {open && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}
