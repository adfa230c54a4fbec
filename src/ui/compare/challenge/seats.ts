/** The seats of a world as people read them. */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { spoken } from '#contract/game/seats.ts';

export const namesOfSeats = (world: EnvCard): readonly string[] => world.groups.flatMap(({ names }) => names.map(spoken));
