/**
 * Addresses of the pages. They start with `#/` (`#/lessons`, `#/lessons/cliff?step=2`), which no experiment's link does, so an address is told
 * apart before anything in it is decoded. The bare address is the front page, `#/lab` the laboratory. `#/embed/LINK` is the page for frames: LINK
 * is what follows the # of an experiment's address. `#/embed/card?c=CARD` and `#/embed/paper?id=ID` frame a card.
 */
import { createStore } from 'zustand/vanilla';
import { fail } from '#contract/kit/errors.ts';
import { type PageName, pageNames } from './pages.ts';

export type { PageName };

/** The address of the laboratory with what is open in it. */
export const LAB = '#/lab';

export interface Route {
  readonly page: PageName;
  /** What of the page is open: the id of a lesson or a paper, the link of a frame; null: the page itself. */
  readonly id: string | null;
  /** What the page shows of itself, filters for instance: names and values. */
  readonly query: Readonly<Record<string, string>>;
}

/** Characters of an address that are looked at; more is refused unread. */
const LONGEST_ROUTE = 2_000;
/** A link and a title may be longer than any other address; what the link holds is bounded where it is decoded. */
const LONGEST_EMBED = 4_000;
/** An own card stands whole in its address (contract/link/card.ts). */
const CARD = /^#\/papers\/(card|new)\?/;
const EMBED = /^#\/embed\/([^?]+)(?:\?(.*))?$/;
/** Ids are lower-case; a paper's number may be typed as it is printed. */
const ROUTE = /^#\/([a-z]+)(?:\/([a-z0-9-]+|P\d{3}))?\/?(?:\?(.*))?$/;

const FRONT: Route = { page: 'home', id: null, query: {} };

/**
 * The page that a hash names, the front page where there is none; null: the laboratory, as it is or by a link. Throws LabError link-foreign for a
 * page that does not exist.
 */
export function routeOf(hash: string): Route | null {
  if (hash.length < 2 || hash === '#/') return FRONT;
  if (!hash.startsWith('#/') || hash === LAB) return null;
  const [, link, options] = (hash.length <= LONGEST_EMBED && EMBED.exec(hash)) || [];
  if (link !== undefined) return { page: 'embed', id: link, query: Object.fromEntries(new URLSearchParams(options)) };
  const most = CARD.test(hash) ? LONGEST_EMBED : LONGEST_ROUTE;
  const [, name, id, query] = (hash.length <= most && ROUTE.exec(hash)) || [];
  const page = pageNames.find((known) => known === name);
  if (page === undefined) {
    // which page was meant instead is said by way-out.ts, which no visit needs at its start
    const fix = hash.length > most ? 'It is too long: ask for a file instead.' : 'Worlds, Learn, Papers and My runs lead to every page.';
    throw fail('link-foreign', `There is no page at "${hash.slice(0, 40)}".`, fix);
  }
  return { page, id: id?.toLowerCase() ?? null, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** The hash of a page; empty values of the query are left out. */
export function hashOf({ page, id, query }: Route): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return `#/${page}${id === null ? '' : `/${id}`}${search.size === 0 ? '' : `?${search}`}`;
}

/** A link to an environment and nothing else, as a teacher types it. */
export const isWorldAlone = (hash: string): boolean => /^#env=[a-z0-9-]+$/i.test(hash);

export interface RouteState {
  /** The page that lies over the laboratory, which goes on below it; null: none. */
  readonly route: Route | null;
}

/** The page of the address at the start, so that it shows before anything else is loaded; a bad one is refused over the front page once all is up. */
function firstRoute(): Route | null {
  try {
    return typeof location === 'undefined' ? null : routeOf(location.hash);
  } catch {
    return FRONT;
  }
}

export const routeStore = createStore<RouteState>(() => ({ route: firstRoute() }));

const first = routeStore.getState().route;

/** Whether this page stands in a frame of another: it then keeps nothing, installs nothing and loads the workbench only when it is asked to. */
export const embedded = (): boolean => first?.page === 'embed';

/** What a frame names in place of an experiment's link: an own card, the card of a paper. No link reads so. */
export const EMBEDDED_CARD = 'card';
export const EMBEDDED_PAPER = 'paper';

/** Whether a frame shows a card. */
export const embeddedCard = ({ page, id }: Route): boolean => page === 'embed' && (id === EMBEDDED_CARD || id === EMBEDDED_PAPER);

/** Nothing was gone to yet: the page is the one that the visit began with. */
export const atFirstPage = (): boolean => routeStore.getState().route === first;

/** In place of a lesson's id: the form in which a teacher makes one. */
export const NEW_LESSON = 'new';

/** A lesson is open: its steps stand beside the scene, in place of the set-up. Every other page lies over the laboratory. */
export const inLesson = ({ route }: RouteState): boolean => route?.page === 'lessons' && route.id !== null && route.id !== NEW_LESSON;

/** The laboratory is in sight, with a lesson or without. */
export const inLaboratory = (state: RouteState): boolean => state.route === null || inLesson(state);

/** null: the laboratory. */
export function showRoute(route: Route | null): void {
  routeStore.setState({ route });
}
