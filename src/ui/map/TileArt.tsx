/** One cell from above: shape as well as colour, so that a grey print still reads. */
import styles from './MapField.module.css';
import type { Seen } from './tiles.ts';

export function TileArt({
  seen,
  agent,
}: {
  readonly seen: Seen /** Direction it faces, 0 right and clockwise; null: no agent here. */;
  readonly agent: number | null;
}) {
  return (
    <svg
      className={styles.tileArt}
      aria-hidden="true"
      viewBox="0 0 20 20"
      focusable="false"
      data-look={seen.tile.look}
      data-colour={seen.colour || undefined}
    >
      <rect width="20" height="20" className={styles.ground} />
      <Shape look={seen.tile.look} />
      {agent !== null && <path d="M4.5 4 16 10 4.5 16z" className={styles.agent} transform={`rotate(${agent * 90} 10 10)`} />}
    </svg>
  );
}

function Shape({ look }: { readonly look: Seen['tile']['look'] }) {
  switch (look) {
    case 'empty':
    case 'ice':
    case 'wall':
      return null;
    case 'floor':
      return <rect x="2" y="2" width="16" height="16" className={styles.soft} />;
    case 'goal':
      return <path d="M6.5 17V3.5h8L12 6.5l2.5 3H8" className={styles.mark} />;
    case 'lava':
      return <path d="M1 7q3-3.5 6 0t6 0 6 0M1 14q3-3.5 6 0t6 0 6 0" className={styles.mark} />;
    case 'hole':
      return <ellipse cx="10" cy="10" rx="7" ry="6.5" className={styles.pit} />;
    case 'start':
      return <path d="M10 4.5 15.5 10 10 15.5 4.5 10z" className={styles.mark} />;
    case 'door-open':
      return <path d="M3 2v16M17 2v16M3 18l5-4" className={styles.stroke} />;
    case 'door-closed':
      return (
        <>
          <rect x="3" y="2" width="14" height="16" className={styles.stroke} />
          <circle cx="13.5" cy="10" r="1.5" className={styles.fill} />
        </>
      );
    case 'door-locked':
      return (
        <>
          <rect x="2.5" y="1.5" width="15" height="17" className={styles.fill} />
          <path d="M10 8v5" className={styles.hole} />
        </>
      );
    case 'key':
      return <path d="M10 9.5a3.2 3.2 0 1 0-.1 0V17M10 13h3M10 16.5h3" className={styles.stroke} />;
    case 'agent':
      return <path d="M4.5 4 16 10 4.5 16z" className={styles.agent} />;
    case 'ball':
      return <circle cx="10" cy="10" r="5.5" className={styles.fill} />;
    case 'box':
      return (
        <>
          <rect x="4" y="4" width="12" height="12" className={styles.stroke} />
          <path d="M4 10h12" className={styles.stroke} />
        </>
      );
  }
}
