/** A file that is broken, or a link that was cut, is not ours, or comes from a newer version: says so, runs nothing, and leaves everything as it was. */
import { useStore } from 'zustand';
import type { FailureId } from '#contract/kit/errors.ts';
import { layoutStore } from '#stores/layout.ts';
import { wayOut } from '#stores/way-out.ts';
import { msg, t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { langOf } from '#ui/kit/format/fact.ts';
import { remedy } from '#ui/kit/format/failure.ts';
import styles from './Dialogs.module.css';
import { openAnything } from './open.ts';

const TITLES: Partial<Record<FailureId, string>> = {
  'link-damaged': msg('This link is damaged'),
  'link-future': msg('This link is from a newer version'),
  'link-foreign': msg('This link is not of this workbench'),
  'link-too-long': msg('This link is too long'),
  'file-invalid': msg('This file cannot be opened'),
};

const CANNOT = msg('This cannot be opened');

export function LinkProblemDialog({ onClose }: { readonly onClose: () => void }) {
  const failure = useStore(layoutStore, (state) => state.linkFailure);
  const close = () => {
    layoutStore.getState().set('linkFailure', null);
    onClose();
  };
  return (
    <Dialog
      title={t((failure && TITLES[failure.id]) ?? CANNOT)}
      width="narrow"
      onClose={close}
      footer={
        <>
          <Button icon="open" onClick={openAnything}>
            {t('Open a file')}
          </Button>
          <Button kind="solid" onClick={close}>
            {t('Go on without it')}
          </Button>
        </>
      }
    >
      <div className={styles.text}>
        <p lang={langOf(failure?.message ?? '')}>{failure?.message}</p>
        <p lang={langOf(failure === null ? '' : remedy(failure))}>
          {failure === null ? '' : withAddresses(wayOut(failure.message, remedy(failure)), close)}
        </p>
        <p className={styles.quiet}>{t('Nothing was run from it. Your own settings and runs are as they were.')}</p>
      </div>
    </Dialog>
  );
}

/** Addresses of pages in a text can be followed. */
const withAddresses = (text: string, close: () => void) =>
  text.split(/(#\/[A-Za-z0-9/-]+)/).map((part, i) =>
    part.startsWith('#/') ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
      <a key={i} href={part} onClick={close}>
        {part}
      </a>
    ) : (
      part
    ),
  );
