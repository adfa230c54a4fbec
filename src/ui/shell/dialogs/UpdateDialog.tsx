/** A newer version waits. It is offered only while nothing trains, and taken only by this button. */
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { applyUpdate } from '../pwa/pwa.ts';

export function UpdateDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog
      title={t('A newer version is ready')}
      width="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Later')}</Button>
          <Button kind="solid" onClick={applyUpdate}>
            {t('Update and reload')}
          </Button>
        </>
      }
    >
      <p>{t('The page reloads once. Stored runs, their checkpoints and your configuration stay; runs that were paused can be resumed.')}</p>
    </Dialog>
  );
}
