/** One sweep: how far it is, what can be done with it, and what came of it so far. */
import { useStore } from 'zustand';
import { sweeps } from '#client/compare/sweeps.ts';
import { nameOfRun } from '#contract/run/run-names.ts';
import { sweepCsv } from '#contract/sweep/report.ts';
import { armsOf } from '#contract/sweep/run.ts';
import { countOf, tuningSeeds } from '#contract/sweep/sweep.ts';
import { mean } from '#math/stats.ts';
import { runsStore } from '#stores/runs.ts';
import { moveSweep, type SweepEntry } from '#stores/sweeps.ts';
import type { RunGroup } from '#stores/types.ts';
import { Button } from '#ui/kit/Button.tsx';
import { failureText } from '#ui/kit/format/failure.ts';
import { clock } from '#ui/kit/format/numbers.ts';
import { save } from '#ui/kit/save.ts';
import { SEARCHES } from './form.ts';
import styles from './Sweep.module.css';
import { SweepResults, useTitles } from './SweepResults.tsx';

const STATES = { waiting: 'waiting', running: 'running', paused: 'paused', done: 'done', failed: 'failed' } as const;

interface Props {
  readonly entry: SweepEntry;
  readonly first: boolean;
  readonly last: boolean;
  readonly open: boolean;
}

export function SweepCard({ entry, first, last, open }: Props) {
  const { id, sweep, state, setups, swept, failure } = entry;
  const groups = useStore(runsStore, (store) => store.groups);
  const progress = progressOf(entry, groups);
  const { fields, title, env, algo } = useTitles(sweep, setups);

  return (
    <details className={styles.sweep} open={open || state === 'running'}>
      <summary>
        <b>{title}</b>
        <span className={styles.quiet}>
          {env !== undefined && algo !== undefined && `${nameOfRun(algo, env)}, `}
          {`${countOf(sweep)} configurations, ${SEARCHES[sweep.search.by].split(':')[0]}`}
        </span>
        <span className={styles.state} data-state={state}>
          {STATES[state]}
        </span>
      </summary>
      <div className={styles.actions}>
        {state === 'running' || state === 'waiting' ? (
          <Button icon="pause" onClick={() => sweeps.pause(id)}>
            Pause
          </Button>
        ) : (
          state !== 'done' && (
            <Button icon="play" onClick={() => sweeps.resume(id)}>
              Resume
            </Button>
          )
        )}
        <Button disabled={first} label={`Earlier: ${title}`} onClick={() => moveSweep(id, -1)}>
          Earlier
        </Button>
        <Button disabled={last} label={`Later: ${title}`} onClick={() => moveSweep(id, 1)}>
          Later
        </Button>
        <Button
          icon="download"
          onClick={() => void save(new Blob([`${JSON.stringify(entry.file, null, 1)}\n`], { type: 'application/json' }), 'sweep.json')}
        >
          File
        </Button>
        {setups.some(({ score }) => score !== null) && (
          <Button
            icon="download"
            onClick={() => void save(new Blob([sweepCsv(sweep, { setups }, tuningSeeds(sweep))], { type: 'text/csv' }), 'sweep.csv')}
          >
            CSV
          </Button>
        )}
        <Button kind="danger" icon="trash" onClick={() => sweeps.remove(id)}>
          Remove
        </Button>
        <span className={styles.space} />
        {state !== 'done' && progress.total > 0 && (
          <span className={styles.progress}>
            <progress max={progress.total} value={progress.done} aria-label={`Runs of ${title}`} />
            {`${progress.done} of ${progress.total} runs`}
            {progress.left !== null && `, about ${clock(progress.left)} left`}
          </span>
        )}
      </div>
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failureText(failure)}
        </p>
      )}
      <SweepResults
        sweep={sweep}
        setups={setups}
        left={entry.left}
        best={swept?.best ?? null}
        reported={swept?.reported ?? null}
        fields={fields}
        runs={{ groups, asked: entry.asked }}
      />
    </details>
  );
}

/** Runs that were asked for, those that are over, and the seconds left at the present speed. */
function progressOf({ asked, sweep, setups, state }: SweepEntry, groups: readonly RunGroup[]) {
  const wanted = new Set(asked);
  const own = groups.filter(({ hash }) => wanted.has(hash));
  const seeds = own.flatMap((group) => group.seeds.map((run) => ({ run, steps: group.config.run.steps })));
  const over = seeds.filter(({ run }) => run.state === 'done' || run.state === 'failed' || run.state === 'stopped');
  const planned = countOf(sweep) * sweep.seeds.tuning + armsOf(sweep) * sweep.seeds.reporting;
  const total = sweep.search.by === 'halving' ? seeds.length : Math.max(planned, seeds.length);
  const speed = own.flatMap(({ seeds: runs }) => runs.flatMap(({ result }) => (result === null ? [] : [result.stepsPerSecond])));
  const live = seeds.filter(({ run }) => run.state === 'running').length;
  const each = setups[0]?.config.run.steps ?? 0;
  const left = state !== 'running' || speed.length === 0 || live === 0 ? null : ((total - over.length) * each) / (mean(speed) * live);
  return { done: over.length, total, left };
}
