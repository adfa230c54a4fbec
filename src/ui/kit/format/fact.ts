/**
 * Words of data (a unit, a choice, the name of a world, what a setting does) in the reader's language. What no one has translated yet shows in English,
 * and is marked as English for those who hear the page: `<p lang={langOf(text)}>{t(text)}</p>`.
 */
import { known, locale, t } from '#text/text.ts';

export const langOf = (english: string): 'en' | undefined =>
  locale() === 'en' || !/[a-z]{3}/i.test(english) || known(english) ? undefined : 'en';

/** The same for a title or a label, which cannot be marked: left out where no one has translated it yet. */
export const titleOf = (english: string | undefined): string | undefined =>
  english === undefined || langOf(english) === 'en' ? undefined : t(english);
