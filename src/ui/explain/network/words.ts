/** What an output of a network is called in a sentence. */
import type { SlopeQuestion } from '#contract/game/network-view.ts';

export function outputWords(output: SlopeQuestion['output'], label: string): string {
  switch (output) {
    case 'logits':
      return `the probability of “${label}”`;
    case 'q':
      return `the value of “${label}”`;
    case 'mean':
      return `the mean of “${label}”`;
    case 'value':
      return 'the state value';
  }
}
