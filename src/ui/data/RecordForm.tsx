/** Who is recorded, for how long and how well: random actions, a script of the world, or what a run has learned. */

import { useState } from 'react';
import { useStore } from 'zustand';
import { data } from '#client/files/data.ts';
import type { Who } from '#client/files/datasets.ts';
import { runs } from '#client/runs/service.ts';
import { catalogStore } from '#stores/catalog.ts';
import { datasetsStore } from '#stores/datasets.ts';
import { draftStore } from '#stores/draft.ts';
import { policiesStore } from '#stores/policies.ts';
import { runsStore } from '#stores/runs.ts';
import { t } from '#text/text.ts';
import { policyTitle } from '#ui/form/env-words.ts';
import { Button } from '#ui/kit/Button.tsx';
import { percent } from '#ui/kit/format/numbers.ts';
import { runNames } from '#ui/runs/names.ts';
import styles from './Data.module.css';

const LENGTHS = [1000, 3000, 10_000, 30_000, 100_000] as const;

export function RecordForm({ onKept }: { readonly onKept: (hash: string) => void }) {
  const config = useStore(draftStore, (state) => state.config);
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const groups = useStore(runsStore, (state) => state.groups);
  const busy = useStore(datasetsStore, (state) => state.busy);
  useStore(policiesStore, (state) => state.version);
  const [who, setWho] = useState('');
  const [steps, setSteps] = useState<number>(10_000);
  const [errors, setErrors] = useState(0);
  const [seed, setSeed] = useState(1);
  const env = catalog?.envs.find(({ id }) => id === config.env.id);
  if (env === undefined) return null;
  const names = runNames(groups, catalog, 'alike');
  const playing = groups.filter(
    (group) => group.config.env.id === env.id && group.imported === undefined && group.seeds.some(({ step }) => step > 0),
  );
  const chosen = who === '' ? (env.policies[0] === undefined ? 'random' : `script ${env.policies[0]}`) : who;
  const whoOf = (value: string): Who => {
    if (value.startsWith('script ')) return { kind: 'script', name: value.slice(7) };
    const [kind, runId = '', first = '1'] = value.split(' ');
    if (kind !== 'run' && kind !== 'all') return { kind: 'random' };
    return { kind: 'run', runId, seed: Number(first), name: names.get(runId) ?? runId, all: kind === 'all' };
  };
  const start = async (): Promise<void> => {
    const form = whoOf(chosen);
    if (form.kind === 'run') await runs.read(form.runId);
    const group = form.kind === 'run' ? groups.find(({ id }) => id === form.runId) : undefined;
    const world = group?.config.env ?? config.env;
    const sets = await data.datasets();
    const kept = await sets.record({ env: { id: world.id, config: world.config }, envTitle: env.title, who: form, steps, errors, seed });
    if (kept !== null) onKept(kept);
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <label className={styles.control}>
        <span>{t('Who plays in {title}', { title: t(env.title) })}</span>
        <select value={chosen} onChange={(event) => setWho(event.target.value)}>
          {env.policies.map((name) => (
            <option key={name} value={`script ${name}`}>
              {t('script: {name}', { name: policyTitle(name) })}
            </option>
          ))}
          <option value="random">{t('random actions')}</option>
          {playing.flatMap(({ id, seeds }) => {
            const first = seeds[0]?.seed ?? 1;
            const name = names.get(id) ?? id;
            return [
              <option key={id} value={`run ${id} ${first}`}>
                {t('run: {name}, its newest policy', { name })}
              </option>,
              <option key={`${id} all`} value={`all ${id} ${first}`}>
                {t('run: {name}, its policies on the way (replay)', { name })}
              </option>,
            ];
          })}
        </select>
      </label>
      <label className={styles.control}>
        <span>{t('Steps, in whole episodes')}</span>
        <select value={steps} onChange={(event) => setSteps(Number(event.target.value))}>
          {LENGTHS.map((count) => (
            <option key={count} value={count}>
              {count.toLocaleString('en')}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.control}>
        <span>{t('Errors: {value} of its steps at random', { value: percent(Math.round(100 * errors)) })}</span>
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={errors}
          disabled={chosen === 'random'}
          aria-valuetext={percent(Math.round(100 * errors))}
          onChange={(event) => setErrors(Number(event.target.value))}
        />
      </label>
      <label className={styles.control}>
        <span>{t('Seed')}</span>
        <input
          type="number"
          min={0}
          max={4294967295}
          step={1}
          value={seed}
          onChange={(event) => setSeed(Math.max(0, Math.floor(Number(event.target.value) || 0)))}
        />
      </label>
      <div className={styles.buttons}>
        {busy.startsWith('Recording') ? (
          <Button icon="stop" onClick={() => void data.datasets().then((data) => data.stop())}>
            {t('Enough: keep what there is')}
          </Button>
        ) : (
          <button type="submit" className={styles.record} disabled={busy !== ''}>
            {t('Record')}
          </button>
        )}
      </div>
    </form>
  );
}
