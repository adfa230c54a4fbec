/** Stands in the header as long as what happens here is not being saved, with the way to save it oneself. */
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { files } from '#client/files/service.ts';
import { machineStore } from '#stores/machine.ts';
import { runsStore } from '#stores/runs.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Icon } from '#ui/kit/Icon.tsx';
import { toast } from '#ui/kit/toasts.ts';
import { saveAllRuns } from '../dialogs/save-all.ts';
import { noStorage } from '../no-storage.ts';
import styles from './Header.module.css';

export function SavingBadge({ short }: { readonly short: boolean }) {
  const unsaved = useStore(machineStore, (state) => state.unsaved);
  const nowhere = useStore(machineStore, noStorage);
  const rewritten = useStore(machineStore, (state) => state.rewritten);
  const some = useStore(runsStore, (state) => state.groups.length > 0);
  const told = useRef(rewritten);
  useEffect(() => {
    if (rewritten === told.current) return;
    told.current = rewritten;
    toast('This page’s storage had been cleared. What the page still held is stored again.');
  }, [rewritten]);
  const why = unsaved !== '' ? unsaved : nowhere;
  if (!some || why === '') return null;
  return (
    <span className={styles.unsaved} role="status" title={t('{why} Runs last until the page is closed.', { why })}>
      <Icon name="warn" />
      {short ? t('Not saved') : t('Not being saved')}
      <Button icon="download" label={t('Export all runs as one file')} onClick={() => void saveAllRuns(files.exportAll())}>
        {short ? undefined : t('Export')}
      </Button>
    </span>
  );
}
