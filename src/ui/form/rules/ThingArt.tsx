/** A thing of a rule grid from above: told apart by its shape, its colour and the letter of its colour. */
import type { ReactNode } from 'react';
import { RULE_COLOURS, RULE_LETTERS, RULE_TILES, type Thing } from '#contract/game/rule-card.ts';
import styles from './Rules.module.css';

const star = Array.from({ length: 10 }, (_, i) => {
  const r = i % 2 === 0 ? 9 : 4.2;
  return `${(10 + r * Math.sin((i * Math.PI) / 5)).toFixed(1)},${(10.6 - r * Math.cos((i * Math.PI) / 5)).toFixed(1)}`;
}).join(' ');

const SHAPES: { readonly [look: string]: ReactNode } = {
  unseen: <path d="M4 4 16 16M16 4 4 16" className={styles.line} />,
  floor: <rect x="3" y="3" width="14" height="14" className={styles.line} strokeDasharray="3 2" />,
  wall: <rect x="1.5" y="1.5" width="17" height="17" className={styles.solid} />,
  ball: <circle cx="10" cy="10" r="8" className={styles.solid} />,
  square: <rect x="2.5" y="2.5" width="15" height="15" rx="1" className={styles.solid} />,
  pyramid: <path d="M10 1.5 18.8 17.5H1.2z" className={styles.solid} />,
  pad: (
    <>
      <rect x="1.6" y="1.6" width="16.8" height="16.8" className={styles.line} />
      <rect x="4.6" y="4.6" width="10.8" height="10.8" className={styles.solid} />
    </>
  ),
  key: (
    <>
      <circle cx="7" cy="10" r="6" className={styles.solid} />
      <path d="M13 10h6M16 10v3.4M18.6 10v3.4" className={styles.line} />
    </>
  ),
  hex: <path d="M5.4 2h9.2L19 10l-4.4 8H5.4L1 10z" className={styles.solid} />,
  star: <polygon points={star} className={styles.solid} />,
  'door-0': <path d="M3 1.5v17M17 1.5v17M3 18.5l6-4v-12l-6-1" className={styles.line} />,
  'door-1': <rect x="3" y="1.5" width="14" height="17" rx="1" className={styles.solid} />,
  'door-2': (
    <>
      <rect x="3" y="1.5" width="14" height="17" rx="1" className={styles.solid} />
      <path d="M1 5.5h18M1 15.5h18" className={styles.line} />
    </>
  ),
};
/** Where the letter stands. */
const LOWER = new Set(['pyramid']);
const LEFT = new Set(['key']);

export function ThingArt({ thing: { tile, colour } }: { readonly thing: Thing }) {
  const kind = RULE_TILES[tile] ?? RULE_TILES[0];
  const letter = kind.coloured && kind.look !== 'door-0' ? (RULE_LETTERS[colour] ?? '') : '';
  return (
    <svg
      className={styles.art}
      viewBox="0 0 20 20"
      aria-hidden="true"
      focusable="false"
      data-colour={kind.coloured ? RULE_COLOURS[colour] : undefined}
    >
      {SHAPES[kind.look]}
      {letter !== '' && (
        <text x={LEFT.has(kind.look) ? 7 : 10} y={LOWER.has(kind.look) ? 15.6 : 13.3} textAnchor="middle" className={styles.letter}>
          {letter}
        </text>
      )}
    </svg>
  );
}
