/** The languages of the page. A new one: its line here, and `npm run texts`, which writes its files in catalogues/. */
import type { Catalogue } from './text.ts';

/**
 * Texts of every visit, and the words of data that it may show (units, choices, names of worlds, settings and curves); those of the lessons, of the panel
 * Why and of a paper's page come when they are first shown.
 */
export const PARTS = ['page', 'facts', 'lessons', 'why', 'papers'] as const;
export type Part = (typeof PARTS)[number];

/** A catalogue as the build makes it of a .po file: texts that are not translated are left out. */
export interface CatalogueFile {
  readonly default: Catalogue;
}

export interface Language {
  /** BCP 47. In addresses (`?lang=es`) and on the document. */
  readonly id: string;
  /** In the language itself. */
  readonly name: string;
  readonly dir: 'ltr' | 'rtl';
  /** null: the texts themselves. */
  readonly load: ((part: Part) => Promise<CatalogueFile>) | null;
}

/** The files of a language. */
const files =
  (all: { readonly [P in Part]: () => Promise<CatalogueFile> }) =>
  (part: Part): Promise<CatalogueFile> =>
    all[part]();

export const LANGUAGES: readonly Language[] = [
  { id: 'en', name: 'English', dir: 'ltr', load: null },
  {
    id: 'es',
    name: 'Español',
    dir: 'ltr',
    load: files({
      page: () => import('./catalogues/es.po'),
      facts: () => import('./catalogues/facts/es.po'),
      lessons: () => import('./catalogues/lessons/es.po'),
      why: () => import('./catalogues/why/es.po'),
      papers: () => import('./catalogues/papers/es.po'),
    }),
  },
  {
    id: 'fr',
    name: 'Français',
    dir: 'ltr',
    load: files({
      page: () => import('./catalogues/fr.po'),
      facts: () => import('./catalogues/facts/fr.po'),
      lessons: () => import('./catalogues/lessons/fr.po'),
      why: () => import('./catalogues/why/fr.po'),
      papers: () => import('./catalogues/papers/fr.po'),
    }),
  },
  {
    id: 'de',
    name: 'Deutsch',
    dir: 'ltr',
    load: files({
      page: () => import('./catalogues/de.po'),
      facts: () => import('./catalogues/facts/de.po'),
      lessons: () => import('./catalogues/lessons/de.po'),
      why: () => import('./catalogues/why/de.po'),
      papers: () => import('./catalogues/papers/de.po'),
    }),
  },
  {
    id: 'zh-Hans',
    name: '简体中文',
    dir: 'ltr',
    load: files({
      page: () => import('./catalogues/zh-hans.po'),
      facts: () => import('./catalogues/facts/zh-hans.po'),
      lessons: () => import('./catalogues/lessons/zh-hans.po'),
      why: () => import('./catalogues/why/zh-hans.po'),
      papers: () => import('./catalogues/papers/zh-hans.po'),
    }),
  },
];

/** The language of a tag as browsers and addresses write it ('de-AT', 'zh-CN', 'ZH'); null: not one of ours. */
export function languageOf(tag: string): Language | null {
  const asked = tag.toLowerCase();
  const [base = ''] = asked.split('-');
  return (
    LANGUAGES.find(({ id }) => id.toLowerCase() === asked) ?? LANGUAGES.find(({ id }) => id.toLowerCase().split('-')[0] === base) ?? null
  );
}
