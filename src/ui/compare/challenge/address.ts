/** The whole address of a challenge. */
import { hashOf } from '#stores/route.ts';

export const addressOf = (packed: string): string =>
  location.href.replace(/#.*$/, '') + hashOf({ page: 'challenge', id: null, query: { c: packed } });
