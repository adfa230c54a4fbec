/** Transfer grid: one field of the environment, a row for each setting that is trained, a column for each that is tested. */
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { transfer } from '#client/compare/transfer.ts';
import { workers } from '#client/workers/service.ts';
import { parseTransfer, transferSize } from '#contract/catalog/transfer.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { type JsonObject, readJson } from '#contract/kit/json.ts';
import { nameOfRun } from '#contract/run/run-names.ts';
import { draftStore } from '#stores/draft.ts';
import type { Route } from '#stores/route.ts';
import { runsStore } from '#stores/runs.ts';
import { transferStore } from '#stores/transfer.ts';
import { t } from '#text/text.ts';
import type { Leaf } from '#ui/form/leaves.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { clock, compact } from '#ui/kit/format/numbers.ts';
import { save } from '#ui/kit/save.ts';
import { useSetup } from '#ui/setup/useSetup.ts';
import { type Speed, secondsFor, speedOf } from '../sweep/speed.ts';
import { canVary, FEW, fieldsInOrder, fileOf, firstThatWorks, type GridForm, proposed } from './form.ts';
import styles from './Transfer.module.css';
import { TransferGrid } from './TransferGrid.tsx';

export default function TransferPage({ route }: { readonly route: Route }) {
  const setup = useSetup();
  const config = useStore(draftStore, (state) => state.config);
  const leaves = useMemo(() => setup.envLeaves.filter(canVary), [setup]);
  const [first, setFirst] = useState<{ readonly of: string; readonly leaf: Leaf | undefined } | null>(null);
  const world = JSON.stringify([config.env, config.algo, route.query.field]);
  useEffect(() => {
    let current = true;
    if (leaves.length > 0)
      void firstThatWorks(fieldsInOrder(leaves, config, route.query.field), config, transfer.check).then((leaf) => {
        if (current) setFirst({ of: world, leaf });
      });
    return () => {
      current = false;
    };
  }, [leaves, config, route.query.field, world]);
  const none = setup.env !== null && leaves.length === 0;
  const envTitle = setup.env?.title ?? config.env.id;
  return (
    <PageFrame title={t('Transfer grid')} page="transfer">
      <p className={styles.lead}>
        Over the configuration of the laboratory: <b>{nameOfRun(setup.algo?.title ?? config.algo.id, envTitle)}</b>,{' '}
        {compact(config.run.steps)} steps a run. Each row is trained with one setting, or with a range from which every episode draws; each
        policy is then tested with every setting above the columns.
      </p>
      {first === null && !none ? (
        <p className={styles.quiet}>Looking for a setting that can be varied.</p>
      ) : first?.leaf === undefined ? (
        <p className={styles.quiet}>{`${envTitle} has no setting that can be varied so that one policy acts in all of them.`}</p>
      ) : (
        <Form key={first.of} leaves={leaves} first={first.leaf} />
      )}
      <TransferGrid />
    </PageFrame>
  );
}

/** After the last key, before what was typed is checked. */
const SETTLE_MS = 400;

function wordsOf(error: unknown): string {
  const { message, fix } = toFailure(error);
  return `${message} ${fix}`;
}

function Form({ leaves, first }: { readonly leaves: readonly Leaf[]; readonly first: Leaf }) {
  const config = useStore(draftStore, (state) => state.config);
  const groups = useStore(runsStore, (state) => state.groups);
  const running = useStore(transferStore, ({ state }) => state === 'running');
  const [form, setForm] = useState<GridForm>(() => ({ field: first.path, ...proposed(first, config), ...FEW }));
  const [refused, setRefused] = useState('');
  const [measured, setMeasured] = useState<Speed | null>(null);
  const [measuring, setMeasuring] = useState(false);
  const leaf = leaves.find(({ path }) => path === form.field) ?? first;
  const change = (part: Partial<GridForm>): void => {
    setRefused('');
    setForm({ ...form, ...part });
  };
  const made = fileOf(form, leaf, config);
  const size =
    'values' in made ? transferSize(parseTransfer(made.values), { ...config, run: { ...config.run, seeds: Number(form.seeds) } }) : null;
  const speed = speedOf(config, groups, workers.parallel()) ?? measured;
  const refuse = (error: unknown): void => setRefused(wordsOf(error));
  /** Trains the draft for two seconds in a worker that is gone afterwards. */
  const measure = async (): Promise<void> => {
    setMeasuring(true);
    const worker = workers.spawnPlayer(() => setMeasuring(false));
    try {
      const { stepsPerSecond } = await worker.api.measure(config, 'wasm');
      const parallel = workers.parallel();
      setMeasured({ perSecond: parallel * stepsPerSecond, parallel, from: 'measured just now' });
    } catch (error) {
      refuse(error);
    } finally {
      worker.terminate();
      setMeasuring(false);
    }
  };
  const proposal = 'values' in made ? JSON.stringify(made.values) : '';
  useEffect(() => {
    if (proposal === '') return;
    let current = true;
    const timer = setTimeout(() => {
      transfer.check(readJson(proposal)).catch((error: unknown) => {
        if (current) setRefused(wordsOf(error));
      });
    }, SETTLE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [proposal]);
  const text = (label: string, key: 'train' | 'test' | 'seeds' | 'episodes', help = '') => (
    <label className={styles.control}>
      <span>{label}</span>
      <input type="text" value={form[key]} onChange={(event) => change({ [key]: event.target.value })} />
      {help !== '' && <small>{help}</small>}
    </label>
  );
  return (
    <section className={styles.card} aria-labelledby="transfer-form">
      <h2 id="transfer-form">What varies</h2>
      <div className={styles.fields}>
        <label className={styles.control}>
          <span>Setting</span>
          <select
            value={leaf.path}
            onChange={(event) => {
              const next = leaves.find(({ path }) => path === event.target.value);
              if (next !== undefined) change({ field: next.path, ...proposed(next, config) });
            }}
          >
            {leaves.map(({ path, title, schema }) => (
              <option key={path} value={path}>
                {`${title}${schema.unit === undefined ? '' : ` (${schema.unit})`}`}
              </option>
            ))}
          </select>
        </label>
        {text('Train on', 'train', 'one row each; 0.5..2 is a range that every episode draws from')}
        {text('Test on', 'test', 'one column each')}
        {text('Seeds of a row', 'seeds')}
        {text('Episodes of a test', 'episodes')}
      </div>
      <div className={styles.plan} aria-live="polite">
        {size === null ? (
          <p data-trouble="">{'problem' in made ? made.problem : ''}</p>
        ) : (
          <p>
            <b>{`${size.runs} runs`}</b>, {compact(size.steps)} steps, {compact(size.tests)} test episodes
            {speed === null ? '' : `: about ${clock(secondsFor(size.runs, size.steps, speed))} here, tests not counted (${speed.from})`}.
          </p>
        )}
        {refused !== '' && <p role="alert">{refused}</p>}
      </div>
      <div className={styles.buttons}>
        <Button
          kind="solid"
          icon="play"
          disabled={size === null}
          onClick={() => 'values' in made && void transfer.start(made.values).catch(refuse)}
        >
          {running ? 'Start this one instead' : 'Start'}
        </Button>
        {speed === null && (
          <Button disabled={measuring} onClick={() => void measure()}>
            {measuring ? 'Measuring' : 'How long does it take?'}
          </Button>
        )}
        <Button
          icon="download"
          disabled={size === null}
          onClick={() =>
            'values' in made &&
            void save(new Blob([`${JSON.stringify(made.values as JsonObject, null, 1)}\n`], { type: 'application/json' }), 'grid.json')
          }
        >
          File
        </Button>
      </div>
      <p className={styles.quiet}>
        The file is the one of the command line: <code>npm run rl -- transfer grid.json</code>.
      </p>
    </section>
  );
}
