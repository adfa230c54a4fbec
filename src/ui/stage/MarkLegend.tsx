/** What the rings and arcs of an explanation over the scene mean. */
import { useStore } from 'zustand';
import { PIECES, type RingKind, ringOf } from '#scenes/lib/halo-shape.ts';
import { t } from '#text/text.ts';
import { marksStore } from './marks.ts';
import styles from './Stage.module.css';

const R = 5;
const ROUND = 2 * Math.PI * R;

export function MarkLegend() {
  const said = useStore(marksStore, (state) => (state.on ? state.said : null));
  if (said === null) return null;
  const kinds = new Set(said.marks.map(({ strength }) => ringOf(strength).kind));
  const rows: readonly (readonly [RingKind, string])[] = [
    ['closed', said.adds],
    ['broken', said.takes],
    ['dotted', t('perhaps nothing')],
  ];
  return (
    <div className={styles.legends}>
      <span className={kinds.size > 0 ? styles.said : undefined}>{said.title}</span>
      {kinds.size > 0 && (
        <div className={styles.scale}>
          {rows
            .filter(([kind]) => kinds.has(kind))
            .map(([kind, words]) => (
              <span key={kind} className={styles.disc}>
                <Ring kind={kind} />
                {words}
              </span>
            ))}
        </div>
      )}
    </div>
  );
}

function Ring({ kind }: { readonly kind: RingKind }) {
  const [pieces, gap] = PIECES[kind];
  // a small ring has room for fewer pieces
  const piece = ROUND / (kind === 'closed' ? 1 : Math.min(pieces, 10));
  return (
    <svg width="14" height="14" aria-hidden="true" focusable="false">
      <circle
        cx="7"
        cy="7"
        r={R}
        fill="none"
        stroke={{ closed: 'var(--div-pos)', broken: 'var(--div-neg)', dotted: 'var(--muted)' }[kind]}
        strokeWidth={kind === 'dotted' ? 1.2 : 2.6}
        strokeDasharray={kind === 'closed' ? undefined : `${piece * (1 - gap)} ${piece * gap}`}
      />
    </svg>
  );
}
