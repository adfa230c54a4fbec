/** Over the scene where a player may be watched: it is hidden from who watches, and shown again, while both play on. */
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { draftStore } from '#stores/draft.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import styles from './TeamSize.module.css';
import { watchedBy } from './watched.ts';

export default function Watching({ env }: { readonly env: EnvCard }) {
  const config = useStore(draftStore, (state) => state.config.env.config as JsonObject);
  const watched = watchedBy(env, config);
  if (watched === null) return null;
  const { path, chance } = watched;
  return (
    <div className={styles.team}>
      <Button kind="bare" onClick={() => draftStore.getState().set(path, chance === 0 ? 1 : 0)}>
        {chance === 0 ? t('Show the predecessor') : t('Hide the predecessor')}
      </Button>
    </div>
  );
}
