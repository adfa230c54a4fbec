/** The languages of the page. A new one: its catalogue in catalogues/ and its line here. */
import type { Catalogue } from './text.ts';

/** Texts that come when they are first shown. */
export type Part = 'lessons' | 'why';

/** What a catalogue file holds: the texts of every visit, and where the others are; a part that is missing shows in English. */
export type CatalogueFile = { readonly default: Catalogue } & {
  readonly [P in Part]?: () => Promise<{ readonly default: Catalogue }>;
};

export interface Language {
  /** BCP 47. In addresses (`?lang=es`) and on the document. */
  readonly id: string;
  /** In the language itself. */
  readonly name: string;
  readonly dir: 'ltr' | 'rtl';
  /** null: the texts themselves. */
  readonly load: (() => Promise<CatalogueFile>) | null;
}

export const LANGUAGES: readonly Language[] = [
  { id: 'en', name: 'English', dir: 'ltr', load: null },
  { id: 'es', name: 'Español', dir: 'ltr', load: () => import('./catalogues/es.ts') },
  { id: 'fr', name: 'Français', dir: 'ltr', load: () => import('./catalogues/fr.ts') },
  { id: 'de', name: 'Deutsch', dir: 'ltr', load: () => import('./catalogues/de.ts') },
  { id: 'zh-Hans', name: '简体中文', dir: 'ltr', load: () => import('./catalogues/zh-hans.ts') },
];

/** The language of a tag as browsers and addresses write it ('de-AT', 'zh-CN', 'ZH'); null: not one of ours. */
export function languageOf(tag: string): Language | null {
  const asked = tag.toLowerCase();
  const [base = ''] = asked.split('-');
  return (
    LANGUAGES.find(({ id }) => id.toLowerCase() === asked) ?? LANGUAGES.find(({ id }) => id.toLowerCase().split('-')[0] === base) ?? null
  );
}
