/** A network as it is drawn: which layers lead to an output, which units are shown, what stands where, and the numbers of one unit or weight. Pure. */
import type { LayerView, NetworkValues, NetworkView, OutputName, WeightsView } from '#contract/game/network-view.ts';
import type { ActionSpace } from '#contract/game/spaces.ts';

/** Which of its outputs a drawing leads to. */
export type Half = 'policy' | 'value';

export interface UnitAt {
  readonly layer: number;
  /** Of a convolution a filter. */
  readonly unit: number;
}

export interface WeightAt {
  readonly layer: number;
  /** Which of the layer's matrices. */
  readonly matrix: number;
  readonly row: number;
  readonly column: number;
}

export const halfOf = (name: OutputName): Half => (name === 'value' ? 'value' : 'policy');

/** The halves that differ. */
export function halvesOf(view: NetworkView): readonly Half[] {
  const given = (['policy', 'value'] as const).filter((half) => view.outputs.some(({ name }) => halfOf(name) === half));
  if (given.length < 2) return given;
  const policy = new Set(layersOf(view, 'policy'));
  // a value that is only the greatest action value has no network of its own
  const more = layersOf(view, 'value').some((i) => !policy.has(i) && view.layers[i]?.kind !== 'mix');
  return more ? given : ['policy'];
}

/** Layers that lead to this half, in order. */
export function layersOf(view: NetworkView, half: Half): readonly number[] {
  const wanted = new Set(view.outputs.filter(({ name }) => halfOf(name) === half).map(({ layer }) => layer));
  for (let i = view.layers.length - 1; i >= 0; i--) if (wanted.has(i)) for (const source of sourcesOf(view.layers[i]!)) wanted.add(source);
  return view.layers.map((_, i) => i).filter((i) => wanted.has(i));
}

export function sourcesOf(layer: LayerView): readonly number[] {
  return [...layer.from, ...layer.weights.flatMap(({ from }) => from.map((part) => part.layer))].filter((i) => i >= 0);
}

/** The layer's place from left to right; what a cell remembers stands right before it. */
export function columnsOf(view: NetworkView, layers: readonly number[]): ReadonlyMap<number, number> {
  const depth = new Map<number, number>();
  for (const i of layers) {
    const before = sourcesOf(view.layers[i]!).flatMap((source) => (view.layers[source]?.kind === 'memory' ? [] : [depth.get(source) ?? 0]));
    depth.set(i, before.length === 0 ? 0 : Math.max(...before) + 1);
  }
  for (const i of layers)
    for (const source of sourcesOf(view.layers[i]!))
      if (view.layers[source]?.kind === 'memory') depth.set(source, Math.max(0, (depth.get(i) ?? 1) - 1));
  return depth;
}

/** Units of a layer as they are drawn: of a convolution its filters. */
export const drawnUnits = ({ units, map }: LayerView): number => (map === null ? units : units / (map[0] * map[1]));

/** Places of each drawn unit. */
export const placesOf = ({ map }: LayerView): number => (map === null ? 1 : map[0] * map[1]);

/** What a drawn unit gives: of a filter the mean over its places. */
export function activation(view: NetworkView, values: NetworkValues, { layer, unit }: UnitAt): number {
  const of = view.layers[layer];
  const given = values.layers[layer];
  if (of === undefined || given === undefined) return Number.NaN;
  const filters = drawnUnits(of);
  let sum = 0;
  for (let i = unit; i < of.units; i += filters) sum += given[i]!;
  return sum / placesOf(of);
}

const known = new WeakMap<NetworkView, Map<number, Float64Array>>();

/** Sum of the sizes of a layer's weights, unit by unit, into it and out of it. A copy. */
function strengths(view: NetworkView, layer: number): Float64Array {
  const kept = known.get(view) ?? new Map<number, Float64Array>();
  known.set(view, kept);
  const found = kept.get(layer) ?? summed(view, layer);
  kept.set(layer, found);
  return found.slice();
}

function summed(view: NetworkView, layer: number): Float64Array {
  const of = view.layers[layer]!;
  const out = new Float64Array(drawnUnits(of));
  for (const { weights, inputs, outputs } of of.weights)
    for (let row = 0; row < inputs; row++) for (let c = 0; c < outputs; c++) out[c % out.length]! += Math.abs(weights[row * outputs + c]!);
  for (const next of view.layers)
    for (const matrix of next.weights)
      eachRow(matrix, layer, (row, unit) => {
        for (let c = 0; c < matrix.outputs; c++) out[unit % out.length]! += Math.abs(matrix.weights[row * matrix.outputs + c]!);
      });
  return out;
}

/** Rows of a matrix that stand for units of one layer. Convolutions have no row for each. */
export function eachRow(matrix: WeightsView, layer: number, take: (row: number, unit: number) => void): void {
  const total = matrix.from.reduce((sum, { count }) => sum + count, 0);
  if (total !== matrix.inputs) return;
  let row = 0;
  for (const { layer: from, offset, count } of matrix.from) {
    if (from === layer) for (let k = 0; k < count; k++) take(row + k, offset + k);
    row += count;
  }
}

/** At most `most` units, in their own order: those with the strongest weights; of many inputs those that say the most now. */
export function shownUnits(view: NetworkView, values: NetworkValues | null, layer: number, most: number): readonly number[] {
  const of = view.layers[layer]!;
  const count = drawnUnits(of);
  const all = Array.from({ length: count }, (_, i) => i);
  if (count <= most) return all;
  const score = strengths(view, layer);
  const now = values?.layers[layer];
  const slope = values?.slopes[layer];
  if (of.kind === 'input' && now !== undefined)
    for (let i = 0; i < count; i++) score[i] = now[i] === 0 ? 0 : Math.abs(now[i]!) * (1e-9 + Math.abs(slope?.[i] ?? score[i]!));
  return all
    .toSorted((a, b) => score[b]! - score[a]! || a - b)
    .slice(0, most)
    .toSorted((a, b) => a - b);
}

/** What a layer is called. */
export function layerTitle(view: NetworkView, layer: number, layers: readonly number[]): string {
  const of = view.layers[layer];
  if (of === undefined) return '';
  const names = view.outputs.filter((output) => output.layer === layer).map(({ name }) => OUTPUTS[name]);
  if (names.length > 0) return names.join(', ');
  switch (of.kind) {
    case 'input':
      return 'input';
    case 'memory':
      return 'memory before';
    case 'conv':
      return `${drawnUnits(of)} filters`;
    case 'cell':
      return of.weights[0]?.gates.length === 4 ? 'LSTM' : 'GRU';
    case 'mix':
      return 'combined';
    case 'dense': {
      const hidden = layers.filter((i) => view.layers[i]?.kind === 'dense' && !view.outputs.some((output) => output.layer === i));
      return `hidden ${hidden.indexOf(layer) + 1}`;
    }
  }
}

const OUTPUTS: { readonly [K in OutputName]: string } = {
  logits: 'action logits',
  q: 'action values',
  mean: 'mean action',
  logStd: 'log std',
  value: 'state value',
};

/** What a unit is called: an input by its observation, an output by its action, others by number. */
export function unitName(view: NetworkView, action: ActionSpace, { layer, unit }: UnitAt): string {
  const of = view.layers[layer];
  const label = of?.labels[unit];
  if (label !== undefined) return label;
  for (const output of view.outputs) {
    const at = unit - output.offset;
    if (output.layer !== layer || at < 0 || at >= output.count) continue;
    if (output.name === 'value') return 'value';
    const name = action.labels[at] ?? `action ${at}`;
    return output.name === 'logStd' ? `log std of ${name}` : name;
  }
  return `${of?.kind === 'conv' ? 'filter' : of?.kind === 'input' ? 'input' : 'unit'} ${unit}`;
}

export interface InputRow {
  readonly at: WeightAt;
  readonly name: string;
  readonly from: UnitAt;
  readonly gate: string;
  readonly weight: number;
  /** What the unit before it gives now. */
  readonly activation: number;
}

/** Everything that a unit weighs, matrix by matrix. Of a filter the numbers of its kernel. */
export function inputsOf(
  view: NetworkView,
  values: NetworkValues | null,
  action: ActionSpace,
  { layer, unit }: UnitAt,
): readonly InputRow[] {
  const of = view.layers[layer];
  if (of === undefined) return [];
  const units = drawnUnits(of);
  return of.weights.flatMap((matrix, m) => {
    const gates = matrix.gates.length === 0 ? [''] : matrix.gates;
    return gates.flatMap((gate, g) => {
      const column = g * units + unit;
      return Array.from({ length: matrix.inputs }, (_, row): InputRow => {
        const from = sourceAt(view, matrix, row);
        const given = from === null ? undefined : values?.layers[from.layer]?.[from.unit];
        return {
          at: { layer, matrix: m, row, column },
          name: from === null ? `kernel ${row}` : unitName(view, action, from),
          from: from ?? { layer: -1, unit: row },
          gate,
          weight: matrix.weights[row * matrix.outputs + column]!,
          activation: given ?? Number.NaN,
        };
      });
    });
  });
}

/** The unit that a row of a matrix stands for; null: the row belongs to a kernel, or to a number that never changes. */
export function sourceAt(view: NetworkView, matrix: WeightsView, row: number): UnitAt | null {
  if (matrix.from.reduce((sum, { count }) => sum + count, 0) !== matrix.inputs) return null;
  let at = row;
  for (const { layer, offset, count } of matrix.from) {
    if (at < count) return view.layers[layer] === undefined ? null : { layer, unit: offset + at };
    at -= count;
  }
  return null;
}
