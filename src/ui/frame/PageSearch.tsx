/** Words that narrow what a page lists; they stand in its address. */
import { rewritePage } from '#client/address/pages.ts';
import type { Route } from '#stores/route.ts';
import { t } from '#text/text.ts';
import styles from './PageSearch.module.css';

const LONGEST_SEARCH = 100;

/** What the address of a page asks for. */
export const soughtIn = ({ query }: Route): string => (query.q ?? '').slice(0, LONGEST_SEARCH);

export function PageSearch({ route, placeholder }: { readonly route: Route; readonly placeholder: string }) {
  return (
    <label className={styles.search}>
      <span>{t('Search')}</span>
      <input
        type="search"
        maxLength={LONGEST_SEARCH}
        placeholder={placeholder}
        value={soughtIn(route)}
        onChange={(event) => rewritePage({ ...route, query: { q: event.target.value } })}
      />
    </label>
  );
}
