/** What an offer reached on seeds that nothing of it was chosen on, in a sentence; where it does not hold, that too. */
import { interval95 } from '#math/seeds.ts';
import { iqm } from '#math/stats.ts';
import { holdsOn, type ZooFact } from '#report/zoo.ts';
import { compact, measure } from '#ui/kit/format/numbers.ts';

export function freshInWords(fact: ZooFact): string {
  const { scores, steps, offered, expected } = fact;
  const between = interval95(scores);
  const said = [
    `${scores.length} seeds: ${measure(iqm(scores))}`,
    between === null ? '' : ` (95 % interval ${measure(between[0])} to ${measure(between[1])})`,
    steps < 0.99 * offered ? `, after ${compact(steps)} of ${compact(offered)} steps` : '',
    holdsOn(fact) === false && expected !== null
      ? `; outside of what its first seeds let expect, ${measure(expected[0])} to ${measure(expected[1])}`
      : '',
  ];
  return `${said.join('')}.`;
}
