/** The gallery: all papers of the list, found by words, by the map of topics and by filters, which stand in the address. */

import facts from 'virtual:paper-facts';
import { memo, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { rewritePage } from '#client/address/pages.ts';
import { cardOf, comparisons, listed, runsHere } from '#client/compare/papers.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import { VERBS } from '#contract/papers/forms.ts';
import { TESTED } from '#contract/papers/labels.ts';
import { FORMS } from '#contract/papers/papers.ts';
import { catalogStore } from '#stores/catalog.ts';
import { hashOf, type Route, routeStore } from '#stores/route.ts';
import { PageFrame } from '#ui/frame/PageFrame.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { DidYouMean } from '#ui/kit/DidYouMean.tsx';
import { type Entry, entriesOf, type Filters, filtered, filtersOf, GROUPS, HERE, TIERS, TIMES, titleOfGroup, unknownIn } from './filter.ts';
import { OutcomeSign } from './OutcomeSign.tsx';
import { PaperEntry } from './PaperEntry.tsx';
import styles from './Papers.module.css';
import { TopicMap } from './TopicMap.tsx';
import { WAYS } from './ways.ts';

const TIER_OPTIONS: readonly Option[] = Object.entries(TIERS).map(([value, title]) => ({ value, title: `${value}: ${title}` }));
const TESTED_OPTIONS: readonly Option[] = TESTED.map((value) => ({ value, title: value }));
const OUTCOME_OPTIONS: readonly Option[] = GROUPS.map((value) => ({ value, title: titleOfGroup(value) }));
const TIME_OPTIONS: readonly Option[] = TIMES.map((most) => ({ value: String(most), title: `at most ${most} core-min` }));

/** In sentences. */
const FILTER_NAMES: { readonly [F in keyof Filters]-?: string } = {
  q: 'words',
  form: 'form',
  here: 'value of “runs in this tab”',
  topic: 'topic',
  tier: 'tier',
  env: 'environment',
  method: 'method',
  tested: 'label of what was tested',
  verdict: 'outcome',
  time: 'running time',
};

/** Takes the other filters from the address, so that it is the same function for every drawing of the page. */
function change(filter: keyof Filters, value: string): void {
  const { route } = routeStore.getState();
  if (route !== null) rewritePage({ ...route, query: { ...filtersOf(route.query), [filter]: value } });
}

export default function PapersPage({ route }: { readonly route: Route }) {
  const entries = useMemo(() => entriesOf(listed, cardOf, facts, runsHere), []);
  const [built, planned] = useMemo(
    () => [entries.filter(({ card }) => card !== null), entries.filter(({ card }) => card === null)],
    [entries],
  );
  const filters = filtersOf(route.query);
  const found = filtered(entries, filters);
  const some = Object.keys(filters).length > 0;
  const unknown = found.length === 0 ? unknownIn(entries, filters) : [];

  return (
    <PageFrame title="Papers you can run" page="papers">
      <p className={styles.lead}>
        {listed.length} papers, {built.length} of them built. Beside them:{' '}
        <a href={hashOf({ page: 'papers', id: 'own', query: {} })}>{comparisons.length} comparisons of our own</a>.
      </p>
      <Verbs entries={entries} form={filters.form} here={filters.here} />
      {!some && <WayIn entries={built} />}
      <h2 className={styles.small} id="papers-outcomes">
        What came out
      </h2>
      <Counts entries={entries} chosen={filters.verdict} />
      <Search filters={filters} entries={entries} />
      <FieldMap entries={entries} topic={filters.topic} />
      <p className={styles.found} role="status">
        {found.length === listed.length ? `${found.length} papers` : `${found.length} of ${listed.length} papers`}
        {some && <Button onClick={() => rewritePage({ ...route, query: {} })}>Clear filters</Button>}
      </p>
      <Entries id="papers-built" title="Built" entries={built} found={found} />
      <Entries id="papers-planned" title="Planned" entries={planned} found={found} />
      {found.length === 0 && (
        <>
          <p className={styles.none}>
            {unknown.length === 0
              ? 'No paper passes all of these filters. Clear one of them, or search for fewer words.'
              : unknown
                  .map(({ filter, value, known }) => `No paper has the ${FILTER_NAMES[filter]} “${value}”. ${whichOf(value, known)}`)
                  .join(' ')}
          </p>
          <DidYouMean query={filters.q ?? ''} texts={entries.map(({ text }) => text)} onTake={(q) => change('q', q)} />
        </>
      )}
    </PageFrame>
  );
}

/** What one can do with a paper of each form, in a sentence. */
const DOES: { readonly [F in (typeof FORMS)[number]]: string } = {
  comparison: 'arms over seeds',
  dose: 'one size, swept',
  idea: 'one thing to try',
  map: 'a survey as a tree',
  built: 'tasks and methods',
};

interface VerbsProps {
  readonly entries: readonly Entry[];
  readonly form: string | undefined;
  readonly here: string | undefined;
}

/** What one can do, and with how many papers. Each is a filter. */
const Verbs = memo(function Verbs({ entries, form, here }: VerbsProps) {
  return (
    <ul className={styles.verbs} aria-label="What you can do">
      {FORMS.map((one) => (
        <li key={one}>
          <button type="button" aria-pressed={one === form} onClick={() => change('form', one === form ? '' : one)}>
            <b>{VERBS[one]}</b>
            <span>{DOES[one]}</span>
            <span className={styles.count}>{entries.filter(({ card }) => card?.form === one).length}</span>
          </button>
        </li>
      ))}
      <li>
        <button type="button" aria-pressed={here === HERE} onClick={() => change('here', here === HERE ? '' : HERE)}>
          <b>runs in this tab</b>
          <span>nothing to install</span>
          <span className={styles.count}>{entries.filter((entry) => entry.here).length}</span>
        </button>
      </li>
    </ul>
  );
});

/** Ten papers to begin with, each by its question. */
function WayIn({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <section aria-labelledby="papers-ways">
      <h2 className={styles.small} id="papers-ways">
        Ten to begin with
      </h2>
      <ul className={styles.wayIn}>
        {WAYS.map(({ id, ask }) => {
          const card = entries.find((entry) => entry.id === id)?.card;
          return card == null ? null : (
            <li key={id}>
              <a href={hashOf({ page: 'papers', id: id.toLowerCase(), query: {} })}>{ask}</a>
              <span>{VERBS[card.form]}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** How many papers have which outcome. Each count is a filter. */
const Counts = memo(function Counts({ entries, chosen }: { readonly entries: readonly Entry[]; readonly chosen: string | undefined }) {
  return (
    <ul className={styles.counts} aria-label="Papers by outcome">
      {GROUPS.map((group) => {
        const count = entries.filter((entry) => entry.outcome === group).length;
        return count === 0 ? null : (
          <li key={group}>
            <button type="button" aria-pressed={group === chosen} onClick={() => change('verdict', group === chosen ? '' : group)}>
              <OutcomeSign outcome={group} /> <span className={styles.count}>{count}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
});

interface EntriesProps {
  readonly id: string;
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Papers that pass the filters. */
  readonly found: readonly Entry[];
}

/** What the filters leave out is hidden, not taken away: to draw 184 entries again costs more than a frame. */
function Entries({ id, title, entries, found }: EntriesProps) {
  const shown = new Set(found);
  return (
    <section aria-labelledby={id} hidden={!entries.some((entry) => shown.has(entry))}>
      <h2 id={id} className={styles.kind}>
        {title}
      </h2>
      <ul className={styles.entries}>
        {entries.map((entry) => (
          <PaperEntry key={entry.id} entry={entry} hidden={!shown.has(entry)} />
        ))}
      </ul>
    </section>
  );
}

interface MapProps {
  readonly entries: readonly Entry[];
  readonly topic: string | undefined;
}

const FieldMap = memo(function FieldMap({ entries, topic }: MapProps) {
  return (
    <details className={styles.mapFold} open={topic !== undefined || undefined}>
      <summary>
        <h2>Topics</h2>
      </summary>
      <TopicMap
        entries={entries}
        control={(name, inside) => (
          <button
            type="button"
            className={styles.topic}
            aria-pressed={name === topic}
            onClick={() => change('topic', name === topic ? '' : name)}
          >
            {inside}
          </button>
        )}
      />
    </details>
  );
});

interface SearchProps {
  readonly entries: readonly Entry[];
  readonly filters: Filters;
}

function Search({ entries, filters }: SearchProps) {
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
            change('q', event.target.value);
          }}
        />
      </label>
      <Choice name="Tier" filter="tier" value={filters.tier} options={TIER_OPTIONS} />
      <Choice name="Environment" filter="env" value={filters.env} options={envs} />
      <Choice name="Method" filter="method" value={filters.method} options={methods} />
      <Choice name="What was tested" filter="tested" value={filters.tested} options={TESTED_OPTIONS} />
      <Choice name="What came out" filter="verdict" value={filters.verdict} options={OUTCOME_OPTIONS} />
      <Choice name="Running time" filter="time" value={filters.time} options={TIME_OPTIONS} />
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
  readonly filter: keyof Filters;
  readonly options: readonly Option[];
}

const Choice = memo(function Choice({ name, filter, value = '', options }: ChoiceProps) {
  const known = value === '' || options.some((option) => option.value === value);
  return (
    <label className={styles.choice}>
      <span>{name}</span>
      <select value={value} onChange={(event) => change(filter, event.target.value)}>
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
});
