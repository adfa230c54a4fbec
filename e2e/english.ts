/** Finds English on a page that is shown in another language: in what is seen and in what is read aloud. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { translationsIn } from '../tools/po.mjs';

const PARTS = ['', 'facts/', 'lessons/', 'why/', 'papers/'];

/** Words of English sentences that the language does not have. */
const ENGLISH =
  'the of and with is are was this that these from its it which each every have been than when what where they there by to for into without not';
const ALSO: { readonly [id: string]: readonly string[] } = { de: ['was', 'not'], es: [], fr: [], 'zh-Hans': [] };

/** Names, and words that are the same in all languages here. */
const EXCUSED = [/RL Workbench/, /^Q-learning$/, /^[\w.-]+\.\w+$/, /CleanRL|RL Zoo|Gymnasium|PureJaxRL/, /\b(?:Ctrl|Esc|Enter|Tab)\b/];

/** Texts of the page: what is seen, labels and titles. What is marked as English, code and what a person typed are left out. */
const textsOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const OUT = 'code, pre, kbd, samp, .cm-editor, script, style, noscript, textarea, math, [translate=no], [lang=en]';
    const seen = (element: Element): boolean => element.closest(OUT) === null && element.checkVisibility({ visibilityProperty: true });
    const found = new Set<string>();
    const add = (text: string | null): void => {
      const plain = (text ?? '').trim().replace(/\s+/g, ' ');
      if (/[A-Za-z]{2}/.test(plain)) found.add(plain);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: parent, textContent } = walker.currentNode;
      if (parent === null) continue;
      // what a closed list holds is no box, but read aloud
      const shown = parent.tagName === 'OPTION' ? parent.closest(OUT) === null && seen(parent.closest('select') ?? parent) : seen(parent);
      if (shown) add(textContent);
    }
    const names = ['aria-label', 'title', 'alt', 'placeholder', 'aria-description', 'aria-valuetext', 'aria-roledescription'];
    for (const element of document.body.querySelectorAll('*')) if (seen(element)) for (const name of names) add(element.getAttribute(name));
    return [...found];
  });

/** Tells English texts in the language with this id ('de'). */
export function englishIn(id: string): (text: string) => boolean {
  const all: Record<string, string> = {};
  for (const part of PARTS) {
    const file = new URL(`../src/text/catalogues/${part}${id.toLowerCase()}.po`, import.meta.url);
    Object.assign(all, translationsIn(readFileSync(file, 'utf8')));
  }
  const own = new Set(Object.values(all));
  const words = ENGLISH.split(' ').filter((word) => !ALSO[id]?.includes(word));
  const sentence = new RegExp(`(?<![\\p{L}\\d'’-])(?:${words.join('|')})(?![\\p{L}\\d'’-])`, 'iu');
  // Chinese has no words in small letters: two of them in a row are English
  const small = /(?<![\w./:-])[a-z]{3,} [a-z]{2,}(?![\w./:-])/;
  return (text) => {
    if (EXCUSED.some((excuse) => excuse.test(text))) return false;
    if (text in all) return all[text] !== text && !own.has(text);
    return (/\s/.test(text) && sentence.test(text)) || (id.startsWith('zh') && small.test(text));
  };
}

/** English texts of the page, which is shown in this language. */
export const englishOn = async (page: Page, id: string): Promise<readonly string[]> => (await textsOn(page)).filter(englishIn(id));
