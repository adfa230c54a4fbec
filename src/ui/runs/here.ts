/** Which runs belong together: own ones, those of one lesson, those of one paper. What a lesson or a paper started does not mix with own runs. */
import type { RunGroup } from '#stores/types.ts';

const OWN = '';

/** The address that a lesson's or a paper's runs lead back to, without its step; '' for all others. */
function placeOf({ origin }: RunGroup): string {
  if (origin?.kind !== 'lesson' && origin?.kind !== 'paper') return OWN;
  return origin.address?.split('?')[0] ?? OWN;
}

/**
 * The runs that charts and tables are about: in a lesson (`lesson`: its id in the address) that lesson's; elsewhere the person's own, and those that
 * come from where the active run does.
 */
export function runsHere(groups: readonly RunGroup[], activeId: string | null, lesson: string | null): readonly RunGroup[] {
  if (lesson !== null) return groups.filter((group) => placeOf(group) === `#/lessons/${lesson}`);
  const active = groups.find(({ id }) => id === activeId);
  const places = new Set([OWN, active === undefined ? OWN : placeOf(active)]);
  return groups.filter((group) => places.has(placeOf(group)));
}
