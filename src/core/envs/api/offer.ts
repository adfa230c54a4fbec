/** The members of an offer, in one place for all that hand an offer on. */
import type { Offer } from './types.ts';

/** What a definition or an entry says of its offer: for the spec that a family makes of it, and for an entry around another. */
export function offerOf({ recommended, learnNote, unrewarded, before }: Offer): Offer {
  return {
    ...(recommended && { recommended }),
    ...(learnNote !== undefined && { learnNote }),
    ...(unrewarded === true && { unrewarded }),
    ...(before !== undefined && { before }),
  };
}
