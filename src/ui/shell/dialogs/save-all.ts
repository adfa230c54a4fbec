/** All runs as one project file, named by the day. */
import { save } from '#ui/kit/save.ts';

export function saveAllRuns(project: Promise<Blob>): Promise<void> {
  return save(project, `rl-workbench-${new Date().toISOString().slice(0, 10)}.lab`);
}
