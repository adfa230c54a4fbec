/** Values of one field held against each other on fresh seeds, each by the set-up that was best for it: in one environment, or over several. */

import { contrastsOver, iqmText, tunedValues, tuningText } from '#contract/sweep/report.ts';
import type { ContrastArm, Setup } from '#contract/sweep/run.ts';
import { type Sweep, valueWord } from '#contract/sweep/sweep.ts';
import { hashOf } from '#stores/route.ts';
import { actingWords, type FieldTitle } from './form.ts';
import styles from './Sweep.module.css';

export interface ContrastedHere {
  /** Title of the environment. */
  readonly env: string;
  readonly arms: readonly ContrastArm[];
  readonly setups: readonly Setup[];
}

interface Props {
  readonly sweep: Sweep;
  readonly found: readonly ContrastedHere[];
  readonly fields: readonly FieldTitle[];
  /** Whether the runs stand in this page, where their curves can be compared. */
  readonly here: boolean;
}

export function Contrasts({ sweep, found, fields, here }: Props) {
  const field = fields.find(({ name }) => name === sweep.contrast);
  if (field === undefined) return null;
  const others = fields.filter(({ name }) => name !== sweep.contrast);
  const many = found.length > 1;
  const { sentence, pairs } = contrastsOver(found, sweep.better, (value) => `${field.title}: ${field.text(value)}`);
  const bestOf = (setups: readonly Setup[], { setup }: ContrastArm): string => {
    const values = setups.find((one) => one.number === setup)?.values;
    return values === undefined ? 'not measured' : actingWords(others, values);
  };
  const [unequal = ''] = found
    .map(({ arms, setups }) => tuningText(tunedValues(sweep, arms, setups, field.text)))
    .filter((text) => text !== '');
  return (
    <section
      className={styles.verdict}
      data-apart={pairs.some(({ state }) => state === 'first' || state === 'second')}
      aria-label={many ? `${field.title} over ${found.length} environments` : 'Verdict on fresh seeds'}
    >
      <ul className={styles.said} aria-label="Conclusions">
        {pairs.length > 1 && (
          <li>
            <b>{sentence}</b>
          </li>
        )}
        {pairs.map(({ text }) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={`Each value of ${field.title} by its best configuration`}>
        <table className={styles.table}>
          <thead>
            <tr>
              {many && <th scope="col">Environment</th>}
              <th scope="col">{field.title}</th>
              {others.length > 0 && <th scope="col">Best with</th>}
              <th scope="col" data-numeric="">
                {sweep.quantity.title}, IQM and 95&nbsp;%
              </th>
            </tr>
          </thead>
          <tbody>
            {found.flatMap(({ env, arms, setups }) =>
              arms.map((arm) => (
                <tr key={`${env} ${valueWord(arm.value)}`}>
                  {many && <th scope="row">{env}</th>}
                  <td>{field.text(arm.value)}</td>
                  {others.length > 0 && <td>{bestOf(setups, arm)}</td>}
                  <td data-numeric="">{iqmText(arm.scores)}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </section>
      <p className={styles.quiet}>
        How often a run of one scores above one of the other, with its 95&nbsp;% interval; a winner needs means that are apart in each
        environment as well. {unequal === '' ? 'Every value was tuned on as many configurations; nothing' : `${unequal} Nothing`} was chosen
        on these seeds.{' '}
        {here && (
          <a href={hashOf({ page: 'compare', id: null, query: { colour: field.name, facet: 'env', seeds: 'reporting' } })}>
            Their curves as a figure
          </a>
        )}
      </p>
    </section>
  );
}
