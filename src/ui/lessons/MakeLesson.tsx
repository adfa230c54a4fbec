/**
 * Where a teacher makes a lesson of the set-up that is open in the laboratory: which controls show, the text of the steps, what the run must
 * reach. All of it goes into one link. Texts are plain text. What is being written stays on this machine until it is thrown away.
 */
import { useEffect, useId, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type Json, readJson } from '#contract/kit/json.ts';
import {
  encodeLesson,
  LESSON_TEXT,
  LONGEST_LESSON,
  MOST_CONTROLS,
  MOST_LESSON_SEEDS,
  MOST_LESSON_STEPS,
  type OwnLesson,
  ownLessonSchema,
} from '#contract/link/lesson.ts';
import { refsOf } from '#contract/link/link.ts';
import { algoCard, envCard } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { hashOf } from '#stores/route.ts';
import type { Leaf } from '#ui/form/leaves.ts';
import sheet from '#ui/frame/Sheet.module.css';
import { Sheet } from '#ui/frame/Sheet.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { QrCode } from '#ui/kit/QrCode.tsx';
import { copy } from '#ui/kit/save.ts';
import { useTitle } from '#ui/kit/useTitle.ts';
import { allLeaves, useSetup } from '#ui/setup/useSetup.ts';
import { OWN } from './find.ts';
import styles from './Make.module.css';

interface StepForm {
  readonly title: string;
  readonly say: string;
  readonly run: boolean;
  readonly ask: string;
  /** One choice a line. */
  readonly options: string;
}

interface Form {
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

const KEY = 'rl-workbench:own-lesson';
const STEP: StepForm = { title: '', say: '', run: true, ask: '', options: '' };
const EMPTY: Form = { title: '', goal: '', show: [], steps: [STEP], measure: 'evalReturn', of: 'each', side: 'min', bound: '' };
/** Characters of an address that a QR code still shows well. */
const LONGEST_QR = 800;

function remembered(): Form {
  try {
    const kept: unknown = readJson(localStorage.getItem(KEY) ?? '{}');
    const form = { ...EMPTY, ...(typeof kept === 'object' ? kept : {}) } as Form;
    return Array.isArray(form.steps) && Array.isArray(form.show) ? form : EMPTY;
  } catch {
    return EMPTY; // blocked storage or a foreign text: an empty form
  }
}

export default function MakeLesson() {
  const [form, setForm] = useState(remembered);
  const setup = useSetup();
  const config = useStore(draftStore, (state) => state.config);
  const problems = useStore(draftStore, (state) => state.problems);
  const title = useTitle();
  const leaves = allLeaves(setup).filter(({ path }) => path !== 'run.executor' && path !== 'run.seedStart');
  const change = (part: Partial<Form>): void => setForm({ ...form, ...part });
  const changeStep = (at: number, part: Partial<StepForm>): void =>
    change({ steps: form.steps.map((step, i) => (i === at ? { ...step, ...part } : step)) });
  useEffect(() => {
    try {
      localStorage.setItem(KEY, JSON.stringify(form));
    } catch {
      // Storage is blocked: the text lasts for this visit.
    }
  }, [form]);

  const made = useMemo(() => {
    const { env, algo, run } = refsOf(config, {
      env: envCard(config.env.id)?.defaults ?? {},
      algo: algoCard(config.algo.id)?.defaults ?? {},
    });
    return lessonOfForm(form, { env, algo, ...(run === undefined ? {} : { run }) });
  }, [form, config]);
  const seeds = config.run.seeds > MOST_LESSON_SEEDS ? `Use at most ${MOST_LESSON_SEEDS} seeds: a result code holds no more.` : '';
  const missing = problems[0]?.message ?? (made.lesson === null ? made.missing : seeds);
  const packed = made.lesson === null || missing !== '' ? '' : encodeLesson(made.lesson);
  const tooLong = packed.length > LONGEST_LESSON;
  const hash = hashOf({ page: 'lessons', id: OWN, query: { lesson: packed } });
  const address = location.href.replace(/#.*$/, '') + hash;
  const unknown = form.show.filter((path) => !leaves.some((leaf) => leaf.path === path));

  return (
    <Sheet title="Make a lesson" page="lessons" tab="Make a lesson" narrow>
      <p className={styles.quiet}>
        Its configuration is the one that is open in the laboratory: {title}, {config.run.steps.toLocaleString('en')} steps,{' '}
        {config.run.seeds} {config.run.seeds === 1 ? 'seed' : 'seeds'}. Change it there; what you write here stays.
      </p>

      <section className={sheet.part} aria-labelledby="make-words">
        <h2 id="make-words">What it is about</h2>
        <Text label="Title" value={form.title} most={LESSON_TEXT.title} onChange={(value) => change({ title: value })} />
        <Text
          label="What is understood at the end (may stay empty)"
          value={form.goal}
          most={LESSON_TEXT.goal}
          onChange={(value) => change({ goal: value })}
        />
      </section>

      <fieldset className={sheet.part}>
        <legend>
          <h2>
            Controls that the pupil gets, {form.show.length} of at most {MOST_CONTROLS}
          </h2>
        </legend>
        <p className={styles.quiet}>All others are hidden and out of the tab order. Two or three are enough.</p>
        <Controls leaves={leaves.filter(({ depth }) => depth !== 'stored')} chosen={form.show} onChange={(show) => change({ show })} />
        {unknown.length > 0 && (
          <p className={styles.row}>
            {unknown.join(', ')}: not in this configuration.
            <Button onClick={() => change({ show: form.show.filter((path) => !unknown.includes(path)) })}>Leave out</Button>
          </p>
        )}
      </fieldset>

      <section className={sheet.part} aria-labelledby="make-steps">
        <h2 id="make-steps">Steps</h2>
        {form.steps.map((step, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no name of their own, and their place is what they are
          <fieldset key={i} className={styles.step}>
            <legend>Step {i + 1}</legend>
            <Text
              label={`Title of step ${i + 1}`}
              value={step.title}
              most={LESSON_TEXT.step}
              onChange={(value) => changeStep(i, { title: value })}
            />
            <Text
              label={`Text of step ${i + 1}`}
              rows={3}
              value={step.say}
              most={LESSON_TEXT.say}
              onChange={(say) => changeStep(i, { say })}
            />
            <label className={styles.check}>
              <input type="checkbox" checked={step.run} onChange={(event) => changeStep(i, { run: event.target.checked })} />
              The pupil sets the controls and trains
            </label>
            <Text
              label="Question before the run (may stay empty)"
              value={step.ask}
              most={LESSON_TEXT.ask}
              onChange={(ask) => changeStep(i, { ask })}
            />
            {step.ask.trim() !== '' && (
              <Text
                label="Its answers, one a line, 2 to 5"
                rows={3}
                value={step.options}
                most={420}
                onChange={(options) => changeStep(i, { options })}
              />
            )}
            {form.steps.length > 1 && (
              <Button icon="trash" onClick={() => change({ steps: form.steps.filter((_, at) => at !== i) })}>
                Remove step {i + 1}
              </Button>
            )}
          </fieldset>
        ))}
        <Button icon="plus" disabled={form.steps.length >= MOST_LESSON_STEPS} onClick={() => change({ steps: [...form.steps, STEP] })}>
          Add a step
        </Button>
      </section>

      <section className={sheet.part} aria-labelledby="make-check">
        <h2 id="make-check">Goal</h2>
        <p className={styles.quiet}>What the run of the last step with one must reach; without a number there is no goal.</p>
        <span className={styles.row}>
          <select
            aria-label="What is measured"
            value={form.measure}
            onChange={(event) => change({ measure: event.target.value as Form['measure'] })}
          >
            <option value="evalReturn">greedy test</option>
            <option value="finalReturn">return while learning, at the end</option>
          </select>
          <select aria-label="Of which seeds" value={form.of} onChange={(event) => change({ of: event.target.value as Form['of'] })}>
            <option value="each">of every seed</option>
            <option value="mean">as the mean over seeds</option>
          </select>
          <select aria-label="Direction" value={form.side} onChange={(event) => change({ side: event.target.value as Form['side'] })}>
            <option value="min">at least</option>
            <option value="max">at most</option>
          </select>
          <input
            type="number"
            step="any"
            aria-label="Bound"
            value={form.bound}
            onChange={(event) => change({ bound: event.target.value })}
          />
        </span>
      </section>

      <section className={sheet.part} aria-labelledby="make-link">
        <h2 id="make-link">Link</h2>
        <p role="status" className={missing === '' && !tooLong ? styles.quiet : styles.missing}>
          {missing !== ''
            ? `Still missing: ${missing}`
            : tooLong
              ? `The lesson has ${packed.length.toLocaleString('en')} characters, a link holds ${LONGEST_LESSON.toLocaleString('en')}. Shorten its texts.`
              : `The link carries the whole lesson: ${packed.length.toLocaleString('en')} of ${LONGEST_LESSON.toLocaleString('en')} characters.`}
        </p>
        {packed !== '' && !tooLong && (
          <>
            <input type="text" readOnly aria-label="Link of the lesson" value={address} onFocus={(event) => event.target.select()} />
            <span className={styles.row}>
              <Button kind="solid" icon="copy" onClick={() => void copy(address, 'Link')}>
                Copy link
              </Button>
              <Button icon="play" onClick={() => (location.hash = hash)}>
                Try it as a pupil
              </Button>
              <Button onClick={() => (location.hash = hashOf({ page: 'class', id: OWN, query: { lesson: packed } }))}>For a class</Button>
            </span>
            {address.length <= LONGEST_QR && <QrCode className={styles.qr} text={address} name="QR code of the lesson" recovery="L" />}
          </>
        )}
        <span className={styles.row}>
          <Button icon="trash" disabled={form === EMPTY} onClick={() => setForm(EMPTY)}>
            Throw this text away
          </Button>
        </span>
      </section>
    </Sheet>
  );
}

/** The form as a lesson, or what is still missing in it. */
function lessonOfForm(
  { title, goal, show, steps, measure, of, side, bound }: Form,
  setup: Pick<OwnLesson, 'env' | 'algo' | 'run'>,
): { readonly lesson: OwnLesson; readonly missing: '' } | { readonly lesson: null; readonly missing: string } {
  if (title.trim() === '') return { lesson: null, missing: 'a title.' };
  for (const [i, step] of steps.entries()) {
    const choices = linesOf(step.options);
    if (step.title.trim() === '') return { lesson: null, missing: `the title of step ${i + 1}.` };
    if (step.say.trim() === '') return { lesson: null, missing: `the text of step ${i + 1}.` };
    if (step.ask.trim() !== '' && (choices.length < 2 || choices.length > 5))
      return { lesson: null, missing: `two to five answers to the question of step ${i + 1}, one a line.` };
    const long = choices.find((choice) => choice.length > LESSON_TEXT.option);
    if (step.ask.trim() !== '' && long !== undefined)
      return { lesson: null, missing: `a shorter answer in step ${i + 1}: at most ${LESSON_TEXT.option} characters.` };
  }
  if (show.length > 0 && !steps.some(({ run }) => run))
    return { lesson: null, missing: 'a step in which the pupil trains: there are controls.' };
  const number = Number(bound);
  if (bound.trim() !== '' && !Number.isFinite(number)) return { lesson: null, missing: 'a number as the goal, or none.' };
  if (bound.trim() !== '' && !steps.some(({ run }) => run))
    return { lesson: null, missing: 'a step in which the pupil trains: there is a goal.' };
  const content: Json = {
    ...(setup as { readonly [key: string]: Json }),
    title,
    goal: goal.trim(),
    show,
    steps: steps.map(({ title: name, say, run, ask, options }) => ({
      title: name,
      say,
      ...(run ? { run } : {}),
      ...(ask.trim() === '' ? {} : { ask: { ask, options: linesOf(options) } }),
    })),
    ...(bound.trim() === '' ? {} : { check: { measure, of, [side]: number } }),
  };
  const parsed = ownLessonSchema.safeParse(content);
  if (parsed.success) return { lesson: parsed.data, missing: '' };
  return { lesson: null, missing: `${parsed.error.issues[0]?.path.join('.') ?? 'something'}: ${parsed.error.issues[0]?.message ?? ''}` };
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly most: number;
  readonly rows?: number;
  readonly onChange: (value: string) => void;
}

function Text({ label, value, most, rows, onChange }: TextProps) {
  const id = useId();
  return (
    <div className={styles.text}>
      <label htmlFor={id}>
        {label}
        {value.length > most * 0.8 && ` (${value.length} of ${most})`}
      </label>
      {rows === undefined ? (
        <input id={id} type="text" maxLength={most} value={value} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <textarea id={id} rows={rows} maxLength={most} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </div>
  );
}

interface ControlsProps {
  readonly leaves: readonly Leaf[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

const ROOMS = { env: 'Environment', algo: 'Algorithm', run: 'Seeds and budget' } as const;

function Controls({ leaves, chosen, onChange }: ControlsProps) {
  return (
    <div className={styles.rooms}>
      {(['env', 'algo', 'run'] as const).map((room) => {
        const some = leaves.filter(({ path }) => path.startsWith(`${room}.`));
        const picked = some.filter(({ path }) => chosen.includes(path)).length;
        return (
          <details key={room} open={room !== 'run'}>
            <summary>
              {ROOMS[room]}
              {picked > 0 && `, ${picked} chosen`}
            </summary>
            {some.map(({ path, title }) => (
              <label key={path} className={styles.check}>
                <input
                  type="checkbox"
                  checked={chosen.includes(path)}
                  disabled={!chosen.includes(path) && chosen.length >= MOST_CONTROLS}
                  onChange={(event) => onChange(event.target.checked ? [...chosen, path] : chosen.filter((other) => other !== path))}
                />
                {title}
              </label>
            ))}
          </details>
        );
      })}
    </div>
  );
}
