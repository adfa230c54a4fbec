/** The papers on the front page: how many there are, and the map of their topics. Loaded after the wall: the cards of all papers come with it. */
import paperFacts from 'virtual:paper-facts';
import { cardOf, listed, runsHere } from '#client/compare/papers.ts';
import { hashOf } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { entriesOf } from '#ui/claims/filter.ts';
import papers from '#ui/claims/Papers.module.css';
import { TopicMap } from '#ui/claims/TopicMap.tsx';
import styles from './Home.module.css';

export default function PapersOfField() {
  const entries = entriesOf(listed, cardOf, paperFacts, runsHere);
  const built = entries.filter(({ card }) => card !== null).length;
  return (
    <>
      <p className={styles.lead}>
        {t('{n} papers, {built} of them built: to run, to slide, to touch, or as a map.', { n: listed.length, built })}{' '}
        <a href={hashOf({ page: 'papers', id: null, query: {} })}>{t('All papers')}</a>
      </p>
      <TopicMap
        entries={entries}
        control={(topic, inside) => (
          <a className={papers.topic} href={hashOf({ page: 'papers', id: null, query: { topic } })}>
            {inside}
          </a>
        )}
      />
    </>
  );
}
