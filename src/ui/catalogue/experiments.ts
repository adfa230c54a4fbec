/** Opening a ready-made experiment. */
import type { Catalog, ExperimentCard } from '#contract/catalog/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { msg } from '#text/text.ts';
import { checkConfig } from '#ui/form/config-text.ts';
import { clearAllBad } from '#ui/form/invalid.ts';
import { toast } from '#ui/kit/toasts.ts';

export const KINDS: readonly { readonly kind: ExperimentCard['kind']; readonly title: string; readonly about: string }[] = [
  { kind: 'start', title: msg('Start here'), about: msg('Learns within seconds.') },
  { kind: 'lesson', title: msg('Lessons'), about: msg('One idea each, to be played with.') },
  { kind: 'benchmark', title: msg('Benchmarks'), about: msg('For comparing algorithms.') },
  { kind: 'claim', title: msg('Claims'), about: msg('A sentence that a run can refute, and what our runs said.') },
];

export function openExperiment(card: ExperimentCard, catalog: Catalog): void {
  const checked = checkConfig(card.config, catalog);
  if (checked.config === null) {
    toast(`${card.title} cannot be opened: ${checked.error}`, { tone: 'caution' });
    return;
  }
  clearAllBad();
  draftStore.getState().open(checked.config, card.id);
}
