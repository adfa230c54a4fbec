/** Of a run over a sequence of tasks: the return in every task at each border, so that what is kept and what is lost is seen task by task. */
import { tasksOf } from '#contract/catalog/contexts.ts';
import { taskMetric } from '#contract/game/metrics.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { mean } from '#math/stats.ts';
import { curves } from '#stores/curves.ts';
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import styles from './Training.module.css';

interface Row {
  readonly step: number;
  /** Mean over seeds, of each task. */
  readonly returns: readonly number[];
}

/** Where all tasks were played, by the steps of the first seed. */
function rowsOf(group: RunGroup, tasks: number): readonly Row[] {
  const series = Array.from({ length: tasks }, (_, task) =>
    group.seeds.flatMap(({ seed }) => curves.series(group.id, seed, taskMetric(task)) ?? []),
  );
  const steps = [...(series[0]?.[0]?.steps ?? [])];
  return steps.flatMap((step, k) => {
    const returns = series.map((seeds) => {
      const values = seeds.flatMap(({ values: own }) => (k < own.length ? [own[k]!] : [])).filter(Number.isFinite);
      return values.length === 0 ? Number.NaN : mean(values);
    });
    return returns.some(Number.isFinite) ? [{ step, returns }] : [];
  });
}

export function Remembered({ group }: { readonly group: RunGroup }) {
  const config = group.config.env.config as JsonObject;
  const tasks = tasksOf(config);
  if (tasks === null) return null;
  const rows = rowsOf(group, tasks.length);
  if (rows.length === 0) return <p className={styles.quiet}>{t('All tasks are played at the first border between blocks.')}</p>;
  const all = rows.flatMap(({ returns }) => returns).filter(Number.isFinite);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const share = (value: number): number => (high === low ? 0.5 : (value - low) / (high - low));
  const last = rows[rows.length - 1]!;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.remembered} tabIndex={0} aria-label={t('Returns by task')}>
      <table>
        <caption>{t('Mean greedy return in each task, at every border and at the end. Last row: change since its best.')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('steps')}</th>
            {tasks.map((_, task) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: tasks are known by their place
              <th key={task} scope="col">
                {t('task {value}', { value: task + 1 })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ step, returns }) => (
            <tr key={step}>
              <th scope="row">{compact(step)}</th>
              {returns.map((value, task) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: tasks are known by their place
                  key={task}
                  style={{ background: `color-mix(in srgb, var(--series-0) ${Math.round(8 + 42 * share(value))}%, var(--surface))` }}
                >
                  {Number.isFinite(value) ? measure(value) : '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('lost')}</th>
            {last.returns.map((value, task) => {
              const best = Math.max(...rows.map(({ returns }) => returns[task]!).filter(Number.isFinite));
              // biome-ignore lint/suspicious/noArrayIndexKey: tasks are known by their place
              return <td key={task}>{measure(value - best)}</td>;
            })}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
