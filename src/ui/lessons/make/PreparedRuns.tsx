/** Runs that a step brings along: each with a name and the settings in which it differs from the lesson's. */
import { useId } from 'react';
import { useStore } from 'zustand';
import { LESSON_TEXT, MOST_LESSON_RUNS } from '#contract/link/lesson.ts';
import { readPath } from '#contract/run/paths.ts';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { t } from '#text/text.ts';
import type { Leaf } from '#ui/form/leaves.ts';
import { Button } from '#ui/kit/Button.tsx';
import fields from '#ui/kit/Fields.module.css';
import { Text } from '#ui/kit/Fields.tsx';
import type { Different, RunForm } from './form.ts';
import styles from './Make.module.css';

const NONE: Different = { path: '', value: '' };

interface Props {
  /** Of the step, from 1. */
  readonly n: number;
  readonly leaves: readonly Leaf[];
  readonly arms: readonly RunForm[];
  readonly onChange: (arms: readonly RunForm[]) => void;
}

export function PreparedRuns({ n, leaves, arms, onChange }: Props) {
  const change = (at: number, part: Partial<RunForm>): void => onChange(arms.map((arm, i) => (i === at ? { ...arm, ...part } : arm)));
  return (
    <>
      {arms.map((arm, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a run is its place until it has a name
        <fieldset key={i} className={styles.arm}>
          <legend>{t('Prepared run {run} of step {n}', { run: i + 1, n })}</legend>
          <Text
            label={t('Name of run {run} of step {n}', { run: i + 1, n })}
            value={arm.label}
            most={LESSON_TEXT.run}
            onChange={(label) => change(i, { label })}
          />
          {arm.different.map((one, at) => (
            <Setting
              // biome-ignore lint/suspicious/noArrayIndexKey: a setting is its place until it is chosen
              key={at}
              leaves={leaves}
              of={one}
              onChange={(next) => change(i, { different: arm.different.map((other, place) => (place === at ? next : other)) })}
              onRemove={() => change(i, { different: arm.different.filter((_, place) => place !== at) })}
            />
          ))}
          <span className={fields.row}>
            <Button icon="plus" onClick={() => change(i, { different: [...arm.different, NONE] })}>
              {t('Another setting')}
            </Button>
            <Button icon="trash" onClick={() => onChange(arms.filter((_, place) => place !== i))}>
              {t('Remove run {run}', { run: i + 1 })}
            </Button>
          </span>
        </fieldset>
      ))}
      <Button icon="plus" disabled={arms.length >= MOST_LESSON_RUNS} onClick={() => onChange([...arms, { label: '', different: [NONE] }])}>
        {arms.length === 0 ? t('Add a prepared run') : t('Add another prepared run')}
      </Button>
    </>
  );
}

interface SettingProps {
  readonly leaves: readonly Leaf[];
  readonly of: Different;
  readonly onChange: (of: Different) => void;
  readonly onRemove: () => void;
}

/** The value that the lesson has is where it begins; a method is chosen by its name. */
function Setting({ leaves, of: { path, value }, onChange, onRemove }: SettingProps) {
  const id = useId();
  const config = useStore(draftStore, (state) => state.config);
  const algos = useStore(catalogStore, (state) => state.catalog?.algos);
  const now = (of: string): string => {
    const one = of === 'algo.id' ? config.algo.id : of === '' ? '' : readPath(config, of);
    return typeof one === 'string' ? one : one === undefined ? '' : JSON.stringify(one);
  };
  return (
    <span className={fields.row}>
      <select
        aria-label={t('Setting that differs')}
        value={path}
        onChange={(event) => onChange({ path: event.target.value, value: now(event.target.value) })}
      >
        <option value="">{t('which setting')}</option>
        <option value="algo.id">{t('Method')}</option>
        {path !== '' && path !== 'algo.id' && !leaves.some((leaf) => leaf.path === path) && <option value={path}>{path}</option>}
        {leaves.map((leaf) => (
          <option key={leaf.path} value={leaf.path}>
            {t(leaf.title)}
          </option>
        ))}
      </select>
      {path === 'algo.id' ? (
        <select aria-label={t('Its value')} value={value} onChange={(event) => onChange({ path, value: event.target.value })}>
          {algos?.map((card) => (
            <option key={card.id} value={card.id}>
              {t(card.title)}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type="text"
          aria-label={t('Its value')}
          value={value}
          onChange={(event) => onChange({ path, value: event.target.value })}
        />
      )}
      <Button kind="bare" icon="close" label={t('Without this setting')} onClick={onRemove} />
    </span>
  );
}
