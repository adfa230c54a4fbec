/** On what the run computes, how far its numbers can be trusted, and why; and the offer of a faster way where there is one. */
import { useStore } from 'zustand';
import { runs } from '#client/runs/service.ts';
import { isGymEnv } from '#contract/game/gym-id.ts';
import { draftStore } from '#stores/draft.ts';
import { executorMark, executorOf } from '#stores/executor.ts';
import { machineStore } from '#stores/machine.ts';
import { Button } from '#ui/kit/Button.tsx';
import { bytes } from '#ui/kit/format/numbers.ts';
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
  const trust = foreign ? 'not exact' : exact ? 'exact' : 'within tolerance';
  const used = group === null ? null : usageOf(group);
  const reason =
    moved !== null
      ? executorMark(moved)?.text
      : open && group !== null
        ? group.executorReason
        : executor === 'wasm' && moved === null
          ? `${trust}, the default`
          : 'chosen in the configuration';

  return (
    <Popover
      look="badge"
      width={400}
      label={`Executor ${executor}, ${trust}`}
      title="Where this run computes"
      trigger={
        <span className={styles.badge}>
          {executor}
          <span className={styles.class}>{trust}</span>
        </span>
      }
    >
      {(close) => (
        <div className={styles.reason}>
          <h2>{executor}</h2>
          <p>
            {foreign
              ? 'The environment runs in Python: its numbers depend on its libraries and on this machine.'
              : exact
                ? 'SIMD WebAssembly. The same config and seed give the same bits on every machine and in every browser.'
                : 'Results agree with those of the exact executor within tolerance, not bit for bit.'}
          </p>
          <dl>
            <dt>Why</dt>
            <dd>{reason}</dd>
            <dt>GPU</dt>
            <dd>{machine.gpuReason}</dd>
            <dt>Cores</dt>
            <dd>{machine.cores}</dd>
            {used !== null && (
              <>
                <dt>Memory</dt>
                <dd data-figure="memory">
                  {bytes(used.bytes)} in {used.tensors.toLocaleString('en')} tensors
                  {used.seeds > 1 ? `, ${used.seeds} seeds together` : ''}
                </dd>
              </>
            )}
          </dl>
          <ExecutorSpeeds training={phase === 'running'} />
          {machine.offer !== null && (
            <>
              <p>This network trains {machine.offer.speedup.toFixed(1)} times faster on your GPU, within tolerance.</p>
              <Button
                kind="solid"
                onClick={() => {
                  close();
                  void runs.trainOnGpu();
                }}
              >
                Train on the GPU
              </Button>
            </>
          )}
        </div>
      )}
    </Popover>
  );
}
