/** Which page was meant by an address that names none. */
import { nearest } from '#contract/kit/nearest.ts';
import { DOORS, type PageName, pageFacts, pageNames } from './pages.ts';

/** What to do after a failure: where it refused an address that names no page, the addresses that may have been meant; else its own way out, `fix`. */
export function wayOut(message: string, fix: string): string {
  const typed = /^There is no page at "#\/([^/?"]+)(\/[A-Za-z0-9-]+)?/.exec(message);
  if (typed === null) return fix;
  const [, sought = '', rest = ''] = typed;
  const named = pageNamed(sought);
  const like = named === undefined ? nearest(sought, [...pageNames.filter((page) => page !== 'embed'), 'lab']) : [named];
  return like.length > 0 ? `Did you mean ${like.map((page) => `#/${page}${rest}`).join(' or ')}?` : fix;
}

/** The page under a door of this name, or that is looked for by this word: "learn", "results". */
const pageNamed = (word: string): PageName | undefined =>
  DOORS.find(({ id }) => id === word)?.page ??
  pageNames.find((page) => pageFacts(page).aside !== true && pageFacts(page).words.split(' ').includes(word));
