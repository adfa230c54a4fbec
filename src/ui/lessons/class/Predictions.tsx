/** What the class predicted at each step: how many chose what, numbers as a range, sketches over each other. No names. */
import { type Answer, type Lesson, optionOf, type Prediction, type Step } from '#lessons/define.ts';
import { measureOf } from '#lessons/result.ts';
import { t, tn } from '#text/text.ts';
import sheet from '#ui/frame/Sheet.module.css';
import { useArms } from '../arms.ts';
import { figure, outcomesOf, placeText } from '../results.ts';
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

/** How many chose each option, and which came out in the runs of this machine. */
function Chosen({ lesson, step, predict, given }: GivenProps & { readonly predict: Extract<Prediction, { kind: 'choice' }> }) {
  const runs = useArms(lesson, step.arms, [], 0);
  const cameOut = optionOf(predict, outcomesOf(runs), measureOf(step));
  return (
    <>
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
      {cameOut === null && predict.answer !== undefined && (
        <p className={styles.quiet}>{t('What came out is marked once this step has been run on this machine.')}</p>
      )}
    </>
  );
}

function Given(props: GivenProps) {
  const { predict, given } = props;
  if (predict.kind === 'choice') return <Chosen {...props} predict={predict} />;
  const numbers = given.filter((answer) => typeof answer === 'number');
  if (predict.kind === 'number') {
    const sorted = numbers.toSorted((a, b) => a - b);
    const [first = 0] = sorted;
    return (
      <p>
        {t('{min} to {max} {unit}, half of them at most {median}.', {
          min: figure(first),
          max: figure(sorted.at(-1) ?? first),
          unit: predict.unit,
          median: figure(sorted[Math.floor((sorted.length - 1) / 2)] ?? first),
        })}
      </p>
    );
  }
  const lines = given.filter((answer) => typeof answer !== 'number');
  const { x, min, max } = predict;
  const at = (i: number): number => 20 + (i * 280) / Math.max(1, x.length - 1);
  return (
    <svg
      className={styles.sketches}
      viewBox="0 0 320 130"
      role="img"
      aria-label={tn('{n} sketch', '{n} sketches over each other', lines.length)}
    >
      {lines.map((heights, n) => (
        <polyline
          // biome-ignore lint/suspicious/noArrayIndexKey: two sketches may be equal
          key={n}
          points={heights.map((height, i) => `${at(i)},${100 - (90 * (height - min)) / (max - min)}`).join(' ')}
        />
      ))}
      {x.map((label, i) => (
        <text key={label} x={at(i)} y={122} textAnchor="middle">
          {placeText(label)}
        </text>
      ))}
    </svg>
  );
}
