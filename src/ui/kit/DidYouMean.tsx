/** Below a search that found nothing: the words that were probably meant, one press away; or nothing. */
import { useMemo } from 'react';
import { t } from '#text/text.ts';
import styles from './DidYouMean.module.css';
import { corrected } from './format/search.ts';

interface Props {
  readonly query: string;
  /** What was searched. */
  readonly texts: readonly string[];
  readonly onTake: (query: string) => void;
}

export function DidYouMean({ query, texts, onTake }: Props) {
  const meant = useMemo(() => corrected(query, texts), [query, texts]);
  if (meant === null) return null;
  return (
    <p className={styles.note}>
      {t('Did you mean')}{' '}
      <button type="button" onClick={() => onTake(meant)}>
        {meant}
      </button>
      ?
    </p>
  );
}
