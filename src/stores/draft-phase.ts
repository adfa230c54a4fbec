/** The state machine of the draft: whether a config is open, and whether one that is being loaded is to replace it. draft-phase.test.ts has its table. */

/** empty: the draft is only a place for what is opened first. open: something is set up. loading: something is on its way over one or the other. */
export type DraftPhase =
  | { readonly kind: 'empty' }
  | { readonly kind: 'open' }
  | { readonly kind: 'loading'; readonly over: 'empty' | 'open' };

/**
 * asked: a link, file or policy begins to load. ended: the newest of those is here, or cannot be had. chosen: something is set up, by a person or from
 * what was loaded; nothing that is on its way takes its place. first: the page itself sets something up, and what is on its way still takes its place.
 */
export type DraftEvent = 'asked' | 'ended' | 'chosen' | 'first';

export function nextPhase(phase: DraftPhase, event: DraftEvent): DraftPhase {
  const over = phase.kind === 'loading' ? phase.over : phase.kind;
  switch (event) {
    case 'asked':
      return { kind: 'loading', over };
    case 'ended':
      return { kind: over };
    case 'chosen':
      return { kind: 'open' };
    case 'first':
      return phase.kind === 'loading' ? { kind: 'loading', over: 'open' } : { kind: 'open' };
  }
}
