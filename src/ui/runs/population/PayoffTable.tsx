/** All against all: a table with the row's mean score against the column as number and colour. Hover or arrow keys select a pair. */
import { type KeyboardEvent, useState } from 'react';
import type { PopulationReport } from '#contract/game/population.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import styles from './Population.module.css';
import { pairInWords, scaleOf, shadeOf } from './payoffs.ts';

/** More members than this leave no room for numbers. */
const NUMBERS = 10;
const MOVES: { readonly [key: string]: readonly [number, number] } = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export function PayoffTable({ report }: { readonly report: PopulationReport }) {
  const { members, payoffs, meta } = report;
  const [pair, setPair] = useState<readonly [number, number] | null>(null);
  const n = members.length;
  const scale = scaleOf(payoffs);
  const mixture = meta.at(-1) ?? [];
  const [row, column] = pair ?? [-1, -1];
  const keys = (event: KeyboardEvent): void => {
    const by = MOVES[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const [r, c] = pair ?? [0, 0];
    setPair(pair === null ? [0, 0] : [(r + by[0] + n) % n, (c + by[1] + n) % n]);
  };
  const cellOf = (target: EventTarget): readonly [number, number] | null => {
    const cell = (target as HTMLElement).closest('td');
    return cell?.dataset.row === undefined ? null : [Number(cell.dataset.row), Number(cell.dataset.column)];
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is read cell by cell with the arrow keys */}
      <section className={styles.scroll} tabIndex={0} aria-label="Scores of all against all" onKeyDown={keys}>
        <table
          className={styles.payoffs}
          data-numbers={n <= NUMBERS}
          style={{ '--members': n } as object}
          onPointerOver={(event) => setPair(cellOf(event.target))}
          onPointerLeave={() => setPair(null)}
        >
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">row against column</span>
              </th>
              {members.map((member, c) => (
                <th key={member.id} scope="col" data-lit={c === column} title={member.id}>
                  {n <= NUMBERS ? <span>{member.id}</span> : c % 5 === 4 ? c + 1 : ''}
                </th>
              ))}
              {mixture.length > 0 && <th scope="col">mixture</th>}
            </tr>
          </thead>
          <tbody>
            {members.map((member, r) => (
              <tr key={member.id}>
                <th
                  scope="row"
                  data-lit={r === row}
                  title={`${member.role}${member.learning ? ', still learning' : ''}${member.held ? ', for measuring only' : ''}`}
                >
                  {member.id}
                </th>
                {members.map((other, c) => {
                  const value = payoffs[r]?.[c] ?? null;
                  const shade = value === null ? null : shadeOf(value, scale);
                  return (
                    <td
                      key={other.id}
                      data-row={r}
                      data-column={c}
                      data-lit={r === row && c === column}
                      style={
                        shade === null
                          ? undefined
                          : { background: `color-mix(in oklab, var(${shade.token}) ${shade.percent}%, var(--surface))` }
                      }
                    >
                      {value === null ? (
                        <i title="They have not met.">·</i>
                      ) : n <= NUMBERS ? (
                        measure(value, 2)
                      ) : (
                        <span className="visually-hidden">{measure(value, 2)}</span>
                      )}
                    </td>
                  );
                })}
                {mixture.length > 0 && (
                  <td className={styles.share}>
                    <i style={{ inlineSize: `calc(${mixture[r] ?? 0} * (100% - 42px))` }} />
                    <span>{Math.round(100 * (mixture[r] ?? 0))}</span>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles.pair} aria-live="polite">
        {pair !== null && row < n && column < n
          ? pairInWords(report, row, column)
          : 'Mean score of the row against the column; point at a pair.'}
      </p>
    </>
  );
}
