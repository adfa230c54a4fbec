/** A large part of what was opened is on its way: how far, and a button to stop it. */
import { useStore } from 'zustand';
import { downloadStore } from '#stores/downloads.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Icon } from '#ui/kit/Icon.tsx';
import styles from './FailureNote.module.css';

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

export function DownloadNote() {
  const download = useStore(downloadStore, (state) => state.download);
  if (download === null) return null;
  const { title, loaded, total } = download;
  return (
    <div className={styles.note} data-tone="plain">
      <Icon name="info" />
      <p className={styles.text}>
        <span role="status">{t('Loading {title}, once for this browser.', { title })}</span>{' '}
        {t('{loaded} of {total} MB', { loaded: megabytes(loaded), total: megabytes(total) })}{' '}
        <progress aria-label={t('Loading {title}', { title })} max={total} value={loaded} />
      </p>
      <Button onClick={() => downloadStore.getState().stop()}>{t('Stop loading')}</Button>
    </div>
  );
}
