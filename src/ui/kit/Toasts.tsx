import { useStore } from 'zustand';
import { t } from '#text/text.ts';
import { Button } from './Button.tsx';
import styles from './Toasts.module.css';
import { dismiss, toastStore } from './toasts.ts';

export function Toasts() {
  const toasts = useStore(toastStore, (state) => state.toasts);
  return (
    <div className={styles.stack} role="status" aria-live="polite">
      {toasts.map((entry) => (
        <div key={entry.id} className={styles.toast} data-tone={entry.tone}>
          <span>{entry.text}</span>
          {entry.action && (
            <Button
              kind="bare"
              onClick={() => {
                entry.action?.run();
                dismiss(entry.id);
              }}
            >
              {entry.action.label}
            </Button>
          )}
          <Button kind="bare" icon="close" label={t('Dismiss')} onClick={() => dismiss(entry.id)} />
        </div>
      ))}
    </div>
  );
}
