/** The papers of the gallery as entries that can be searched, and the filters that stand in its address. Pure. */

import { isJudged, judgedFormOf, type PaperCard } from '#contract/papers/forms.ts';
import { type Outcome, outcomeInWords, outcomeOfOld, TESTED, type Tested } from '#contract/papers/labels.ts';
import { FORMS, foundFor, type ListedPaper } from '#contract/papers/papers.ts';
import { OUTCOMES } from '#math/rule.ts';
import { finder } from '#ui/kit/format/search.ts';

/** What stands where a card has no outcome of today's versions. */
export type Without = 'older version' | 'not run' | 'no verdict' | 'planned';
export type Group = Outcome | Without;

export interface Entry extends ListedPaper {
  /** null: planned. */
  readonly card: PaperCard | null;
  /** 'not run': built, and no full result lies beside this page. */
  readonly outcome: Group;
  /** null: planned, or a form without an outcome. */
  readonly tested: Tested | null;
  /** The card's sentence for this outcome; null: it has none. */
  readonly found: string | null;
  /** Whether a second block of seeds said the same; null: none was run. */
  readonly confirmed: boolean | null;
  /** Something of it runs in the page: no command line is needed. */
  readonly here: boolean;
  /** Core-minutes of the full result; null: there is none. */
  readonly minutes: number | null;
  /** Of all arms; empty while it is planned. */
  readonly envs: readonly string[];
  readonly methods: readonly string[];
  /** What a search looks at, in lower case. */
  readonly text: string;
}

/** Names of the filters, as they stand in the address; '' or missing: all. */
export const FILTERS = ['q', 'form', 'here', 'topic', 'tier', 'env', 'method', 'tested', 'verdict', 'time'] as const;
export type Filters = { readonly [F in (typeof FILTERS)[number]]?: string };

/** The one value of the filter `here`. */
export const HERE = 'yes';

/** Longest text that is searched for. */
const LONGEST_SEARCH = 100;

/** Times that can be chosen: at most so many core-minutes. */
export const TIMES: readonly number[] = [5, 15, 45];

export const GROUPS: readonly Group[] = [...OUTCOMES, 'older version', 'not run', 'no verdict', 'planned'];

/** A group as people read it; of a negative outcome, of whom it is said. */
export function titleOfGroup(group: Group, tested: Tested | null = null): string {
  if (group === 'not run') return 'not judged yet';
  if (group === 'older version') return 'to be run again';
  return group === 'planned' || group === 'no verdict' || tested === null ? group : outcomeInWords({ tested, outcome: group });
}

/** What a card shows of its result. */
export const shownOutcome = (fact: { readonly outcome: Outcome; readonly outdated: boolean } | undefined): Group =>
  fact === undefined ? 'not run' : fact.outdated ? 'older version' : fact.outcome;

export const TIERS: { readonly [tier: number]: string } = {
  1: 'core: many agents, explanation',
  2: 'one agent, general methods',
  3: 'an application with a world of its own',
  4: 'language-model agents, surveys',
};

const idOf = (ref: unknown): string => (typeof ref === 'object' && ref !== null && 'id' in ref ? String(ref.id) : '');

const unique = (names: readonly string[]): readonly string[] => [...new Set(names.filter((name) => name !== ''))];

/** Built papers first, each kind by number. */
export function entriesOf(
  listed: readonly ListedPaper[],
  cardOf: (id: string) => PaperCard | undefined,
  facts: {
    readonly [id: string]: {
      readonly outcome: Outcome;
      readonly confirmed: boolean | null;
      readonly outdated: boolean;
      readonly coreMinutes: number;
    };
  },
  runsHere: (card: PaperCard) => boolean,
): readonly Entry[] {
  const entries = listed.map((paper): Entry => {
    const card = cardOf(paper.id) ?? null;
    const judged = card !== null && isJudged(card) ? card : null;
    const fact = judged === null ? undefined : facts[paper.id];
    const ran = card === null ? null : judgedFormOf(card);
    const arms = ran?.arms ?? [];
    return {
      ...paper,
      card,
      outcome: card === null ? 'planned' : judged === null ? 'no verdict' : shownOutcome(fact),
      tested: judged?.tested.label ?? null,
      found: judged === null || fact === undefined || fact.outdated ? null : foundFor(judged, fact.outcome),
      confirmed: fact?.confirmed ?? null,
      here: card !== null && runsHere(card),
      minutes: fact?.coreMinutes ?? null,
      envs: unique(arms.map(({ differs }) => differs?.env?.id ?? idOf(ran?.config.env))),
      methods: unique(arms.flatMap(({ script, differs }) => (script === undefined ? [differs?.algo?.id ?? idOf(ran?.config.algo)] : []))),
      text: [
        paper.id,
        paper.name,
        paper.title,
        paper.idea,
        paper.topics.join(' '),
        card?.authors,
        card?.year,
        ran?.question,
        card !== null && !isJudged(card) ? card.asked.ask : '',
        card?.claim,
      ].join(' '),
    };
  });
  return [...entries.filter(({ card }) => card !== null), ...entries.filter(({ card }) => card === null)];
}

/** What of an address are filters; anything else in it is ignored. */
export function filtersOf(query: Readonly<Record<string, string>>): Filters {
  const found = Object.fromEntries(
    FILTERS.flatMap((name) => (query[name] ? [[name, query[name].slice(0, LONGEST_SEARCH)]] : [])),
  ) as Filters;
  const { verdict } = found;
  // addresses of before November 2026 name the one word of an older judge
  return verdict === undefined ? found : { ...found, verdict: outcomeOfOld(verdict) };
}

/** The entries that pass every filter, in their order. Every word of the search must be found. */
export function filtered(entries: readonly Entry[], filters: Filters): readonly Entry[] {
  const { q = '', form, here, topic, tier, env, method, tested, verdict, time } = filters;
  const sought = finder(q);
  return entries.filter(
    (entry) =>
      (form === undefined || entry.card?.form === form) &&
      (here === undefined || entry.here) &&
      (topic === undefined || entry.topics.includes(topic)) &&
      (tier === undefined || String(entry.tier) === tier) &&
      (env === undefined || entry.envs.includes(env)) &&
      (method === undefined || entry.methods.includes(method)) &&
      (tested === undefined || entry.tested === tested) &&
      (verdict === undefined || entry.outcome === verdict) &&
      (time === undefined || (entry.minutes !== null && entry.minutes <= Number(time))) &&
      sought(entry.text),
  );
}

/** Values of the filters that no paper here has and no list offers, so that an address with a misspelt one is answered with what there is. */
export function unknownIn(
  entries: readonly Entry[],
  filters: Filters,
): readonly { readonly filter: keyof Filters; readonly value: string; readonly known: readonly string[] }[] {
  const known: { readonly [F in keyof Filters]?: readonly string[] } = {
    form: FORMS,
    here: [HERE],
    topic: unique(entries.flatMap(({ topics }) => topics)),
    tier: Object.keys(TIERS),
    env: unique(entries.flatMap(({ envs }) => envs)),
    method: unique(entries.flatMap(({ methods }) => methods)),
    tested: TESTED,
    verdict: GROUPS,
    time: TIMES.map(String),
  };
  return FILTERS.flatMap((filter) => {
    const [value, there] = [filters[filter], known[filter]];
    return value === undefined || there === undefined || there.includes(value) ? [] : [{ filter, value, known: there }];
  });
}
