/** The prediction of a step: asked before anything runs, kept, and shown beside what was measured. */
import { useId, useState } from 'react';
import type { Answer, Prediction } from '#lessons/define.ts';
import { locale, t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { useKeptFocus } from '#ui/kit/useKeptFocus.ts';
import styles from './Lessons.module.css';
import { figure } from './results.ts';
import { Sketch } from './Sketch.tsx';

interface Props {
  readonly ask: Prediction;
  /** Of the lesson's texts, where it is another than that of the page. */
  readonly lang: string | undefined;
  readonly answer: Answer | undefined;
  readonly measured: readonly (number | null)[] | null;
  /** What was measured of a predicted number, or the option that came out; null: nothing yet. */
  readonly found: number | null;
  /** A run of the step has been started: what was chosen stays. */
  readonly locked: boolean;
  readonly onAnswer: (answer: Answer) => void;
}

export function Predict({ ask, lang, answer, measured, found, locked, onAnswer }: Props) {
  const id = useId();
  const [drawn, setDrawn] = useState<readonly number[] | null>(null);
  const [typed, setTyped] = useState('');
  const done = answer !== undefined;
  const [box, keep] = useKeptFocus();
  if (ask.kind === 'choice')
    return (
      <fieldset className={styles.predict} lang={lang}>
        <legend>{ask.ask}</legend>
        {ask.options.map((option, i) => (
          <label key={option} className={styles.option} data-came={(done && found === i) || undefined}>
            <input type="radio" name={id} checked={answer === i} disabled={done && locked} onChange={() => onAnswer(i)} />
            {option}
            {done && found !== null && answer === i && <small lang={locale()}>{t('you said')}</small>}
            {done && found === i && <small lang={locale()}>{t('came out')}</small>}
          </label>
        ))}
        {done && locked && found === null && <p className={styles.quiet}>{t('A run has been started: what you chose stays.')}</p>}
      </fieldset>
    );
  if (ask.kind === 'number') {
    const value = Number(typed);
    const fits = typed.trim() !== '' && value >= ask.min && value <= ask.max;
    return (
      <fieldset ref={box} className={styles.predict} aria-label={t('Your prediction')} tabIndex={-1}>
        <label htmlFor={id} lang={lang}>
          {ask.ask}
        </label>
        {done && typeof answer === 'number' && found !== null ? (
          <Beside ask={ask} said={answer} found={found} />
        ) : done ? (
          <p>{t('You said {value} {unit}.', { value: typeof answer === 'number' ? figure(answer) : '', unit: ask.unit })}</p>
        ) : (
          <span className={styles.row}>
            <input
              id={id}
              type="number"
              min={ask.min}
              max={ask.max}
              step="any"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            {t('{unit}, {min} to {max}', { unit: ask.unit, min: figure(ask.min), max: figure(ask.max) })}
            <Button disabled={!fits} onClick={() => keep(() => onAnswer(value))}>
              {t('This is my guess')}
            </Button>
          </span>
        )}
      </fieldset>
    );
  }
  const heights = Array.isArray(answer) ? answer : (drawn ?? ask.x.map(() => (ask.min + ask.max) / 2));
  return (
    <fieldset ref={box} className={styles.predict} aria-label={t('Your prediction')} tabIndex={-1}>
      <p lang={lang}>{ask.ask}</p>
      {done ? (
        <Sketch of={ask} heights={heights} measured={measured} />
      ) : (
        <Sketch of={ask} heights={heights} measured={null} onChange={setDrawn} />
      )}
      {done ? (
        <p className={styles.legend}>
          <span data-line="mine">{t('your sketch')}</span>
          {measured !== null && <span data-line="measured">{t('measured')}</span>}
        </p>
      ) : (
        <Button disabled={drawn === null} onClick={() => drawn !== null && keep(() => onAnswer(drawn))}>
          {t('This is my sketch')}
        </Button>
      )}
    </fieldset>
  );
}

/** Prediction and result as two bars of one scale. */
function Beside({
  ask,
  said,
  found,
}: {
  readonly ask: Extract<Prediction, { kind: 'number' }>;
  readonly said: number;
  readonly found: number;
}) {
  const zero = Math.min(Math.max(0, ask.min), ask.max);
  const longest = Math.max(...[ask.min, ask.max, found].map((value) => Math.abs(value - zero)));
  const rows = [
    { line: 'mine', words: t('your guess'), value: said },
    { line: 'measured', words: t('measured'), value: found },
  ];
  return (
    <dl className={styles.beside}>
      {rows.map(({ line, words, value }) => (
        <div key={line}>
          <dt>{words}</dt>
          <dd>
            <i data-line={line} style={{ inlineSize: `${(70 * Math.abs(value - zero)) / longest}%` }} />
            {figure(value)} {ask.unit}
          </dd>
        </div>
      ))}
    </dl>
  );
}
