/**
 * Two timelines: how far it has learned (kept policies along the training budget) and the moment in the episode. Both are native
 * range inputs; on the first one arrow keys go from kept policy to kept policy.
 */
import { type KeyboardEvent, useMemo } from 'react';
import { useStore } from 'zustand';
import { forkPoint, forkSteps } from '#client/runs/forks.ts';
import { newestPolicy } from '#client/runs/policies.ts';
import { forks } from '#client/runs/service.ts';
import { stage } from '#client/stage/service.ts';
import { draftStore } from '#stores/draft.ts';
import { layoutStore } from '#stores/layout.ts';
import { activeIn, runsStore } from '#stores/runs.ts';
import { playedByPerson, stageStore } from '#stores/stage.ts';
import type { RunGroup } from '#stores/types.ts';
import { t, tn } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { compact, measure } from '#ui/kit/format/numbers.ts';
import { shownStore } from '#ui/kit/shown.ts';
import { spansOf } from './acted.ts';
import { nearest, shift } from './checkpoints.ts';
import { StageIcon } from './icons.tsx';
import styles from './Stage.module.css';
import { useStageEnv } from './useStageEnv.ts';

const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4, 8, 16];

export function Timelines() {
  const mode = useStore(stageStore, (state) => state.mode);
  return (
    <div className={styles.timelines} data-scrub="">
      <Learning />
      {mode !== 'play' && mode !== 'edit' && <Episode />}
    </div>
  );
}

function Learning() {
  const policy = useStore(stageStore, (state) => state.policy);
  const scripted = useStore(stageStore, (state) => state.scripted);
  const mode = useStore(stageStore, (state) => state.mode);
  const checkpoints = useStore(stageStore, (state) => state.checkpoints);
  const env = useStore(draftStore, ({ config }) => config.env.id);
  const active = useStore(runsStore, (state) => activeIn(state, env));
  const runId = policy?.runId ?? active?.id ?? '';
  const seed = policy?.seed ?? firstTrained(active);
  const run = active?.id === runId ? active.seeds.find((s) => s.seed === seed) : undefined;
  const trained = run?.step ?? 0;
  const points = run === undefined ? [] : forkSteps(run);
  const newest = checkpoints.at(-1)?.step ?? 0;
  const budget = Math.max(active?.config.run.steps ?? 1, newest, 1);
  const shown = policy?.step ?? 0;
  const empty = checkpoints.length === 0 || seed === null;
  const sameStart = useStore(stageStore, (state) => state.sameStart !== null);
  const played = useStore(stageStore, playedByPerson);
  const simple = useStore(layoutStore, ({ depth }) => depth === 'teach');
  // Before the first kept state a fork would be a new run.
  const fork = run === undefined ? null : (forkPoint(run, policy === null ? newest : shown) ?? points[0] ?? null);
  const go = (step: number): void => {
    if (seed !== null && step !== stageStore.getState().policy?.step) void stage.watch(runId, seed, step);
  };
  const keys = (event: KeyboardEvent): void => {
    const by: { readonly [key: string]: number } = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -5,
      PageUp: 5,
      Home: -1e9,
      End: 1e9,
    };
    const move = by[event.key];
    if (move === undefined || empty) return;
    event.preventDefault();
    go(shift(checkpoints, shown, move));
  };
  const at = checkpoints.findIndex(({ step }) => step === shown);
  const tokens = useStageEnv()?.tokens !== undefined;
  // At the simple depth there is no line of learning before there is anything on it.
  if (simple && empty) return null;
  return (
    <div className={styles.timeline}>
      <span className={styles.lead} id="learning-label">
        {t('learning')}
      </span>
      <span className={styles.track}>
        <span className={styles.trained} style={{ inlineSize: `${(100 * Math.min(1, Math.max(trained, newest) / budget)).toFixed(2)}%` }} />
        {checkpoints.map(({ step, key }) => (
          <i
            key={key}
            className={styles.tick}
            data-fork={points.includes(step) ? '' : undefined}
            style={{ insetInlineStart: `${((100 * step) / budget).toFixed(2)}%` }}
          />
        ))}
        <input
          type="range"
          min={0}
          max={budget}
          step="any"
          value={shown}
          disabled={empty}
          aria-labelledby="learning-label"
          aria-valuetext={
            policy === null
              ? played
                ? t('your game')
                : scripted === null
                  ? t('random policy, before training')
                  : t('scripted policy {name}, nothing learned', { name: scripted })
              : t('policy at step {step}, {at} of {n} kept', { step: shown, at: at + 1, n: checkpoints.length })
          }
          onKeyDown={keys}
          onChange={(event) => {
            const found = nearest(checkpoints, Number(event.target.value));
            if (found !== null) go(found);
          }}
        />
      </span>
      <span className={styles.tail}>
        <output className={styles.reading}>
          {policy === null
            ? mode === 'play'
              ? t('you')
              : played
                ? t('your game')
                : scripted === null
                  ? t('random')
                  : scripted.replaceAll('-', ' ')
            : tokens
              ? t('{n} tokens', { n: compact(shown) })
              : t('{n} steps', { n: compact(shown) })}
        </output>
        <button
          type="button"
          className={styles.icon}
          data-from="lab"
          aria-label={t('Same start for every policy')}
          title={t('Every policy of the timeline plays from the start that is shown now, and comes in at the same moment')}
          aria-pressed={sameStart}
          disabled={empty}
          onClick={() => stage.keepStart(!sameStart)}
        >
          <StageIcon name="anchor" />
        </button>
        <span data-from="lab">
          <Button
            kind="bare"
            icon="fork"
            label={
              fork === null
                ? t('No checkpoint is kept yet from which another run could go on')
                : t('Fork at step {fork}: change something, train on from there', { fork: compact(fork) })
            }
            disabled={fork === null || seed === null || active?.elsewhere === true}
            onClick={() => {
              if (fork !== null && seed !== null) void forks.begin(runId, seed, fork);
            }}
          />
        </span>
        <button
          type="button"
          className={styles.icon}
          data-from="lab"
          aria-label={t('Newest policy')}
          title={mode === 'live' ? t('Showing the newest policy') : t('Back to the newest policy')}
          aria-pressed={mode === 'live' && policy !== null}
          disabled={empty}
          onClick={() => {
            if (seed !== null) void stage.watch(runId, seed);
          }}
        >
          <StageIcon name="newest" />
        </button>
      </span>
    </div>
  );
}

function firstTrained(group: RunGroup | null): number | null {
  if (group === null) return null;
  return (group.seeds.find((s) => newestPolicy(group.id, s.seed) !== null) ?? group.seeds[0])?.seed ?? null;
}

function Episode() {
  const { t: frame, total } = useStore(shownStore);
  const length = useStore(stageStore, (state) => state.length);
  const playing = useStore(stageStore, (state) => state.playing);
  const speed = useStore(stageStore, (state) => state.speed);
  const teach = useStore(layoutStore, (state) => state.depth === 'teach');
  const { seek, setPlaying, setSpeed } = stageStore.getState();
  const last = Math.max(0, length - 1);
  const still = length < 2;
  const human = useStore(stageStore, (state) => state.replay?.human);
  const acted = useMemo(() => spansOf(human), [human]);
  const own = acted.reduce((sum, [from, to]) => sum + to - from, 0);
  const jump = (to: number): void => {
    setPlaying(false);
    seek(Math.min(last, Math.max(0, to)));
  };
  return (
    <div className={styles.timeline}>
      <span className={styles.lead} id="episode-label">
        {t('episode')}
      </span>
      <span className={styles.buttons}>
        <button
          type="button"
          className={`${styles.icon} ${styles.step}`}
          data-from="lab"
          aria-label={t('Previous frame')}
          title={`${t('Previous frame')} (,)`}
          disabled={still || frame === 0}
          onClick={() => jump(frame - 1)}
        >
          <StageIcon name="back" />
        </button>
        <Button
          kind="bare"
          icon={playing ? 'pause' : 'play'}
          label={playing ? t('Hold the episode') : t('Play the episode')}
          hotkey="P"
          disabled={still}
          onClick={() => setPlaying(!playing)}
        />
        <button
          type="button"
          className={`${styles.icon} ${styles.step}`}
          data-from="lab"
          aria-label={t('Next frame')}
          title={`${t('Next frame')} (.)`}
          disabled={still || frame >= last}
          onClick={() => jump(frame + 1)}
        >
          <StageIcon name="forward" />
        </button>
      </span>
      <span className={styles.track}>
        <span className={styles.trained} style={{ inlineSize: `${last === 0 ? 0 : ((100 * Math.min(frame, last)) / last).toFixed(2)}%` }} />
        {acted.map(([from, to]) => (
          <i
            key={from}
            className={styles.acted}
            style={{
              insetInlineStart: `${(100 * from) / Math.max(1, last)}%`,
              inlineSize: `max(2px, ${(100 * (to - from)) / Math.max(1, last)}%)`,
            }}
            title={t('Steps {from} to {to}: human control', { from: from + 1, to })}
          />
        ))}
        <input
          type="range"
          min={0}
          max={last}
          step={1}
          value={Math.min(frame, last)}
          disabled={still}
          tabIndex={teach ? -1 : undefined} // . and , do the same
          aria-labelledby="episode-label"
          aria-valuetext={[
            t('frame {t} of {last}, return so far {total}', { t: Math.min(frame, last), last, total: measure(total) }),
            ...(own > 0 ? [tn('a person acted in {n} step', 'a person acted in {n} steps', own)] : []),
          ].join(', ')}
          onChange={(event) => jump(Number(event.target.value))}
        />
      </span>
      <span className={styles.tail}>
        <output className={styles.reading} title={t('Frame and return so far')}>
          <small>{`${Math.min(frame, last)} / ${last}`}</small> <small className={styles.label}>{t('return')}</small> {measure(total)}
        </output>
        <select
          className={styles.speed}
          aria-label={t('Playback speed')}
          value={speed}
          onChange={(event) => setSpeed(Number(event.target.value))}
        >
          {SPEEDS.map((s) => (
            <option key={s} value={s}>
              {s}×
            </option>
          ))}
        </select>
        <span data-from="lab">
          <Button kind="bare" icon="reset" label={t('Another episode')} onClick={() => void stage.anotherEpisode()} />
          <Button
            kind="bare"
            icon="film"
            label={t('Save as a video')}
            disabled={still}
            onClick={() => layoutStore.getState().set('dialog', 'film')}
          />
        </span>
      </span>
    </div>
  );
}
