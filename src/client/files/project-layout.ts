/** How the page is arranged, as a project file keeps it. Theme, motion and shortcuts are the visitor's own and stay. */
import type { ProjectLayout } from '#contract/files/files.ts';
import { arrangeCurves, curvesStore } from '#stores/curves.ts';
import { arrangePage, layoutStore } from '#stores/layout.ts';
import { arrangeRuns, runsStore } from '#stores/runs.ts';

export function currentLayout(): ProjectLayout {
  const { depth, leftOpen, rightOpen, runsOpen } = layoutStore.getState();
  const { activeId: active, filter, sort } = runsStore.getState();
  const { metric, xAxis, smoothing, rawSeeds } = curvesStore.getState();
  return { depth, leftOpen, rightOpen, runsOpen, active, filter, sort, metric, xAxis, smoothing, rawSeeds };
}

/** For this visit: the depth that a person has chosen comes back with the next. */
export function applyLayout({
  depth,
  leftOpen,
  rightOpen,
  runsOpen,
  filter,
  sort,
  metric,
  xAxis,
  smoothing,
  rawSeeds,
}: ProjectLayout): void {
  arrangePage({ depth, leftOpen, rightOpen, runsOpen });
  arrangeRuns({ filter, sort });
  arrangeCurves({ metric, xAxis, smoothing, rawSeeds });
}
