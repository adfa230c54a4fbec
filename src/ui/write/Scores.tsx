/** Returns of several players over the same episodes. */
import type { OwnScore } from '#contract/own/sandbox.ts';
import { mean } from '#math/stats.ts';
import { t } from '#text/text.ts';
import { measure } from '#ui/kit/format/numbers.ts';
import styles from './Write.module.css';

interface Props {
  readonly scores: readonly OwnScore[];
  /** Title of the environment whose own reward is measured beside; null: there is one reward only. */
  readonly old: string | null;
}

const nameOf = (who: string): string =>
  who === 'random' ? t('random actions') : who === 'learned' ? t('what seed 1 learned') : who === 'mine' ? t('your player') : who;

export function Scores({ scores, old }: Props) {
  return (
    <div className={styles.wide}>
      <table className={styles.table}>
        <caption>{t('{value} episodes each, from the same starts', { value: scores[0]?.returns.length ?? 0 })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Played by')}</th>
            <th scope="col">{old === null ? t('Mean return') : t('Your reward')}</th>
            {old !== null && <th scope="col">{t('{old}’s own reward', { old })}</th>}
            <th scope="col">{t('Lowest')}</th>
            <th scope="col">{t('Highest')}</th>
          </tr>
        </thead>
        <tbody>
          {scores.map(({ who, returns, old: paid }) => (
            <tr key={who}>
              <th scope="row">{nameOf(who)}</th>
              <td>{measure(mean(returns))}</td>
              {old !== null && <td>{paid === null ? '' : measure(paid)}</td>}
              <td>{measure(Math.min(...returns))}</td>
              <td>{measure(Math.max(...returns))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
