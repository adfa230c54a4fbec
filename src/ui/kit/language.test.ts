// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { type CatalogueFile, LANGUAGES, type Language, languageOf } from '#text/languages.ts';
import { t } from '#text/text.ts';
import { compact, measure, parseNumber } from './format/numbers.ts';
import { chooseLanguage, firstLanguage, languageStore } from './language.ts';
import { toastStore } from './toasts.ts';

afterEach(async () => {
  await chooseLanguage(LANGUAGES[0]!);
  localStorage.clear();
  history.replaceState(null, '', '/');
});

test('the address comes first, then what was chosen on this device, then the browser, then English', () => {
  expect(firstLanguage('?lang=fr', 'de', ['es']).id).toBe('fr');
  expect(firstLanguage('?lang=xx', 'de', ['es']).id).toBe('de');
  expect(firstLanguage('', null, ['pt-BR', 'es-MX', 'en']).id).toBe('es');
  expect(firstLanguage('', null, ['pt-BR']).id).toBe('en');
});

test('a language that is chosen shows, is kept, and stands in the address before what the link holds', async () => {
  history.replaceState(null, '', '/?tour=1#/lessons');
  await chooseLanguage(languageOf('de')!);
  expect(t('Worlds')).toBe('Welten');
  expect(location.search + location.hash).toBe('?tour=1&lang=de#/lessons');
  expect(document.documentElement).toMatchObject({ lang: 'de', dir: 'ltr' });
  expect(languageStore.getState().language.id).toBe('de');
  expect(firstLanguage('', localStorage.getItem('rl-workbench:language'), []).id).toBe('de');
});

test('of two languages the one chosen last shows, also where the other is loaded longer or cannot be loaded', async () => {
  const english = LANGUAGES[0]!;
  const answers: { readonly give: (file: CatalogueFile) => void; readonly fail: (error: Error) => void }[] = [];
  const slow: Language = {
    ...languageOf('es')!,
    load: (part) => (part === 'facts' ? Promise.resolve({ default: {} }) : new Promise((give, fail) => answers.push({ give, fail }))),
  };
  const both = [chooseLanguage(slow), chooseLanguage(slow), chooseLanguage(english)];
  await both[2];
  answers[0]?.give({ default: { Worlds: 'Mundos' } });
  answers[1]?.fail(new Error('offline'));
  await Promise.all(both);
  expect(t('Worlds')).toBe('Worlds');
  expect([document.documentElement.lang, languageStore.getState().language.id]).toEqual(['en', 'en']);
  expect([location.search, localStorage.getItem('rl-workbench:language')]).toEqual(['?lang=en', 'en']);
  expect(toastStore.getState().toasts).toEqual([]);
});

test('numbers have the decimal mark of the language and the same digits, and can be typed with it', async () => {
  await chooseLanguage(languageOf('de')!);
  expect([measure(0.74419), compact(12_345)]).toEqual(['0,7442', '12,3\u202fk']);
  expect([parseNumber('0,125'), parseNumber('3,5e-4'), parseNumber('1,000,000'), parseNumber('0.5')]).toEqual([0.125, 3.5e-4, 1e6, 0.5]);
  await chooseLanguage(LANGUAGES[0]!);
  expect([measure(0.74419), parseNumber('1,000')]).toEqual(['0.7442', 1000]);
});
