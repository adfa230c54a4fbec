/** A newer version waits. It is offered only while nothing trains, and taken only by this button. */
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { applyUpdate } from '../pwa/pwa.ts';

export function UpdateDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog
      title="A newer version is ready"
      width="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Later</Button>
          <Button kind="solid" onClick={applyUpdate}>
            Update and reload
          </Button>
        </>
      }
    >
      <p>The page reloads once. Stored runs, their checkpoints and your configuration stay; runs that were paused can be resumed.</p>
    </Dialog>
  );
}
