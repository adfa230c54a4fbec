/** What went wrong in the run that is shown, why it probably did, and the one thing to do. Stays until put away; takes no focus. */
import { useState } from 'react';
import { useStore } from 'zustand';
import { lab } from '#client/lab.ts';
import { runsStore } from '#stores/runs.ts';
import { Button } from '../kit/Button.tsx';
import { Icon } from '../kit/Icon.tsx';
import styles from './FailureNote.module.css';

export function FailureNote() {
  const group = useStore(runsStore, (state) => state.groups.find((candidate) => candidate.id === state.activeId) ?? null);
  const [dismissed, setDismissed] = useState('');
  const failed = group?.seeds.filter((seed) => seed.failure !== null) ?? [];
  const failure = failed[0]?.failure;
  if (group === null || failure === undefined || failure === null) return null;
  const key = `${group.id} ${failed.length}`;
  if (key === dismissed) return null;
  const seeds =
    failed.length === group.seeds.length ? 'All seeds' : failed.length === 1 ? `Seed ${failed[0]?.seed}` : `${failed.length} seeds`;
  return (
    <div className={styles.note} role="alert">
      <Icon name="warn" />
      <p className={styles.text}>
        <b>
          {seeds} of {group.name} stopped.
        </b>{' '}
        <span>{failure.message}</span> <span>{failure.fix}</span>
      </p>
      <Button onClick={() => lab.openRun(group.id)}>Open its set-up</Button>
      <Button kind="bare" icon="close" label="Put this note away" onClick={() => setDismissed(key)} />
    </div>
  );
}
