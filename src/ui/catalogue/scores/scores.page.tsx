/** Scores: which method reached what in which environment, each one press from the laboratory. What is shown stands in the address. */
import facts from 'virtual:score-facts';
import { useDeferredValue, useMemo } from 'react';
import { useStore } from 'zustand';
import { rewritePage } from '#client/address/pages.ts';
import { SCORED, type ScoreRow, scoreRows } from '#report/scores.ts';
import { catalogStore } from '#stores/catalog.ts';
import type { Route } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { PageSearch, soughtIn } from '#ui/frame/PageSearch.tsx';
import { DidYouMean } from '#ui/kit/DidYouMean.tsx';
import { finder } from '#ui/kit/format/search.ts';
import styles from './Scores.module.css';
import { ScoreTable } from './ScoreTable.tsx';

export default function ScoresPage({ route }: { readonly route: Route }) {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  const sought = useDeferredValue(soughtIn(route));
  const rows = useMemo(() => (catalog === null ? [] : scoreRows(facts, catalog)), [catalog]);
  const found = useMemo(() => matching(rows, sought), [rows, sought]);
  return (
    <PageFrame title={t('Scores')} page="scores">
      <p className={styles.lead}>
        What methods reached in environments: claims on fresh seeds, and what is offered first (three seeds, so no interval). Interquartile
        means with 95&nbsp;% intervals. The bar goes from random play, or from doing nothing where that scores more, to the best of what is
        published, of scripts and of what was measured here; a dot is a seed. The gap is how far seeds fall short of the best on average.
      </p>
      <PageSearch route={route} placeholder="environment or method" />
      <p role="status" className={styles.count}>
        {catalog === null
          ? 'Reading …'
          : found.length === rows.length
            ? `${rows.length} scores`
            : `${found.length} of ${rows.length} scores`}
      </p>
      {catalog !== null && found.length === 0 && (
        <DidYouMean
          query={sought}
          texts={rows.map(({ env, algo, fact }) => `${env} ${algo} ${fact.env.id} ${fact.algo.id}`)}
          onTake={(q) => rewritePage({ ...route, query: { q } })}
        />
      )}
      {catalog !== null && found.length > 0 && <ScoreTable rows={found} catalog={catalog} />}
    </PageFrame>
  );
}

/** Every word must be found in the names of environment, setting, method or quantity. */
function matching(rows: readonly ScoreRow[], text: string): readonly ScoreRow[] {
  const holds = finder(text);
  return rows.filter(({ env, setting, algo, fact }) =>
    holds(`${env} ${setting} ${algo} ${fact.env.id} ${fact.algo.id} ${SCORED[fact.quantity]}`),
  );
}
