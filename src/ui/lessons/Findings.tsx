/** At the end of a lesson: what its runs measured, step by step, beside what was predicted, and which tasks were reached. */
import type { Lesson, Step } from '#lessons/define.ts';
import { measureOf } from '#lessons/result.ts';
import { t } from '#text/text.ts';
import { useArms } from './arms.ts';
import { foundSentence, predictionText } from './found.ts';
import styles from './Lessons.module.css';
import { atPlaces, foundFor } from './results.ts';
import { Sketch } from './Sketch.tsx';
import { useLesson } from './state.ts';

export function Findings({ lesson }: { readonly lesson: Lesson }) {
  return (
    <section className={styles.findings} aria-labelledby="lesson-findings">
      <h4 id="lesson-findings">{t('What was measured')}</h4>
      <ol>
        {lesson.steps.map((step, i) =>
          step.arms === undefined && (step.check ?? step.reward?.goal) === undefined ? null : (
            <li key={step.title} value={i + 1}>
              <Finding lesson={lesson} step={step} at={i} />
            </li>
          ),
        )}
      </ol>
    </section>
  );
}

function Finding({ lesson, step, at }: { readonly lesson: Lesson; readonly step: Step; readonly at: number }) {
  const { answers, met, begun } = useLesson();
  const runs = useArms(lesson, step.arms, [], begun);
  const sentence = foundSentence(runs ?? [], measureOf(step));
  const goal = (step.check ?? step.reward?.goal)?.say;
  const predicted = predictionText(step.predict, answers[at]);
  const answered = step.predict === undefined ? null : foundFor(step.predict, runs, measureOf(step));
  const cameOut = answered === null ? '' : predictionText(step.predict, answered);
  const drawn = answers[at];
  return (
    <>
      <strong className={styles.findingTitle}>{step.title}</strong>
      {predicted !== '' && `${t('Predicted: {prediction}.', { prediction: predicted })} `}
      {cameOut !== '' && `${t('Came out: {option}.', { option: cameOut })} `}
      {step.predict?.kind === 'sketch' && typeof drawn === 'object' && (
        <Sketch of={step.predict} heights={drawn} measured={atPlaces(step.predict, runs, measureOf(step))} />
      )}
      {step.arms !== undefined && (sentence ?? t('Not run yet.'))}
      {goal !== undefined && ` ${met.includes(at) ? t('Task reached: {goal}.', { goal }) : t('Task not reached yet: {goal}.', { goal })}`}
    </>
  );
}
