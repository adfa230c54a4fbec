/** What is kept in this browser, how safe it is, and how to take it out or delete it. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { files } from '#client/files/service.ts';
import { machineStore } from '#stores/machine.ts';
import { runsStore } from '#stores/runs.ts';
import { t, tn } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { bytes } from '#ui/kit/format/numbers.ts';
import { noStorage } from '../no-storage.ts';
import styles from './Dialogs.module.css';
import { KeepOffline } from './KeepOffline.tsx';
import { openAnything } from './open.ts';
import { saveAllRuns } from './save-all.ts';

type Report = Awaited<ReturnType<typeof files.report>>;

export function StorageDialog({ onClose }: { readonly onClose: () => void }) {
  const [report, setReport] = useState<Report | null>(null);
  const [asked, setAsked] = useState(false);
  const machine = useStore(machineStore);
  const groups = useStore(runsStore, (state) => state.groups);
  const nowhere = noStorage(machine);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is stored changes with the runs
  useEffect(() => {
    let live = true;
    files.report().then(
      (answer) => live && setReport(answer),
      () => undefined,
    );
    return () => {
      live = false;
    };
  }, [groups]);

  return (
    <Dialog title={t('Storage')} onClose={onClose}>
      <p>
        {t(
          'Runs, curves, checkpoints and policies are kept in this browser, on this device, and nowhere else. Clearing the browser’s data for this site deletes them, so export what you want to keep.',
        )}
      </p>
      {nowhere !== '' && (
        <p className={styles.callout} data-tone="caution">
          {t('{nowhere} Runs last until the page is closed.', { nowhere })}
        </p>
      )}
      {machine.unsaved !== '' && (
        <p className={styles.callout} data-tone="caution">
          {t('Not being saved: {unsaved} It is tried again every ten seconds.', { unsaved: machine.unsaved })}
        </p>
      )}
      <dl className={styles.facts}>
        <dt>{t('Runs')}</dt>
        <dd>{report?.runs ?? groups.length}</dd>
        <dt>{t('Used')}</dt>
        <dd>
          {report === null ? '–' : bytes(report.usedBytes)}
          {report !== null && report.quotaBytes > 0 && ` of ${bytes(report.quotaBytes)}`}
        </dd>
        <dt>{t('Checkpoints to fork from')}</dt>
        <dd>
          {report === null
            ? '–'
            : t('{taken} of {allowed} that they may take', { taken: bytes(report.points.taken), allowed: bytes(report.points.allowed) })}
        </dd>
        <dt>{t('Kept when space gets short')}</dt>
        <dd>{machine.persisted ? t('yes, the browser has promised it') : t('not promised by the browser')}</dd>
      </dl>
      {report !== null && report.quotaBytes > 0 && (
        <meter className={styles.wide} aria-label={t('Space used')} min={0} max={report.quotaBytes} value={report.usedBytes} />
      )}
      <div className={styles.row}>
        <Button icon="download" disabled={groups.length === 0} onClick={() => void saveAllRuns(files.exportAll())}>
          {t('Export all')}
        </Button>
        <Button icon="open" onClick={openAnything}>
          {t('Open a file')}
        </Button>
        <span className={styles.space} />
        {asked ? (
          <>
            <Button onClick={() => setAsked(false)}>{t('Keep them')}</Button>
            <Button
              kind="danger"
              icon="trash"
              onClick={() => {
                setAsked(false);
                void files.deleteAll();
              }}
            >
              {tn('Delete the run for good', 'Delete all {n} runs for good', groups.length)}
            </Button>
          </>
        ) : (
          <Button kind="danger" icon="trash" disabled={groups.length === 0} onClick={() => setAsked(true)}>
            {t('Delete all')}
          </Button>
        )}
      </div>
      {location.protocol !== 'file:' && <KeepOffline />}
    </Dialog>
  );
}
