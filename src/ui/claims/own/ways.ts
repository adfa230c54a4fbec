/** Addresses of the page that makes cards. */
import { hashOf } from '#stores/route.ts';

export const ways = {
  /** `c`: a card to be changed; `paper`: a paper's; `runs`: ids of runs in this profile, joined by commas. */
  make: (query: { readonly c?: string; readonly paper?: string; readonly runs?: string }): string =>
    hashOf({ page: 'papers', id: 'new', query: { ...query } }),
} as const;
