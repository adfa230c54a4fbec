/**
 * A modal on the native dialog: the browser makes the rest inert and gives Escape; focus goes to the heading and comes back to
 * where it was. A press on the scrim closes it too.
 */
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { t } from '#text/text.ts';
import { Button } from './Button.tsx';
import styles from './Dialog.module.css';

interface Props {
  readonly title: string;
  readonly width?: 'narrow' | 'normal' | 'wide';
  readonly onClose: () => void;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

export function Dialog({ title, width = 'normal', onClose, footer, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();

  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    const before = document.activeElement;
    dialog.showModal();
    heading.current?.focus();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the dialog's own way out; the press on the scrim only adds to it
    <dialog
      ref={ref}
      className={styles.dialog}
      data-width={width}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div className={styles.box}>
        <div className={styles.head}>
          <h2 id={id} ref={heading} tabIndex={-1} className={styles.title}>
            {title}
          </h2>
          <Button kind="bare" icon="close" label={t('Close')} onClick={onClose} />
        </div>
        <div className={styles.body}>{children}</div>
        {footer && <div className={styles.foot}>{footer}</div>}
      </div>
    </dialog>
  );
}
