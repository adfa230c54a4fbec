/** The view in which the idea of a card is touched, whose code and numbers come when they are asked for. */
import { Suspense, useState } from 'react';
import type { JudgedCard } from '#contract/papers/papers.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { touchOf } from './ideas/index.ts';
import styles from './Paper.module.css';

export function TouchIdea({ card }: { readonly card: JudgedCard }) {
  const [pressed, setPressed] = useState(false);
  const Touched = touchOf(card.touch);
  if (Touched === undefined) return null;
  return (
    <section className={styles.onScreen} aria-label={t('Touch the idea')}>
      {pressed ? (
        <Suspense fallback={<p role="status">{t('One moment')}</p>}>
          <Touched card={card} />
        </Suspense>
      ) : (
        <p>
          <Button icon="play" onClick={() => setPressed(true)}>
            {t('Touch the idea')}
          </Button>
        </p>
      )}
    </section>
  );
}
