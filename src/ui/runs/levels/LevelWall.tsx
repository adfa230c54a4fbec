/** The levels that a run plays again, the most worth first or easy to hard: where each begins, as a small plan. Pressed, the newest policy plays it on the stage. */
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { newestPolicy } from '#client/runs/policies.ts';
import { stage } from '#client/stage/service.ts';
import { levelsOf, type ShownLevel } from '#contract/files/levels.ts';
import { policiesStore } from '#stores/policies.ts';
import type { RunGroup } from '#stores/types.ts';
import { msg, t } from '#text/text.ts';
import { useStageEnv } from '#ui/stage/useStageEnv.ts';
import { SeedSelect } from '../SeedSelect.tsx';
import { LevelMaps, type LevelOrder } from './LevelMaps.tsx';
import styles from './LevelWall.module.css';

/** What a level is worth by (core/algos/extensions/levels), in words. */
const WORTH: { readonly [by: string]: string } = {
  regret: msg('regret'),
  'positive value loss': msg('positive value loss'),
  frontier: msg('p (1 - p) of being solved'),
};

export function LevelWall({ group }: { readonly group: RunGroup }) {
  useStore(policiesStore, (state) => state.version);
  const env = useStageEnv();
  const [wanted, setWanted] = useState<number | null>(null);
  const [played, setPlayed] = useState<number | null>(null);
  const [order, setOrder] = useState<LevelOrder>('worth');
  const seeds = group.seeds.filter(({ seed }) => newestPolicy(group.id, seed) !== null);
  const seed = (seeds.find((one) => one.seed === wanted) ?? seeds[0])?.seed ?? null;
  const snapshot = seed === null ? null : newestPolicy(group.id, seed);
  const shown = useMemo(() => (snapshot === null ? null : levelsOf(snapshot)), [snapshot]);
  if (shown === null || seed === null) return <p className={styles.empty}>{t('Levels stand here once a rollout has scored some.')}</p>;
  const { kept, by, levels } = shown;
  const layout = env !== null && env.id === group.config.env.id ? env.frame : null;
  const play = (level: ShownLevel, i: number, what: string): void => {
    setPlayed(i);
    void stage.playFrom(
      { runId: group.id, seed },
      level.state,
      t('Level {n} of those kept ({what}), played by the newest policy. Take over, and you play it from where it stands.', {
        n: i + 1,
        what,
      }),
    );
  };
  return (
    <div className={styles.room}>
      <p className={styles.said}>
        {by === null
          ? t('Training plays {kept} levels and no others; here are {count}.', { kept, count: levels.length })
          : t('{kept} levels are kept to be played again; these {count} are worth most, by {worth}.', {
              kept,
              count: levels.length,
              worth: t(WORTH[by] ?? by),
            })}{' '}
        {t('Press one: the newest policy plays it.')}
      </p>
      <SeedSelect seeds={seeds} value={seed} onChange={setWanted} />
      <LevelMaps levels={levels} env={group.config.env} layout={layout} order={order} onOrder={setOrder} pressed={played} onPress={play} />
    </div>
  );
}
