/** On the first visit, above the running scene: a few experiments to choose from. It goes when the first run starts; put away by hand it stays away. */
import { useStore } from 'zustand';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { runsStore } from '#stores/runs.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { setSizes, sizesStore } from '#ui/kit/sizes.ts';
import { Card } from './Card.tsx';
import styles from './Gallery.module.css';

const SHOWN = 4;

export function GalleryStrip() {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const greeted = useStore(sizesStore, (state) => state.greeted);
  const started = useStore(runsStore, (state) => state.groups.length > 0);
  const current = useStore(draftStore, (state) => state.experimentId);
  if (greeted || started || catalog === null || catalog.experiments.length === 0) return null;
  return (
    <section className={styles.strip} aria-label={t('Experiments to start with')}>
      <div className={styles.stripCards}>
        {catalog.experiments
          .filter((card) => card.kind === 'start' || card.kind === 'lesson')
          .slice(0, SHOWN)
          .map((card) => (
            <Card key={card.id} card={card} catalog={catalog} current={card.id === current} compact />
          ))}
      </div>
      <div className={styles.stripEnd}>
        <Button kind="bare" onClick={() => layoutStore.getState().set('dialog', 'gallery')}>
          {t('All {n}', { n: catalog.experiments.length })}
        </Button>
        <Button kind="bare" icon="close" label={t('Put the experiments away')} onClick={() => setSizes({ greeted: true })} />
      </div>
    </section>
  );
}
