/** Layers as columns of units with the weights between them as lines. Arrow keys go from unit to unit; pointing finds the nearest line. */
import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from 'react';
import { exactFloat, type NetworkValues, type NetworkView } from '#contract/game/network-view.ts';
import type { ActionSpace } from '#contract/game/spaces.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { useSize } from '#ui/kit/useSize.ts';
import { type Block, type Line, lineAt, neighbour, pictureOf, type Spot } from './layout.ts';
import { drawnUnits, type Half, layersOf, layerTitle, placesOf, type UnitAt, unitName, type WeightAt } from './model.ts';
import styles from './Network.module.css';

const RADIUS = 7;
const REACH = 6;
const WIDEST = 3.2;

interface Props {
  readonly view: NetworkView;
  readonly values: NetworkValues | null;
  readonly action: ActionSpace;
  readonly half: Half;
  readonly lines: 'weights' | 'flow';
  readonly height: number;
  readonly unit: UnitAt | null;
  readonly weight: WeightAt | null;
  /** What stands beside an output: its probability, its value. */
  readonly outputText: (at: UnitAt) => string;
  readonly onUnit: (at: UnitAt | null) => void;
  readonly onWeight: (at: WeightAt | null) => void;
}

export function Drawing({ view, values, action, half, lines, height, unit, weight, outputText, onUnit, onWeight }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [width] = useSize(box);
  const layers = useMemo(() => layersOf(view, half), [view, half]);
  const side = width < 420 ? 0.27 : 0.17;
  const picture = useMemo(
    () => pictureOf(view, values, { width: Math.max(280, width), height, half, lines, left: side * width, right: side * width }),
    [view, values, width, height, half, lines, side],
  );
  const tops = useMemo(() => largest(picture.spots), [picture]);
  const same = (spot: UnitAt): boolean => spot.layer === unit?.layer && spot.unit === unit.unit;
  const stop = picture.spots.find(same) ?? picture.spots[0];
  const svg = useRef<SVGSVGElement>(null);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!/^(Arrow|Home|End)/.test(event.key) || stop === undefined) return;
    const next = neighbour(picture, stop, event.key);
    event.preventDefault();
    if (next === null) return;
    onUnit(next);
    svg.current?.querySelector<SVGElement>(`[data-unit="${next.layer} ${next.unit}"]`)?.focus();
  };
  const onMove = (event: PointerEvent): void => {
    const bounds = svg.current?.getBoundingClientRect();
    if (bounds === undefined) return;
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
    if (picture.spots.some((spot) => Math.hypot(spot.x - x, spot.y - y) <= RADIUS)) return;
    onWeight(lineAt(picture.lines, x, y, REACH));
  };

  return (
    <div ref={box} className={styles.drawing}>
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a drawing
        <svg
          ref={svg}
          width={picture.width}
          height={height}
          role="group"
          aria-label="The network, layer by layer. Arrow keys go from unit to unit."
          onKeyDown={onKeyDown}
          onPointerMove={onMove}
          onPointerDown={onMove}
          onPointerLeave={() => onWeight(null)}
        >
          {picture.bands.map(({ from, to }) => (
            <Band key={`${from.layer} ${to.layer}`} from={from} to={to} />
          ))}
          <Lines lines={picture.lines} unit={unit} />
          {weight !== null && <Strong lines={picture.lines} weight={weight} />}
          {picture.blocks.map((block, i) => (
            <Heading key={block.layer} view={view} block={block} layers={layers} low={i % 2 === 0} />
          ))}
          {picture.spots.map((spot) => {
            const { layer, unit: index, x, y, value } = spot;
            const of = view.layers[layer]!;
            const name = unitName(view, action, spot);
            const output = view.outputs.some((each) => each.layer === layer);
            const said = Number.isNaN(value) ? '' : `: ${measure(value)}`;
            return (
              // biome-ignore lint/a11y/useSemanticElements: a button cannot stand in a drawing
              <g
                key={`${layer} ${index}`}
                data-unit={`${layer} ${index}`}
                role="button"
                aria-pressed={same(spot)}
                tabIndex={spot === stop ? 0 : -1}
                aria-label={`${layerTitle(view, layer, layers)}, ${name}${said}${output ? `, ${outputText(spot)}` : ''}`}
                className={styles.unit}
                onFocus={() => onUnit(spot)}
                onClick={() => onUnit(spot)}
              >
                <circle cx={x} cy={y} r={RADIUS} fill={fillOf(value / (tops.get(layer) ?? 1))} />
                {of.kind === 'input' && (
                  <Name
                    x={x - RADIUS - 4}
                    y={y}
                    end
                    text={name}
                    value={Number.isNaN(value) ? '' : measure(value, 2)}
                    room={side * width - 18}
                  />
                )}
                {output && <Name x={x + RADIUS + 4} y={y} text={name} value={outputText(spot)} room={side * width - 18} />}
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}

/** The largest activation of each layer, at least something. */
function largest(spots: readonly Spot[]): ReadonlyMap<number, number> {
  const tops = new Map<number, number>();
  for (const { layer, value } of spots) tops.set(layer, Math.max(tops.get(layer) ?? 1e-6, Math.abs(value) || 0));
  return tops;
}

const fillOf = (share: number): string => {
  if (Number.isNaN(share)) return 'var(--surface)';
  const percent = Math.round(100 * Math.min(1, Math.abs(share)));
  return `color-mix(in oklab, var(${share < 0 ? '--div-neg' : '--div-pos'}) ${percent}%, var(--surface))`;
};

function Lines({ lines, unit }: { readonly lines: readonly Line[]; readonly unit: UnitAt | null }) {
  const touches = ({ from, to }: Line): boolean =>
    unit === null || [from, to].some((spot) => spot.layer === unit.layer && spot.unit === unit.unit);
  return (
    <g className={styles.lines}>
      {lines.map((line) => {
        const size = Math.abs(line.share);
        return (
          <line
            key={`${line.layer} ${line.matrix} ${line.row} ${line.column}`}
            x1={line.from.x}
            y1={line.from.y}
            x2={line.to.x}
            y2={line.to.y}
            data-sign={line.share < 0 ? 'minus' : 'plus'}
            strokeWidth={Math.max(0.3, size * WIDEST)}
            opacity={((touches(line) ? 1 : 0.2) * (0.04 + 0.96 * size ** 1.5)).toFixed(2)}
          />
        );
      })}
    </g>
  );
}

/** The weight that is pointed at. */
function Strong({ lines, weight }: { readonly lines: readonly Line[]; readonly weight: WeightAt }) {
  const line = lines.find((each) => sameWeight(each, weight));
  if (line === undefined) return null;
  const { from, to } = line;
  return (
    <g className={styles.lines}>
      <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} className={styles.halo} />
      <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} data-sign={line.weight < 0 ? 'minus' : 'plus'} strokeWidth={WIDEST} />
      <title>{exactFloat(line.weight)}</title>
    </g>
  );
}

const sameWeight = (a: WeightAt, b: WeightAt): boolean =>
  a.layer === b.layer && a.matrix === b.matrix && a.row === b.row && a.column === b.column;

function Band({ from, to }: { readonly from: Block; readonly to: Block }) {
  const d = `M${from.x} ${from.top} L${to.x} ${to.top} L${to.x} ${to.bottom} L${from.x} ${from.bottom} Z`;
  return <path d={d} className={styles.band} />;
}

interface HeadingProps {
  readonly view: NetworkView;
  readonly block: Block;
  readonly layers: readonly number[];
  /** The count below stands a line lower, so that those of neighbours do not meet. */
  readonly low: boolean;
}

function Heading({ view, block, layers, low }: HeadingProps) {
  const of = view.layers[block.layer]!;
  const places = placesOf(of);
  const small = [`${drawnUnits(of)}`, places > 1 ? `× ${of.map?.join('×')}` : '', of.activation].filter((part) => part !== '').join(' ');
  return (
    <g className={styles.heading}>
      <text x={block.x} y={block.top - 14} className={styles.title}>
        {layerTitle(view, block.layer, layers)}
      </text>
      <text x={block.x} y={block.top - 3}>
        {small}
      </text>
      {block.hidden > 0 && (
        <text x={block.x} y={block.bottom + (low ? 22 : 12)}>
          + {block.hidden} not drawn
        </text>
      )}
    </g>
  );
}

interface NameProps {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly value: string;
  /** Width, px. */
  readonly room: number;
  readonly end?: boolean;
}

function Name({ x, y, text, value, room, end = false }: NameProps) {
  const letters = Math.max(3, Math.floor(room / 6) - value.length - 1);
  const short = text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
  return (
    <text x={x} y={y + 4} className={styles.name} data-end={end || undefined}>
      <title>{text}</title>
      {short} <tspan className={styles.figure}>{value}</tspan>
    </text>
  );
}
