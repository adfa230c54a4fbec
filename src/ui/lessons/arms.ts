/**
 * The runs of a step: their configs, and what the runs have measured that count: those of a step's demonstration since the lesson was begun,
 * those of its task since the step was first shown. A run is found again by the hash of its config.
 */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { workers } from '#client/workers/service.ts';
import { mergeJson } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import { configHash } from '#contract/run/config-hash.ts';
import type { SeedResult } from '#contract/run/events.ts';
import { readPath, writePath } from '#contract/run/paths.ts';
import type { Arm, Lesson } from '#lessons/define.ts';
import { draftStore } from '#stores/draft.ts';
import { runOfHash, runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';

export interface ArmRun {
  readonly label: string;
  readonly config: RunConfig;
  /** null: not started. */
  readonly group: RunGroup | null;
  /** null: not all seeds have finished. */
  readonly outcome: readonly SeedResult[] | null;
}

/** `seedStart`: in place of the lesson's own first seed. */
export const configOf = (lesson: Lesson, arm: Arm, seedStart?: number): Promise<RunConfig> =>
  workers.complete(mergeJson(mergeJson({ v: 1, ...lesson.config }, arm.config), seedStart === undefined ? {} : { run: { seedStart } }));

/** The pupil's values of the shown controls over an arm's config. */
export function withShown(config: RunConfig, show: readonly string[], draft: RunConfig): RunConfig {
  return show.reduce((out, path) => writePath(out, path, readPath(draft, path)), config);
}

/**
 * The arms with the draft's values of the shown controls, and their runs started at `since` (ms since epoch) or later. null while the core
 * fills in the defaults.
 */
export function useArms(
  lesson: Lesson,
  arms: readonly Arm[] | undefined,
  show: readonly string[],
  since: number,
  seedStart?: number,
): readonly ArmRun[] | null {
  const [configs, setConfigs] = useState<readonly RunConfig[] | null>(null);
  const draft = useStore(draftStore, (state) => state.config);
  const groups = useStore(runsStore, (state) => state.groups);
  useEffect(() => {
    let live = true;
    setConfigs(null);
    void Promise.all((arms ?? []).map((arm) => configOf(lesson, arm, seedStart))).then(
      (complete) => live && setConfigs(complete),
      () => {}, // the step says why: it opens the same set-up
    );
    return () => {
      live = false;
    };
  }, [lesson, arms, seedStart]);
  if (configs === null || arms === undefined || configs.length !== arms.length) return null;
  return arms.map(({ label }, i) => {
    const config = withShown(configs[i]!, show, draft);
    const hash = configHash(config);
    const group = runOfHash(groups, hash, since);
    return { label, config, group, outcome: group === null ? null : outcomeOf(group) };
  });
}

function outcomeOf({ seeds }: RunGroup): readonly SeedResult[] | null {
  const results = seeds.flatMap(({ result }) => (result === null ? [] : [result]));
  return results.length === seeds.length ? results : null;
}
