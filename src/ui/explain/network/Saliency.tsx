/** Which inputs the chosen output depends on at the shown state: its slope along each, strongest first; on pictures cell by cell. */
import type { NetworkValues, NetworkView, SlopeQuestion } from '#contract/game/network-view.ts';
import type { ActionSpace, ObsSpace } from '#contract/game/spaces.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import styles from './Network.module.css';
import { outputWords } from './words.ts';

const MOST_ROWS = 8;

interface Props {
  readonly view: NetworkView;
  readonly values: NetworkValues;
  readonly obs: ObsSpace;
  readonly action: ActionSpace;
  readonly slope: SlopeQuestion;
}

export function Saliency({ view, values, obs, action, slope }: Props) {
  const rows = view.layers.flatMap((layer, i) => {
    const along = layer.kind === 'input' ? values.slopes[i] : null;
    if (along === null || along === undefined) return [];
    return Array.from(along, (value, k) => ({
      key: `${i} ${k}`,
      name: layer.labels[k] ?? `input ${k}`,
      slope: value,
      now: values.layers[i]![k]!,
    }));
  });
  const strongest = rows
    .filter((row) => row.slope !== 0)
    .toSorted((a, b) => Math.abs(b.slope) - Math.abs(a.slope) || a.key.localeCompare(b.key));
  const most = Math.abs(strongest[0]?.slope ?? 1);
  const what = outputWords(slope.output, action.labels[slope.index] ?? `${slope.index}`);
  const shape = pictureShape(obs);
  return (
    <figure className={styles.saliency}>
      <figcaption>
        How fast {what} changes with each input, here{view.normalised ? ' (per normalised unit)' : ''}
        {strongest.length > MOST_ROWS ? `: the ${MOST_ROWS} steepest of ${rows.length}` : ''}.
      </figcaption>
      {strongest.length === 0 && <p className={styles.hint}>It depends on none of them at this state.</p>}
      {shape !== null && <Cells rows={rows.map((row) => row.slope)} shape={shape} />}
      <table className={styles.slopes}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">input</th>
            <th scope="col">slope as a bar</th>
            <th scope="col">slope</th>
            <th scope="col">now</th>
          </tr>
        </thead>
        <tbody>
          {strongest.slice(0, MOST_ROWS).map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.name}</th>
              <td className={styles.slopeBar}>
                <span data-sign={row.slope < 0 ? 'minus' : 'plus'} style={{ inlineSize: `${(50 * Math.abs(row.slope)) / most}%` }} />
              </td>
              <td className="figures">{measure(row.slope, 3)}</td>
              <td className="figures">
                <small>now {measure(row.now, 3)}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

/** Height and width of what lies in space; null: nothing does. */
function pictureShape(obs: ObsSpace): readonly [number, number] | null {
  if (obs.kind === 'grid') return [obs.shape[0], obs.shape[1]];
  return obs.kind === 'box' && obs.shape.length === 3 ? [obs.shape[0] ?? 1, obs.shape[1] ?? 1] : null;
}

/** The sizes of the slopes of all numbers of a cell, added up. */
function Cells({ rows, shape: [height, width] }: { readonly rows: readonly number[]; readonly shape: readonly [number, number] }) {
  const each = Math.floor(rows.length / (height * width));
  const sums = Array.from({ length: height * width }, (_, cell) =>
    rows.slice(cell * each, (cell + 1) * each).reduce((sum, slope) => sum + Math.abs(slope), 0),
  );
  const most = Math.max(...sums, 1e-12);
  return (
    <svg
      className={styles.cells}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label="Slopes cell by cell of what it sees; the darker the steeper"
    >
      {sums.map((sum, cell) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its index
          key={cell}
          x={(cell % width) + 0.03}
          y={Math.floor(cell / width) + 0.03}
          width={0.94}
          height={0.94}
          opacity={(0.06 + (0.94 * sum) / most).toFixed(2)}
        >
          <title>
            row {Math.floor(cell / width)}, column {cell % width}: {measure(sum, 3)}
          </title>
        </rect>
      ))}
    </svg>
  );
}
