/** Every ready-made experiment, grouped; claims with what our own runs said about them. */
import { useStore } from 'zustand';
import { catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { hashOf } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { KINDS } from '#ui/catalogue/experiments.ts';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { Card } from './Card.tsx';
import styles from './Gallery.module.css';

export function GalleryDialog({ onClose }: { readonly onClose: () => void }) {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const current = useStore(draftStore, (state) => state.experimentId);
  return (
    <Dialog title={t('Choose an experiment')} width="wide" onClose={onClose}>
      {catalog === null ? (
        <p>{t('Loading the environments.')}</p>
      ) : (
        KINDS.map(({ kind, title, about }) => {
          const cards = catalog.experiments.filter((card) => card.kind === kind);
          if (cards.length === 0) return null;
          return (
            <section key={kind} className={styles.kind}>
              <h3>{t(title)}</h3>
              <p className={styles.about}>
                {t(about)}{' '}
                {kind === 'lesson' && (
                  <a href={hashOf({ page: 'lessons', id: null, query: {} })} onClick={onClose}>
                    {t('Lessons in steps, with predictions and tasks')}
                  </a>
                )}
              </p>
              <div className={styles.cards}>
                {cards.map((card) => (
                  <Card key={card.id} card={card} catalog={catalog} current={card.id === current} onOpened={onClose} />
                ))}
              </div>
            </section>
          );
        })
      )}
    </Dialog>
  );
}
