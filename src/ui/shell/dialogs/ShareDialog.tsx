/** The link that is the whole experiment: its length against what chats carry, a QR code, and a file where a link is too small. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { draftAddress } from '#client/links/writing.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { hashOf, NEW_LESSON } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { embedCode } from '#ui/kit/embed-protocol.ts';
import { compact } from '#ui/kit/format/numbers.ts';
import { QrCode } from '#ui/kit/QrCode.tsx';
import { copy, fileName, save } from '#ui/kit/save.ts';
import { useTitle } from '#ui/kit/useTitle.ts';
import styles from './Dialogs.module.css';
import { openAnyFolder, openAnything, openLinkText } from './open.ts';

/** Characters: what a chat message holds, and what a projector's QR code does. */
const CHAT = 1900;
const QR = 800;

export function ShareDialog({ onClose }: { readonly onClose: () => void }) {
  const config = useStore(draftStore, (state) => state.config);
  const hash = useStore(draftStore, (state) => state.hash);
  const depth = useStore(layoutStore, (state) => state.depth);
  const title = useTitle();
  const field = useRef<HTMLTextAreaElement>(null);
  const [pasted, setPasted] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link is made of the draft and the depth
  const link = useMemo(() => draftAddress() ?? '', [config, depth]);
  const tooLong = link === '' || link.length > CHAT;

  useEffect(() => field.current?.setSelectionRange(0, 0), []);

  const file = () => void save(new Blob([`${JSON.stringify(config, null, 2)}\n`], { type: 'application/json' }), `${fileName(title)}.json`);

  /** Asks for it, and closes: what was opened lies behind the dialog. */
  const thenClose = (ask: () => void): void => {
    ask();
    onClose();
  };

  return (
    <Dialog title={t('Share')} onClose={onClose}>
      <p>
        {t(
          'The link holds {title} with every setting and seed. It opens as the same run, bit for bit on the wasm executor; their own runs are not touched. No server is involved.',
          { title },
        )}
      </p>
      {!tooLong && (
        <div className={styles.share}>
          <div className={styles.shareText}>
            <textarea
              ref={field}
              className={styles.link}
              aria-label={t('Link')}
              readOnly
              rows={4}
              value={link}
              onFocus={(event) => event.target.select()}
            />
            <label className={styles.meter}>
              <span>{t('{n} of {value} characters', { n: link.length, value: compact(CHAT) })}</span>
              <meter min={0} max={CHAT} value={link.length} />
            </label>
            <div className={styles.row}>
              <Button kind="solid" icon="copy" onClick={() => void copy(link, 'Link')}>
                {t('Copy link')}
              </Button>
              {'share' in navigator && (
                <Button onClick={() => void navigator.share({ title, url: link }).catch(() => undefined)}>{t('Send')}</Button>
              )}
              <Button icon="download" onClick={file}>
                {t('Config file')}
              </Button>
              <Button icon="copy" onClick={() => void copy(embedCode(link, title), 'Embed code')}>
                {t('Copy embed code')}
              </Button>
              <Button
                icon="plus"
                onClick={() => {
                  onClose();
                  location.hash = hashOf({ page: 'lessons', id: NEW_LESSON, query: {} });
                }}
              >
                {t('Make a lesson of it')}
              </Button>
            </div>
          </div>
          {link.length <= QR && <QrCode className={styles.qr} text={link} name={t('QR code of the link')} recovery="L" quiet={2} />}
        </div>
      )}
      {tooLong && (
        <div className={styles.callout} data-tone="caution">
          <p>
            {t(
              'This config is too large for a link of {value} characters, and a cut link would be worse than none. Send it as a file; dropping the file on the page opens it.',
              { value: compact(CHAT) },
            )}
          </p>
          <Button kind="solid" icon="download" onClick={file}>
            {t('Save the config file')}
          </Button>
        </div>
      )}
      <p className={styles.quiet}>
        {t('Config')} <code>{hash}</code>
      </p>
      <h3 className={styles.sub}>{t('Open what you were sent')}</h3>
      <div className={styles.row}>
        <input
          type="text"
          className={styles.input}
          aria-label={t('Link to open')}
          placeholder={t('Paste a link')}
          spellCheck={false}
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && pasted.trim() !== '') void openLinkText(pasted).then((opened) => opened && onClose());
          }}
        />
        <Button disabled={pasted.trim() === ''} onClick={() => void openLinkText(pasted).then((opened) => opened && onClose())}>
          {t('Open link')}
        </Button>
        <Button icon="open" onClick={() => thenClose(openAnything)}>
          {t('Open a file')}
        </Button>
        <Button icon="open" onClick={() => thenClose(openAnyFolder)}>
          {t('Open a folder')}
        </Button>
      </div>
    </Dialog>
  );
}
