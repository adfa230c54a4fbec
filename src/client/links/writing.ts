/** Addresses of set-ups. Loaded with the first address that is written, or the first view that shows one. */

import type { JsonObject } from '#contract/kit/json.ts';
import { encodeLink, type LinkView, LONGEST_LINK } from '#contract/link/link.ts';
import type { Pin } from '#contract/link/pin.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { CODE_SETTING } from '#contract/run/own-world.ts';
import { algoCard, envCard } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { currentView } from './view.ts';

/** The hash of the draft as the page shows it; null where it is longer than `room` characters. */
export function draftHash(room = LONGEST_LINK): string | null {
  const { config, experimentId } = draftStore.getState();
  return linkHashOf(config, currentView(experimentId), room);
}

/** The hash of any complete config, the page as usual or as `view` says; null where it is longer than `room` characters. */
export function linkHashOf(config: RunConfig, view: LinkView = {}, room = LONGEST_LINK): string | null {
  try {
    return encodeLink(config, defaultsOf(config), view, room);
  } catch {
    return null; // link-too-long is all that encoding throws
  }
}

/** The whole address of the draft; null where it is too long for a link. */
export function draftAddress(): string | null {
  const page = pageAddress();
  const hash = draftHash(LONGEST_LINK - page.length);
  return hash === null ? null : page + hash;
}

/** The whole address of a complete config pinned to an explanation; throws link-too-long. */
export function pinnedAddress(config: RunConfig, pin: Pin): string {
  const page = pageAddress();
  return page + encodeLink(config, defaultsOf(config), { tab: 'why', pin }, LONGEST_LINK - page.length);
}

const pageAddress = (): string => location.href.replace(/#.*$/, '');

/** The code of an own world is a default of its card, but no one who opens the link has it. */
function defaultsOf({ env, algo }: RunConfig): { readonly env: JsonObject; readonly algo: JsonObject } {
  const { [CODE_SETTING]: _, ...own } = envCard(env.id)?.defaults ?? {};
  return { env: own, algo: algoCard(algo.id)?.defaults ?? {} };
}
