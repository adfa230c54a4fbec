/** Changes of runs while they go on. */
import { LiveEdits } from './live-edits.ts';
import { inbox, persistence, pool, tabs, trainer } from './parts.ts';
import { chooseSeed, shownSeed } from './subject.ts';

export const liveEdits: Pick<LiveEdits, 'edit'> = new LiveEdits({
  pool,
  inbox,
  trainer,
  readPoints: async (runId) => (await persistence).readPoints(runId),
  shownSeed,
  showSeed: chooseSeed,
  changed: (runId) => tabs.began(runId),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});
