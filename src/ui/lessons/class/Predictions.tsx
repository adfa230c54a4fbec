/** What the class predicted at each step: how many chose what, numbers as a range, sketches over each other. No names. */
import type { Answer, Lesson, Prediction, Step } from '#lessons/define.ts';
import { measureOf } from '#lessons/result.ts';
import { t, tn } from '#text/text.ts';
import sheet from '#ui/frame/Sheet.module.css';
import { useArms } from '../arms.ts';
import { atPlaces, figure, foundFor, placeText } from '../results.ts';
import styles from './Class.module.css';
import type { Entry } from './entries.ts';

export function Predictions({ lesson, entries }: { readonly lesson: Lesson; readonly entries: readonly Entry[] }) {
  // Who handed in several steps answered once: the newest code of a seat counts.
  const people = entries.filter(
    ({ result }, i) => result.seat === 0 || !entries.slice(i + 1).some((later) => later.result.seat === result.seat),
  );
  const asked = lesson.steps.flatMap((step, i) => {
    const { predict } = step;
    const given = people.map(({ result }) => result.answers[i]).filter((answer) => answer !== undefined);
    return predict === undefined || given.length === 0 ? [] : [{ step, predict, given }];
  });
  if (asked.length === 0) return null;
  return (
    <section className={sheet.part} aria-labelledby="class-predicted">
      <h2 id="class-predicted">{t('What the class predicted')}</h2>
      <div className={styles.predictions}>
        {asked.map(({ step, predict, given }) => (
          <div key={step.title}>
            <h3>{step.title}</h3>
            <p className={styles.quiet}>{predict.ask}</p>
            <Given lesson={lesson} step={step} predict={predict} given={given} />
          </div>
        ))}
      </div>
    </section>
  );
}

interface GivenProps {
  readonly lesson: Lesson;
  readonly step: Step;
  readonly predict: Prediction;
  readonly given: readonly Answer[];
}

/** Each kind of question with what the class said, and what came out in the runs of this machine marked in it. */
function Given({ lesson, step, predict, given }: GivenProps) {
  // A run of the pupil's own without controls is the same for all.
  const arms = step.arms ?? (step.show.length === 0 ? step.own : undefined);
  const runs = useArms(lesson, arms, [], 0);
  const measure = measureOf(step);
  const found = foundFor(predict, runs, measure);
  const line = atPlaces(predict, runs, measure);
  const answered = predict.kind === 'sketch' ? arms !== undefined : predict.answer !== undefined;
  return (
    <>
      {predict.kind === 'choice' && <Chosen predict={predict} given={given} cameOut={found} />}
      {predict.kind === 'number' && <Numbers predict={predict} given={given} cameOut={found} />}
      {predict.kind === 'sketch' && <Sketches predict={predict} given={given} cameOut={line} />}
      {found === null && line === null && answered && (
        <p className={styles.quiet}>{t('What came out is marked once this step has been run on this machine.')}</p>
      )}
    </>
  );
}

type Of<K extends Prediction['kind']> = {
  readonly predict: Extract<Prediction, { kind: K }>;
  readonly given: readonly Answer[];
};

/** How many chose each option. */
function Chosen({ predict, given, cameOut }: Of<'choice'> & { readonly cameOut: number | null }) {
  return (
    <table className={styles.counts}>
      <tbody>
        {predict.options.map((option, i) => {
          const count = given.filter((answer) => answer === i).length;
          return (
            <tr key={option} data-came={cameOut === i || undefined}>
              <th scope="row">{option}</th>
              <td>
                <meter min={0} max={given.length} value={count} aria-label={t('{n} of {all}', { n: count, all: given.length })} /> {count}
                {cameOut === i && ` ${t('✓ came out')}`}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const WIDTH = 320;
const EDGE = 20;

/** Each number a dot on one line, the measured one a stroke across it. */
function Numbers({ predict, given, cameOut }: Of<'number'> & { readonly cameOut: number | null }) {
  const numbers = given.filter((answer) => typeof answer === 'number').toSorted((a, b) => a - b);
  const [first = 0] = numbers;
  const { min, max, unit } = predict;
  const at = (value: number): number => EDGE + ((Math.min(max, Math.max(min, value)) - min) / (max - min)) * (WIDTH - 2 * EDGE);
  const words = t('{min} to {max} {unit}, half of them at most {median}.', {
    min: figure(first),
    max: figure(numbers.at(-1) ?? first),
    unit,
    median: figure(numbers[Math.floor((numbers.length - 1) / 2)] ?? first),
  });
  return (
    <>
      <svg className={styles.sketches} viewBox={`0 0 ${WIDTH} 56`} role="img" aria-label={words}>
        <line x1={EDGE} x2={WIDTH - EDGE} y1={30} y2={30} />
        {numbers.map((value, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have said the same
          <circle key={n} cx={at(value)} cy={30} r={5} />
        ))}
        {cameOut !== null && <line data-came="" x1={at(cameOut)} x2={at(cameOut)} y1={14} y2={40} />}
        <text x={EDGE} y={52} textAnchor="middle">
          {figure(min)}
        </text>
        <text x={WIDTH - EDGE} y={52} textAnchor="middle">
          {figure(max)}
        </text>
      </svg>
      <p>
        {words} {cameOut !== null && <b>{t('Came out: {option}.', { option: `${figure(cameOut)} ${unit}` })}</b>}
      </p>
    </>
  );
}

/** The sketches over each other, what was measured as a thick line through them. */
function Sketches({ predict, given, cameOut }: Of<'sketch'> & { readonly cameOut: readonly (number | null)[] | null }) {
  const lines = given.filter((answer) => typeof answer !== 'number');
  const { x, min, max } = predict;
  const at = (i: number): number => EDGE + (i * (WIDTH - 2 * EDGE)) / Math.max(1, x.length - 1);
  const points = (heights: readonly (number | null)[]): string =>
    heights
      .flatMap((height, i) =>
        height === null ? [] : [`${at(i)},${100 - (90 * (Math.min(max, Math.max(min, height)) - min)) / (max - min)}`],
      )
      .join(' ');
  return (
    <>
      <svg
        className={styles.sketches}
        viewBox={`0 0 ${WIDTH} 130`}
        role="img"
        aria-label={tn('{n} sketch', '{n} sketches over each other', lines.length)}
      >
        {lines.map((heights, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two sketches may be equal
          <polyline key={n} points={points(heights)} />
        ))}
        {cameOut !== null && <polyline data-came="" points={points(cameOut)} />}
        {x.map((label, i) => (
          <text key={label} x={at(i)} y={122} textAnchor="middle">
            {placeText(label)}
          </text>
        ))}
      </svg>
      {cameOut !== null && <p className={styles.quiet}>{t('The thick line came out.')}</p>}
    </>
  );
}
