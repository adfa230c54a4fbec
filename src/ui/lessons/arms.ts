/** The runs of a step: their configs, and what the runs that exist have measured. A run is found again by the hash of its config. */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { lab } from '#client/lab.ts';
import type { RunConfig } from '#contract/config.ts';
import { configHash } from '#contract/config-hash.ts';
import { mergeJson } from '#contract/json.ts';
import { readPath, writePath } from '#contract/paths.ts';
import type { Arm, Lesson, Outcome } from '#lessons/define.ts';
import { draftStore } from '#stores/draft.ts';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';

export interface ArmRun {
  readonly label: string;
  readonly config: RunConfig;
  /** null: not started. */
  readonly group: RunGroup | null;
  /** null: not all seeds have finished. */
  readonly outcome: Outcome | null;
}

export const configOf = (lesson: Lesson, arm: Arm): Promise<RunConfig> => lab.complete(mergeJson({ v: 1, ...lesson.config }, arm.config));

/** The pupil's values of the shown controls over an arm's config. */
export function withShown(config: RunConfig, show: readonly string[], draft: RunConfig): RunConfig {
  return show.reduce((out, path) => writePath(out, path, readPath(draft, path)), config);
}

/** The arms with the draft's values of the shown controls, and their runs. null while the core fills in the defaults. */
export function useArms(lesson: Lesson, arms: readonly Arm[] | undefined, show: readonly string[]): readonly ArmRun[] | null {
  const [configs, setConfigs] = useState<readonly RunConfig[] | null>(null);
  const draft = useStore(draftStore, (state) => state.config);
  const groups = useStore(runsStore, (state) => state.groups);
  useEffect(() => {
    let live = true;
    setConfigs(null);
    void Promise.all((arms ?? []).map((arm) => configOf(lesson, arm))).then((complete) => live && setConfigs(complete));
    return () => {
      live = false;
    };
  }, [lesson, arms]);
  if (configs === null || arms === undefined || configs.length !== arms.length) return null;
  return arms.map(({ label }, i) => {
    const config = withShown(configs[i]!, show, draft);
    const hash = configHash(config);
    const group = groups.find((candidate) => candidate.hash === hash) ?? null;
    return { label, config, group, outcome: group === null ? null : outcomeOf(group) };
  });
}

function outcomeOf({ seeds }: RunGroup): Outcome | null {
  const results = seeds.flatMap(({ result }) => (result === null ? [] : [result]));
  return results.length === seeds.length ? results : null;
}
