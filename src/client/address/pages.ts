/** The address bar and the pages beside the laboratory. */
import { toFailure } from '#contract/kit/errors.ts';
import { forgetRefusal, refuseLink } from '#stores/layout.ts';
import { hashOf, LAB, type Route, routeOf, showRoute } from '#stores/route.ts';

/** Shows the page that a hash names; true: nothing in the hash is left to open. A page that does not exist is refused in the link dialog. */
export function openPage(hash: string): boolean {
  try {
    const route = routeOf(hash);
    forgetRefusal();
    showRoute(route);
    return route !== null || hash === LAB;
  } catch (error) {
    refuseLink(toFailure(error));
    return true;
  }
}

/** The address follows what a page shows of itself, without a step in the history. */
export function rewritePage(route: Route): void {
  history.replaceState(history.state, '', hashOf(route));
  showRoute(route);
}
