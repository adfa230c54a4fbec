/** Opening a ready-made experiment, and what running its claim has given so far. */
import type { Catalog, ExperimentCard } from '#contract/catalog.ts';
import type { Result } from '#contract/results.ts';
import { draftStore } from '#stores/draft.ts';
import { checkConfig } from '../dialogs/config-text.ts';
import { clearAllBad } from '../form/invalid.ts';
import { toast } from '../kit/toasts.ts';
import { verdictText } from './card-text.ts';

export const KINDS: readonly { readonly kind: ExperimentCard['kind']; readonly title: string; readonly about: string }[] = [
  { kind: 'start', title: 'Start here', about: 'Learns within seconds.' },
  { kind: 'lesson', title: 'Lessons', about: 'One idea each, to be played with.' },
  { kind: 'benchmark', title: 'Benchmarks', about: 'For comparing algorithms.' },
  { kind: 'claim', title: 'Claims', about: 'A sentence that a run can refute, and what our runs said.' },
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

export interface Verdict {
  readonly verdict: Result['verdict'];
  readonly text: string;
}

const known = new Map<string, Promise<Verdict | null>>();

/** From `results/<id>.json` beside the page; null where there is none. Same origin, once per visit. */
export function verdictOf(id: string): Promise<Verdict | null> {
  let answer = known.get(id);
  if (answer === undefined) {
    answer = readVerdict(id);
    known.set(id, answer);
  }
  return answer;
}

async function readVerdict(id: string): Promise<Verdict | null> {
  if (!RESULT_IDS.includes(id)) return null;
  try {
    const response = await fetch(`results/${id}.json`);
    if (!response.ok || !(response.headers.get('content-type') ?? '').includes('json')) return null;
    const result = (await response.json()) as Result;
    return { verdict: result.verdict, text: verdictText(result) };
  } catch {
    return null; // offline before the first look
  }
}
