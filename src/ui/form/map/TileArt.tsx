/** One cell from above: shape as well as colour, so that a grey print still reads. */
import { memo, type ReactNode } from 'react';
import type { GridLook } from '#contract/game/frames.ts';
import { seen } from '#contract/game/map-cells.ts';
import type { MapFormat, MapTile } from '#contract/game/maps.ts';
import { scaleColour } from '#scenes/lib/colours.ts';
import styles from './MapField.module.css';

interface Props {
  readonly format: MapFormat;
  readonly code: string;
  /** Direction an agent faces here, 0 right and clockwise; null: no agent. */
  readonly agent?: number | null;
  /** What is drawn below a tile that is a level. */
  readonly under?: GridLook | undefined;
}

export const TileArt = memo(function TileArt({ format, code, agent = null, under }: Props) {
  const { tile, colour } = seen(format, code);
  const ground = under ?? tile.look;
  const look = ground === 'door' ? `door-${tile.state ?? 1}` : ground;
  return (
    <svg
      className={styles.tileArt}
      aria-hidden="true"
      viewBox="0 0 20 20"
      focusable="false"
      data-look={ground}
      data-colour={colour || undefined}
    >
      <rect width="20" height="20" className={styles.ground} />
      {SHAPES[look] ?? SHAPES[ground] ?? null}
      {tile.tint !== undefined && (
        <rect x="2" y="2" width="16" height="16" fill={`rgb(${scaleColour('viridis', tile.tint).map(Math.round)})`} />
      )}
      {tile.glyph !== undefined && (
        <text x="10" y="14" textAnchor="middle" className={glyphStyle(tile)}>
          {tile.glyph}
        </text>
      )}
      {agent !== null && <path d="M4.5 4 16 10 4.5 16z" className={styles.agent} transform={`rotate(${agent * 90} 10 10)`} />}
    </svg>
  );
});

/** Dark on the light end of the scale, light on the dark one. */
function glyphStyle({ look, tint }: MapTile): string | undefined {
  if (tint !== undefined) return tint > 0.6 ? styles.onLight : styles.onDark;
  return look === 'agent' ? styles.glyphOn : styles.glyph;
}

const door = (
  <>
    <rect x="3" y="2" width="14" height="16" className={styles.stroke} />
    <circle cx="13.5" cy="10" r="1.5" className={styles.fill} />
  </>
);
const disc = <circle cx="10" cy="10" r="5.5" className={styles.fill} />;
const bin = <path d="M3.5 3.5h13v13h-13z" className={styles.stroke} />;
const fruit = (
  <>
    <circle cx="10" cy="11.5" r="5" className={styles.fill} />
    <path d="M10 6.5q0-3 3-3.5" className={styles.stroke} />
  </>
);

/** Looks without a shape are shown by their ground alone (wall, ice, empty). */
const SHAPES: { readonly [look in GridLook | 'door-0' | 'door-1' | 'door-2']?: ReactNode } & { readonly [look: string]: ReactNode } = {
  floor: <rect x="2" y="2" width="16" height="16" className={styles.soft} />,
  goal: <path d="M6.5 17V3.5h8L12 6.5l2.5 3H8" className={styles.mark} />,
  lava: <path d="M1 7q3-3.5 6 0t6 0 6 0M1 14q3-3.5 6 0t6 0 6 0" className={styles.mark} />,
  water: <path d="M1 7q3-3.5 6 0t6 0 6 0M1 14q3-3.5 6 0t6 0 6 0" className={styles.mark} />,
  waste: (
    <>
      <path d="M1 7q3-3.5 6 0t6 0 6 0" className={styles.mark} />
      <circle cx="7" cy="13.5" r="2.5" className={styles.pit} />
      <circle cx="13.5" cy="12" r="1.8" className={styles.pit} />
    </>
  ),
  hole: <ellipse cx="10" cy="10" rx="7" ry="6.5" className={styles.pit} />,
  cliff: <path d="M1 6h18M4 6v9M10 6v11M16 6v8" className={styles.mark} />,
  start: <path d="M10 4.5 15.5 10 10 15.5 4.5 10z" className={styles.mark} />,
  'door-0': <path d="M3 2v16M17 2v16M3 18l5-4" className={styles.stroke} />,
  'door-1': door,
  'door-2': (
    <>
      <rect x="2.5" y="1.5" width="15" height="17" className={styles.fill} />
      <path d="M10 8v5" className={styles.hole} />
    </>
  ),
  key: <path d="M10 9.5a3.2 3.2 0 1 0-.1 0V17M10 13h3M10 16.5h3" className={styles.stroke} />,
  agent: <circle cx="10" cy="10" r="7" className={styles.agent} />,
  ball: disc,
  disc,
  coin: disc,
  box: (
    <>
      <rect x="4" y="4" width="12" height="12" className={styles.stroke} />
      <path d="M4 4 16 16M16 4 4 16" className={styles.thin} />
    </>
  ),
  target: (
    <>
      <circle cx="10" cy="10" r="6" className={styles.stroke} />
      <circle cx="10" cy="10" r="2" className={styles.fill} />
    </>
  ),
  treasure: bin,
  food: fruit,
  onion: fruit,
  tomato: fruit,
  soil: <path d="M3 6h.01M8 5h.01M14 7h.01M5 11h.01M11 12h.01M16 14h.01M8 16h.01" className={styles.dots} />,
  grass: <path d="M5 16V9M8 16V6M11 16v-8M14 16v-5" className={styles.stroke} />,
  dish: <circle cx="10" cy="10" r="6.5" className={styles.stroke} />,
  pot: <path d="M3 7h14M5 7v8q0 2 2 2h6q2 0 2-2V7" className={styles.stroke} />,
  serving: <path d="M3 14h14M4.5 14a5.5 5.5 0 0 1 11 0M10 8V6" className={styles.mark} />,
  dispenser: bin,
  brick: <path d="M2 7h16M2 13h16M10 2v5M6 7v6M14 7v6M10 13v5" className={styles.mark} />,
};
