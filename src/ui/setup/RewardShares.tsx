/** What the return of the episode on the stage is made of, up to the shown frame: a bar for each part of the reward, beside its weight. */
import { useEffect, useId, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { stage } from '#client/stage/service.ts';
import type { RewardTerm } from '#contract/catalog/catalog.ts';
import type { Replay } from '#contract/run/events.ts';
import { stageStore } from '#stores/stage.ts';
import { t } from '#text/text.ts';
import { langOf } from '#ui/kit/format/fact.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import { shownStore } from '#ui/kit/shown.ts';
import styles from './RewardShares.module.css';
import { addedUp, sharesAt } from './reward-shares.ts';

export function RewardShares({ terms }: { readonly terms: readonly RewardTerm[] }) {
  const id = useId();
  const replay = useStore(stageStore, (state) => state.replay);
  const frame = useStore(shownStore, (state) => state.t);
  const [found, setFound] = useState<{ readonly of: Replay; readonly added: Float64Array } | null>(null);
  useEffect(() => {
    if (replay === null) return;
    let over = false;
    void stage.rewardTerms(replay).then((added) => {
      if (!over) setFound({ of: replay, added });
    });
    return () => {
      over = true;
    };
  }, [replay]);
  const count = terms.length;
  const sums = useMemo(() => (found === null || found.added.length === 0 ? null : addedUp(found.added, count)), [found, count]);
  // The setting may just have been changed to one whose reward has other parts.
  const fits = found !== null && sums !== null && Number.isInteger(found.added.length / count);
  if (!fits || replay === null)
    return <p className={styles.quiet}>{t('Each part’s share in the return stands here while an episode plays.')}</p>;
  const last = sums.length / count - 1;
  // Until the answer about a new episode comes, the one before stays as it ended.
  const at = found.of === replay ? Math.min(frame, last) : last;
  const shares = sharesAt(sums, count, at);
  const amounts = shares.map(({ amount }) => amount);
  const [low, high] = [Math.min(0, ...amounts), Math.max(0, ...amounts)];
  const place = (amount: number): number => (100 * (amount - low)) / (high - low || 1);
  return (
    <table className={styles.shares} aria-labelledby={id}>
      <caption id={id}>
        {t('Return so far {total}, frame {at}', { total: measure(amounts.reduce((sum, amount) => sum + amount, 0)), at })}
      </caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('part of the reward')}</th>
          <th scope="col">{t('bar')}</th>
          <th scope="col">{t('amount')}</th>
          <th scope="col">{t('share of all amounts')}</th>
        </tr>
      </thead>
      <tbody>
        {terms.map((term, k) => {
          const { amount, share } = shares[k]!;
          return (
            <tr key={term.id}>
              <th scope="row" lang={langOf(term.title)}>
                {t(term.title)}
              </th>
              <td className={styles.track} aria-hidden="true">
                <span
                  style={{
                    insetInlineStart: `${Math.min(place(0), place(amount))}%`,
                    inlineSize: `${Math.abs(place(amount) - place(0))}%`,
                    background: `var(--div-${amount < 0 ? 'neg' : 'pos'})`,
                  }}
                />
                <i style={{ insetInlineStart: `${place(0)}%` }} />
              </td>
              <td className={styles.number}>{measure(amount, 3)}</td>
              <td className={styles.number}>{percent(share)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function percent(share: number): string {
  return share > 0 && share < 0.005 ? '< 1\u202f%' : `${Math.round(100 * share)}\u202f%`;
}
