/** Advantages among steps from the same state. */
import { stratifiedAdvantages } from '#math/groups.ts';
import { discountedReturns } from '#math/returns.ts';
import type { GroupEpisodes } from '../../api/extension.ts';

/** Where the steps of the rows from `first` on stand in `last`, one episode behind the other. */
function placesOf({ longest, lengths }: Pick<GroupEpisodes, 'longest' | 'lengths'>, first: number, rows: number): number[] {
  const places: number[] = [];
  for (let row = first; row < first + rows; row++) for (let t = 0; t < lengths[row]!; t++) places.push(row * longest + t);
  return places;
}

/** What followed each step of a row, that step's own reward first, discounted. */
export function followingOf(
  { longest, lengths, rewards }: Pick<GroupEpisodes, 'longest' | 'lengths' | 'rewards'>,
  row: number,
  gamma: number,
): Float64Array {
  const [from, length] = [row * longest, lengths[row]!];
  return discountedReturns(rewards.subarray(from, from + length), new Uint8Array(length), gamma);
}

/** Adds to the advantages [rows * longest], in the places of `last`, those among steps of a group of `group` rows from the same state. */
export function addStateGroups(
  advantages: Float64Array,
  last: Pick<GroupEpisodes, 'longest' | 'lengths' | 'rewards' | 'keys'>,
  { group, weight, gamma }: { readonly group: number; readonly weight: number; readonly gamma: number },
): void {
  const { lengths, keys } = last;
  for (let first = 0; first < lengths.length; first += group) {
    const places = placesOf(last, first, group);
    const following: number[] = [];
    for (let row = first; row < first + group; row++) following.push(...followingOf(last, row, gamma));
    const among = stratifiedAdvantages(
      following,
      places.map((place) => keys[place]!),
      { eps: 1e-4, ddof: 1 },
    );
    places.forEach((place, i) => {
      advantages[place]! += weight * among[i]!;
    });
  }
}
