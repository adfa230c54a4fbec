/** Sweeps of the command line: their folder, picked here or served with the page, read-only and followed while they go on. */
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { folderSweeps } from '#client/compare/folder-sweeps.ts';
import { nameOfRun } from '#contract/run/run-names.ts';
import type { FiledSweep } from '#contract/sweep/folder.ts';
import { sweepCsv } from '#contract/sweep/report.ts';
import type { Setup } from '#contract/sweep/run.ts';
import { countOf, tuningSeeds } from '#contract/sweep/sweep.ts';
import { type FolderSweep, folderSweepsStore } from '#stores/folder-sweeps.ts';
import { Button } from '#ui/kit/Button.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { save } from '#ui/kit/save.ts';
import { SEARCHES } from './form.ts';
import styles from './Sweep.module.css';
import { SweepResults, useTitles } from './SweepResults.tsx';

const STATES: { readonly [S in FiledSweep['state']]: string } = { running: 'running', interrupted: 'interrupted', done: 'done' };

/** `token`: of a link that `npm run rl -- serve` has printed; empty: the page was opened without one. */
export function FolderSweeps({ token }: { readonly token: string }) {
  const { source, sweeps, failure, ready } = useStore(folderSweepsStore);
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (token !== '') folderSweeps.openServer(token);
  }, [token]);
  const pick = (): void => {
    if (folderSweeps.canFollow()) void folderSweeps.pick();
    else picker.current?.click();
  };
  return (
    <section aria-labelledby="folder-sweeps">
      <h2 id="folder-sweeps" className={styles.heading}>
        Results of the command line
      </h2>
      <div className={styles.folder}>
        <p className={styles.quiet}>
          {source === null ? (
            <>
              A folder of <code>npm run rl -- sweep FILE --out DIR</code>, read here and changed nowhere.
            </>
          ) : (
            <>
              <b>{source.name}</b>
              {source.live ? ', followed while it changes' : ', as it was when it was opened'}
            </>
          )}
        </p>
        <Button icon="open" onClick={pick}>
          Open a results folder
        </Button>
        {source !== null && <Button onClick={() => folderSweeps.close()}>Close</Button>}
        <input
          ref={(input) => {
            picker.current = input;
            input?.setAttribute('webkitdirectory', ''); // React knows no property of this name
          }}
          type="file"
          className="visually-hidden"
          aria-label="Results folder"
          tabIndex={-1}
          onChange={(event) => {
            const files = [...(event.target.files ?? [])];
            if (files.length > 0) folderSweeps.openFiles(files);
            event.target.value = '';
          }}
        />
      </div>
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failureText(failure)}
        </p>
      )}
      {source?.live === true && ready && failure === null && sweeps.length === 0 && (
        <p className={styles.quiet}>No sweep is in it yet; it appears here when one begins.</p>
      )}
      {sweeps.map((sweep) => (
        <FolderCard key={sweep.path} sweep={sweep} open={sweeps.length === 1} />
      ))}
    </section>
  );
}

function FolderCard({ sweep: { path, filed, setups, failure }, open }: { readonly sweep: FolderSweep; readonly open: boolean }) {
  if (filed !== null) return <Filed path={path} filed={filed} setups={setups} open={open} />;
  return (
    <div className={styles.sweep}>
      <b>{path || 'sweep.json'}</b>
      <p role="alert" className={styles.failure}>
        {failure === null ? '' : failureText(failure)}
      </p>
    </div>
  );
}

interface FiledProps {
  readonly path: string;
  readonly filed: FiledSweep;
  readonly setups: readonly Setup[];
  readonly open: boolean;
}

function Filed({ path, filed, setups, open }: FiledProps) {
  const { sweep, state, runs, reported } = filed;
  const { fields, title, env, algo } = useTitles(sweep, setups);
  const best = setups.find(({ number }) => number === filed.best) ?? null;
  return (
    <details className={styles.sweep} open={open || state === 'running'}>
      <summary>
        <b>{title}</b>
        <span className={styles.quiet}>
          {path !== '' && `${path}/, `}
          {env !== undefined && algo !== undefined && `${nameOfRun(algo, env)}, `}
          {`${countOf(sweep)} configurations, ${SEARCHES[sweep.search.by].split(':')[0]}`}
        </span>
        <span className={styles.state} data-state={state}>
          {STATES[state]}
        </span>
      </summary>
      <div className={styles.actions}>
        {setups.some(({ score }) => score !== null) && (
          <Button
            icon="download"
            onClick={() => void save(new Blob([sweepCsv(sweep, { setups }, tuningSeeds(sweep))], { type: 'text/csv' }), 'sweep.csv')}
          >
            CSV
          </Button>
        )}
        <span className={styles.space} />
        <span className={styles.progress}>
          {state !== 'done' && <progress max={Math.max(1, runs.total)} value={runs.done} aria-label={`Runs of ${title}`} />}
          {`${runs.done} of ${runs.total} runs${runs.failed > 0 ? `, ${runs.failed} failed` : ''}`}
        </span>
      </div>
      <SweepResults sweep={sweep} setups={setups} left={filed.left ?? []} best={best} reported={reported} fields={fields} runs={null} />
    </details>
  );
}
