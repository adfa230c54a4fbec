/** The whole lesson on paper: every step with room for its prediction and for what came out. What was answered here already is filled in. */
import { useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import type { Answer, Prediction, Step } from '#lessons/define.ts';
import { t } from '#text/text.ts';
import { Rich } from '#ui/kit/Rich.tsx';
import { LessonPicture, StepPicture } from './LessonPicture.tsx';
import styles from './Lessons.module.css';
import type { ShownLesson } from './language.ts';
import { figure } from './results.ts';
import { Sketch } from './Sketch.tsx';
import { useLesson } from './state.ts';

/** Made when the page is printed, by whatever way, and gone afterwards. */
export function WorksheetInPrint({ lesson }: { readonly lesson: ShownLesson }) {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const begin = (): void => flushSync(() => setPrinting(true)); // the browser takes the page as it is when the event ends
    const end = (): void => setPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return printing ? createPortal(<Worksheet lesson={lesson} />, document.body) : null;
}

/** Characters of an address that are typed from paper: a lesson of one's own is all in its link, which would fill a page. */
const LONGEST_TYPED = 120;

function Worksheet({ lesson }: { readonly lesson: ShownLesson }) {
  const { answers, words, met } = useLesson();
  const address = location.href.replace(/([?&])step=\d+&?/, '$1').replace(/[?&]$/, '');
  return (
    <article className={styles.worksheet}>
      <header>
        <div>
          <h1 lang={lesson.lang}>{lesson.title}</h1>
          <p lang={lesson.lang}>{lesson.goal}</p>
          <p className={styles.blanks}>
            <Blank name={t('Name')} />
            <Blank name={t('Date')} />
          </p>
        </div>
        {/* A picture of levers shows what each pays. */}
        {lesson.steps.every(({ hidePayouts }) => hidePayouts === undefined) && <LessonPicture lesson={lesson} />}
      </header>
      <ol>
        {lesson.steps.map((step, i) => (
          <li key={step.title}>
            <OnPaper step={step} lang={lesson.lang} answer={answers[i]} words={words[i]} met={met.includes(i)} />
          </li>
        ))}
      </ol>
      <p className={styles.blanks}>
        <Blank name={t('Result code')} />
      </p>
      {address.length <= LONGEST_TYPED && <p>{address}</p>}
    </article>
  );
}

interface OnPaperProps {
  readonly step: Step;
  readonly lang: string | undefined;
  readonly answer: Answer | undefined;
  readonly words: string | undefined;
  readonly met: boolean;
}

function OnPaper({ step: { title, say, picture, predict, arms, own, surprise, check, reward }, lang, answer, words, met }: OnPaperProps) {
  const goal = (check ?? reward?.goal)?.say;
  const runs = arms !== undefined || own !== undefined || reward !== undefined;
  return (
    <>
      <h2 lang={lang}>{title}</h2>
      {picture !== undefined && <StepPicture of={picture} />}
      <p lang={lang}>
        <Rich text={say} />
      </p>
      {predict !== undefined && <Room predict={predict} lang={lang} answer={answer} />}
      {runs && <Blank name={t('What came out')} />}
      {surprise !== undefined && (
        <>
          {/* It names what came out: only where nothing is to be predicted any more. */}
          {(predict === undefined || answer !== undefined) && <p lang={lang}>{surprise}</p>}
          {words === undefined || words === '' ? <Blank name="" /> : <p>{words}</p>}
        </>
      )}
      {goal !== undefined && (
        <p>
          {met ? '☑' : '☐'} {t('To reach: {goal}.', { goal })}
        </p>
      )}
    </>
  );
}

/** Room for a prediction. */
function Room({
  predict,
  lang,
  answer,
}: {
  readonly predict: Prediction;
  readonly lang: string | undefined;
  readonly answer: Answer | undefined;
}) {
  if (predict.kind === 'choice')
    return (
      <div lang={lang}>
        <p>{predict.ask}</p>
        <ul>
          {predict.options.map((option, i) => (
            <li key={option}>
              {answer === i ? '☑' : '☐'} {option}
            </li>
          ))}
        </ul>
      </div>
    );
  if (predict.kind === 'number')
    return (
      <>
        <p lang={lang}>{predict.ask}</p>
        {typeof answer === 'number' ? (
          <p>{t('You said {value} {unit}.', { value: figure(answer), unit: predict.unit })}</p>
        ) : (
          <Blank name={t('{unit}, {min} to {max}', { unit: predict.unit, min: figure(predict.min), max: figure(predict.max) })} />
        )}
      </>
    );
  return (
    <>
      <p lang={lang}>{predict.ask}</p>
      <Sketch of={predict} heights={typeof answer === 'object' ? answer : []} measured={null} />
    </>
  );
}

/** A line to write on. */
function Blank({ name }: { readonly name: string }) {
  return <span className={styles.blank}>{name}</span>;
}
