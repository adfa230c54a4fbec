/** Over the scene while a team plays whose network takes any number of agents and things: one more or less of each, and it plays on. */
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { draftStore } from '#stores/draft.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { langOf } from '#ui/kit/format/fact.ts';
import { crowdsOf } from './crowds.ts';
import styles from './TeamSize.module.css';

export default function TeamSize({ env }: { readonly env: EnvCard }) {
  const config = useStore(draftStore, (state) => state.config.env.config as JsonObject);
  const crowds = crowdsOf(env, config);
  if (crowds.length === 0) return null;
  return (
    <fieldset className={styles.team} aria-label={t('The team while it plays')}>
      {crowds.map(({ path, title, count, range }) => (
        <span key={path} className={styles.one}>
          <Button
            kind="bare"
            icon="minus"
            label={t('One less: {what}', { what: t(title) })}
            disabled={count <= range[0]}
            onClick={() => draftStore.getState().set(path, count - 1)}
          />
          <span className={styles.number}>
            <b>{count}</b> <span lang={langOf(title)}>{t(title)}</span>
          </span>
          <Button
            kind="bare"
            icon="plus"
            label={t('One more: {what}', { what: t(title) })}
            disabled={count >= range[1]}
            onClick={() => draftStore.getState().set(path, count + 1)}
          />
        </span>
      ))}
    </fieldset>
  );
}
