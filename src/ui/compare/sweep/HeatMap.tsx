/** Mean score over two fields: values, or fifths of a range. Numbers stand in the cells, so that colour is not all that tells them apart. */
import { useState } from 'react';
import type { Setup } from '#contract/sweep/run.ts';
import type { Sweep } from '#contract/sweep/sweep.ts';
import { choiceAt, type Dimension, valueAt } from '#math/search/space.ts';
import { mean } from '#math/stats.ts';
import { alike } from '#ui/kit/format/numbers.ts';
import type { FieldTitle } from './form.ts';
import styles from './Sweep.module.css';

const BINS = 5;

interface Props {
  readonly sweep: Sweep;
  readonly setups: readonly Setup[];
  readonly fields: readonly FieldTitle[];
}

interface Bins {
  readonly names: readonly string[];
  readonly at: (u: number) => number;
}

function binsOf(dimension: Dimension, { text }: FieldTitle): Bins {
  if (dimension.kind === 'choice') {
    const { values } = dimension;
    return { names: values.map((value) => text(value)), at: (u) => choiceAt(values.length, u) };
  }
  const name = (k: number): string =>
    `${text(valueAt(dimension, k / BINS))} to ${text(valueAt(dimension, Math.min((k + 1) / BINS, 1 - 1e-9)))}`;
  return { names: Array.from({ length: BINS }, (_, k) => name(k)), at: (u) => choiceAt(BINS, u) };
}

export function HeatMap({ sweep, setups, fields }: Props) {
  const [chosen, setChosen] = useState<readonly [number, number]>([0, Math.min(1, fields.length - 1)]);
  const [across, down] = chosen;
  const [x, y] = [fields[across], fields[down]];
  const [dx, dy] = [sweep.dimensions[across], sweep.dimensions[down]];
  if (x === undefined || y === undefined || dx === undefined || dy === undefined) return null;
  const [columns, rows] = [binsOf(dx, x), across === down ? null : binsOf(dy, y)];
  // A set-up in which one of the two fields does not act has no place here.
  const scored = setups.flatMap(({ point, values: set, first }) =>
    first === null || !(x.name in set && y.name in set) ? [] : [{ point, score: first }],
  );
  const cells = (rows?.names ?? ['']).map((_, r) =>
    columns.names.map((_name, c) => {
      const own = scored.filter(({ point }) => columns.at(point[across] ?? 0) === c && (rows === null || rows.at(point[down] ?? 0) === r));
      return { value: own.length === 0 ? null : mean(own.map(({ score }) => score)), count: own.length };
    }),
  );
  const values = cells.flat().flatMap(({ value }) => (value === null ? [] : [value]));
  const write = alike(values);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const share = (value: number): number => {
    const up = high === low ? 0.5 : (value - low) / (high - low);
    return sweep.better === 'more' ? up : 1 - up;
  };
  const axis = (label: string, which: 0 | 1): React.ReactNode => (
    <label className={styles.control}>
      <span>{label}</span>
      <select
        value={chosen[which]}
        onChange={(event) => {
          const next = Number(event.target.value);
          setChosen(which === 0 ? [next, down] : [across, next]);
        }}
      >
        {fields.map(({ name, title }, i) => (
          <option key={name} value={i}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <div className={styles.results}>
      {fields.length > 1 && (
        <div className={styles.axes}>
          {axis('Across', 0)}
          {axis('Down', 1)}
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label="Heat map">
        <table className={styles.heat}>
          <caption>{`Mean ${sweep.quantity.title} over all configurations of a cell; the stronger the colour, the better`}</caption>
          <thead>
            <tr>
              <td />
              {columns.names.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.map((row, r) => (
              <tr key={rows?.names[r] ?? ''}>
                <th scope="row">{rows?.names[r] ?? ''}</th>
                {row.map(({ value, count }, c) => (
                  <td
                    key={columns.names[c]}
                    style={
                      value === null
                        ? undefined
                        : { background: `color-mix(in srgb, var(--series-0) ${Math.round(8 + 42 * share(value))}%, var(--surface))` }
                    }
                  >
                    {value === null ? <small>none</small> : <b>{write(value)}</b>}
                    {count > 1 && <small>{`${count} configurations`}</small>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
