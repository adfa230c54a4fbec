/** The lesson that an address names: one of the course by its id, or somebody's own, which the address carries. */
import { LabError } from '#contract/errors.ts';
import type { Lesson } from '#lessons/define.ts';
import type { Route } from '#stores/route.ts';

/** In place of an id: the lesson is in the address itself. */
export const OWN = 'own';

/** null: there is none of this id. Throws LabError where the address carries a lesson that cannot be read. */
export async function findLesson({ id, query }: Pick<Route, 'id' | 'query'>): Promise<Lesson | null> {
  if (id === OWN) return (await import('#lessons/own.ts')).readOwnLesson(query.lesson ?? '');
  return (await import('#lessons/index.ts')).lessons.find((lesson) => lesson.id === id) ?? null;
}

/** What to show where an address names no lesson. */
export function whyNone(id: string | null, error: unknown): string {
  return error instanceof LabError ? error.message : `There is no lesson “${id}”.`;
}
