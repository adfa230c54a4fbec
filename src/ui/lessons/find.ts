/** The lesson that an address names: one of the course by its id, or somebody's own, which the address carries. */
import { fail, toFailure } from '#contract/errors.ts';
import { whichOf } from '#contract/nearest.ts';
import type { Lesson } from '#lessons/define.ts';
import type { Route } from '#stores/route.ts';
import { failureText } from '#ui/kit/format/failure.ts';

/** In place of an id: the lesson is in the address itself. */
export const OWN = 'own';

/** null: the address names none. Throws LabError where there is none of this id, or where the address carries a lesson that cannot be read. */
export async function findLesson({ id, query }: Pick<Route, 'id' | 'query'>): Promise<Lesson | null> {
  if (id === null) return null;
  if (id === OWN) return (await import('#lessons/own.ts')).readOwnLesson(query.lesson ?? '');
  const { lessons } = await import('#lessons/index.ts');
  const lesson = lessons.find((one) => one.id === id);
  const ids = lessons.map((one) => one.id);
  if (lesson === undefined) throw fail('unknown-id', `There is no lesson “${id}”.`, whichOf(id, ids));
  return lesson;
}

/** What to show where an address names no lesson. */
export function whyNone(error: unknown): string {
  return failureText(toFailure(error));
}
