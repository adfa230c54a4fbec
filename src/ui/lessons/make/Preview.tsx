/** The lesson as a pupil sees it, one step at a time: the question can be tried, runs are started in the lesson itself. */
import { useState } from 'react';
import type { Answer, Lesson, Step } from '#lessons/define.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import fields from '#ui/kit/Fields.module.css';
import { Rich } from '#ui/kit/Rich.tsx';
import { StepPicture } from '../LessonPicture.tsx';
import lesson from '../Lessons.module.css';
import { Predict } from '../Predict.tsx';
import styles from './Make.module.css';

interface Props {
  /** null: something in the form cannot be shown. */
  readonly of: Lesson | null;
  readonly at: number;
  readonly onStep: (at: number) => void;
  /** Names of the settings, by path. */
  readonly titles: ReadonlyMap<string, string>;
}

export function Preview({ of, at, onStep, titles }: Props) {
  const step = of?.steps[Math.min(at, of.steps.length - 1)];
  return (
    <aside className={styles.preview} aria-label={t('Preview')}>
      <h2>{t('Preview')}</h2>
      {of === null || step === undefined ? (
        <p className={fields.quiet}>{t('It is shown once what is missing is there.')}</p>
      ) : (
        <div className={styles.sheet}>
          <h3>{of.title}</h3>
          <ol className={lesson.dots} aria-label={t('Steps')}>
            {of.steps.map(({ title }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two steps may have the same title while they are written
              <li key={i}>
                <button
                  type="button"
                  aria-current={i === at ? 'step' : undefined}
                  aria-label={t('Step {n}: {title}', { n: i + 1, title })}
                  onClick={() => onStep(i)}
                >
                  {i + 1}
                </button>
              </li>
            ))}
          </ol>
          <Shown key={`${at} ${JSON.stringify(step.predict ?? null)}`} step={step} goal={at === 0 ? of.goal : ''} titles={titles} />
        </div>
      )}
    </aside>
  );
}

function Shown({ step, goal, titles }: { readonly step: Step; readonly goal: string; readonly titles: Props['titles'] }) {
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const { title, say, picture, play, predict, arms, own, show, surprise, check } = step;
  return (
    <>
      <h4 className={lesson.stepTitle}>{title}</h4>
      {goal !== '' && <p className={lesson.goal}>{goal}</p>}
      {picture !== undefined && <StepPicture of={picture} />}
      <p className={lesson.say}>
        <Rich text={say} />
      </p>
      {play && (
        <Button icon="play" disabled>
          {t('Play it yourself')}
        </Button>
      )}
      {predict !== undefined && (
        <>
          <Predict ask={predict} lang="" answer={answer} measured={null} found={null} locked={false} onAnswer={setAnswer} />
          {answer !== undefined && <Button onClick={() => setAnswer(undefined)}>{t('Answer anew')}</Button>}
        </>
      )}
      {arms !== undefined && (
        <Button kind="solid" icon="play" disabled>
          {arms.length === 1 ? t('Run it') : t('Run all {n}', { n: arms.length })}
        </Button>
      )}
      {arms !== undefined && <p className={fields.quiet}>{arms.map(({ label }) => label).join(' · ')}</p>}
      {surprise !== undefined && <p className={lesson.surprise}>{surprise}</p>}
      {show.length > 0 && (
        <p className={fields.quiet}>
          {t('Your controls')}: {show.map((path) => t(titles.get(path) ?? path)).join(', ')}
        </p>
      )}
      {own !== undefined && (
        <Button kind="solid" icon="play" disabled>
          {show.length === 0 ? t('Run it') : t('Train my settings')}
        </Button>
      )}
      {check !== undefined && <p className={lesson.check}>{t('To reach: {goal}.', { goal: check.say })}</p>}
    </>
  );
}
