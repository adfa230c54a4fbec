/** Keeps one thing, a lesson, a paper or a world, on this device for when there is no network: says how much is missing, then that all is here. */
import { useCallback, useEffect, useState } from 'react';
import type { Keepable, OfflineReport } from '#client/files/offline.ts';
import { serviceWorkers } from '#client/workers/offline-worker.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { bytes } from '#ui/kit/format/numbers.ts';
import styles from './KeepHere.module.css';

const service = async () => (await import('#client/files/offline.ts')).offline;

interface Props {
  readonly thing: Keepable;
  /** For who hears the button alone. */
  readonly name: string;
}

/** Nothing is drawn where the browser keeps nothing, or before it is known. */
export const KeepHere = (props: Props) => <OfThing key={JSON.stringify(props.thing)} {...props} />;

function OfThing({ thing: given, name }: Props) {
  const [thing] = useState(given);
  const [report, setReport] = useState<OfflineReport | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  const look = useCallback(async (): Promise<void> => {
    try {
      setReport(await (await service()).missing(thing));
    } catch (error) {
      // Without a network there is nothing to keep; anything else is said.
      const failure = toFailure(error);
      if (failure.id !== 'offline') setProblem(failureText(failure));
    }
  }, [thing]);

  useEffect(() => {
    const again = (): void => void look();
    again();
    const workers = serviceWorkers();
    workers?.addEventListener('controllerchange', again); // from now on it keeps files
    return () => workers?.removeEventListener('controllerchange', again);
  }, [look]);

  const keep = async (): Promise<void> => {
    setBusy(true);
    setProblem('');
    try {
      await (await service()).keep(thing);
    } catch (error) {
      setProblem(failureText(toFailure(error)));
    }
    await look();
    setBusy(false);
  };

  if (report?.possible !== true && problem === '') return null;
  return (
    <span className={styles.keep}>
      {report !== null && report.missing > 0 && (
        <Button kind="bare" icon="download" disabled={busy} label={t('Keep for offline: {name}', { name })} onClick={() => void keep()}>
          {busy ? t('Being kept …') : t('Keep for offline ({size})', { size: bytes(report.missing) })}
        </Button>
      )}
      <span role="status">{report !== null && report.missing === 0 && t('Kept for offline')}</span>
      {problem !== '' && <span role="alert">{problem}</span>}
    </span>
  );
}
