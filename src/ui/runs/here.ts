/** Which runs belong together: own ones, those of one lesson, those of one paper. What a lesson or a paper started does not mix with own runs. */
import type { RunGroup, RunsState } from '#stores/types.ts';
import { phaseOf } from '#ui/kit/progress.ts';

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

export interface InWorld {
  /** Runs of the world that is set up, hidden ones among them. */
  readonly alike: readonly RunGroup[];
  /** Of these the ones that are drawn. */
  readonly visible: readonly RunGroup[];
  /** Shown runs of other worlds, which are not drawn. */
  readonly elsewhere: number;
}

/**
 * Of these runs those of the world `env`, which is set up: returns of two worlds are not comparable, and a curve beside a scene is read as that of
 * its world. A lesson's runs may be of the same world with a reward of the pupil's own, which has another id: there the newest run decides.
 */
export function inWorld(here: readonly RunGroup[], activeId: string | null, env: string, lesson: string | null): InWorld {
  const world = lesson === null ? env : (here.find(({ id }) => id === activeId) ?? here[0])?.config.env.id;
  const alike = here.filter(({ config }) => config.env.id === world);
  const elsewhere = here.filter(({ config, visible }) => visible && config.env.id !== world).length;
  return { alike, visible: alike.filter(({ visible }) => visible), elsewhere };
}

/** The active run. One that is over in another world than the one set up is not shown here; one that goes on can be paused everywhere. */
export function runAt({ groups, activeId }: Pick<RunsState, 'groups' | 'activeId'>, env: string): RunGroup | null {
  const active = groups.find(({ id }) => id === activeId);
  if (active === undefined) return null;
  const phase = phaseOf(active);
  const open = phase === 'running' || phase === 'paused' || phase === 'interrupted';
  return open || active.config.env.id === env ? active : null;
}
