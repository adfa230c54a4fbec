/** A small picture of an environment, from what its card says about its frames: cells with the config's own map, points, or bodies. */
import type { EnvCard } from '#contract/catalog.ts';
import type { Json } from '#contract/json.ts';
import styles from './Gallery.module.css';

interface Props {
  readonly env: EnvCard | undefined;
  readonly config: { readonly [key: string]: Json };
}

export function Glyph({ env, config }: Props) {
  return (
    <svg aria-hidden="true" viewBox="0 0 64 64" focusable="false">
      <rect width="64" height="64" rx="6" className={styles.glyphBack} />
      {env?.frame.kind === 'grid' ? <Cells width={env.frame.width} height={env.frame.height} config={config} /> : null}
      {env?.frame.kind === 'bodies' ? <Bodies /> : null}
      {env?.frame.kind === 'points' ? <Points /> : null}
    </svg>
  );
}

/** Letters that maps use for what stops or ends an episode, and for where it pays. */
const BLOCKED = new Set(['#', 'W', 'H', 'C']);
const GOAL = new Set(['G']);

function Cells({ width, height, config }: { readonly width: number; readonly height: number; readonly config: Props['config'] }) {
  const rows = Array.isArray(config.map) ? (config.map as readonly Json[]).filter((row): row is string => typeof row === 'string') : [];
  const w = typeof config.width === 'number' ? config.width : (rows[0]?.length ?? width);
  const h = typeof config.height === 'number' ? config.height : rows.length || height;
  const size = 52 / Math.max(w, h);
  const left = (64 - w * size) / 2;
  const top = (64 - h * size) / 2;
  const cells = Array.from({ length: Math.min(w * h, 900) }, (_, i) => ({ x: i % w, y: Math.floor(i / w) }));
  const look = (x: number, y: number) => {
    const letter = rows[y]?.[x];
    if (letter !== undefined) return GOAL.has(letter) ? styles.goal : BLOCKED.has(letter) ? styles.wall : styles.cell;
    if (rows.length > 0) return styles.cell;
    if (h > 4 && (x === 0 || y === 0 || x === w - 1 || y === h - 1)) return styles.wall;
    return x === w - (h > 4 ? 2 : 1) && y === h - (h > 4 ? 2 : 1) ? styles.goal : styles.cell;
  };
  const at = rows.length > 0 || h <= 4 ? 0 : 1;
  return (
    <>
      {cells.map(({ x, y }) => (
        <rect
          key={`${x},${y}`}
          x={left + x * size + size * 0.06}
          y={top + y * size + size * 0.06}
          width={size * 0.88}
          height={size * 0.88}
          rx={size * 0.12}
          className={look(x, y)}
        />
      ))}
      <circle cx={left + (at + 0.5) * size} cy={top + (at + 0.5) * size} r={size * 0.28} className={styles.agent} />
    </>
  );
}

function Bodies() {
  return (
    <>
      <path d="M8 46h48" className={styles.line} />
      <rect x="22" y="38" width="20" height="9" rx="2" className={styles.agent} />
      <path d="M32 38 39 14" className={styles.pole} />
    </>
  );
}

const SWARM = [
  [16, 20],
  [30, 14],
  [44, 24],
  [22, 36],
  [38, 40],
  [50, 46],
  [14, 50],
  [30, 52],
] as const;

function Points() {
  return (
    <>
      {SWARM.map(([x, y]) => (
        <circle key={`${x},${y}`} cx={x} cy={y} r="3.5" className={styles.agent} />
      ))}
    </>
  );
}
