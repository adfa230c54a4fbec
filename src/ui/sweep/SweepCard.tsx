/** One sweep: how far it is, what can be done with it, and what came of it so far. */
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { sweeps } from '#client/sweeps.ts';
import { number } from '#contract/numbers.ts';
import { countOf, tuningSeeds } from '#contract/sweep.ts';
import { importances, sweepCsv, verdictOf } from '#contract/sweep-report.ts';
import { summariseSeeds } from '#math/seeds.ts';
import { mean } from '#math/stats.ts';
import { catalogStore } from '#stores/catalog.ts';
import { runsStore } from '#stores/runs.ts';
import type { SweepEntry } from '#stores/sweeps.ts';
import type { RunGroup } from '#stores/types.ts';
import { save } from '../dialogs/save.ts';
import { failureText } from '../format/failure.ts';
import { clock } from '../format/numbers.ts';
import { Button } from '../kit/Button.tsx';
import { Segmented } from '../kit/Segmented.tsx';
import { valueText, wordsOf } from '../runs/names.ts';
import { type FieldTitle, SEARCHES } from './form.ts';
import { HeatMap } from './HeatMap.tsx';
import { Importance } from './Importance.tsx';
import { Parallel } from './Parallel.tsx';
import { SetupTable } from './SetupTable.tsx';
import styles from './Sweep.module.css';

const VIEWS = { table: 'Table', map: 'Heat map', lines: 'Parallel', importance: 'Importance' } as const;
type View = keyof typeof VIEWS;

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
  const catalog = useStore(catalogStore, (store) => store.catalog);
  const [view, setView] = useState<View>('table');
  const progress = progressOf(entry, groups);
  const config = setups[0]?.config;
  const fields = useMemo(
    () =>
      sweep.names.map((name): FieldTitle => {
        const words = config === undefined ? { title: name, schema: null } : wordsOf(name, config, catalog);
        return { name, title: words.title, text: (value) => valueText(value, words) };
      }),
    [sweep, config, catalog],
  );
  const found = useMemo(() => (setups.some(({ first: score }) => score !== null) ? importances(sweep, { setups }) : []), [sweep, setups]);
  const title = sweep.title ?? fields.map((field) => field.title).join(', ');
  const env = catalog?.envs.find((card) => card.id === config?.env.id)?.title;
  const algo = catalog?.algos.find((card) => card.id === config?.algo.id)?.title;

  return (
    <details className={styles.sweep} open={open || state === 'running'}>
      <summary>
        <b>{title}</b>
        <span className={styles.quiet}>
          {env !== undefined && algo !== undefined && `${algo} on ${env}, `}
          {`${countOf(sweep)} set-ups, ${SEARCHES[sweep.search.by].split(':')[0]}`}
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
        <Button disabled={first} label={`Earlier: ${title}`} onClick={() => sweeps.move(id, -1)}>
          Earlier
        </Button>
        <Button disabled={last} label={`Later: ${title}`} onClick={() => sweeps.move(id, 1)}>
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
      {swept?.reported && <Verdict entry={entry} fields={fields} />}
      {setups.length > 0 && (
        <>
          <Segmented
            label="Results as"
            value={view}
            options={(Object.keys(VIEWS) as View[]).map((value) => ({ value, label: VIEWS[value] }))}
            onChange={setView}
          />
          {view === 'table' && (
            <SetupTable sweep={sweep} setups={setups} fields={fields} best={swept?.best ?? null} groups={groups} asked={entry.asked} />
          )}
          {view === 'map' && <HeatMap sweep={sweep} setups={setups} fields={fields} />}
          {view === 'lines' && <Parallel sweep={sweep} setups={setups} fields={fields} />}
          {view === 'importance' && <Importance found={found} fields={fields} search={sweep.search.by} />}
        </>
      )}
    </details>
  );
}

/** The best set-up on fresh seeds, in words: nothing was chosen on these. */
function Verdict({ entry: { sweep, swept }, fields }: { readonly entry: SweepEntry; readonly fields: readonly FieldTitle[] }) {
  if (swept === null || swept.best === null || swept.reported === null) return null;
  const { best, reported } = swept;
  const verdict = verdictOf(sweep, reported);
  const line = (name: string, scores: readonly (number | null)[]): string => {
    const { iqm, ci95 } = summariseSeeds(scores);
    return `${name}: IQM ${number(iqm)}${ci95 === null ? '' : ` [${number(ci95[0])}, ${number(ci95[1])}]`}`;
  };
  const apart = verdict.interval !== null && (verdict.interval[0] > 0 || verdict.interval[1] < 0);
  return (
    <section className={styles.verdict} data-apart={apart} aria-label="Verdict on fresh seeds">
      <p>
        Best on the tuning seeds: <b>{fields.map(({ name, title, text }) => `${title} ${text(best.values[name])}`).join(', ')}</b>.
      </p>
      <p>{verdict.text}</p>
      <p className={styles.quiet}>
        {line('Best', reported.best)}; {line('as it stands', reported.base)}. Seeds {reported.seeds[0]} to {reported.seeds.at(-1)}, apart
        from the tuning seeds.
      </p>
    </section>
  );
}

/** Runs that were asked for, those that are over, and the seconds left at the present speed. */
function progressOf({ asked, sweep, setups, state }: SweepEntry, groups: readonly RunGroup[]) {
  const wanted = new Set(asked);
  const own = groups.filter(({ hash }) => wanted.has(hash));
  const seeds = own.flatMap((group) => group.seeds.map((run) => ({ run, steps: group.config.run.steps })));
  const over = seeds.filter(({ run }) => run.state === 'done' || run.state === 'failed' || run.state === 'stopped');
  const planned = countOf(sweep) * sweep.seeds.tuning + 2 * sweep.seeds.reporting;
  const total = sweep.search.by === 'halving' ? seeds.length : Math.max(planned, seeds.length);
  const speed = own.flatMap(({ seeds: runs }) => runs.flatMap(({ result }) => (result === null ? [] : [result.stepsPerSecond])));
  const live = seeds.filter(({ run }) => run.state === 'running').length;
  const each = setups[0]?.config.run.steps ?? 0;
  const left = state !== 'running' || speed.length === 0 || live === 0 ? null : ((total - over.length) * each) / (mean(speed) * live);
  return { done: over.length, total, left };
}
