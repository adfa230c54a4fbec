/** What a teacher has typed, as the form holds it: as a lesson, or what is missing in it; and a lesson of the course as such a form. Pure. */
import { isObject, type Json, type JsonObject, readJson } from '#contract/kit/json.ts';
import {
  LESSON_TEXT,
  MOST_CONTROLS,
  MOST_LESSON_RUNS,
  MOST_LESSON_STEPS,
  type OwnLesson,
  type OwnStep,
  ownLessonSchema,
} from '#contract/link/lesson.ts';
import { setAt } from '#contract/run/paths.ts';
import type { Arm, Lesson, Prediction } from '#lessons/define.ts';
import { t } from '#text/text.ts';

/** A setting that a prepared run has in place of the lesson's: its path ("algo.alpha"; "algo.id" is the method), and the value as typed. */
export interface Different {
  readonly path: string;
  readonly value: string;
}

export interface RunForm {
  readonly label: string;
  readonly different: readonly Different[];
}

export interface StepForm {
  readonly title: string;
  readonly say: string;
  readonly run: boolean;
  /** Controls of the lesson that do not show here. */
  readonly hidden: readonly string[];
  readonly set: readonly Different[];
  readonly arms: readonly RunForm[];
  readonly kind: Prediction['kind'];
  readonly ask: string;
  /** One choice a line. */
  readonly options: string;
  /** Which came out: '' (no run tells), 'least', 'most', or borders between the options. */
  readonly came: string;
  readonly unit: string;
  readonly min: string;
  readonly max: string;
  /** The run that answers a number, by its place; '': none does. */
  readonly arm: string;
  readonly surprise: string;
  readonly play: boolean;
  /** What levers pay is hidden: '' (never), in the whole step, or until a run of it began. */
  readonly hides: '' | 'step' | 'predicted';
  /** "ENVIRONMENT PRESET"; '': none. */
  readonly picture: string;
  readonly greedy: boolean;
}

export interface Form {
  readonly title: string;
  readonly goal: string;
  readonly show: readonly string[];
  readonly steps: readonly StepForm[];
  readonly measure: 'finalReturn' | 'evalReturn';
  readonly of: 'each' | 'mean';
  readonly side: 'min' | 'max';
  /** '': no check. */
  readonly bound: string;
}

export const STEP: StepForm = {
  title: '',
  say: '',
  run: true,
  hidden: [],
  set: [],
  arms: [],
  kind: 'choice',
  ask: '',
  options: '',
  came: '',
  unit: '',
  min: '',
  max: '',
  arm: '0',
  surprise: '',
  play: false,
  hides: '',
  picture: '',
  greedy: false,
};
export const EMPTY: Form = { title: '', goal: '', show: [], steps: [STEP], measure: 'evalReturn', of: 'each', side: 'min', bound: '' };

const KEY = 'rl-workbench:own-lesson';

/** What was being written on this machine, also by an earlier build, whose form had fewer fields. */
export function remembered(): Form {
  try {
    const kept: unknown = readJson(localStorage.getItem(KEY) ?? '{}');
    const form = { ...EMPTY, ...(typeof kept === 'object' ? kept : {}) } as Form;
    if (!Array.isArray(form.steps) || !Array.isArray(form.show)) return EMPTY;
    return form.steps.length === 0 ? EMPTY : { ...form, steps: form.steps.map((step) => ({ ...STEP, ...step })) };
  } catch {
    return EMPTY; // blocked storage or a foreign text: an empty form
  }
}

export function remember(form: Form): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(form));
  } catch {
    // Storage is blocked: the text lasts for this visit.
  }
}

/** The value as a setting takes it: JSON where it is some, else the text itself. */
function typedValue(typed: string): Json {
  try {
    return readJson(typed);
  } catch {
    return typed.trim();
  }
}

/** The differing settings as part of a config. */
export function partOf(different: readonly Different[]): JsonObject {
  let part: JsonObject = {};
  for (const { path, value } of different) {
    if (path === '' || value.trim() === '') continue;
    const [room = '', ...keys] = path.split('.');
    part = setAt(part, room === 'run' || path === 'algo.id' ? [room, ...keys] : [room, 'config', ...keys], typedValue(value));
  }
  return part;
}

/** A part of a config as differing settings. */
export function differentIn(part: JsonObject): readonly Different[] {
  const leaves = (value: Json, path: string): readonly Different[] =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`))
      : [{ path, value: typeof value === 'string' ? value : JSON.stringify(value) }];
  return Object.entries(part)
    .flatMap(([room, value]) => leaves(value, room))
    .map(({ path, value }) => ({ path: path.replace(/^(env|algo)\.config\./, '$1.'), value }));
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const numberIn = (text: string): number | null => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : null);

/** Six places over the training, from its beginning to its end. */
export const placesOver = (steps: number): readonly number[] => Array.from({ length: 6 }, (_, i) => Math.round((steps * i) / 5));

interface Missing {
  readonly missing: string;
}

/** The question of a step; undefined: it asks nothing. */
function asked(step: StepForm, n: number, steps: number): NonNullable<OwnStep['ask']> | undefined | Missing {
  const { kind, ask, came, unit, arm } = step;
  if (ask.trim() === '') return undefined;
  if (kind === 'choice') {
    const options = linesOf(step.options);
    if (options.length < 2 || options.length > 5)
      return { missing: t('two to five answers to the question of step {n}, one a line.', { n }) };
    if (new Set(options).size < options.length) return { missing: t('answers that differ to the question of step {n}.', { n }) };
    if (options.some((option) => option.length > LESSON_TEXT.option))
      return { missing: t('a shorter answer in step {n}: at most {most} characters.', { n, most: LESSON_TEXT.option }) };
    if (came === '') return { ask, options: [...options] };
    if (came === 'least' || came === 'most') {
      if (step.arms.length !== options.length)
        return { missing: t('as many prepared runs as answers in step {n}: an answer stands for each of them.', { n }) };
      return { ask, options: [...options], came };
    }
    const borders = came
      .split(/[\s;]+/)
      .filter(Boolean)
      .map(Number);
    if (borders.length !== options.length - 1 || borders.some((border) => !Number.isFinite(border)))
      return { missing: t('one border less than answers in step {n}, as numbers.', { n }) };
    return { ask, options: [...options], came: borders };
  }
  const [min, max] = [numberIn(step.min), numberIn(step.max)];
  if (min === null || max === null || min >= max)
    return { missing: t('the lowest and the highest number of the question of step {n}.', { n }) };
  if (unit.trim() === '') return { missing: t('what is measured in the question of step {n}: return, say.', { n }) };
  if (kind === 'sketch') return { kind, ask, x: [...placesOver(steps)], y: unit, min, max };
  return { kind, ask, unit, min, max, ...(arm === '' ? {} : { arm: Number(arm) }) };
}

const isMissing = (value: object | undefined): value is Missing => value !== undefined && 'missing' in value;

function stepOf(step: StepForm, n: number, form: Form, steps: number): OwnStep | Missing {
  const { title, say, run, hidden, arms, surprise, play, hides, picture, greedy } = step;
  if (title.trim() === '') return { missing: t('the title of step {n}.', { n }) };
  if (say.trim() === '') return { missing: t('the text of step {n}.', { n }) };
  const unnamed = arms.findIndex(({ label }) => label.trim() === '');
  if (unnamed >= 0) return { missing: t('a name for prepared run {run} of step {n}.', { n, run: unnamed + 1 }) };
  if (new Set(arms.map(({ label }) => label.trim())).size < arms.length)
    return { missing: t('names that differ for the prepared runs of step {n}.', { n }) };
  const ask = asked(step, n, steps);
  if (isMissing(ask)) return ask;
  const shown = form.show.filter((path) => !hidden.includes(path));
  const set = partOf(step.set);
  const [env = '', preset = ''] = picture.split(' ');
  return {
    title,
    say,
    ...(run && { run }),
    ...(run && Object.keys(set).length > 0 && { set }),
    ...(run && shown.length < form.show.length && { show: shown }),
    ...(arms.length > 0 && { arms: arms.map(({ label, different }) => ({ label, config: partOf(different) })) }),
    ...(ask !== undefined && { ask }),
    ...(surprise.trim() !== '' && { surprise }),
    ...(play && { play }),
    ...(hides !== '' && { hides }),
    ...(preset !== '' && { picture: { env, preset } }),
    ...(greedy && { measure: 'evalReturn' as const }),
  };
}

/** The form as a lesson, or what is still missing in it. `setup`: the configuration; `steps`: of training of a seed. */
export function lessonOfForm(
  form: Form,
  setup: Pick<OwnLesson, 'env' | 'algo' | 'run'>,
  steps: number,
): { readonly lesson: OwnLesson; readonly missing: '' } | { readonly lesson: null; readonly missing: string } {
  const { title, goal, show, measure, of, side, bound } = form;
  const without = (missing: string) => ({ lesson: null, missing });
  if (title.trim() === '') return without(t('a title.'));
  const made: OwnStep[] = [];
  for (const [i, step] of form.steps.entries()) {
    const one = stepOf(step, i + 1, form, steps);
    if (isMissing(one)) return without(one.missing);
    made.push(one);
  }
  const trains = form.steps.some(({ run }) => run);
  if (show.length > 0 && !trains) return without(t('a step in which the pupil trains: there are controls.'));
  const number = numberIn(bound);
  if (bound.trim() !== '' && number === null) return without(t('a number as the goal, or none.'));
  if (number !== null && !trains) return without(t('a step in which the pupil trains: there is a goal.'));
  const content = {
    ...setup,
    title,
    goal: goal.trim(),
    show: [...show],
    steps: made,
    ...(number !== null && { check: { measure, of, [side]: number } }),
  };
  const parsed = ownLessonSchema.safeParse(content);
  if (parsed.success) return { lesson: parsed.data, missing: '' };
  const [issue] = parsed.error.issues;
  return without(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/** A lesson of the course as a form, and what of it such a form cannot hold, in words. */
export function formOfLesson(lesson: Lesson): { readonly form: Form; readonly left: readonly string[] } {
  const left: string[] = [];
  const show = [...new Set(lesson.steps.flatMap((step) => step.show))].slice(0, MOST_CONTROLS);
  const kept = lesson.steps.slice(0, MOST_LESSON_STEPS);
  if (kept.length < lesson.steps.length) left.push(t('the steps after step {n}', { n: kept.length }));
  let arms: readonly Arm[] = [];
  const steps = kept.map((step, i): StepForm => {
    const n = i + 1;
    // A step with the runs of the step before has them of its own here.
    arms = step.again ? arms : (step.arms ?? []);
    if (arms.length > MOST_LESSON_RUNS) left.push(t('step {n}: the runs after the first {most}', { n, most: MOST_LESSON_RUNS }));
    const { predict } = step;
    const overRuns = predict?.kind === 'sketch' && predict.x.length === arms.length;
    if (overRuns) left.push(t('step {n}: its sketch, which has a run for each place', { n }));
    if (step.group) left.push(t('step {n}: sixteen answers on the stage', { n }));
    if (step.view !== undefined) left.push(t('step {n}: its own view', { n }));
    if ((step.own?.length ?? 0) > 1) left.push(t('step {n}: the second run', { n }));
    return {
      ...STEP,
      title: step.title.slice(0, LESSON_TEXT.step),
      say: step.say.slice(0, LESSON_TEXT.say),
      run: step.own !== undefined,
      hidden: show.filter((path) => !step.show.includes(path)),
      set: differentIn(step.own?.[0]?.config ?? {}),
      arms: arms
        .slice(0, MOST_LESSON_RUNS)
        .map(({ label, config }) => ({ label: label.slice(0, LESSON_TEXT.run), different: differentIn(config) })),
      surprise: step.surprise ?? '',
      play: step.play === true,
      hides: step.hidePayouts === true ? 'step' : (step.hidePayouts ?? ''),
      greedy: (step.check?.measure ?? step.arms?.[0]?.expect?.[0]?.measure) === 'evalReturn',
      ...(overRuns ? {} : questionOf(predict)),
    };
  });
  const last = kept.findLast(({ own }) => own !== undefined);
  const check = last?.check;
  const holds = check !== undefined && check.than === undefined && typeof check.of === 'string';
  for (const [i, { check: other }] of kept.entries())
    if (other !== undefined && !(holds && other === check)) left.push(t('step {n}: its task', { n: i + 1 }));
  const goal = holds ? { measure: check.measure, of: check.of === 'mean' ? ('mean' as const) : ('each' as const) } : {};
  const side = holds && check.min === undefined ? 'max' : 'min';
  return {
    form: { ...EMPTY, title: lesson.title, goal: lesson.goal, show, steps, ...goal, side, bound: holds ? String(check[side] ?? '') : '' },
    left,
  };
}

function questionOf(predict: Prediction | undefined): Partial<StepForm> {
  if (predict === undefined) return {};
  const { kind, ask } = predict;
  if (kind === 'choice') {
    const { answer, options } = predict;
    // Shares of seeds and other runs than the first are not in the form: then no run tells.
    const came =
      answer === undefined
        ? ''
        : 'least' in answer
          ? 'least'
          : 'most' in answer
            ? 'most'
            : answer.arm === 0 && answer.reach === undefined && answer.measure === undefined
              ? answer.bounds.join(' ')
              : '';
    return { kind, ask, options: options.join('\n'), came };
  }
  const range = { min: String(predict.min), max: String(predict.max) };
  if (kind === 'sketch') return { kind, ask, unit: predict.y.slice(0, LESSON_TEXT.unit), ...range };
  const { answer } = predict;
  const arm = answer === undefined || answer.times !== undefined ? '' : String(answer.arm);
  return { kind, ask, unit: predict.unit.slice(0, LESSON_TEXT.unit), ...range, arm };
}

/** The form with something in every place that is still empty, and without questions that are not whole: for the preview. */
export function filled(form: Form, steps: number): Form {
  const some = (text: string): string => (text.trim() === '' ? '…' : text);
  const whole = form.steps.map(
    (step, i): StepForm => ({
      ...step,
      title: some(step.title),
      say: some(step.say),
      ask: isMissing(asked(step, i + 1, steps)) ? '' : step.ask,
      arms: step.arms.map((arm, at) => ({ ...arm, label: arm.label.trim() === '' ? `${t('run')} ${at + 1}` : arm.label })),
    }),
  );
  return { ...form, title: some(form.title), steps: whole };
}
