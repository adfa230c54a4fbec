/** All methods by family, found by words; each has a page. What is sought stands in the address. */
import { useDeferredValue, useMemo } from 'react';
import { useStore } from 'zustand';
import { rewritePage } from '#client/address/pages.ts';
import type { AlgoCard } from '#contract/catalog/catalog.ts';
import { catalogStore } from '#stores/catalog.ts';
import { hashOf, type Route } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { PageSearch, soughtIn } from '#ui/frame/PageSearch.tsx';
import { DidYouMean } from '#ui/kit/DidYouMean.tsx';
import { finder } from '#ui/kit/format/search.ts';
import styles from './Methods.module.css';

export default function MethodsPage({ route }: { readonly route: Route }) {
  const algos = useStore(catalogStore, (state) => state.catalog?.algos);
  const sought = useDeferredValue(soughtIn(route));
  const found = useMemo(() => (algos ?? []).filter(matching(sought)), [algos, sought]);
  return (
    <PageFrame title={t('Methods')} page="methods">
      <p className={styles.lead}>
        Each is one file that reads like its paper: idea, equation, pseudo-code beside the code, settings, results.
      </p>
      <div className={styles.sought}>
        <PageSearch route={route} placeholder="name, author, idea" />
      </div>
      <p role="status" className={styles.count}>
        {algos === undefined
          ? 'Reading …'
          : found.length === algos.length
            ? `${algos.length} methods`
            : `${found.length} of ${algos.length} methods`}
      </p>
      {algos !== undefined && found.length === 0 && (
        <DidYouMean
          query={sought}
          texts={algos.map(({ title, id }) => `${title} ${id}`)}
          onTake={(q) => rewritePage({ ...route, query: { q } })}
        />
      )}
      {byFamily(found).map(([family, members]) => (
        <section key={family} aria-label={family}>
          <h2 className={styles.heading}>{family}</h2>
          <ul className={styles.methods}>
            {members.map(({ id, title, summary, source }) => (
              <li key={id}>
                <a href={hashOf({ page: 'methods', id, query: {} })}>{title}</a> <small>{source.year}</small>
                <p>{summary}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </PageFrame>
  );
}

/** Every word must be found in its names, its sentence or its source. */
function matching(text: string): (card: AlgoCard) => boolean {
  const holds = finder(text);
  return ({ id, family, title, summary, source }) =>
    holds(`${id} ${family} ${title} ${summary} ${source.title} ${source.authors} ${source.year}`);
}

function byFamily(cards: readonly AlgoCard[]): readonly (readonly [string, readonly AlgoCard[]])[] {
  return [...new Set(cards.map(({ family }) => family))].map((family) => [family, cards.filter((card) => card.family === family)]);
}
