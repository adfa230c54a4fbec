/** Browser events that concern the page: another hash, hiding, freezing, leaving. */

import { openPage } from '#client/address/pages.ts';
import { keepAwake } from '#client/workers/screen-lock.ts';
import type { Links } from './links.ts';

export interface PageListeners {
  /** The hash that the page has opened. */
  readonly opened: string;
  readonly links: Links;
  readonly openLink: (hash: string) => Promise<boolean>;
  readonly busy: () => boolean;
  readonly wasFrozen: (ms: number) => void;
  /** The page may never come back: save what can be saved. */
  readonly leaving: () => void;
  /** Called when the page goes, after `leaving`. */
  readonly closing: () => void;
}

export function listenToPage({ opened, links, openLink, busy, wasFrozen, leaving, closing }: PageListeners): void {
  keepAwake(busy);
  const follow = (): void => {
    const { hash } = location;
    links.answer(hash);
    if (openPage(hash)) return;
    // A jump to a part of the page is not a link to an experiment.
    const isAnchor = document.getElementById(hash.slice(1)) !== null;
    if (links.isForeign(hash) && !isAnchor) void openLink(hash);
  };
  addEventListener('hashchange', follow);
  if (location.hash !== opened) follow(); // a press while the page was starting
  let frozenAt: number | null = null;
  document.addEventListener('freeze', () => {
    frozenAt = Date.now();
    leaving();
  });
  document.addEventListener('resume', () => {
    if (frozenAt !== null) wasFrozen(Date.now() - frozenAt);
    frozenAt = null;
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) leaving();
  });
  addEventListener('pagehide', () => {
    leaving();
    closing();
  });
}
