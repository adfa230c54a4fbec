/** Files out: curves as CSV, a run as JSON, a policy, a project. */

import { heldPolicies, newestPolicy } from '#client/runs/policies.ts';
import { curveColumns, toRunFile } from '#client/runs/run-persistence.ts';
import { curvesToCsv } from '#contract/files/curves-csv.ts';
import { encodePolicyFile, type ProjectLayout } from '#contract/files/files.ts';
import { fail } from '#contract/kit/errors.ts';
import type { Library } from '#storage/library.ts';
import type { ExportedRun } from '#storage/project.ts';
import type { RunGroup } from '#stores/types.ts';

/** `project`: what another person needs; `backup`: with every kept policy and state. */
export type ExportKind = 'csv' | 'json' | 'policy' | 'project' | 'backup';

/** `layout`: how the page is arranged, for a project of all its runs. */
export async function exportGroups(
  groups: readonly RunGroup[],
  what: ExportKind,
  library: Library,
  now: number,
  layout?: ProjectLayout,
): Promise<Blob> {
  const [group] = groups;
  if (group === undefined) throw fail('file-invalid', 'This run is no longer here.', 'Choose another one.');
  switch (what) {
    case 'csv':
      return new Blob([curvesToCsv(group.id, curveColumns(group))], { type: 'text/csv' });
    case 'json':
      return new Blob([JSON.stringify(toRunFile(group), null, 2)], { type: 'application/json' });
    case 'policy': {
      const policy = group.seeds.map(({ seed }) => newestPolicy(group.id, seed)).find((found) => found !== null);
      if (policy === undefined || policy === null) throw fail('file-invalid', 'This run has no policy yet.', 'Train it first.');
      return new Blob([encodePolicyFile(policy)], { type: 'application/json' });
    }
    case 'project':
    case 'backup': {
      const { writeProject } = await import('#storage/project.ts');
      const bytes = await writeProject(library, groups.map(exported), new Date(now).toISOString(), {
        everything: what === 'backup',
        layout,
      });
      return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/zip' });
    }
  }
}

const exported = (group: RunGroup): ExportedRun => ({
  run: toRunFile(group),
  curves: curveColumns(group),
  policies: group.seeds.flatMap(({ seed }) => heldPolicies(group.id, seed).map(({ snapshot }) => snapshot)),
});

/** A project of these runs with other files beside them, by name. */
export async function bundleGroups(
  groups: readonly RunGroup[],
  beside: Readonly<Record<string, string>>,
  library: Library,
  now: number,
): Promise<Blob> {
  const { writeProject } = await import('#storage/project.ts');
  const bytes = await writeProject(library, groups.map(exported), new Date(now).toISOString(), { everything: false, beside });
  return new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/zip' });
}
