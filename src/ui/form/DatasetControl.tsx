/** What is learned from: a grade of the environment's own player, or a dataset of this device that was recorded there. */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { data } from '#client/files/data.ts';
import { datasetsStore } from '#stores/datasets.ts';
import { draftStore } from '#stores/draft.ts';
import { hashOf } from '#stores/route.ts';
import { t } from '#text/text.ts';
import type { ControlProps } from './control.ts';
import styles from './Field.module.css';

interface Own {
  readonly grade: string;
  readonly title: string;
}

const RATER: readonly Own[] = [{ grade: 'rater', title: 'the scripted rater' }];
const GRADES: readonly Own[] = [
  { grade: 'expert', title: 'its own player, expert' },
  { grade: 'medium', title: 'its own player, medium' },
  { grade: 'mixed', title: 'random, medium and expert' },
  { grade: 'random', title: 'random actions' },
];

export function DatasetControl({ leaf, value, id, describedBy, problem, onChange }: ControlProps) {
  const envId = useStore(draftStore, (state) => state.config.env.id);
  const entries = useStore(datasetsStore, (state) => state.entries);
  useEffect(() => {
    void data.datasets().then((sets) => sets.refresh());
  }, []);
  const chosen = String(value ?? '');
  const asked = leaf.schema.editor === 'answers';
  const own = (entries ?? []).filter(({ header, answers }) => header.env.id === envId && (!asked || answers > 0));
  const missing = chosen.length === 64 && entries !== null && !own.some(({ hash }) => hash === chosen);
  return (
    <>
      <select
        id={id}
        className={styles.select}
        aria-describedby={describedBy}
        aria-invalid={problem !== null || missing}
        value={chosen}
        onChange={(event) => onChange(event.target.value)}
      >
        {(asked ? RATER : GRADES).map(({ grade, title }) => (
          <option key={grade} value={grade}>
            {title}
          </option>
        ))}
        {own.map(({ hash, header }) => (
          <option key={hash} value={hash}>{`${header.title} (${header.grade})`}</option>
        ))}
        {missing && <option value={chosen}>{t('{value}, not on this device', { value: chosen.slice(0, 12) })}</option>}
      </select>
      {missing && (
        <p className={styles.error} role="alert">
          {t('This dataset is not on this device. Choose another, or:')}{' '}
          <a href={hashOf({ page: 'data', id: null, query: {} })}>{t('Import its file on the Data page')}</a>
        </p>
      )}
      {problem !== null && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
