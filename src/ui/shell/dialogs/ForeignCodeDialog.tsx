/** Code that may be of another author, from a link, a file or a stored run: it is read before it runs. */
import { useStore } from 'zustand';
import { allowCode } from '#client/links/own-code.ts';
import { kindIn } from '#contract/own/text.ts';
import { dismissCode, ownStore } from '#stores/own.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import styles from './Dialogs.module.css';

export function ForeignCodeDialog() {
  const { asked, opening } = useStore(ownStore);
  const shown = asked ?? opening;
  if (shown === null) return null;
  const starts = asked === null;
  return (
    <Dialog
      title={t('Run this code?')}
      width="wide"
      onClose={dismissCode}
      footer={
        <>
          <Button onClick={dismissCode}>{starts ? t('Close') : t('Go on without it')}</Button>
          <Button kind="solid" disabled={starts} onClick={() => void allowCode(shown)}>
            {t('Run this code')}
          </Button>
        </>
      }
    >
      <div className={styles.text}>
        <p>
          {t(
            'What you opened carries a {code} in code, which was not written on this device. Look at it: it runs, in a sandbox without network and storage, when you say so.',
            { code: kindIn(shown.code) },
          )}
        </p>
        <textarea className={styles.json} readOnly rows={20} value={shown.code} aria-label={t('Code of another author')} />
        <p className={styles.quiet} role="status">
          {starts
            ? t('Its sandbox starts; until then your own configuration stands behind this.')
            : t('Nothing of it has run yet, and your own configuration and runs are as they were.')}
        </p>
      </div>
    </Dialog>
  );
}
