/** What the class predicted at each step: how many chose what, numbers as a range, sketches over each other. No names. */
import type { Answer, Lesson, Prediction } from '#lessons/define.ts';
import { t, tn } from '#text/text.ts';
import sheet from '#ui/frame/Sheet.module.css';
import { figure, placeText } from '../results.ts';
import styles from './Class.module.css';
import type { Entry } from './entries.ts';

export function Predictions({ lesson, entries }: { readonly lesson: Lesson; readonly entries: readonly Entry[] }) {
  // Who handed in several steps answered once: the newest code of a seat counts.
  const people = entries.filter(
    ({ result }, i) => result.seat === 0 || !entries.slice(i + 1).some((later) => later.result.seat === result.seat),
  );
  const asked = lesson.steps.flatMap(({ title, predict }, i) => {
    const given = people.map(({ result }) => result.answers[i]).filter((answer) => answer !== undefined);
    return predict === undefined || given.length === 0 ? [] : [{ title, predict, given }];
  });
  if (asked.length === 0) return null;
  return (
    <section className={sheet.part} aria-labelledby="class-predicted">
      <h2 id="class-predicted">{t('What the class predicted')}</h2>
      <div className={styles.predictions}>
        {asked.map(({ title, predict, given }) => (
          <div key={title}>
            <h3>{title}</h3>
            <p className={styles.quiet}>{predict.ask}</p>
            <Given predict={predict} given={given} />
          </div>
        ))}
      </div>
    </section>
  );
}

function Given({ predict, given }: { readonly predict: Prediction; readonly given: readonly Answer[] }) {
  if (predict.kind === 'choice') {
    return (
      <table className={styles.counts}>
        <tbody>
          {predict.options.map((option, i) => {
            const count = given.filter((answer) => answer === i).length;
            return (
              <tr key={option}>
                <th scope="row">{option}</th>
                <td>
                  <meter min={0} max={given.length} value={count} aria-label={t('{n} of {all}', { n: count, all: given.length })} /> {count}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    );
  }
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
