/** Sweeps: tick fields of the set-up, give values, see how many runs it is and how long it takes; the queue; and what came of each. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { sweeps } from '#client/compare/sweeps.ts';
import { workers } from '#client/workers/service.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { type JsonObject, objectOf, readJson } from '#contract/kit/json.ts';
import { readPath } from '#contract/run/paths.ts';
import { nameOfRun } from '#contract/run/run-names.ts';
import { setupConfig } from '#contract/sweep/differing.ts';
import { MOST_ENVS, MOST_METHODS, sweepsOf } from '#contract/sweep/parts.ts';
import { sweepSize } from '#contract/sweep/run.ts';
import { countOf, valuesOf } from '#contract/sweep/sweep.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore, unlessLater } from '#stores/draft.ts';
import { fittingStore, wantFitting } from '#stores/fitting.ts';
import { hashOf, type Route } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { sweepsStore } from '#stores/sweeps.ts';
import { t } from '#text/text.ts';
import type { Leaf } from '#ui/form/leaves.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { clock, compact } from '#ui/kit/format/numbers.ts';
import { finder } from '#ui/kit/format/search.ts';
import { save } from '#ui/kit/save.ts';
import { metricsOf, PER_AGENT } from '#ui/runs/curves/data.ts';
import { valueText } from '#ui/runs/names.ts';
import { allLeaves, useSetup } from '#ui/setup/useSetup.ts';
import { FolderSweeps } from './FolderSweeps.tsx';
import { COUNTED, canSweep, type FieldForm, FRESH, fileOf, formOf, KINDS, PRUNED, SEARCHES, type SweepForm, startField } from './form.ts';
import { OverEnvironments } from './OverEnvironments.tsx';
import { Several } from './Several.tsx';
import styles from './Sweep.module.css';
import { SweepCard } from './SweepCard.tsx';
import { secondsFor, speedOf } from './speed.ts';

/** Characters of a sweep file that are read. */
const LONGEST_FILE = 1_000_000;

export default function SweepsPage({ route }: { readonly route: Route }) {
  const setup = useSetup();
  const config = useStore(draftStore, (state) => state.config);
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const groups = useStore(runsStore, (state) => state.groups);
  const fitting = useStore(fittingStore);
  useEffect(wantFitting, []);
  const entries = useStore(sweepsStore, (state) => state.entries);
  const [form, setForm] = useState<SweepForm>(FRESH);
  const [search, setSearch] = useState('');
  const [refused, setRefused] = useState('');
  /** A file that the form cannot show: it runs as it stands. */
  const [held, setHeld] = useState<Held | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const change = (part: Partial<SweepForm>): void => {
    setRefused('');
    setForm({ ...form, ...part });
  };
  const leaves = useMemo(() => allLeaves(setup).filter(canSweep), [setup]);
  const metrics = useMemo(() => metricsOf(groups, catalog).filter(({ id }) => id !== PER_AGENT), [groups, catalog]);
  const made =
    held === null ? fileOf(form, config, leaves, (id) => metrics.find((metric) => metric.id === id)?.title ?? id) : { file: held.file };
  const plan = useMemo(() => planOf(made), [made]);
  const speed = speedOf(config, groups, workers.parallel());
  const sought = finder(search);
  const ticked = leaves.filter(({ path }) => form.fields[path] !== undefined);
  const offered = leaves.filter((leaf) => form.fields[leaf.path] === undefined && sought(`${leaf.title} ${leaf.path}`));
  const setField = (path: string, field: FieldForm | undefined): void => {
    const { [path]: _, ...rest } = form.fields;
    change({ fields: field === undefined ? rest : { ...form.fields, [path]: field } });
  };
  const refuse = (error: unknown): void => {
    const { message, fix } = toFailure(error);
    setRefused(`${message} ${fix}`);
  };
  const start = async (): Promise<void> => {
    if ('problem' in made) return;
    try {
      const parts = sweepsOf(made.file);
      for (const { sweep } of parts) {
        // A world that the method does not fit, or a field that it lacks, is refused at once.
        const point = sweep.dimensions.map(() => 0);
        await setupConfig(sweep, valuesOf(sweep, point), (one) => workers.complete(one as JsonObject));
      }
      for (const { file } of parts) sweeps.add(file);
    } catch (error) {
      refuse(error);
    }
  };
  const open = async (file: File): Promise<void> => {
    try {
      if (file.size > LONGEST_FILE) throw new Error('This file is too large for a sweep: at most 1 MB.');
      const json = readJson(await file.text());
      const [first, ...others] = sweepsOf(json);
      if (first === undefined) return;
      const config = await unlessLater(workers.complete(first.sweep.config as JsonObject));
      if (config === null) return;
      draftStore.getState().open(config);
      if (first.method !== null) {
        setHeld({ name: file.name, file: objectOf(json) });
        setRefused('');
        return;
      }
      setForm(
        formOf(
          first.sweep,
          others.map(({ sweep }) => String(objectOf(sweep.config.env).id)),
        ),
      );
      setRefused('');
    } catch (error) {
      refuse(error);
    }
  };
  const token = route.query.results ?? '';
  const folder = <FolderSweeps token={token} />;
  const envTitle = setup.env?.title ?? config.env.id;
  const algoTitle = setup.algo?.title ?? config.algo.id;
  const alike = (catalog?.envs ?? []).filter(
    ({ id, action }) => id !== config.env.id && (setup.algo?.action === 'any' || setup.algo?.action === action.kind),
  );
  const fits = fitting.env === config.env.id ? fitting.fitting?.fits : undefined;
  const rivals = (catalog?.algos ?? []).filter(
    ({ id }) => id !== config.algo.id && (fits === undefined || fits.some(({ algo }) => algo === id)),
  );
  const trouble = 'problem' in made ? made.problem.text : typeof plan === 'string' ? plan : '';

  return (
    <PageFrame title={t('Sweeps')} page="sweeps">
      {token !== '' && folder /* who has opened its link came for it */}
      <p className={styles.lead}>
        Over the configuration of the laboratory: <b>{nameOfRun(algoTitle, envTitle)}</b>, {compact(config.run.steps)} steps a run.
        Configurations are tried on tuning seeds; the best one is then held against the configuration as it stands on fresh seeds, on which
        nothing was chosen.
      </p>
      {held !== null && (
        <p className={styles.lead}>
          <b>{held.name}</b> compares methods with fields of their own, which this form does not show: it runs as it stands.{' '}
          <Button kind="bare" onClick={() => setHeld(null)}>
            Back to the form
          </Button>
        </p>
      )}
      <div className={styles.columns}>
        <section hidden={held !== null} aria-labelledby="sweep-fields" className={styles.card}>
          <h2 id="sweep-fields">Search space</h2>
          {ticked.map((leaf) => (
            <Ticked
              key={leaf.path}
              leaf={leaf}
              field={form.fields[leaf.path] ?? startField(leaf, undefined)}
              onField={(field) => setField(leaf.path, field)}
              contrasted={form.contrast === leaf.path}
              onContrast={(on) => change({ contrast: on ? leaf.path : '' })}
            />
          ))}
          <input
            type="search"
            className={styles.find}
            aria-label="Find a field"
            placeholder="Find a field: learning rate, gamma, gravity"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <ul className={styles.leaves} aria-label="Fields">
            {offered.map((leaf) => (
              <li key={leaf.path}>
                <label>
                  <input
                    type="checkbox"
                    checked={false}
                    onChange={() => setField(leaf.path, startField(leaf, readPath(config, leaf.path)))}
                  />
                  <span>{leaf.title}</span>
                  <small>{valueText(readPath(config, leaf.path), leaf)}</small>
                </label>
              </li>
            ))}
            {offered.length === 0 && <li className={styles.quiet}>No other field matches “{search}”.</li>}
          </ul>
        </section>
        <section aria-labelledby="sweep-search" className={styles.card}>
          <h2 id="sweep-search">How</h2>
          <div className={styles.grid} hidden={held !== null}>
            <Choice label="Search" value={form.search} options={SEARCHES} onChange={(value) => change({ search: value })} />
            {form.search !== 'grid' && <Text label="Configurations" value={form.setups} onChange={(setups) => change({ setups })} />}
            {form.search !== 'halving' && form.contrast === '' && (
              <Choice label="Runs ended early" value={form.pruned} options={PRUNED} onChange={(pruned) => change({ pruned })} />
            )}
            <Text label="Tuning seeds" value={form.tuning} onChange={(tuning) => change({ tuning })} />
            <Text label="Reporting seeds" value={form.reporting} onChange={(reporting) => change({ reporting })} />
            <Choice label="What counts" value={form.counted} options={COUNTED} onChange={(value) => change({ counted: value })} />
            {form.counted !== 'evalReturn' && form.counted !== 'finalReturn' && (
              <label className={styles.control}>
                <span>Curve</span>
                <select value={form.metric} onChange={(event) => change({ metric: event.target.value })}>
                  {[...new Set([form.metric, ...metrics.map(({ id }) => id)])].map((id) => (
                    <option key={id} value={id}>
                      {metrics.find((metric) => metric.id === id)?.title ?? id}
                    </option>
                  ))}
                </select>
              </label>
            )}
            {form.counted === 'reaches' && <Text label="Level" value={form.level} onChange={(level) => change({ level })} />}
          </div>
          {held === null && (
            <>
              <Several
                legend="Environments"
                one="environment"
                own={envTitle}
                offered={alike}
                titleOf={(id) => catalog?.envs.find((card) => card.id === id)?.title ?? id}
                chosen={form.envs}
                most={MOST_ENVS}
                onChange={(envs) => change({ envs })}
              />
              <Several
                legend="Methods"
                one="method"
                own={algoTitle}
                offered={rivals}
                titleOf={(id) => catalog?.algos.find((card) => card.id === id)?.title ?? id}
                chosen={form.algos}
                most={MOST_METHODS}
                onChange={(algos) => change({ algos })}
              />
            </>
          )}
          <div className={styles.plan} aria-live="polite">
            {trouble !== '' ? (
              <p data-trouble="">{trouble}</p>
            ) : (
              typeof plan !== 'string' && (
                <p>
                  <b>{`${plan.setups} configurations, ${plan.runs} runs`}</b>, {compact(plan.steps)} steps
                  {speed === null
                    ? '; how long it takes is known after the first run of this method'
                    : `, about ${clock(secondsFor(plan.runs, plan.steps, speed))} here (${speed.from})`}
                  .
                </p>
              )
            )}
            {refused !== '' && <p role="alert">{refused}</p>}
          </div>
          <div className={styles.buttons}>
            <Button kind="solid" icon="play" disabled={trouble !== ''} onClick={() => void start()}>
              {entries.some(({ state }) => state === 'running') ? 'Add to the queue' : 'Start'}
            </Button>
            <Button
              icon="download"
              disabled={'problem' in made}
              onClick={() =>
                'file' in made &&
                void save(new Blob([`${JSON.stringify(made.file, null, 1)}\n`], { type: 'application/json' }), 'sweep.json')
              }
            >
              File
            </Button>
            <Button icon="open" onClick={() => picker.current?.click()}>
              Open a file
            </Button>
            <input
              ref={picker}
              type="file"
              accept=".json,application/json"
              className="visually-hidden"
              aria-label="Sweep file"
              tabIndex={-1}
              onChange={(event) => {
                const [file] = event.target.files ?? [];
                if (file !== undefined) void open(file);
                event.target.value = '';
              }}
            />
          </div>
          <p className={styles.quiet}>
            The file is the one of the command line: <code>npm run rl -- sweep sweep.json</code> runs the same sweep without a page.
          </p>
        </section>
      </div>
      {entries.length > 0 && <h2 className={styles.heading}>Queue</h2>}
      <OverEnvironments entries={entries} catalog={catalog} />
      {entries.map((entry, i) => (
        <SweepCard
          key={entry.id}
          entry={entry}
          first={i === 0}
          last={i === entries.length - 1}
          open={route.id === entry.id || entries.length === 1}
        />
      ))}
      {entries.length > 0 && (
        <p className={styles.quiet}>
          Their runs stand in the table of runs, with curves hidden, and in{' '}
          <a href={hashOf({ page: 'compare', id: null, query: {} })}>Compare</a>.
        </p>
      )}
      {token === '' && folder}
    </PageFrame>
  );
}

interface Held {
  readonly name: string;
  readonly file: JsonObject;
}

function planOf(made: ReturnType<typeof fileOf>): { readonly setups: number; readonly runs: number; readonly steps: number } | string {
  if ('problem' in made) return '';
  try {
    const { steps } = draftStore.getState().config.run;
    const stepsIn = (run: JsonObject): number => (typeof run.steps === 'number' ? run.steps : steps);
    const parts = sweepsOf(made.file).map(({ sweep }) => ({
      setups: countOf(sweep),
      ...sweepSize(sweep, stepsIn(objectOf(sweep.config.run))),
    }));
    const total = (of: 'setups' | 'runs' | 'steps'): number => parts.reduce((sum, part) => sum + part[of], 0);
    return { setups: total('setups'), runs: total('runs'), steps: total('steps') };
  } catch (error) {
    const { message, fix } = toFailure(error);
    return `${message} ${fix}`;
  }
}

interface TickedProps {
  readonly leaf: Leaf;
  readonly field: FieldForm;
  readonly onField: (field: FieldForm | undefined) => void;
  readonly contrasted: boolean;
  readonly onContrast: (on: boolean) => void;
}

function Ticked({ leaf, field, onField, contrasted, onContrast }: TickedProps) {
  return (
    <div className={styles.ticked}>
      <label>
        <input type="checkbox" checked onChange={() => onField(undefined)} />
        <b>{leaf.title}</b>
      </label>
      {leaf.kind === 'number' && (
        <select
          aria-label={`How ${leaf.title} is searched`}
          value={field.kind}
          onChange={(event) => {
            const kind = (Object.keys(KINDS) as (keyof typeof KINDS)[]).find((one) => one === event.target.value);
            if (kind !== undefined) onField({ ...field, kind });
          }}
        >
          {Object.entries(KINDS).map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
      )}
      {field.kind === 'values' ? (
        <input
          type="text"
          className={styles.values}
          aria-label={`Values of ${leaf.title}, separated by commas`}
          value={field.values}
          onChange={(event) => onField({ ...field, values: event.target.value })}
        />
      ) : (
        <span className={styles.range}>
          {(['from', 'to'] as const).map((end) => (
            <input
              key={end}
              type="text"
              inputMode="decimal"
              aria-label={`${leaf.title} ${end}`}
              value={field[end]}
              onChange={(event) => onField({ ...field, [end]: event.target.value })}
            />
          ))}
        </span>
      )}
      {field.kind === 'values' && (
        <label className={styles.contrast}>
          <input
            type="checkbox"
            aria-label={`Compare these values of ${leaf.title}, each at its best`}
            checked={contrasted}
            onChange={(event) => onContrast(event.target.checked)}
          />
          <span>compare these values, each at its best</span>
        </label>
      )}
    </div>
  );
}

function Text({ label, value, onChange }: { readonly label: string; readonly value: string; readonly onChange: (value: string) => void }) {
  return (
    <label className={styles.control}>
      <span>{label}</span>
      <input type="text" inputMode="decimal" value={value} onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: { readonly [K in T]: string };
  readonly onChange: (value: T) => void;
}

function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  const names = Object.keys(options) as T[];
  return (
    <label className={styles.control}>
      <span>{label}</span>
      <select
        value={value}
        onChange={(event) => {
          const next = names.find((name) => name === event.target.value);
          if (next !== undefined) onChange(next);
        }}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {options[name]}
          </option>
        ))}
      </select>
    </label>
  );
}
