/** A lesson beside the scene: one step at a time, its prediction, its runs and what they measured, its check. In place of the set-up. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { laboratory } from '#client/address/laboratory.ts';
import { runs } from '#client/runs/service.ts';
import { game, stage } from '#client/stage/service.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { type JsonObject, mergeJson, objectOf } from '#contract/kit/json.ts';
import { configHash } from '#contract/run/config-hash.ts';
import { type Check, meets, type Step } from '#lessons/define.ts';
import { measureOf, resultSteps, saltOf, seatOf, seedOfSeat } from '#lessons/result.ts';
import { draftStore } from '#stores/draft.ts';
import { Latest } from '#stores/latest.ts';
import { enterLesson, layoutStore, openLessonStep } from '#stores/layout.ts';
import { hashOf, inLesson, type Route, routeStore } from '#stores/route.ts';
import { stageStore } from '#stores/stage.ts';
import { locale, t } from '#text/text.ts';
import { useTabTitle } from '#ui/frame/tab-title.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Rich } from '#ui/kit/Rich.tsx';
import { Section } from '#ui/setup/Section.tsx';
import { allLeaves, useSetup } from '#ui/setup/useSetup.ts';
import { lessonOf, noWorldComes, worldComes } from '#ui/stage/coming.ts';
import { pairArms } from '#ui/stage/pair.ts';
import { type ArmRun, configOf, useArms, withShown } from './arms.ts';
import { Findings } from './Findings.tsx';
import { said } from './failures.ts';
import { findLesson, whyNone } from './find.ts';
import { StepPicture } from './LessonPicture.tsx';
import styles from './Lessons.module.css';
import { englishOf, type ShownLesson } from './language.ts';
import { Predict } from './Predict.tsx';
import { Result } from './Result.tsx';
import { Runs } from './Runs.tsx';
import { atPlaces, figureBeside, foundFor } from './results.ts';
import { StepView } from './StepView.tsx';
import { useLesson } from './state.ts';
import { WordsHere } from './WordsHere.tsx';
import { WorksheetInPrint } from './Worksheet.tsx';

const stepOf = ({ query }: Route, lesson: ShownLesson): number =>
  Math.min(lesson.steps.length, Math.max(1, Math.trunc(Number(query.step ?? 1)) || 1)) - 1;

/** The step that was shown last, and in which language: another language makes the views anew and keeps what the pupil has set. */
let last = { name: '', language: '' };

export default function LessonPanel({ route }: { readonly route: Route }) {
  const lesson = useLesson((state) => state.lesson);
  /** Of the address whose lesson is open, or why there is none. */
  const [found, setFound] = useState<{ readonly of: string; readonly why: string | null } | null>(null);
  const of = lessonOf(route);
  useEffect(() => {
    let live = true;
    findLesson({ id: route.id, query: { lesson: route.query.lesson ?? '' } }).then(
      (one) => {
        if (!live) return;
        if (one !== null) useLesson.getState().open(one);
        setFound({ of, why: one === null ? t('No lesson is named.') : null });
      },
      (error: unknown) => live && setFound({ of, why: whyNone(error) }),
    );
    return () => {
      live = false;
    };
  }, [of, route.id, route.query.lesson]);
  // An address without a lesson leaves the stage as it is.
  const none = found?.of === of && found.why !== null;
  useEffect(() => {
    if (none) noWorldComes(of);
  }, [none, of]);
  if (found?.of !== of || (found.why === null && lesson === null)) return <section className={styles.panel} aria-busy="true" />;
  if (found.why !== null || lesson === null)
    return (
      <section className={styles.panel}>
        <div className={styles.body}>
          <h2>{found.why}</h2>
          <a href={hashOf({ page: 'lessons', id: null, query: {} })}>{t('All lessons')}</a>
        </div>
      </section>
    );
  return <OpenLesson key={lesson.id} lesson={lesson} route={route} at={stepOf(route, lesson)} />;
}

function OpenLesson({ lesson, route, at }: { readonly lesson: ShownLesson; readonly route: Route; readonly at: number }) {
  const step = lesson.steps[at]!;
  const met = useLesson((state) => state.met);
  const returned = useLesson((state) => state.returned);
  const [restarts, setRestarts] = useState(0);
  /** The step whose set-up is the draft: its controls wait for it. */
  const [ready, setReady] = useState<Step | null>(null);
  /** Why its set-up cannot be opened: a lesson made on the page may name what does not exist. */
  const [broken, setBroken] = useState<string | null>(null);
  const salt = saltOf(route.query.class);
  const seat = useLesson((state) => state.seat);
  const seedStart = step.own === undefined || salt === null || seat === 0 ? undefined : seedOfSeat(salt, seat);
  const projector = useStore(layoutStore, (state) => state.projector);
  /** What was asked for an earlier step may come late, and changes nothing then. */
  const [steps] = useState(() => new Latest());
  const begin = useCallback(
    (keep: boolean) => {
      const newest = steps.begin();
      return prepare(lesson, step, seedStart, keep, newest).then(
        () => {
          if (!newest()) return;
          setBroken(null);
          setReady(step);
        },
        (error: unknown) => newest() && setBroken(said(toFailure(error))),
      );
    },
    [lesson, step, seedStart, steps],
  );
  // What only researchers need is hidden for the lesson, and as it was before once the lesson is left: this is not remembered.
  useEffect(() => {
    const leave = enterLesson();
    return () => {
      leave();
      stageStore.getState().setOverlay('payouts', true);
    };
  }, []);
  useEffect(
    () =>
      openLessonStep({
        title: t('{lesson}, step {n}', { lesson: lesson.title, n: at + 1 }),
        allCurves: lesson.curves === 'all',
        why: step.why === true,
        overlays: step.overlays ?? [],
        group: step.group === true,
      }),
    [lesson, step, at],
  );
  useEffect(() => {
    const name = `${lesson.id} ${at} ${seedStart ?? ''}`;
    void begin(last.name === name && last.language !== locale());
    last = { name, language: locale() };
  }, [begin, lesson.id, at, seedStart]);
  // The scene of the step before, or of the world before the lesson, is not the one that this step speaks of.
  const of = lessonOf(route);
  useEffect(() => {
    const world = broken === null ? worldOf(lesson, step) : {};
    worldComes(typeof world.id === 'string' ? world.id : null, objectOf(world.config), of);
    return () => noWorldComes(null);
  }, [broken, lesson, step, of]);
  const panel = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another step begins at its top
  useEffect(() => {
    // On a phone the panel scrolls, elsewhere what stands between its head and its foot.
    for (const { current } of [panel, body]) if (current !== null) current.scrollTop = 0;
    title.current?.focus({ preventScroll: true }); // for who reads or moves by keys
  }, [at]);
  // A step in the history each: Back leads to the step before.
  const go = (to: number): void => {
    location.hash = hashOf({ ...route, query: { ...route.query, step: String(to + 1) } });
  };
  useTabTitle(t('{lesson}, step {n}', { lesson: lesson.title, n: at + 1 }), t('Lessons'));

  return (
    <section ref={panel} className={styles.panel} aria-labelledby="lesson-title">
      <header className={styles.head}>
        <h2 id="lesson-title" lang={lesson.lang}>
          {lesson.title}
        </h2>
        <Button kind="bare" icon="download" label={t('Print as a worksheet')} onClick={() => print()} />
        <Button
          kind="bare"
          icon="expand"
          label={t('Projector: large type')}
          pressed={projector}
          onClick={() => layoutStore.getState().set('projector', !projector)}
        />
        <Button kind="bare" icon="close" label={t('Leave the lesson')} onClick={() => laboratory.back()} />
      </header>
      <WorksheetInPrint lesson={lesson} />
      <ol className={styles.dots} aria-label={t('Steps')}>
        {lesson.steps.map(({ title, check, reward }, i) => (
          <li key={title}>
            <button
              type="button"
              aria-current={i === at ? 'step' : undefined}
              aria-label={stepName(i + 1, title, (check ?? reward?.goal) === undefined ? null : met.includes(i))}
              title={title}
              data-met={met.includes(i) ? '' : undefined}
              onClick={() => go(i)}
            >
              {met.includes(i) ? '✓' : i + 1}
            </button>
          </li>
        ))}
      </ol>
      <div ref={body} className={styles.body}>
        <h3 key={at} className={styles.stepTitle} lang={lesson.lang} tabIndex={-1} ref={title}>
          {step.title}
        </h3>
        {at === 0 && (
          <p className={styles.goal} lang={lesson.lang}>
            {lesson.goal}
          </p>
        )}
        {step.picture !== undefined && <StepPicture of={step.picture} />}
        <p className={styles.say} lang={lesson.lang}>
          <Rich text={step.say} />
        </p>
        <WordsHere english={englishOf(lesson, at)} />
        {broken !== null && (
          <p className={styles.check} role="alert">
            {t('This step cannot be opened.')} {broken}
          </p>
        )}
        {salt !== null && step.own && <Seat word={route.query.class ?? ''} />}
        {ready === step && (
          <OpenStep key={`step ${at} ${restarts}`} lesson={lesson} step={step} at={at} salt={salt} seedStart={seedStart} />
        )}
        {at === 0 && returned && (
          <p className={styles.quiet}>
            {t('There are answers of an earlier visit.')}{' '}
            <Button
              onClick={() => {
                useLesson.getState().startOver();
                setRestarts(restarts + 1);
                title.current?.focus(); // the button goes
                void begin(false);
              }}
            >
              {t('Start the lesson over')}
            </Button>
          </p>
        )}
      </div>
      <footer className={styles.foot}>
        <Button kind="bare" icon="reset" label={t('Back to the start of this step')} onClick={() => void begin(false)} />
        <span className={styles.space} />
        <Button disabled={at === 0} onClick={() => go(at - 1)}>
          {t('Back')}
        </Button>
        {at + 1 < lesson.steps.length ? (
          <Button kind="solid" onClick={() => go(at + 1)}>
            {t('Next')}
          </Button>
        ) : (
          <Button kind="solid" onClick={() => (location.hash = hashOf({ page: 'lessons', id: null, query: {} }))}>
            {t('All lessons')}
          </Button>
        )}
      </footer>
    </section>
  );
}

/** Which seat of the class this is: the first seed of the pupil's own runs comes from it, so that no two pupils have the same run. */
function Seat({ word }: { readonly word: string }) {
  const seat = useLesson((state) => state.seat);
  const [typed, setTyped] = useState(seat === 0 ? '' : String(seat));
  const fits = seatOf(typed);
  return (
    <label className={styles.row}>
      {t('Class {word}, my seat number', { word })}
      <input
        type="number"
        min={1}
        max={255}
        value={typed}
        aria-invalid={typed !== '' && fits === null}
        onChange={(event) => {
          setTyped(event.target.value);
          useLesson.getState().sit(seatOf(event.target.value) ?? 0);
        }}
      />
      {typed !== '' && fits === null && t('a whole number from 1 to 255')}
    </label>
  );
}

interface StepProps {
  readonly lesson: ShownLesson;
  readonly step: Step;
  readonly at: number;
  /** Of the class; null: no class. */
  readonly salt: number | null;
  readonly seedStart: number | undefined;
}

function OpenStep({ lesson, step, at, salt, seedStart }: StepProps) {
  const { answers, answer, meet, met, words, write, seat } = useLesson();
  const { begun, shown: seen, ran, run } = useLesson();
  useEffect(() => void stage.leaveGame(), []);
  const since = seen[at] ?? Number.POSITIVE_INFINITY;
  const arms = step.again ? lesson.steps.slice(0, at).findLast(({ arms: some }) => some !== undefined)?.arms : step.arms;
  const shown = useArms(lesson, arms, [], begun);
  const own = useArms(lesson, step.own, step.show, since, seedStart);
  const answering = arms === undefined ? own : shown;
  const unseated = salt !== null && seat === 0 && step.own !== undefined;
  const leaves = allLeaves(useSetup()).filter(({ path }) => isShown(step, path));
  const problems = useStore(draftStore, (state) => state.problems);
  const measure = measureOf(step);
  const predicted = step.predict === undefined || answers[at] !== undefined;
  /** A run of the step began: what was predicted stays. */
  const locked = ran.includes(at) || [...(shown ?? []), ...(own ?? [])].some(({ group }) => group !== null);
  const revealed = predicted && locked;
  useEffect(() => {
    if (step.hidePayouts === 'predicted') stageStore.getState().setOverlay('payouts', revealed);
  }, [step, revealed]);
  const verdict = step.check === undefined ? null : judge(step, own);
  const done = shown !== null && ended(shown);
  useEffect(() => useLesson.getState().show(at), [at]);
  usePair(step, own !== null && ended(own) ? own : shown);
  useEffect(() => {
    if (verdict?.met) meet(at);
  }, [verdict?.met, at, meet]);

  const trainOwn = async (): Promise<void> => {
    run(at);
    const draft = draftStore.getState().config;
    const configs = await Promise.all((step.own ?? []).map((arm) => configOf(lesson, arm, seedStart)));
    await runs.trainAll(
      configs.map((config, i) => ({ name: step.own?.[i]?.label ?? '', config: withShown(config, step.show, draft) })),
      since,
    );
  };

  return (
    <>
      {step.play && (
        <Button icon="play" onClick={() => void game.open()}>
          {t('Play it yourself')}
        </Button>
      )}
      {step.predict && (
        <Predict
          ask={step.predict}
          lang={lesson.lang}
          answer={answers[at]}
          measured={atPlaces(step.predict, answering, measure)}
          found={foundFor(step.predict, answering, measure)}
          locked={locked}
          onAnswer={(given) => answer(at, given)}
        />
      )}
      {step.view !== undefined && <StepView name={step.view} lesson={lesson} step={step} />}
      {arms && (
        <Runs
          runs={shown}
          measure={measure}
          words={arms.length === 1 ? t('Run it') : t('Run all {n}', { n: arms.length })}
          blocked={predicted ? '' : t('First your prediction, then the run.')}
          onRun={() => {
            if (shown === null) return;
            run(at);
            void runs.trainAll(
              shown.map(({ label, config }) => ({ name: label, config })),
              begun,
            );
          }}
        />
      )}
      {done && predicted && step.surprise && (
        <label className={styles.surprise}>
          <span lang={lesson.lang}>{step.surprise}</span>
          <textarea
            rows={2}
            maxLength={400}
            placeholder={t('In your own words; it stays on this machine.')}
            value={words[at] ?? ''}
            onChange={(event) => write(at, event.target.value)}
          />
        </label>
      )}
      {leaves.length > 0 && <Section id={`lesson-${lesson.id}-${at}`} title={t('Your controls')} leaves={leaves} all />}
      {step.own && (
        <Runs
          runs={own}
          measure={measure}
          words={step.own.length > 1 ? t('Train both') : step.show.length === 0 ? t('Run it') : t('Train my settings')}
          blocked={
            unseated
              ? t('First your seat number, then the run.')
              : predicted
                ? (problems[0]?.message ?? '')
                : t('First your prediction, then the run.')
          }
          onRun={() => void trainOwn()}
        />
      )}
      {step.check && (
        <p className={styles.check} role="status" data-met={verdict === null ? undefined : verdict.met}>
          {goalText(step.check, verdict)}
        </p>
      )}
      {at + 1 === lesson.steps.length && <Findings lesson={lesson} />}
      {resultSteps(lesson).includes(at) && (
        <Result lesson={lesson} step={at} salt={salt ?? 0} seat={seat} runs={own ?? shown} met={met} answers={answers} />
      )}
    </>
  );
}

const ended = (arms: readonly ArmRun[]): boolean => arms.length > 0 && arms.every(({ outcome }) => outcome !== null);

/** The two runs of a step play side by side once both have ended; not where the step is about what lies over one scene. */
function usePair(step: Step, arms: readonly ArmRun[] | null): void {
  const two = step.overlays === undefined && step.why === undefined && arms?.length === 2 && ended(arms) ? arms : [];
  const pair = two.flatMap(({ group, label }) => (group === null ? [] : [{ runId: group.id, label }]));
  const key = pair.map(({ runId }) => runId).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the pair
  useEffect(() => {
    pairArms(pair);
    return () => pairArms([]);
  }, [key]);
}

/** A setting with kinds is shown with the choice of the kind and what that kind has. */
const isShown = ({ show }: Step, path: string): boolean => show.some((shown) => path === shown || path.startsWith(`${shown}.`));

/** `met`: of its task; null: it has none. */
function stepName(n: number, title: string, met: boolean | null): string {
  if (met === null) return t('Step {n}: {title}', { n, title });
  return met ? t('Step {n}: {title}, met', { n, title }) : t('Step {n}: {title}, not yet met', { n, title });
}

function goalText({ say: goal, min, max }: Check, verdict: ReturnType<typeof meets>): string {
  if (verdict === null) return t('To reach: {goal}.', { goal });
  if (verdict.met) return t('✓ Reached: {goal}.', { goal });
  return t('Not yet: {goal}. Now {value}.', { goal, value: figureBeside(verdict.value, min ?? max ?? null) });
}

function judge({ check }: Step, own: readonly ArmRun[] | null): ReturnType<typeof meets> {
  const mine = own?.[0]?.outcome;
  if (check === undefined || mine === undefined || mine === null) return null;
  if (check.than === undefined) return meets(check, mine);
  const rival = own?.find(({ label }) => label === check.than)?.outcome ?? null;
  return rival === null ? null : meets(check, mine, rival);
}

/** The world in which a step begins, with the settings that its lesson and its first run change. */
const worldOf = (lesson: ShownLesson, step: Step): JsonObject =>
  objectOf(mergeJson(lesson.config, (step.own?.[0] ?? step.arms?.[0])?.config ?? {}).env);

/**
 * The scene and the draft as the step begins: what its own runs start from, or what it shows first. `keep`: a draft that differs from it only in the
 * controls that the step shows stays. `newest`: nothing else was begun meanwhile.
 */
async function prepare(
  lesson: ShownLesson,
  step: Step,
  seedStart: number | undefined,
  keep: boolean,
  newest: () => boolean,
): Promise<void> {
  const config = await configOf(lesson, step.own?.[0] ?? step.arms?.[0] ?? { label: '', config: {} }, seedStart);
  if (!newest() || !inLesson(routeStore.getState()) || useLesson.getState().lesson !== lesson) return;
  const { config: draft, hash, open } = draftStore.getState();
  const stays = keep && draft.env.id === config.env.id && configHash(withShown(config, step.show, draft)) === hash;
  if (!stays && configHash(config) !== hash) open(config);
  const { setOverlay } = stageStore.getState();
  for (const name of ['values', 'policy', 'visits'] as const) setOverlay(name, step.overlays?.includes(name) ?? false);
  // 'predicted' is up to the step, which knows what was run in it
  if (step.hidePayouts !== 'predicted') setOverlay('payouts', step.hidePayouts === undefined);
}
