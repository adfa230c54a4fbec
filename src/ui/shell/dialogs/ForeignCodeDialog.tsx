/** Code that may be of another author, from a link, a file or a stored run: it is read before it runs. */
import { useStore } from 'zustand';
import { allowCode } from '#client/links/own-code.ts';
import { kindIn } from '#contract/own-world.ts';
import { ownStore } from '#stores/own.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import styles from './Dialogs.module.css';

export function ForeignCodeDialog() {
  const asked = useStore(ownStore, (state) => state.asked);
  if (asked === null) return null;
  const close = (): void => ownStore.setState({ asked: null });
  return (
    <Dialog
      title="Run this code?"
      width="wide"
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Go on without it</Button>
          <Button kind="solid" onClick={() => void allowCode(asked)}>
            Run this code
          </Button>
        </>
      }
    >
      <div className={styles.text}>
        <p>
          {`What you opened carries a ${kindIn(asked.code)} in code, which was not written on this device. Look at it: it runs, in a sandbox without network and storage, when you say so.`}
        </p>
        <textarea className={styles.json} readOnly rows={20} value={asked.code} aria-label="Code of another author" />
        <p className={styles.quiet}>Nothing of it has run yet, and your own set-up and runs are as they were.</p>
      </div>
    </Dialog>
  );
}
