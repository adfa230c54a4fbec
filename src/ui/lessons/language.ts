/**
 * Lessons in the reader's language. Their English texts stand in src/lessons and nowhere else; the translations are loaded with the first lesson
 * that is shown. A lesson of which a text has no translation is shown in English as a whole.
 */
import type { Arm, Check, Lesson, Prediction, Step, WrittenReward } from '#lessons/define.ts';
import { known, locale, t } from '#text/text.ts';
import { loadTexts } from '#ui/kit/parts.ts';

export interface ShownLesson extends Lesson {
  /** Of its texts, where it is another than that of the page; '': not known. */
  readonly lang?: string;
  /** What each step says and asks in English, where the lesson is shown in another language. */
  readonly english?: readonly string[];
}

const inEnglish = ({ title, say, predict }: Step): string => [title, say, predict?.ask ?? ''].join(' ');

/** What a step says and asks in English, by which the words that it uses are found. */
export const englishOf = (lesson: ShownLesson, at: number): string =>
  lesson.english?.[at] ?? (lesson.steps[at] === undefined ? '' : inEnglish(lesson.steps[at]));

/** The lesson with `change` applied to each of its texts. Places on a sketch are numbers, and stay. */
export function withTexts<L extends Lesson>(lesson: L, change: (text: string) => string): L {
  const all = (texts: readonly string[]): readonly string[] => texts.map(change);
  const check = ({ say, than, ...rest }: Check): Check => ({
    ...rest,
    say: change(say),
    ...(than !== undefined && { than: change(than) }),
  });
  const arms = (list: readonly Arm[]): readonly Arm[] => list.map((arm) => ({ ...arm, label: change(arm.label) }));
  const predict = (asked: Prediction): Prediction => {
    const ask = change(asked.ask);
    if (asked.kind === 'choice') return { ...asked, ask, options: all(asked.options) };
    return asked.kind === 'number' ? { ...asked, ask, unit: change(asked.unit) } : { ...asked, ask, y: change(asked.y) };
  };
  const reward = ({ goal, ...rest }: WrittenReward): WrittenReward => ({
    ...rest,
    ...(goal !== undefined && { goal: { ...goal, say: change(goal.say) } }),
  });
  const step = (one: Step): Step => ({
    ...one,
    title: change(one.title),
    say: change(one.say),
    ...(one.predict !== undefined && { predict: predict(one.predict) }),
    ...(one.arms !== undefined && { arms: arms(one.arms) }),
    ...(one.own !== undefined && { own: arms(one.own) }),
    ...(one.surprise !== undefined && { surprise: change(one.surprise) }),
    ...(one.check !== undefined && { check: check(one.check) }),
    ...(one.reward !== undefined && { reward: reward(one.reward) }),
  });
  return {
    ...lesson,
    title: change(lesson.title),
    goal: change(lesson.goal),
    belief: change(lesson.belief),
    age: change(lesson.age),
    steps: lesson.steps.map(step),
    ...(lesson.plan !== undefined && { plan: all(lesson.plan) }),
    teacher: all(lesson.teacher),
    extend: change(lesson.extend),
  };
}

/** Every text of a lesson, each once. */
export function textsOf(lesson: Lesson): readonly string[] {
  const found = new Set<string>();
  withTexts(lesson, (text) => {
    if (text !== '') found.add(text);
    return text;
  });
  return [...found];
}

/** A lesson of the course as it is shown, once its texts are loaded. */
export function inLanguage(lesson: Lesson): ShownLesson {
  if (locale() === 'en') return lesson;
  if (!textsOf(lesson).every(known)) return { ...lesson, lang: 'en' };
  return { ...withTexts(lesson, (text) => (text === '' ? '' : t(text))), english: lesson.steps.map(inEnglish) };
}

/** The lessons of the course, in the language of the page. */
export async function loadLessons(): Promise<readonly ShownLesson[]> {
  const [{ lessons }] = await Promise.all([import('#lessons/index.ts'), loadTexts('lessons')]);
  return lessons.map(inLanguage);
}
