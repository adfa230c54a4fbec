/** Tasks by methods: in each cell the middle of the seeds of a stored result, with its interval. */
import { cardOf } from '#client/compare/papers.ts';
import type { BuiltCard, ScoreRef } from '#contract/papers/forms.ts';
import { hashOf } from '#stores/route.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { middleOf } from './figures.ts';
import styles from './Paper.module.css';
import { type Results, scoresIn } from './stored.ts';

interface Props {
  readonly card: BuiltCard;
  readonly results: Results;
  /** Before the press scores are covered. */
  readonly shown: boolean;
}

export function MethodTable({ card: { methods, tasks }, results, shown }: Props) {
  return (
    <section className={styles.table} aria-labelledby="paper-table">
      <h2 id="paper-table">Its tasks and methods here</h2>
      <p className={styles.quiet}>
        Each cell is the interquartile mean over the seeds of a result of this workbench, with its 95&nbsp;% interval; a link leads to that
        result. Rows have units of their own: compare along a row only.
      </p>
      <div className={styles.wide}>
        <table className={styles.arms}>
          <thead>
            <tr>
              <th scope="col">task</th>
              {methods.map((method) => (
                <th key={method} scope="col">
                  {method}
                </th>
              ))}
              <th scope="col">what the score is</th>
            </tr>
          </thead>
          <tbody>
            {tasks.map(({ title, unit, scores, env }) => (
              <tr key={title}>
                <th scope="row">
                  <a href={`#env=${env}`}>{title}</a>
                </th>
                {scores.map((score, k) => (
                  <td key={methods[k]} data-name={methods[k]} data-none={score === null || undefined}>
                    {score === null ? '–' : <Cell score={score} results={results} shown={shown} />}
                  </td>
                ))}
                <td data-name="score">
                  <small>{unit}</small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Cell({ score, results, shown }: { readonly score: ScoreRef; readonly results: Results; readonly shown: boolean }) {
  if (!shown) return <span title="Covered until you have predicted">?</span>;
  const scores = scoresIn(results, score);
  const middle = scores === null ? null : middleOf(scores);
  if (scores === null || middle === null) return <span className={styles.quiet}>not read</span>;
  const told = (
    <>
      <b>{measure(middle.value, 3)}</b>
      <small>
        {measure(middle.low, 3)} to {measure(middle.high, 3)}, {scores.length} seeds
      </small>
    </>
  );
  // claims of experiments have no page of their own
  return cardOf(score.result) === undefined ? told : <a href={hashOf({ page: 'papers', id: score.result, query: {} })}>{told}</a>;
}
