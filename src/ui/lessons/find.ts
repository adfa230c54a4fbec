/** The lesson that an address names: one of the course by its id, or one made on the page, which the address carries. */
import { fail, toFailure } from '#contract/kit/errors.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import type { Say } from '#lessons/own.ts';
import type { Route } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { marked } from '#ui/kit/format/numbers.ts';
import { loadTexts } from '#ui/kit/parts.ts';
import { said } from './failures.ts';
import { loadLessons, type ShownLesson } from './language.ts';

/** In place of an id: the lesson is in the address itself. */
export const OWN = 'own';

/** In the language of the page. null: the address names none. Throws LabError where there is none of this id, or where the address carries a lesson that cannot be read. */
export async function findLesson({ id, query }: Pick<Route, 'id' | 'query'>): Promise<ShownLesson | null> {
  if (id === null) return null;
  if (id === OWN) {
    const [{ readOwnLesson }] = await Promise.all([import('#lessons/own.ts'), loadTexts('lessons')]);
    return { ...readOwnLesson(query.lesson ?? '', say), lang: '' };
  }
  const lessons = await loadLessons();
  const lesson = lessons.find((one) => one.id === id);
  const ids = lessons.map((one) => one.id);
  if (lesson === undefined) throw fail('unknown-id', `There is no lesson “${id}”.`, whichOf(id, ids));
  return lesson;
}

/** A sentence made of a lesson's own numbers, with the marks of the language. */
export const say: Say = (english, values = {}) =>
  t(english, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, marked(String(value))])));

/** What to show where an address names no lesson. */
export function whyNone(error: unknown): string {
  return said(toFailure(error));
}
