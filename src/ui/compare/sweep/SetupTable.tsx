/** Set-ups of a sweep as a table, best first. */
import { useState } from 'react';
import { laboratory } from '#client/address/laboratory.ts';
import { runs } from '#client/runs/service.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { Setup } from '#contract/sweep/run.ts';
import type { Sweep } from '#contract/sweep/sweep.ts';
import type { RunGroup } from '#stores/types.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { statusText } from '#ui/kit/progress.ts';
import type { FieldTitle } from './form.ts';
import styles from './Sweep.module.css';

/** Rows that are shown at first. */
const FEW = 20;

interface Props {
  readonly sweep: Sweep;
  readonly setups: readonly Setup[];
  readonly fields: readonly FieldTitle[];
  readonly best: Setup | null;
  /** Runs of this page and the hashes of those that were asked for; null: they are not of this page. */
  readonly runs: { readonly groups: readonly RunGroup[]; readonly asked: readonly string[] } | null;
}

export function SetupTable({ sweep, setups, fields, best, runs: here }: Props) {
  const [all, setAll] = useState(false);
  const sign = sweep.better === 'more' ? 1 : -1;
  const order = setups.toSorted(
    (a, b) =>
      Number(a.score === null) - Number(b.score === null) ||
      b.steps - a.steps ||
      sign * ((b.score ?? 0) - (a.score ?? 0)) ||
      a.number - b.number,
  );
  const wanted = new Set(here?.asked);
  const own = here?.groups.filter(({ hash }) => wanted.has(hash)) ?? [];
  // A run of the page has all tuning seeds in one config; the set-up is told from it by everything else.
  const keyOf = ({ config }: { readonly config: Setup['config'] }): string =>
    configHash({ ...config, run: { ...config.run, seeds: 1, seedStart: 1, executor: 'wasm' } });
  const first = sweep.seeds.reporting > 0 ? own.filter(({ config }) => config.run.seedStart < 1001) : own;
  const runOf = new Map(first.map((group) => [keyOf(group), group]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label="Configurations">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Configuration</th>
            {fields.map(({ name, title }) => (
              <th key={name} scope="col">
                {title}
              </th>
            ))}
            <th scope="col" data-numeric="">
              {sweep.quantity.title}
            </th>
            <th scope="col" data-numeric="">
              Seeds from to
            </th>
            <th scope="col" data-numeric="">
              Steps
            </th>
            {here !== null && <th scope="col">Run</th>}
          </tr>
        </thead>
        <tbody>
          {order.slice(0, all ? undefined : FEW).map((setup) => {
            const known = setup.scores.filter((score) => score !== null);
            const group = runOf.get(keyOf(setup));
            return (
              <tr key={setup.number} data-best={setup.number === best?.number}>
                <th scope="row">{setup.number}</th>
                {fields.map(({ name, text }) => (
                  <td key={name}>{text(setup.values[name])}</td>
                ))}
                <td data-numeric="">
                  <b>{setup.pruned === undefined ? measure(setup.score) : 'ended early'}</b>
                </td>
                <td data-numeric="">{known.length === 0 ? '–' : `${measure(Math.min(...known))} … ${measure(Math.max(...known))}`}</td>
                <td data-numeric="">{compact(setup.steps)}</td>
                {here !== null && (
                  <td>
                    {group === undefined ? (
                      <span className={styles.quiet}>waiting</span>
                    ) : (
                      <Button
                        kind="bare"
                        onClick={() => {
                          runs.open(group.id);
                          laboratory.back();
                        }}
                      >
                        {`Open, ${statusText(group)}`}
                      </Button>
                    )}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {order.length > FEW && (
        <Button kind="bare" onClick={() => setAll(!all)}>
          {all ? 'Fewer' : `All ${order.length}`}
        </Button>
      )}
    </section>
  );
}
