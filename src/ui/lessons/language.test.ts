// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest';
import { toFailure } from '#contract/kit/errors.ts';
import { encodeLesson } from '#contract/link/lesson.ts';
import { lessons } from '#lessons/index.ts';
import { readOwnLesson } from '#lessons/own.ts';
import { decodeResult, strangerTo } from '#lessons/result.ts';
import { LANGUAGES, languageOf } from '#text/languages.ts';
import { add, show } from '#text/text.ts';
import { chooseLanguage } from '#ui/kit/language.ts';
import { said, translated } from './failures.ts';
import { findLesson } from './find.ts';
import { inLanguage, loadLessons, textsOf } from './language.ts';
import { figure, placeText } from './results.ts';

afterEach(async () => {
  await chooseLanguage(LANGUAGES[0]!);
  localStorage.clear();
  history.replaceState(null, '', '/');
});

const failureOf = (make: () => unknown): ReturnType<typeof toFailure> => {
  try {
    make();
  } catch (error) {
    return toFailure(error);
  }
  throw new Error('nothing was thrown');
};

test('in English a lesson is what stands in its file', async () => {
  expect(await loadLessons()).toEqual(lessons);
});

test('a lesson in another language: every text, and the arms that its check names', async () => {
  await chooseLanguage(languageOf('de')!);
  const shown = await loadLessons();
  const english = new Set(lessons.flatMap(textsOf));
  // Names of methods are the same in both.
  const same = new Set(shown.flatMap(textsOf).filter((text) => english.has(text)));
  expect([...same].filter((text) => text.length > 12)).toEqual([]);
  for (const { steps, lang } of shown) {
    expect(lang).toBeUndefined();
    for (const { check, own = [] } of steps) if (check?.than !== undefined) expect(own.map(({ label }) => label)).toContain(check.than);
  }
});

test('a lesson of which one text is missing is in English as a whole, and marked so', async () => {
  const [lesson] = lessons;
  await add('xx', { [lesson!.title]: 'titulus', [lesson!.goal]: 'finis' });
  show('xx');
  expect(inLanguage(lesson!)).toEqual({ ...lesson, lang: 'en' });
  show('en');
});

test('a teacher’s own lesson: its own words stay, the language of them is not known, its goal is said in that of the page', async () => {
  await chooseLanguage(languageOf('de')!);
  const packed = encodeLesson({
    title: 'Mine',
    goal: '',
    env: { id: 'bandit' },
    algo: { id: 'q-learning' },
    run: { steps: 100 },
    show: ['algo.alpha'],
    steps: [{ title: 'Run', say: 'Run it.', run: true }],
    check: { measure: 'evalReturn', of: 'mean', min: 0.5 },
  });
  const found = await findLesson({ id: 'own', query: { lesson: packed } });
  expect(found).toMatchObject({ title: 'Mine', lang: '' });
  expect(found?.steps[0]).toMatchObject({
    say: 'Run it.',
    own: [{ label: 'meine Einstellungen' }],
    check: { say: 'ein gieriger Ertrag von mindestens 0,5 im Mittel über die Seeds' },
  });
  expect(readOwnLesson(packed).steps[0]?.check?.say).toBe('a greedy return of at least 0.5 as the mean over seeds');
});

test('failures of codes and links, in the reader’s language', async () => {
  await chooseLanguage(languageOf('de')!);
  await loadLessons();
  expect(said(failureOf(() => decodeResult('hello', lessons)))).toBe(
    'Das ist kein Ergebniscode. Ein Code beginnt mit RL1: und wird ganz kopiert.',
  );
  expect(said(failureOf(() => decodeResult('RL1:00', lessons)))).toMatch(
    /^Dieser Code ist beschädigt: sein.*\. Kopiere den ganzen Code noch einmal, oder scanne ihn\.$/,
  );
  expect(said(failureOf(() => readOwnLesson('1.x')))).toMatch(/^Der Link dieser Lektion ist beschädigt: /);
  await expect(findLesson({ id: 'clif', query: {} })).rejects.toSatisfy(
    (error) => said(toFailure(error)) === 'Es gibt keine Lektion „clif“. Meintest du cliff?',
  );
  expect(translated(strangerTo(5, { salt: 0, seat: 3, seedStart: 1 })?.why ?? '')).toBe('er nennt Platz 3 und keine Klasse');
  expect(translated('something else')).toBe('something else');
});

test('numbers of a lesson have the marks of the language', async () => {
  expect([figure(0.95), figure(-13), placeText('10,000'), placeText('0.01')]).toEqual(['0.95', '−13', '10,000', '0.01']);
  await chooseLanguage(languageOf('de')!);
  expect([figure(0.95), placeText('10,000'), placeText('0.01')]).toEqual(['0,95', '10.000', '0,01']);
});
