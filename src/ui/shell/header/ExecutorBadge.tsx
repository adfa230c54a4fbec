/** On what the run computes, how far its numbers can be trusted, and why; and the offer of a faster way where there is one. */
import { useStore } from 'zustand';
import { runs } from '#client/runs/service.ts';
import { isGymEnv } from '#contract/game/gym-id.ts';
import { draftStore } from '#stores/draft.ts';
import { executorMark, executorOf } from '#stores/executor.ts';
import { machineStore } from '#stores/machine.ts';
import { msg, t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { bytes, compact } from '#ui/kit/format/numbers.ts';
import { Popover } from '#ui/kit/Popover.tsx';
import { usageOf } from '#ui/kit/progress.ts';
import { useTransport } from '#ui/runs/useTransport.ts';
import { ExecutorSpeeds } from './ExecutorSpeeds.tsx';
import styles from './Header.module.css';

export function ExecutorBadge() {
  const { group, phase } = useTransport();
  const { executor: wanted } = useStore(draftStore, (state) => state.config.run);
  const drafted = useStore(draftStore, (state) => state.config.env.id);
  const machine = useStore(machineStore);
  const open = phase === 'running' || phase === 'paused' || phase === 'interrupted';
  // A seed whose device was lost may compute elsewhere by now; then the run as a whole is no longer exact, whatever it computes on.
  const moved = open ? (group?.seeds.find((run) => executorMark(run) !== null) ?? null) : null;
  const executor = open && group !== null ? (moved === null ? group.config.run.executor : executorOf(group, moved)) : wanted;
  const foreign = isGymEnv(open && group !== null ? group.config.env.id : drafted);
  const exact = executor === 'wasm' && moved === null && !foreign;
  const trust = foreign ? msg('not exact') : exact ? msg('exact') : msg('within tolerance');
  const used = group === null ? null : usageOf(group);
  const reason =
    moved !== null
      ? executorMark(moved)?.text
      : open && group !== null
        ? group.executorReason
        : executor === 'wasm' && moved === null
          ? t('{trust}, the default', { trust: t(trust) })
          : t('chosen in the configuration');

  return (
    <Popover
      look="badge"
      width={400}
      label={t('Executor {executor}, {trust}', { executor, trust: t(trust) })}
      title={t('Where this run computes')}
      trigger={
        <span className={styles.badge}>
          {executor}
          <span className={styles.class}>{t(trust)}</span>
        </span>
      }
    >
      {(close) => (
        <div className={styles.reason}>
          <h2>{executor}</h2>
          <p>
            {foreign
              ? t('The environment runs in Python: its numbers depend on its libraries and on this machine.')
              : exact
                ? t('SIMD WebAssembly. The same config and seed give the same bits on every machine and in every browser.')
                : t('Results agree with those of the exact executor within tolerance, not bit for bit.')}
          </p>
          <dl>
            <dt>{t('Why')}</dt>
            <dd>{reason}</dd>
            <dt>{t('GPU')}</dt>
            <dd>{machine.gpuReason}</dd>
            <dt>{t('Cores')}</dt>
            <dd data-figure="cores">
              {used !== null && phase === 'running'
                ? t('{cores}, of which this run uses {used}', { cores: machine.cores, used: Math.min(used.threads, machine.cores) })
                : machine.cores}
            </dd>
            {used !== null && (
              <>
                <dt>{t('Memory')}</dt>
                <dd data-figure="memory">
                  {t('{bytes} in {n} tensors', { bytes: bytes(used.bytes), n: compact(used.tensors) })}
                  {used.seeds > 1 ? `, ${t('{n} seeds together', { n: used.seeds })}` : ''}
                </dd>
              </>
            )}
          </dl>
          <ExecutorSpeeds training={phase === 'running'} />
          {machine.offer !== null && (
            <>
              <p>
                {t('This network trains {value} times faster on your GPU, within tolerance.', { value: machine.offer.speedup.toFixed(1) })}
              </p>
              <Button
                kind="solid"
                onClick={() => {
                  close();
                  void runs.trainOnGpu();
                }}
              >
                {t('Train on the GPU')}
              </Button>
            </>
          )}
        </div>
      )}
    </Popover>
  );
}
