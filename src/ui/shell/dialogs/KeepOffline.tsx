/** How much of the page is on this device, and the press that fetches the rest, with its progress and a way to stop it. */
import { useEffect, useRef, useState } from 'react';
import { type OfflineReport, offline } from '#client/files/offline.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { bytes } from '#ui/kit/format/numbers.ts';
import styles from './Dialogs.module.css';

export function KeepOffline() {
  const [report, setReport] = useState<OfflineReport | null>(null);
  const [problem, setProblem] = useState('');
  const [left, setLeft] = useState<number | null>(null);
  const fetching = useRef<AbortController | null>(null);

  useEffect(() => {
    let live = true;
    offline.report().then(
      (answer) => live && setReport(answer),
      (error: unknown) => live && setProblem(toFailure(error).message),
    );
    return () => {
      live = false;
      fetching.current?.abort();
    };
  }, []);

  const keep = async (): Promise<void> => {
    const mine = new AbortController();
    fetching.current = mine;
    setProblem('');
    setLeft(report?.missing ?? 0);
    try {
      await offline.keepAll(setLeft, mine.signal);
    } catch (error) {
      const { message, fix } = toFailure(error);
      setProblem(`${message} ${fix}`);
    }
    setLeft(null);
    setReport(await offline.report().catch(() => report));
  };

  const total = report?.total ?? 0;
  const missing = left ?? report?.missing ?? 0;
  return (
    <section className={styles.part} aria-labelledby="keep-offline">
      <h3 id="keep-offline">{t('Without a network')}</h3>
      <p role="status">
        {report === null && problem === '' && t('Looking at what is on this device.')}
        {report !== null && !report.possible && t('This browser keeps nothing of the page here: it needs a network.')}
        {report?.possible === true &&
          (missing === 0
            ? t('All of the page is on this device ({total}).', { total: bytes(total) })
            : t('{value} of {total} are on this device: the laboratory with its environments and methods, and all that was used here.', {
                value: bytes(total - missing),
                total: bytes(total),
              }))}
      </p>
      {left !== null && <progress className={styles.wide} aria-label={t('Kept for offline')} max={total} value={total - left} />}
      {problem !== '' && (
        <p className={styles.callout} data-tone="caution" role="alert">
          {problem}
        </p>
      )}
      {report?.possible === true && missing > 0 && (
        <div className={styles.row}>
          {left === null ? (
            <Button icon="download" onClick={() => void keep()}>
              {t('Keep everything for offline ({missing})', { missing: bytes(missing) })}
            </Button>
          ) : (
            <Button onClick={() => fetching.current?.abort()}>{t('Cancel')}</Button>
          )}
        </div>
      )}
    </section>
  );
}
