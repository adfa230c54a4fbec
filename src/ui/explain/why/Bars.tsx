/**
 * One bar per action: its probability, or its value where the policy chooses by values. Pointing at one shows it alone on the map; how often
 * it is taken in this episode leads to the next time.
 */

import { stageStore } from '#stores/stage.ts';
import { t, tn } from '#text/text.ts';
import { marked, measure } from '#ui/kit/format/numbers.ts';
import { pointAtAction } from '#ui/stage/cell.ts';
import { type ActionRow, barShares } from './inspect.ts';
import { nextOf } from './turns.ts';
import styles from './Why.module.css';

interface Props {
  readonly rows: readonly ActionRow[];
  /** Whether pointing at a bar can be shown on a map. */
  readonly onMap: boolean;
  /** Frames of this episode at which each action is taken, by its number. */
  readonly times?: readonly (readonly number[])[];
  /** What was done in this frame where that is known: now and then not the best, while it explores. */
  readonly taken?: number;
  /** Whole percents, no values. */
  readonly plain?: boolean;
}

export function Bars({ rows, onMap, times, taken, plain = false }: Props) {
  const byProbability = rows.some((row) => Number.isFinite(row.probability));
  const withQ = !plain && rows.some((row) => Number.isFinite(row.q));
  const shares = byProbability
    ? rows.map((row) => (Number.isFinite(row.probability) ? row.probability : 0))
    : barShares(rows.map((row) => row.q));
  const point = (action: number): void => {
    if (onMap) pointAtAction(action);
  };
  return (
    <table className={styles.bars} onPointerLeave={() => point(-1)}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('action')}</th>
          <th scope="col">{byProbability ? t('probability') : t('value, as a bar')}</th>
          {byProbability && <th scope="col">{t('percent')}</th>}
          {withQ && <th scope="col">{t('action value Q')}</th>}
          {times !== undefined && <th scope="col">{t('times in this episode')}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={row.action} data-chosen={row.chosen || undefined} onPointerEnter={() => point(row.action)}>
            <th scope="row">
              {row.label}
              {(row.chosen || row.action === taken) && <span className={styles.chosen}>{roleOf(row, taken)}</span>}
            </th>
            <td className={styles.bar}>
              <span style={{ inlineSize: `${(100 * shares[i]!).toFixed(1)}%` }} />
            </td>
            {byProbability && <td className={styles.number}>{percent(row.probability, plain)}</td>}
            {withQ && <td className={styles.number}>{byProbability ? <small>Q {measure(row.q, 3)}</small> : `Q ${measure(row.q)}`}</td>}
            {times !== undefined && (
              <td className={styles.number}>
                <Times frames={times[row.action] ?? []} label={row.label} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What an action is in this frame. */
function roleOf({ action, chosen }: ActionRow, taken: number | undefined): string {
  if (taken === undefined || (chosen && action === taken)) return t('chosen');
  return action === taken ? t('taken') : t('best');
}

/** How often, and the way there. */
function Times({ frames, label }: { readonly frames: readonly number[]; readonly label: string }) {
  if (frames.length === 0) return null;
  const go = (): void => {
    const { t: now, setPlaying, seek } = stageStore.getState();
    setPlaying(false);
    seek(nextOf(frames, now) ?? now);
  };
  const words = tn('Next of the {n} frame where it takes “{label}”', 'Next of the {n} frames where it takes “{label}”', frames.length, {
    label,
  });
  return (
    <button type="button" className={styles.times} aria-label={words} title={words} onClick={go}>
      {frames.length}×
    </button>
  );
}

function percent(p: number, whole: boolean): string {
  if (!Number.isFinite(p)) return '–';
  if (whole) return `${Math.round(100 * p)}\u202f%`;
  if (p > 0 && p < 0.001) return marked('< 0.1\u202f%');
  return marked(`${(p * 100).toFixed(p > 0.999 && p < 1 ? 2 : 1)}\u202f%`);
}
