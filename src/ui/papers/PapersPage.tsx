/** The gallery: all papers of the list, found by words, by the map of topics and by filters, which stand in the address. */

import facts from 'virtual:paper-facts';
import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { rewritePage } from '#client/pages.ts';
import { listed, paperOf } from '#client/papers.ts';
import { catalogStore } from '#stores/catalog.ts';
import type { Route } from '#stores/route.ts';
import { Button } from '../kit/Button.tsx';
import { useRoom } from '../kit/media.ts';
import { PageFrame } from '../pages/PageFrame.tsx';
import { type Entry, entriesOf, type Filters, filtered, filtersOf, TIERS, TIMES, VERDICTS } from './filter.ts';
import { PaperEntry } from './PaperEntry.tsx';
import styles from './Papers.module.css';
import { TopicMap } from './TopicMap.tsx';

export default function PapersPage({ route }: { readonly route: Route }) {
  const entries = useMemo(() => entriesOf(listed, paperOf, facts), []);
  const filters = filtersOf(route.query);
  const found = filtered(entries, filters);
  const built = found.filter(({ card }) => card !== null);
  const planned = found.filter(({ card }) => card === null);
  const set = (change: Filters): void => rewritePage({ ...route, query: { ...filters, ...change } });
  const some = Object.keys(filters).length > 0;
  const all = entries.filter(({ card }) => card !== null).length;

  return (
    <PageFrame title="Papers you can run" page="papers">
      <p className={styles.lead}>
        {listed.length} papers on agents that learn. {all} of them are here as comparisons that can fail: arms over one shared setting, a
        rule fixed before the runs, a verdict. The others say what they wait for.
      </p>
      <FieldMap entries={entries} topic={filters.topic} onTopic={(topic) => set({ topic })} />
      <Search filters={filters} entries={entries} onChange={set} />
      <p className={styles.found} role="status">
        {found.length === listed.length ? `${found.length} papers` : `${found.length} of ${listed.length} papers`}
        {some && <Button onClick={() => rewritePage({ ...route, query: {} })}>Clear filters</Button>}
      </p>
      {built.length > 0 && (
        <section aria-labelledby="papers-built">
          <h2 id="papers-built" className={styles.kind}>
            Run them here
          </h2>
          <ul className={styles.entries}>
            {built.map((entry) => (
              <PaperEntry key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      )}
      {planned.length > 0 && (
        <section aria-labelledby="papers-planned">
          <h2 id="papers-planned" className={styles.kind}>
            Planned
          </h2>
          <ul className={styles.entries}>
            {planned.map((entry) => (
              <PaperEntry key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      )}
      {found.length === 0 && (
        <p className={styles.none}>No paper passes all of these filters. Clear one of them, or search for fewer words.</p>
      )}
    </PageFrame>
  );
}

interface MapProps {
  readonly entries: readonly Entry[];
  readonly topic: string | undefined;
  readonly onTopic: (topic: string) => void;
}

function FieldMap({ entries, topic, onTopic }: MapProps) {
  const phone = useRoom() === 'phone';
  const [open, setOpen] = useState(!phone);
  return (
    <details className={styles.mapFold} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>Map of the field</h2>
      </summary>
      <TopicMap
        entries={entries}
        control={(name, inside) => (
          <button type="button" className={styles.topic} aria-pressed={name === topic} onClick={() => onTopic(name === topic ? '' : name)}>
            {inside}
          </button>
        )}
      />
    </details>
  );
}

interface SearchProps {
  readonly entries: readonly Entry[];
  readonly filters: Filters;
  readonly onChange: (change: Filters) => void;
}

function Search({ entries, filters, onChange }: SearchProps) {
  const catalog = useStore(catalogStore, (state) => state.catalog);
  // What is typed shows at once, whatever the address does.
  const [typed, setTyped] = useState(filters.q ?? '');
  useEffect(() => setTyped((now) => (now.trim() === (filters.q ?? '').trim() ? now : (filters.q ?? ''))), [filters.q]);
  const envs = useMemo(
    () =>
      named(
        entries.flatMap((entry) => entry.envs),
        catalog?.envs,
      ),
    [entries, catalog],
  );
  const methods = useMemo(
    () =>
      named(
        entries.flatMap((entry) => entry.methods),
        catalog?.algos,
      ),
    [entries, catalog],
  );
  const tiers = Object.entries(TIERS).map(([value, title]) => ({ value, title: `${value}: ${title}` }));
  const verdicts = VERDICTS.map((value) => ({ value, title: value === 'not run' ? 'no full result yet' : value }));
  const times = TIMES.map((most) => ({ value: String(most), title: `at most ${most} core-min` }));
  useLayoutEffect(() => {
    performance.mark('papers:shown');
  });
  return (
    <search className={styles.search}>
      <label className={styles.words}>
        <span>Search</span>
        <input
          id="papers-search"
          type="search"
          maxLength={100}
          placeholder="name, idea, topic, author"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            onChange({ q: event.target.value });
          }}
        />
      </label>
      <Choice name="Tier" value={filters.tier} options={tiers} onChange={(tier) => onChange({ tier })} />
      <Choice name="Environment" value={filters.env} options={envs} onChange={(env) => onChange({ env })} />
      <Choice name="Method" value={filters.method} options={methods} onChange={(method) => onChange({ method })} />
      <Choice name="Verdict" value={filters.verdict} options={verdicts} onChange={(verdict) => onChange({ verdict })} />
      <Choice name="Running time" value={filters.time} options={times} onChange={(time) => onChange({ time })} />
    </search>
  );
}

interface Option {
  readonly value: string;
  readonly title: string;
}

/** Ids with the titles of their cards, each once, by title. */
function named(ids: readonly string[], cards: readonly { readonly id: string; readonly title: string }[] = []): readonly Option[] {
  return [...new Set(ids)]
    .map((value) => ({ value, title: cards.find(({ id }) => id === value)?.title ?? value }))
    .sort((a, b) => a.title.localeCompare(b.title));
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string | undefined;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}

function Choice({ name, value = '', options, onChange }: ChoiceProps) {
  const known = value === '' || options.some((option) => option.value === value);
  return (
    <label className={styles.choice}>
      <span>{name}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">any</option>
        {!known && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </label>
  );
}
