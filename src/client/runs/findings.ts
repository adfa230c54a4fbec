/** Findings that stand in a run, and the runs that try the way on which they propose. */

import { toFailure } from '#contract/kit/errors.ts';
import { readJson } from '#contract/kit/json.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { Finding, Way } from '#contract/run/findings.ts';
import { writePath } from '#contract/run/paths.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { draftStore } from '#stores/draft.ts';
import { refuseLink } from '#stores/layout.ts';
import { findGroup } from '#stores/runs.ts';
import type { Parent, RunGroup, SeedRun } from '#stores/types.ts';
import { configAt, forkSteps } from './forks.ts';
import { isUnderWay } from './trainer.ts';

export interface Standing {
  /** As the first of these seeds has it. */
  readonly finding: Finding;
  /** Step at which that seed reported it. */
  readonly step: number;
  readonly seeds: readonly number[];
}

/** Findings of one seed that were not withdrawn since, by id. */
function standingIn({ marks }: SeedRun): ReadonlyMap<string, { readonly finding: Finding; readonly step: number }> {
  const standing = new Map<string, { finding: Finding; step: number }>();
  for (const { finding, ends, step } of marks) {
    if (finding !== undefined) standing.set(finding.id, { finding, step });
    if (ends !== undefined) standing.delete(ends);
  }
  return standing;
}

/** One for each id, those of most seeds first. */
export function standingFindings({ seeds }: RunGroup): readonly Standing[] {
  const found = new Map<string, Standing>();
  for (const run of seeds) {
    for (const [id, { finding, step }] of standingIn(run)) {
      const before = found.get(id);
      found.set(id, before === undefined ? { finding, step, seeds: [run.seed] } : { ...before, seeds: [...before.seeds, run.seed] });
    }
  }
  return [...found.values()].sort((a, b) => b.seeds.length - a.seeds.length);
}

export interface Plan {
  readonly config: RunConfig;
  /** The checkpoint from which the new run goes on; null: a new run from its first step. */
  readonly parent: Parent | null;
}

/**
 * The run that has this setting changed: from the newest state of each seed that was kept before its evidence began, or, where there is none
 * or the state would not fit, from the start (of a fork: from where it began).
 */
export function planOf(group: RunGroup, { finding }: Standing, { path, value, begin }: Way): Plan {
  const again: Plan = { config: writePath(group.config, path, value), parent: group.parent };
  if (begin === 'start') return again;
  const points = group.seeds.flatMap((run) => {
    const since = standingIn(run).get(finding.id)?.finding.since ?? finding.since;
    const step = forkSteps(run).findLast((at) => at <= since);
    return step === undefined ? [] : [{ run, seed: run.seed, step }];
  });
  // A config names a first seed and how many: the new run has those that follow each other.
  const [first] = points;
  if (first === undefined) return again;
  const together = points.filter(({ seed }, i) => seed === first.seed + i);
  const step = Math.max(...together.map((point) => point.step));
  const before = configAt(group, first.run, first.step);
  const config = { ...before, run: { ...before.run, seedStart: first.seed, seeds: together.length } };
  return {
    config: writePath(config, path, value),
    parent: { id: group.id, step, seeds: together.map((point) => ({ seed: point.seed, step: point.step })) },
  };
}

export interface MenderOptions {
  readonly watch: () => Pick<WatchApi, 'complete'>;
  /** Trains a complete config as the active run. */
  readonly start: (config: RunConfig, parent: Parent | null) => Promise<string>;
  readonly stop: (runId: string) => void;
}

export class FixRunner {
  private readonly options: MenderOptions;

  constructor(options: MenderOptions) {
    this.options = options;
  }

  /** Ends the run that is ill, whose state is kept, and starts the one with the setting changed. */
  async follow(runId: string, standing: Standing, way: Way): Promise<void> {
    const group = findGroup(runId);
    if (group === null) return;
    try {
      const { config, parent } = planOf(group, standing, way);
      const complete = await this.options.watch().complete(readJson(JSON.stringify(config)));
      if (group.seeds.some(isUnderWay)) this.options.stop(runId);
      draftStore.getState().open(complete);
      await this.options.start(complete, parent);
    } catch (error) {
      refuseLink(toFailure(error));
    }
  }
}
