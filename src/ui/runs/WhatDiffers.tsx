/** Two or more runs side by side, field by field: only what is not the same in all of them. */
import { useStore } from 'zustand';
import { strengthWanted } from '#client/runs/strength.ts';
import { differingFields, fieldsOf } from '#contract/run/config-diff.ts';
import { catalogStore } from '#stores/catalog.ts';
import { strengthStore } from '#stores/strength.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { GREEDY_TEST, STRENGTHS } from '#ui/kit/format/returns.ts';
import { fieldText, runNames, wordsOf } from './names.ts';
import { Swatch } from './Row.tsx';
import styles from './Runs.module.css';
import { greedyTells, headlineOf } from './rows.ts';

/** Runs with a column of their own; of more, each field says how many runs have which value. */
const MOST_COLUMNS = 6;
const MOST_VALUES = 8;

export function WhatDiffers({ groups }: { readonly groups: readonly RunGroup[] }) {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  useStore(strengthStore, ({ version }) => version);
  const rival = groups.find((group) => !greedyTells(group));
  const fields = differingFields(groups.map(({ config }) => config));
  const names = runNames(groups, catalog, 'all');
  if (fields.length === 0)
    return (
      <p className={styles.same}>{t('These {n} runs have the same config: only their seeds can tell them apart.', { n: groups.length })}</p>
    );
  const title = (field: string): string => {
    const owner = groups.find(({ config }) => fieldsOf(config).has(field)) ?? groups[0];
    return owner === undefined ? field : wordsOf(field, owner.config, catalog).title;
  };
  const text = (field: string, { config }: RunGroup): string => fieldText({ field, value: fieldsOf(config).get(field) }, config, catalog);

  if (groups.length > MOST_COLUMNS) {
    return (
      <table className={styles.differences}>
        <caption>{t('What differs between {n} runs', { n: groups.length })}</caption>
        <tbody>
          {fields.map((field) => {
            const counts = new Map<string, number>();
            for (const group of groups) counts.set(text(field, group), (counts.get(text(field, group)) ?? 0) + 1);
            const values = [...counts];
            return (
              <tr key={field}>
                <th scope="row">{title(field)}</th>
                <td>
                  {values.slice(0, MOST_VALUES).map(([value, count]) => (
                    <span key={value} className={styles.valueCount}>
                      {value} <small>in {count}</small>
                    </span>
                  ))}
                  {values.length > MOST_VALUES && <small>{t('and {value} more values', { value: values.length - MOST_VALUES })}</small>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    );
  }
  return (
    <div className={styles.differScroll}>
      <table className={styles.differences}>
        <caption>{t('What differs; all other settings are the same')}</caption>
        <thead>
          <tr>
            <td />
            {groups.map((group) => (
              <th key={group.id} scope="col">
                <Swatch colour={group.colour} dash={group.dash} on />
                <span>{names.get(group.id)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{title(field)}</th>
              {groups.map((group) => (
                <td key={group.id}>{text(field, group)}</td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">{rival === undefined ? GREEDY_TEST : t(STRENGTHS[strengthWanted(rival.config) ?? 'return'].title)}</th>
            {groups.map((group) => {
              const { iqm, ci, n } = headlineOf(group);
              return (
                <td key={group.id}>
                  {measure(iqm)}
                  {ci !== null && <small>{` [${measure(ci[0])}, ${measure(ci[1])}]`}</small>}
                  {iqm !== null && ci === null && <small>{` n=${n}`}</small>}
                </td>
              );
            })}
          </tr>
        </tbody>
      </table>
    </div>
  );
}
