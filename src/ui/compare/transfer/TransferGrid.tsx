/** The grid as far as it is known: means in coloured cells, each of which opens its policy in its setting, and a line for each row. */
import { useStore } from 'zustand';
import { transfer } from '#client/compare/transfer.ts';
import { cellScores, settingText, transferSize } from '#contract/catalog/transfer.ts';
import { mean } from '#math/stats.ts';
import { meanInterval } from '#math/stats-compare.ts';
import { catalogStore } from '#stores/catalog.ts';
import { transferStore } from '#stores/transfer.ts';
import { leavesOf } from '#ui/form/leaves.ts';
import { Button } from '#ui/kit/Button.tsx';
import { LineChart } from '#ui/kit/charts/Chart.tsx';
import type { ChartRow } from '#ui/kit/charts/types.ts';
import { alike, compact, measure } from '#ui/kit/format/numbers.ts';
import { save } from '#ui/kit/save.ts';
import styles from './Transfer.module.css';

const HEIGHT = 220; // px
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '1 4'] as const;

export function TransferGrid() {
  const { plan, config, tested, state, message, steps } = useStore(transferStore);
  const catalog = useStore(catalogStore, (store) => store.catalog);
  if (plan === null || config === null) return null;
  const env = catalog?.envs.find(({ id }) => id === config.env.id);
  const leaf = env === undefined ? undefined : leavesOf('env', env.schema).find(({ path }) => path === plan.field);
  const title = leaf?.title ?? plan.field;
  const unit = leaf?.schema.unit === undefined ? '' : ` ${leaf.schema.unit}`;
  const cells = plan.train.map((_, row) => plan.test.map((_column, column) => cellScores(tested, row, column)));
  const means = cells.flat().flatMap((scores) => (scores.length === 0 ? [] : [mean(scores)]));
  const write = alike(means);
  const [low, high] = [Math.min(...means), Math.max(...means)];
  const share = (value: number): number => (high === low ? 0.5 : (value - low) / (high - low));
  const size = transferSize(plan, config);
  const all = size.runs * plan.test.length;
  const failed = tested.filter(({ score }) => score === null).length;
  const rows = plan.train.map((row) => `${settingText(row)}${unit}`);
  const columns = plan.test.map((column) => `${settingText(column)}${unit}`);
  return (
    <section aria-labelledby="transfer-grid">
      <h2 id="transfer-grid" className={styles.heading}>{`${env?.title ?? config.env.id}, ${title}`}</h2>
      <div className={styles.buttons}>
        {state === 'running' ? (
          <Button icon="stop" onClick={transfer.stop}>
            Stop
          </Button>
        ) : (
          state !== 'done' && (
            <Button icon="play" onClick={transfer.resume}>
              Resume
            </Button>
          )
        )}
        <Button
          icon="download"
          disabled={tested.length === 0}
          onClick={() =>
            void save(new Blob([`${JSON.stringify({ ...plan, tested }, null, 1)}\n`], { type: 'application/json' }), 'grid-result.json')
          }
        >
          Result
        </Button>
        <span className={styles.quiet} role="status">
          {`${stateWords[state]}${state === 'failed' ? `: ${message}` : ''} ${tested.length} of ${all} tests, ${compact(steps)} of ${compact(size.steps)} steps of training.`}
          {failed > 0 && ` ${failed} tests are missing: their runs failed.`}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label="Returns">
        <table className={styles.heat}>
          <caption>{`Mean return of greedy episodes. Rows: ${title} in training. Columns: ${title} in the test. Press a cell to watch its policy.`}</caption>
          <thead>
            <tr>
              <th scope="col">trained \ tested</th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.map((row, r) => (
              <tr key={rows[r]}>
                <th scope="row">{rows[r]}</th>
                {row.map((scores, c) => (
                  <td key={columns[c]}>
                    {scores.length === 0 ? (
                      <small>{state === 'running' ? '…' : '–'}</small>
                    ) : (
                      <button
                        type="button"
                        style={{
                          background: `color-mix(in srgb, var(--series-0) ${Math.round(8 + 42 * share(mean(scores)))}%, var(--surface))`,
                        }}
                        title={`Trained with ${rows[r]}, tested with ${columns[c]}: ${scores.length} ${scores.length === 1 ? 'seed' : 'seeds'}${interval(scores)}`}
                        onClick={() => void transfer.show(r, c)}
                      >
                        <b>{write(mean(scores))}</b>
                        <span className="visually-hidden">{`, watch: trained with ${rows[r]}, tested with ${columns[c]}`}</span>
                      </button>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {means.length > 1 && plan.test.length > 2 && plan.test.every((one) => typeof one === 'number') && (
        <Lines title={title} names={rows} tests={plan.test as readonly number[]} cells={cells} />
      )}
    </section>
  );
}

const stateWords = { empty: '', running: 'Running.', stopped: 'Stopped.', done: 'Done.', failed: 'Failed' } as const;

function interval(scores: readonly number[]): string {
  if (scores.length < 2) return '';
  const { mean: middle, halfWidth } = meanInterval(scores);
  return `, 95\u00a0% interval ${measure(middle - halfWidth)} to ${measure(middle + halfWidth)}`;
}

interface LinesProps {
  readonly title: string;
  readonly names: readonly string[];
  readonly tests: readonly number[];
  readonly cells: readonly (readonly (readonly number[])[])[];
}

/** Return over the tested setting, a line for each row: where a policy breaks. */
function Lines({ title, names, tests, cells }: LinesProps) {
  const order = tests.map((_, column) => column).toSorted((a, b) => tests[a]! - tests[b]!);
  const rows = order.map((column): ChartRow => {
    const row: { x: number; [key: string]: number } = { x: tests[column]! };
    for (const [r, own] of cells.entries()) row[`r${r}`] = own[column]!.length === 0 ? Number.NaN : mean(own[column]!);
    return row;
  });
  const log = tests.every((one) => one > 0) && Math.max(...tests) / Math.min(...tests) > 8;
  const series = names.map((name, r) => ({
    key: `r${r}`,
    colour: `var(--series-${r % 8})`,
    dash: DASHES[r % DASHES.length]!,
    width: 2,
    name,
  }));
  return (
    <figure className={styles.lines}>
      <figcaption>{`Return over ${title} in the test, a line for each row`}</figcaption>
      <LineChart
        label={`Return over ${title}: ${names.join(', ')}`}
        height={HEIGHT}
        rows={rows}
        series={series}
        x={{ domain: 'data', log, ticks: order.map((column) => tests[column]!), format: (v) => measure(v, 3), size: 24 }}
        y={{ domain: 'round', tickCount: 4, format: (v) => measure(v, 3), size: 44 }}
        grid
        right={96}
      />
    </figure>
  );
}
