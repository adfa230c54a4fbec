/** A menu of the sites of the robot that stands in the settings beside it. */
import { useStore } from 'zustand';
import { draftStore } from '#stores/draft.ts';
import { t } from '#text/text.ts';
import type { ControlProps } from '../control.ts';
import styles from '../Field.module.css';
import { useCard } from './useCard.ts';

export function SiteControl({ leaf, value, id, describedBy, problem, onChange }: ControlProps) {
  const robot = useStore(draftStore, ({ config }) => config.env.config.robot);
  const { card } = useCard(robot);
  const sites = robot === null || robot === undefined ? (leaf.schema.examples ?? []) : (card?.sites ?? []);
  const chosen = typeof value === 'string' ? value : '';
  // What a link names stays there until another is chosen; the check of the config says that the model lacks it.
  const lost = chosen !== '' && !sites.includes(chosen);
  return (
    <select
      className={styles.select}
      id={id}
      aria-describedby={describedBy}
      aria-invalid={problem !== null}
      value={chosen}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{sites.length === 0 && !lost ? t('none: the model has no sites') : t('none')}</option>
      {[...(lost ? [chosen] : []), ...sites].map((site) => (
        <option key={site} value={site}>
          {site}
        </option>
      ))}
    </select>
  );
}
