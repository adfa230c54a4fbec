/**
 * Groups of the same state inside of groups (GiGPO, Feng et al. 2025): the advantage of a step is that of its episode in its group, plus `weight`
 * times the same of discounted returns-to-go among all steps of the group from the same state. States are the same where the agent stands in
 * the same place and sees the same.
 */
import type { Preset } from '#contract/catalog/catalog.ts';
import { stratifiedAdvantages } from '#math/groups.ts';
import { discountedReturns } from '#math/returns.ts';
import { kind, variant } from '../../../../envs/api/variant.ts';
import * as fields from '../../../api/fields.ts';
import type { WorldEpisodes } from '../world-groups.ts';

export const stateGroups = variant(
  'off',
  [
    kind('off', {}),
    kind('on', {
      weight: fields.real(1, {
        above: 0,
        max: 10,
        title: 'weight of state groups',
        description: 'Of the advantage among steps of a group from the same state.',
        source: 'GiGPO: 1',
        group: 'loss',
        live: true,
      }),
      gamma: fields.gamma(0.95, 'GiGPO', { description: 'Discount of what followed a step, for groups of the same state.' }),
    }),
  ],
  {
    title: 'state groups',
    description: 'Steps of a group from the same state are compared with each other too; off: every step of an episode counts alike.',
    source: 'GiGPO',
    group: 'loss',
  },
);

export const gigpo: Preset = { id: 'gigpo', title: 'GiGPO: groups of the same state inside groups', config: { stateGroups: 'on' } };

/** Where the steps of the rows from `first` on stand in `last`, one episode behind the other. */
function placesOf({ longest, lengths }: Pick<WorldEpisodes, 'longest' | 'lengths'>, first: number, rows: number): number[] {
  const places: number[] = [];
  for (let row = first; row < first + rows; row++) for (let t = 0; t < lengths[row]!; t++) places.push(row * longest + t);
  return places;
}

/** Share of the steps whose state another step of their group began from. */
export function sharedStates(last: Pick<WorldEpisodes, 'longest' | 'lengths' | 'keys'>, group: number): number {
  let [steps, shared] = [0, 0];
  for (let first = 0; first < last.lengths.length; first += group) {
    const states = placesOf(last, first, group).map((place) => last.keys[place]!);
    const times = new Map<number, number>();
    for (const state of states) times.set(state, (times.get(state) ?? 0) + 1);
    for (const state of states) shared += Number((times.get(state) ?? 0) > 1);
    steps += states.length;
  }
  return shared / steps;
}

/** Adds to the advantages [rows * longest], in the places of `last`, those among steps of a group of `group` rows from the same state. */
export function addStateGroups(
  advantages: Float64Array,
  last: Pick<WorldEpisodes, 'longest' | 'lengths' | 'rewards' | 'keys'>,
  { group, weight, gamma }: { readonly group: number; readonly weight: number; readonly gamma: number },
): void {
  const { longest, lengths, rewards, keys } = last;
  for (let first = 0; first < lengths.length; first += group) {
    const places = placesOf(last, first, group);
    const following: number[] = [];
    for (let row = first; row < first + group; row++) {
      const [from, length] = [row * longest, lengths[row]!];
      following.push(...discountedReturns(rewards.subarray(from, from + length), new Uint8Array(length), gamma));
    }
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
