/** Methods held against each other on fresh seeds, each by its own best set-up: in one environment, or over several. */

import { groupBy } from '#contract/kit/group-by.ts';
import { contrastsOver, iqmText, type MethodIn, methodsIn, tuningText } from '#contract/sweep/report.ts';
import type { Setup } from '#contract/sweep/run.ts';
import { type Sweep, valueWord } from '#contract/sweep/sweep.ts';
import { hashOf } from '#stores/route.ts';
import styles from './Sweep.module.css';

interface MethodHere extends MethodIn {
  readonly best: Setup | null;
  readonly setups: readonly Setup[];
}

interface Props {
  readonly sweep: Sweep;
  readonly found: readonly MethodHere[];
}

export function Methods({ sweep, found }: Props) {
  const { sentence, pairs } = contrastsOver(methodsIn(found), sweep.better);
  const settings = ({ best }: MethodHere): string =>
    Object.entries(best?.values ?? {})
      .map(([name, value]) => `${name.replace(/^algo\./, '')} ${valueWord(value)}`)
      .join(', ');
  const [unequal = ''] = [...groupBy(found, ({ env }) => env).values()]
    .map((own) => tuningText(own.map(({ method, setups }) => ({ name: method, setups: setups.length }))))
    .filter((text) => text !== '');
  return (
    <section
      className={styles.verdict}
      data-apart={pairs.some(({ state }) => state === 'first' || state === 'second')}
      aria-label="Methods compared"
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
      <section className={styles.scroll} tabIndex={0} aria-label="Each method by its best configuration">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Environment</th>
              <th scope="col">Method</th>
              <th scope="col">Best with</th>
              <th scope="col" data-numeric="">
                {sweep.quantity.title}, IQM and 95&nbsp;%
              </th>
            </tr>
          </thead>
          <tbody>
            {found.map((one) => (
              <tr key={`${one.env} ${one.method}`}>
                <th scope="row">{one.env}</th>
                <td>{one.method}</td>
                <td>{settings(one)}</td>
                <td data-numeric="">{iqmText(one.reported?.best ?? [])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles.quiet}>
        How often a run of one scores above one of the other, with its 95&nbsp;% interval; a winner needs means that are apart in each
        environment as well. {unequal === '' ? 'Every method is the best of as many configurations; nothing' : `${unequal} Nothing`} was
        chosen on these seeds.{' '}
        <a href={hashOf({ page: 'compare', id: null, query: { colour: 'algo', facet: 'env', seeds: 'reporting' } })}>
          Their curves as a figure
        </a>
      </p>
    </section>
  );
}
