/** One bar per action: its probability, or its value where the policy chooses by values. Pointing at one shows it alone on the map. */
import { measure } from '../format/numbers.ts';
import { cellStore } from '../stage/cell.ts';
import { type ActionRow, barShares } from './inspect.ts';
import styles from './Why.module.css';

interface Props {
  readonly rows: readonly ActionRow[];
  /** Whether pointing at a bar can be shown on a map. */
  readonly onMap: boolean;
}

export function Bars({ rows, onMap }: Props) {
  const byProbability = rows.some((row) => Number.isFinite(row.probability));
  const withQ = rows.some((row) => Number.isFinite(row.q));
  const shares = byProbability
    ? rows.map((row) => (Number.isFinite(row.probability) ? row.probability : 0))
    : barShares(rows.map((row) => row.q));
  const point = (action: number): void => {
    if (onMap) cellStore.setState({ action });
  };
  return (
    <table className={styles.bars} onPointerLeave={() => point(-1)}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">action</th>
          <th scope="col">{byProbability ? 'probability' : 'value, as a bar'}</th>
          {byProbability && <th scope="col">percent</th>}
          {withQ && <th scope="col">action value Q</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={row.action} data-chosen={row.chosen || undefined} onPointerEnter={() => point(row.action)}>
            <th scope="row">
              {row.label}
              {row.chosen && <span className={styles.chosen}>chosen</span>}
            </th>
            <td className={styles.bar}>
              <span style={{ inlineSize: `${(100 * shares[i]!).toFixed(1)}%` }} />
            </td>
            {byProbability && <td className={styles.number}>{percent(row.probability)}</td>}
            {withQ && <td className={styles.number}>{byProbability ? <small>Q {measure(row.q, 3)}</small> : `Q ${measure(row.q)}`}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function percent(p: number): string {
  if (!Number.isFinite(p)) return '–';
  if (p > 0 && p < 0.001) return '< 0.1\u202f%';
  return `${(p * 100).toFixed(p > 0.999 && p < 1 ? 2 : 1)}\u202f%`;
}
