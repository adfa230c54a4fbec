/** What was measured on tuning seeds before the reported runs of a paper: that the form could say something, and what it would cost. */
import { pilotInWords } from '#client/compare/papers.ts';
import { measure, number } from '#contract/numbers.ts';
import type { Pilot } from '#contract/pilots.ts';
import styles from './Paper.module.css';

const known = (value: number | null | undefined): string => (value === null || value === undefined ? '-' : measure(value, 3));
const percent = (share: number | null): string => (share === null ? '-' : `${measure(100 * share, 2)} %`);
const HUMPS = { null: 'too few seeds', true: 'yes', false: 'no' } as const;

export function PilotSection({ pilot }: { readonly pilot: Pilot | null }) {
  return (
    <section className={styles.pilot}>
      <h2>Pilot</h2>
      <p className={styles.quiet}>{pilotInWords(pilot)}</p>
      {pilot !== null && <Measured pilot={pilot} />}
    </section>
  );
}

function Measured({ pilot }: { readonly pilot: Pilot }) {
  const { arms, contrasts, warnings } = pilot;
  return (
    <>
      <div className={styles.wide}>
        <table className={styles.arms}>
          <thead>
            <tr>
              <th scope="col">Arm</th>
              <th scope="col">Mean score</th>
              <th scope="col">Way from random play to the best</th>
              <th scope="col">Gain in the last fifth</th>
              <th scope="col">Spread over seeds</th>
              <th scope="col">Runs cut short</th>
              <th scope="col">Two humps</th>
              <th scope="col">Parameters</th>
              <th scope="col">Steps</th>
              <th scope="col">Tokens</th>
            </tr>
          </thead>
          <tbody>
            {arms.map((arm) => {
              const scores = arm.scores.flatMap((score) => score ?? []);
              const mean = scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
              return (
                <tr key={arm.id}>
                  <th scope="row">{arm.id}</th>
                  <td data-name="score">{known(mean)}</td>
                  <td data-name="way from random play">{percent(arm.height)}</td>
                  <td data-name="last fifth">{percent(arm.rise)}</td>
                  <td data-name="spread">{known(arm.spread)}</td>
                  <td data-name="cut short">{percent(arm.censored)}</td>
                  <td data-name="two humps">{HUMPS[`${arm.humps}`]}</td>
                  <td data-name="parameters">{arm.parameters === null ? '-' : number(arm.parameters)}</td>
                  <td data-name="steps">{arm.steps === null ? '-' : number(arm.steps)}</td>
                  <td data-name="tokens">{arm.tokens === null ? '-' : number(arm.tokens)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <ul className={styles.bullets}>
        {contrasts.map(({ id, estimate, seeds: needed, least, most }) => (
          <li key={id}>
            {id}: {known(estimate)} on these seeds
            {needed !== null && `, about ${needed} seeds an arm for its size`}
            {(least !== null || most !== null) && `, between ${known(least)} and ${known(most)} with this budget`}.
          </li>
        ))}
        {warnings.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}
