/** The same network as tables: the units of a layer with what they give, and everything that one of them weighs. */
import { useState } from 'react';
import { exactFloat, type NetworkValues, type NetworkView } from '#contract/game/network-view.ts';
import type { ActionSpace } from '#contract/game/spaces.ts';
import { Button } from '#ui/kit/Button.tsx';
import { measure } from '#ui/kit/format/numbers.ts';
import { activation, drawnUnits, inputsOf, layerTitle, type UnitAt, unitName } from './model.ts';
import styles from './Network.module.css';

const PAGE = 64;

interface Props {
  readonly view: NetworkView;
  readonly values: NetworkValues | null;
  readonly action: ActionSpace;
  readonly layers: readonly number[];
  readonly outputText: (at: UnitAt) => string;
}

export function UnitTable({ view, values, action, layers, outputText }: Props) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [unit, setUnit] = useState(0);
  const [more, setMore] = useState(1);
  const layer = chosen !== null && layers.includes(chosen) ? chosen : (layers.at(-1) ?? 0);
  const of = view.layers[layer];
  if (of === undefined) return null;
  const count = drawnUnits(of);
  const shown = Math.min(count, PAGE * more);
  const at = { layer, unit: Math.min(unit, count - 1) };
  return (
    <div className={styles.tables}>
      <label>
        layer{' '}
        <select value={layer} onChange={(event) => setChosen(Number(event.target.value))}>
          {layers.map((i) => (
            <option key={i} value={i}>
              {layerTitle(view, i, layers)} ({drawnUnits(view.layers[i]!)})
            </option>
          ))}
        </select>
      </label>
      <table>
        <caption className="visually-hidden">Units of {layerTitle(view, layer, layers)}</caption>
        <thead>
          <tr>
            <th scope="col">unit</th>
            <th scope="col">gives</th>
            {of.activation !== '' && <th scope="col">sum</th>}
            {of.kind !== 'input' && of.kind !== 'memory' && <th scope="col">bias</th>}
            <th scope="col">slope</th>
            {of.weights.length > 0 && (
              <th scope="col">
                <span className="visually-hidden">inputs</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: shown }, (_, i) => {
            const place = { layer, unit: i };
            const output = outputText(place);
            const bias = of.weights[0]?.bias?.[i];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a unit is its number
              <tr key={i} data-chosen={i === at.unit || undefined}>
                <th scope="row">
                  {unitName(view, action, place)} {output !== '' && <small>{output}</small>}
                </th>
                <td className="figures">{values === null ? '–' : measure(activation(view, values, place))}</td>
                {of.activation !== '' && <td className="figures">{measure(values?.sums[layer]?.[i] ?? Number.NaN)}</td>}
                {of.kind !== 'input' && of.kind !== 'memory' && <td className="figures">{bias === undefined ? '–' : exactFloat(bias)}</td>}
                <td className="figures">{measure(values?.slopes[layer]?.[i] ?? Number.NaN, 3)}</td>
                {of.weights.length > 0 && (
                  <td>
                    <Button kind="bare" aria-label={`Inputs of ${unitName(view, action, place)}`} onClick={() => setUnit(i)}>
                      inputs
                    </Button>
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {shown < count && <Button onClick={() => setMore(more + 1)}>{count - shown} more units</Button>}
      {of.weights.length > 0 && <Inputs key={`${layer} ${at.unit}`} view={view} values={values} action={action} at={at} layers={layers} />}
    </div>
  );
}

interface InputsProps extends Omit<Props, 'outputText'> {
  readonly at: UnitAt;
}

function Inputs({ view, values, action, at, layers }: InputsProps) {
  const [more, setMore] = useState(1);
  const rows = inputsOf(view, values, action, at);
  const shown = rows.slice(0, PAGE * more);
  const gated = rows.some(({ gate }) => gate !== '');
  return (
    <>
      <table>
        <caption>
          What {unitName(view, action, at)} of {layerTitle(view, at.layer, layers)} weighs
        </caption>
        <thead>
          <tr>
            <th scope="col">input</th>
            {gated && <th scope="col">gate</th>}
            <th scope="col">weight</th>
            <th scope="col">gives now</th>
            <th scope="col">adds</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={`${row.at.matrix} ${row.at.row} ${row.at.column}`}>
              <th scope="row">{row.name}</th>
              {gated && <td>{row.gate}</td>}
              <td className="figures">{exactFloat(row.weight)}</td>
              <td className="figures">{measure(row.activation)}</td>
              <td className="figures">{measure(row.weight * row.activation)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && <Button onClick={() => setMore(more + 1)}>{rows.length - shown.length} more inputs</Button>}
    </>
  );
}
