/** All weights of one layer as a picture: a row for each input, a column for each unit. Pointing or arrow keys read one exactly. */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { exactFloat, type NetworkView } from '#contract/game/network-view.ts';
import type { ActionSpace } from '#contract/game/spaces.ts';
import { onThemeChange, resolveColours } from '#ui/kit/theme/theme-change.ts';
import { drawnUnits, layerTitle, sourceAt, unitName, type WeightAt } from './model.ts';
import styles from './Network.module.css';

interface Props {
  readonly view: NetworkView;
  readonly layers: readonly number[];
  readonly action: ActionSpace;
}

export function Matrix({ view, layers, action }: Props) {
  const choices = layers.flatMap((layer) => view.layers[layer]!.weights.map((_, matrix) => ({ layer, matrix })));
  const [chosen, setChosen] = useState(0);
  const { layer, matrix } = choices[Math.min(chosen, choices.length - 1)] ?? { layer: 0, matrix: 0 };
  const of = view.layers[layer]?.weights[matrix];
  const canvas = useRef<HTMLCanvasElement>(null);
  const [cell, setCell] = useState<readonly [row: number, column: number]>([0, 0]);
  const [theme, setTheme] = useState(0);
  useEffect(() => onThemeChange(() => setTheme((n) => n + 1)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    if (canvas.current !== null && of !== undefined) paint(canvas.current, of.weights, of.inputs, of.outputs);
  }, [of, theme]);
  if (of === undefined) return null;
  const row = Math.min(cell[0], of.inputs - 1);
  const column = Math.min(cell[1], of.outputs - 1);
  const at: WeightAt = { layer, matrix, row, column };

  const onPointer = (event: PointerEvent<HTMLCanvasElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const along = (offset: number, size: number, count: number): number =>
      Math.min(count - 1, Math.max(0, Math.floor((offset / size) * count)));
    setCell([along(event.clientY - box.top, box.height, of.inputs), along(event.clientX - box.left, box.width, of.outputs)]);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? 10 : 1;
    const [dr, dc] = { ArrowUp: [-step, 0], ArrowDown: [step, 0], ArrowLeft: [0, -step], ArrowRight: [0, step] }[event.key] ?? [0, 0];
    if (dr === 0 && dc === 0) return;
    event.preventDefault();
    setCell([Math.min(of.inputs - 1, Math.max(0, row + (dr ?? 0))), Math.min(of.outputs - 1, Math.max(0, column + (dc ?? 0)))]);
  };
  return (
    <div className={styles.matrix}>
      <label>
        weights into{' '}
        <select
          value={choices.findIndex((each) => each.layer === layer && each.matrix === matrix)}
          onChange={(event) => setChosen(Number(event.target.value))}
        >
          {choices.map((each, i) => (
            <option key={`${each.layer} ${each.matrix}`} value={i}>
              {layerTitle(view, each.layer, layers)} ({view.layers[each.layer]!.weights[each.matrix]!.name})
            </option>
          ))}
        </select>
      </label>
      <output id="network-cell" className={styles.detail}>
        <b className="figures">{exactFloat(of.weights[row * of.outputs + column]!)}</b> {wordsOf(view, action, at)}
      </output>
      <div className={styles.frame} style={{ blockSize: `${Math.min(320, Math.max(64, 14 * of.inputs))}px` }}>
        <canvas
          ref={canvas}
          tabIndex={0}
          role="img"
          aria-label={`Weights, ${of.inputs} inputs by ${of.outputs} columns. Arrow keys choose one; Shift goes by ten.`}
          aria-describedby="network-cell"
          onPointerMove={onPointer}
          onPointerDown={onPointer}
          onKeyDown={onKeyDown}
        />
        <i
          aria-hidden="true"
          style={{
            insetBlockStart: `${(100 * row) / of.inputs}%`,
            insetInlineStart: `${(100 * column) / of.outputs}%`,
            blockSize: `${100 / of.inputs}%`,
            inlineSize: `${100 / of.outputs}%`,
          }}
        />
      </div>
    </div>
  );
}

/** "from pole angle to hidden 1, unit 3 (row 2, column 3 of policy/actor.0.w)" */
export function wordsOf(view: NetworkView, action: ActionSpace, { layer, matrix, row, column }: WeightAt): string {
  const of = view.layers[layer]!;
  const from = of.weights[matrix]!;
  const source = sourceAt(view, from, row);
  const units = drawnUnits(of);
  const gate = from.gates[Math.floor(column / units)];
  const name = source === null ? `kernel number ${row}` : unitName(view, action, source);
  const to = unitName(view, action, { layer, unit: column % units });
  return `from ${name} to ${to}${gate === undefined ? '' : `, ${gate}`}: row ${row}, column ${column} of ${from.name}`;
}

/** One pixel for each weight, from the largest below zero over nothing to the largest above. */
function paint(canvas: HTMLCanvasElement, weights: Float32Array, rows: number, columns: number): void {
  canvas.width = columns;
  canvas.height = rows;
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const colours = resolveColours(canvas, { negative: '--div-neg', middle: '--div-mid', positive: '--div-pos' });
  const [negative, middle, positive] = [bytesOf(colours.negative), bytesOf(colours.middle), bytesOf(colours.positive)];
  const top = weights.reduce((most, w) => Math.max(most, Math.abs(w)), 1e-12);
  const picture = pen.createImageData(columns, rows);
  for (let i = 0; i < weights.length; i++) {
    const share = weights[i]! / top;
    const end = share < 0 ? negative : positive;
    const much = Math.sqrt(Math.abs(share));
    for (let c = 0; c < 3; c++) picture.data[4 * i + c] = (middle[c] ?? 0) + ((end[c] ?? 0) - (middle[c] ?? 0)) * much;
    picture.data[4 * i + 3] = 255;
  }
  pen.putImageData(picture, 0, 0);
}

/** Of "rgb(r, g, b)". */
const bytesOf = (colour: string): readonly number[] => (colour.match(/\d+/g) ?? []).map(Number);
