/** What was measured on tuning seeds before the reported runs of a paper: that the form could say something, and what it would cost. */
import { pilotInWords } from '#client/compare/papers.ts';
import { number } from '#contract/kit/numbers.ts';
import type { Pilot, PilotArm } from '#contract/papers/pilots.ts';
import { percent as inPercent, measure } from '#ui/kit/format/numbers.ts';
import styles from './Paper.module.css';

const NONE = '-';
const known = (value: number | null | undefined): string => (value === null || value === undefined ? NONE : measure(value, 3));
const percent = (share: number | null): string => (share === null ? NONE : inPercent(measure(100 * share, 2)));
const count = (value: number | null): string => (value === null ? NONE : number(value));

function meanScore({ scores }: PilotArm): string {
  const values = scores.flatMap((score) => score ?? []);
  return values.length === 0 ? NONE : known(values.reduce((sum, score) => sum + score, 0) / values.length);
}

/** `name` stands before the number on a narrow screen. */
const COLUMNS: readonly { readonly title: string; readonly name: string; readonly cell: (arm: PilotArm) => string }[] = [
  { title: 'Mean score', name: 'score', cell: meanScore },
  { title: 'Way from random play to the best', name: 'way from random play', cell: ({ height }) => percent(height) },
  { title: 'Gain in the last fifth', name: 'last fifth', cell: ({ rise }) => percent(rise) },
  { title: 'Spread over seeds', name: 'spread', cell: ({ spread }) => known(spread) },
  { title: 'Runs cut short', name: 'cut short', cell: ({ censored }) => (censored === 0 ? NONE : percent(censored)) },
  { title: 'Two humps', name: 'two humps', cell: ({ humps }) => (humps === true ? 'yes' : NONE) },
  { title: 'Parameters', name: 'parameters', cell: ({ parameters }) => count(parameters) },
  { title: 'Steps', name: 'steps', cell: ({ steps }) => count(steps) },
  { title: 'Tokens', name: 'tokens', cell: ({ tokens }) => count(tokens) },
];

export function PilotSection({ pilot }: { readonly pilot: Pilot | null }) {
  return (
    <section className={styles.pilot}>
      <h2>Pilot</h2>
      <p className={styles.quiet}>{pilotInWords(pilot)}</p>
      {pilot !== null && (
        <details>
          <summary>What it measured</summary>
          <Measured pilot={pilot} />
        </details>
      )}
    </section>
  );
}

function Measured({ pilot: { arms, contrasts, warnings } }: { readonly pilot: Pilot }) {
  // a column that says nothing of any arm is left out
  const columns = COLUMNS.filter(({ cell }) => arms.some((arm) => cell(arm) !== NONE));
  return (
    <>
      <div className={styles.wide}>
        <table className={styles.arms}>
          <thead>
            <tr>
              <th scope="col">Arm</th>
              {columns.map(({ title }) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {arms.map((arm) => (
              <tr key={arm.id}>
                <th scope="row">{arm.id}</th>
                {columns.map(({ title, name, cell }) => (
                  <td key={title} data-name={name}>
                    {cell(arm)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h3>Contrasts on these seeds</h3>
      <ul className={styles.bullets}>
        {contrasts.map(({ id, estimate, seeds, least, most }) => (
          <li key={id}>
            {id}: {known(estimate)}
            {seeds !== null && `, about ${seeds} seeds an arm for its size`}
            {(least !== null || most !== null) && `, between ${known(least)} and ${known(most)} with this budget`}.
          </li>
        ))}
      </ul>
      {warnings.length > 0 && (
        <>
          <h3>Noted before the runs</h3>
          <ul className={styles.bullets}>
            {warnings.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
