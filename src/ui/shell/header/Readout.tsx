/** Steps of the budget, speed, time left, of which run where it is not what is set up: figures that do not jump while they change, over a hairline that fills. */
import { t } from '#text/text.ts';
import { clock, compact } from '#ui/kit/format/numbers.ts';
import { progressOf, statusText } from '#ui/kit/progress.ts';
import { copies } from '#ui/runs/copies.ts';
import { useTransport } from '#ui/runs/useTransport.ts';
import styles from './Header.module.css';

export function Readout() {
  const { group, phase, differs } = useTransport();
  if (group === null) return <div className={styles.readout} />;
  const { step, total, perSecond, left, spent } = progressOf(group);
  const share = total === 0 ? 0 : Math.min(1, step / total);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of figures, not a form
    <div className={styles.readout} role="group" aria-label={t('Progress')} data-phase={phase}>
      {differs && (
        <span className={styles.going} title={group.name}>
          {group.name}
        </span>
      )}
      <span className={styles.figure} title={t('Environment steps of all seeds, of their budget')}>
        <b>{compact(step)}</b>
        <span className={styles.of}> / {compact(total)}</span>
      </span>
      {phase === 'running' ? (
        <>
          {copies(group) && (
            <span className={styles.figure} title={t('First the policy copies right answers; learning from reward begins after that.')}>
              {t('copying answers')}
            </span>
          )}
          <span className={styles.figure} title={t('Environment steps per second, learning included')}>
            {perSecond > 0 ? `${compact(perSecond)}/s` : step === 0 ? t('starting') : ''}
          </span>
          <span className={styles.figure} title={t('Time left at this speed')}>
            {Number.isFinite(left) ? t('{time} left', { time: clock(left) }) : ''}
          </span>
        </>
      ) : (
        <span className={styles.figure} data-phase={phase} title={statusText(group)}>
          {statusText(group)}
          {spent > 0 ? `, ${clock(spent)}` : ''}
        </span>
      )}
      <progress className={styles.bar} aria-label={t('Share of the budget')} value={share} max={1} />
    </div>
  );
}
