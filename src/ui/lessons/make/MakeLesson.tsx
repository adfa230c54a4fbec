/**
 * Where a teacher makes a lesson: of the set-up that is open in the laboratory, or of a lesson of the course, which is copied into the form. All of
 * it goes into one link. Texts are plain text. What is being written stays on this machine until it is thrown away.
 */
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { toFailure } from '#contract/kit/errors.ts';
import { encodeLesson, LESSON_TEXT, LONGEST_LESSON, MOST_CONTROLS, MOST_LESSON_SEEDS, MOST_LESSON_STEPS } from '#contract/link/lesson.ts';
import { refsOf } from '#contract/link/link.ts';
import { lessonOf } from '#lessons/own.ts';
import { algoCard, envCard } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { hashOf } from '#stores/route.ts';
import { t } from '#text/text.ts';
import sheet from '#ui/frame/Sheet.module.css';
import { Sheet } from '#ui/frame/Sheet.tsx';
import { Button } from '#ui/kit/Button.tsx';
import fields from '#ui/kit/Fields.module.css';
import { Choice, Text } from '#ui/kit/Fields.tsx';
import { compact } from '#ui/kit/format/numbers.ts';
import { useTexts } from '#ui/kit/parts.ts';
import { QrCode } from '#ui/kit/QrCode.tsx';
import { copy } from '#ui/kit/save.ts';
import { useTitle } from '#ui/kit/useTitle.ts';
import { allLeaves, useSetup } from '#ui/setup/useSetup.ts';
import { configOf } from '../arms.ts';
import { said } from '../failures.ts';
import { OWN, say } from '../find.ts';
import { loadLessons, type ShownLesson } from '../language.ts';
import { Controls } from './Controls.tsx';
import { EMPTY, type Form, filled, formOfLesson, lessonOfForm, remember, remembered, STEP, type StepForm } from './form.ts';
import styles from './Make.module.css';
import { Preview } from './Preview.tsx';
import { StepFields } from './StepFields.tsx';
import { useRunProblem } from './useRunProblem.ts';

/** Characters of an address that a QR code still shows well. */
const LONGEST_QR = 800;

export default function MakeLesson() {
  return useTexts('lessons') ? <Page /> : null;
}

function Page() {
  const [form, setForm] = useState(remembered);
  /** The step that the preview shows: the one that is being written. */
  const [at, setAt] = useState(0);
  const setup = useSetup();
  const config = useStore(draftStore, (state) => state.config);
  const problems = useStore(draftStore, (state) => state.problems);
  const title = useTitle();
  const leaves = allLeaves(setup).filter(({ path, depth }) => path !== 'run.executor' && path !== 'run.seedStart' && depth !== 'stored');
  const change = (part: Partial<Form>): void => setForm({ ...form, ...part });
  const changeStep = (place: number, part: Partial<StepForm>): void =>
    change({ steps: form.steps.map((step, i) => (i === place ? { ...step, ...part } : step)) });
  useEffect(() => remember(form), [form]);

  const [made, shown] = useMemo(() => {
    const { env, algo, run } = refsOf(config, {
      env: envCard(config.env.id)?.defaults ?? {},
      algo: algoCard(config.algo.id)?.defaults ?? {},
    });
    const refs = { env, algo, ...(run === undefined ? {} : { run }) };
    const { lesson } = lessonOfForm(filled(form, config.run.steps), refs, config.run.steps);
    return [lessonOfForm(form, refs, config.run.steps), lesson === null ? null : lessonOf(lesson, '', say)] as const;
  }, [form, config]);
  const refused = useRunProblem(made.lesson);
  const seeds = config.run.seeds > MOST_LESSON_SEEDS ? t('at most {n} seeds: a result code holds no more.', { n: MOST_LESSON_SEEDS }) : '';
  const missing = problems[0]?.message ?? (made.lesson === null ? made.missing : seeds);
  const packed = made.lesson === null || missing !== '' || refused !== '' ? '' : encodeLesson(made.lesson);
  const unknown = form.show.filter((path) => !leaves.some((leaf) => leaf.path === path));

  return (
    <Sheet title={t('Make a lesson')} page="lessons" tab={t('Make a lesson')}>
      <div className={styles.columns}>
        <div className={styles.form}>
          <section className={sheet.part} aria-labelledby="make-from">
            <h2 id="make-from">{t('What it starts from')}</h2>
            <From written={form !== EMPTY && (form.title !== '' || form.steps.some((step) => step.say !== ''))} onForm={setForm} />
            <p className={fields.quiet}>
              {t(
                'Its configuration is the one that is open in the laboratory: {name}, {steps} steps, {n} seeds. Change it there; what you write here stays.',
                {
                  name: title,
                  steps: compact(config.run.steps),
                  n: config.run.seeds,
                },
              )}
            </p>
          </section>

          <section className={sheet.part} aria-labelledby="make-words">
            <h2 id="make-words">{t('What it is about')}</h2>
            <Text label={t('Title')} value={form.title} most={LESSON_TEXT.title} onChange={(value) => change({ title: value })} />
            <Text
              label={t('What is understood at the end (may stay empty)')}
              value={form.goal}
              most={LESSON_TEXT.goal}
              onChange={(value) => change({ goal: value })}
            />
          </section>

          <fieldset className={sheet.part}>
            <legend>
              <h2>{t('Controls that the pupil gets, {n} of at most {most}', { n: form.show.length, most: MOST_CONTROLS })}</h2>
            </legend>
            <p className={fields.quiet}>{t('All others are hidden and out of the tab order. Two or three are enough.')}</p>
            <Controls leaves={leaves} chosen={form.show} onChange={(show) => change({ show })} />
            {unknown.length > 0 && (
              <p className={fields.row}>
                {t('{names}: not in this configuration.', { names: unknown.join(', ') })}
                <Button onClick={() => change({ show: form.show.filter((path) => !unknown.includes(path)) })}>{t('Leave out')}</Button>
              </p>
            )}
          </fieldset>

          <section className={sheet.part} aria-labelledby="make-steps">
            <h2 id="make-steps">{t('Steps')}</h2>
            {form.steps.map((step, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: steps have no name of their own, and their place is what they are
              <fieldset key={i} className={fields.step} onFocus={() => setAt(i)}>
                <legend>{t('Step {n}', { n: i + 1 })}</legend>
                <StepFields
                  n={i + 1}
                  form={form}
                  step={step}
                  leaves={leaves}
                  onChange={(part) => changeStep(i, part)}
                  onRemove={
                    form.steps.length === 1
                      ? null
                      : () => {
                          setAt(Math.max(0, i - 1));
                          change({ steps: form.steps.filter((_, place) => place !== i) });
                        }
                  }
                />
              </fieldset>
            ))}
            <Button
              icon="plus"
              disabled={form.steps.length >= MOST_LESSON_STEPS}
              onClick={() => {
                setAt(form.steps.length);
                change({ steps: [...form.steps, STEP] });
              }}
            >
              {t('Add a step')}
            </Button>
          </section>

          <Goal form={form} onChange={change} />
          <Link
            packed={packed}
            problem={missing !== '' ? t('Still missing: {what}', { what: missing }) : refused}
            empty={form === EMPTY}
            onEmpty={() => {
              setAt(0);
              setForm(EMPTY);
            }}
          />
        </div>
        <Preview of={shown} at={at} onStep={setAt} titles={new Map(leaves.map((leaf) => [leaf.path, leaf.title]))} />
      </div>
    </Sheet>
  );
}

/** A lesson of the course to start from: its texts, questions and runs come into the form, its world into the laboratory. */
function From({ written, onForm }: { readonly written: boolean; readonly onForm: (form: Form) => void }) {
  const [lessons, setLessons] = useState<readonly ShownLesson[]>([]);
  const [id, setId] = useState('');
  const [told, setTold] = useState('');
  useEffect(() => void loadLessons().then(setLessons), []);
  const lesson = lessons.find((one) => one.id === id);
  const take = async (): Promise<void> => {
    if (lesson === undefined) return;
    try {
      draftStore.getState().open(await configOf(lesson, { label: '', config: {} }));
      const { form, left } = formOfLesson(lesson);
      onForm(form);
      setTold(
        left.length === 0
          ? t('“{lesson}” is in the form.', { lesson: lesson.title })
          : t('“{lesson}” is in the form. Left out: {what}.', { lesson: lesson.title, what: left.join('; ') }),
      );
    } catch (error) {
      setTold(said(toFailure(error)));
    }
  };
  return (
    <>
      <span className={fields.row}>
        <Choice
          label={t('A lesson to start from')}
          value={id}
          options={[['', t('none: an empty form')], ...lessons.map((one) => [one.id, one.title] as const)]}
          onChange={setId}
        />
        <Button icon="copy" disabled={lesson === undefined} onClick={() => void take()}>
          {t('Copy it into the form')}
        </Button>
      </span>
      {written && lesson !== undefined && told === '' && <p className={fields.missing}>{t('What is written below is replaced.')}</p>}
      <p className={fields.quiet} role="status">
        {told}
      </p>
    </>
  );
}

function Goal({ form, onChange }: { readonly form: Form; readonly onChange: (part: Partial<Form>) => void }) {
  return (
    <section className={sheet.part} aria-labelledby="make-check">
      <h2 id="make-check">{t('Goal')}</h2>
      <p className={fields.quiet}>{t('What the run of the last step with one must reach; without a number there is no goal.')}</p>
      <span className={fields.row}>
        <select
          aria-label={t('What is measured')}
          value={form.measure}
          onChange={(event) => onChange({ measure: event.target.value === 'finalReturn' ? 'finalReturn' : 'evalReturn' })}
        >
          <option value="evalReturn">{t('greedy test')}</option>
          <option value="finalReturn">{t('return while learning, at the end')}</option>
        </select>
        <select
          aria-label={t('Of which seeds')}
          value={form.of}
          onChange={(event) => onChange({ of: event.target.value === 'mean' ? 'mean' : 'each' })}
        >
          <option value="each">{t('of every seed')}</option>
          <option value="mean">{t('as the mean over seeds')}</option>
        </select>
        <select
          aria-label={t('Direction')}
          value={form.side}
          onChange={(event) => onChange({ side: event.target.value === 'max' ? 'max' : 'min' })}
        >
          <option value="min">{t('at least')}</option>
          <option value="max">{t('at most')}</option>
        </select>
        <input
          type="number"
          step="any"
          aria-label={t('Bound')}
          value={form.bound}
          onChange={(event) => onChange({ bound: event.target.value })}
        />
      </span>
    </section>
  );
}

interface LinkProps {
  /** ''; what is wrong is told. */
  readonly packed: string;
  readonly problem: string;
  readonly empty: boolean;
  readonly onEmpty: () => void;
}

function Link({ packed, problem, empty, onEmpty }: LinkProps) {
  const tooLong = packed.length > LONGEST_LESSON;
  const hash = hashOf({ page: 'lessons', id: OWN, query: { lesson: packed } });
  const address = location.href.replace(/#.*$/, '') + hash;
  const size = { n: packed.length, most: LONGEST_LESSON };
  return (
    <section className={sheet.part} aria-labelledby="make-link">
      <h2 id="make-link">{t('Link')}</h2>
      <p role="status" className={problem === '' && !tooLong ? fields.quiet : fields.missing}>
        {problem !== ''
          ? problem
          : tooLong
            ? t('The lesson has {n} characters, a link holds {most}. Shorten its texts.', size)
            : t('The link carries the whole lesson: {n} of {most} characters.', size)}
      </p>
      {packed !== '' && !tooLong && (
        <>
          <input type="text" readOnly aria-label={t('Link of the lesson')} value={address} onFocus={(event) => event.target.select()} />
          <span className={fields.row}>
            <Button kind="solid" icon="copy" onClick={() => void copy(address, t('Link'))}>
              {t('Copy link')}
            </Button>
            <Button icon="play" onClick={() => (location.hash = hash)}>
              {t('Try it as a pupil')}
            </Button>
            <Button onClick={() => (location.hash = hashOf({ page: 'class', id: OWN, query: { lesson: packed } }))}>
              {t('For a class')}
            </Button>
          </span>
          {address.length <= LONGEST_QR && <QrCode className={styles.qr} text={address} name={t('QR code of the lesson')} recovery="L" />}
        </>
      )}
      <span className={fields.row}>
        <Button icon="trash" disabled={empty} onClick={onEmpty}>
          {t('Throw this text away')}
        </Button>
      </span>
    </section>
  );
}
