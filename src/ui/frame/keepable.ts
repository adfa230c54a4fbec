/** What a lesson, a paper or a world needs that this device may not have. */
import type { Keepable } from '#client/files/offline.ts';
import { locale } from '#text/text.ts';
import { keptUrl } from '#ui/kit/policy-file.ts';

/** Ids of all worlds that a value names as `env: { id }`, however deep. */
export function worldsIn(value: unknown): readonly string[] {
  const found = new Set<string>();
  const visit = (at: unknown): void => {
    if (typeof at !== 'object' || at === null) return;
    for (const [key, inner] of Object.entries(at)) {
      const id: unknown = key === 'env' ? Reflect.get(Object(inner), 'id') : undefined;
      if (typeof id === 'string') found.add(id);
      visit(inner);
    }
  };
  visit(value);
  return [...found];
}

/** These worlds with their pictures and the policies that were trained for them, and these parts with the texts of the language that is shown. */
export function keepable(
  worlds: readonly string[],
  parts: readonly string[],
  texts: readonly string[],
  files: readonly string[] = [],
): Keepable {
  const language = locale();
  const words = language === 'en' ? [] : [language, ...texts.map((part) => `${part}/${language}`)];
  return {
    worlds,
    parts: [...parts, ...words],
    files: [...files, ...worlds.flatMap((id) => [`pictures/${id}-`, `pictures/dark/${id}-`, keptUrl(id).slice('./'.length)])],
  };
}
