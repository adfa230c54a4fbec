/** How far a run is, in one or two words: for the open run beside the doors and the title of the browser's tab. */
import type { RunGroup } from '#stores/types.ts';
import { t } from '#text/text.ts';
import { percent } from '#ui/kit/format/numbers.ts';
import { phaseOf, progressOf, statusText } from '#ui/kit/progress.ts';

/** Per cent of the steps while it trains or waits, else how it ended. */
export function howFar(group: RunGroup): string {
  const phase = phaseOf(group);
  if (phase !== 'running' && phase !== 'paused') return statusText(group);
  const { step, total } = progressOf(group);
  const share = percent(total === 0 ? 0 : Math.floor((100 * step) / total));
  return phase === 'paused' ? t('paused at {share}', { share }) : share;
}
