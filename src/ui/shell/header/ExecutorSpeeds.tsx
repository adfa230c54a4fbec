/** What each executor does with this very set-up on this machine: measured when asked for, for a few seconds. */
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { knowGpu } from '#client/workers/machine.ts';
import { measuring } from '#client/workers/measure.ts';
import { draftStore } from '#stores/draft.ts';
import { machineStore } from '#stores/machine.ts';
import { hashOf } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact } from '#ui/kit/format/numbers.ts';
import styles from './Header.module.css';

export function ExecutorSpeeds({ training }: { readonly training: boolean }) {
  const { config, hash, problems } = useStore(draftStore);
  const all = useStore(machineStore, ({ speeds }) => speeds);
  const speeds = all?.about === hash ? all : null;
  const busy = speeds?.busy ?? null;
  // The panel around it says what GPU there is.
  useEffect(() => void knowGpu(), []);
  const best = speeds?.results.reduce((most, { stepsPerSecond }) => Math.max(most, stepsPerSecond ?? 0), 0) ?? 0;
  return (
    <section className={styles.speeds} aria-label={t('Speed of this configuration here')}>
      <p>
        {speeds === null
          ? t('How fast would each executor train this configuration on this machine?')
          : t('This configuration on this machine, collecting and learning:')}
      </p>
      {speeds !== null && (
        <table aria-live="polite">
          <tbody>
            {speeds.results.map(({ executor, stepsPerSecond, note }) => (
              <tr key={executor} data-best={stepsPerSecond === best && best > 0}>
                <th scope="row">{executor}</th>
                <td>
                  {stepsPerSecond === null ? t('not here') : t('{stepsPerSecond} steps/s', { stepsPerSecond: compact(stepsPerSecond) })}
                </td>
                <td className={styles.note}>{note}</td>
                <td>
                  {stepsPerSecond !== null && executor !== config.run.executor && (
                    <Button aria-label={`Use ${executor}`} onClick={() => draftStore.getState().set('run.executor', executor)}>
                      {t('Use')}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
            {busy !== null && (
              <tr>
                <th scope="row">{busy}</th>
                <td colSpan={3}>{t('measuring ...')}</td>
              </tr>
            )}
          </tbody>
        </table>
      )}
      {training && busy === null && <p className={styles.note}>{t('A run is training now: figures taken meanwhile are lower.')}</p>}
      <a href={hashOf({ page: 'bench', id: null, query: {} })}>{t('How fast this machine is, beside others')}</a>
      {busy === null ? (
        <Button disabled={problems.length > 0} onClick={() => void measuring.start(config, hash)}>
          {speeds === null ? t('Measure, about 2 s each') : t('Measure again')}
        </Button>
      ) : (
        <Button onClick={() => measuring.cancel()}>{t('Cancel')}</Button>
      )}
    </section>
  );
}
