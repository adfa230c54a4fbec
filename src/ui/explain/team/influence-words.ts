/** Sentences about coordination, made from the numbers and nothing else. */
import type { Coordination } from '#contract/explain/coordination.ts';
import { spoken } from '#contract/game/seats.ts';
import { capital } from '#contract/kit/capital.ts';
import { withWidth } from '#report/explain-words.ts';

export function influenceWords(answer: Coordination): string[] {
  const { agents, meanInfluence, meanInfluenceHalfWidth, together, chance, messages } = answer;
  const n = agents.length;
  const name = (i: number): string => spoken(agents[i]!);
  const out: string[] = [];
  const pairs = meanInfluence.map((value, at) => ({ value, at })).filter(({ at }) => Math.floor(at / n) !== at % n);
  const best = pairs.reduce((a, b) => (b.value > a.value ? b : a));
  const clear = best.value > meanInfluenceHalfWidth[best.at]! && best.value > 1e-6;
  out.push(
    clear
      ? `${name(Math.floor(best.at / n))} influences ${name(best.at % n)} most: ${withWidth(best.value, meanInfluenceHalfWidth[best.at]!)}${answer.unit === 'nats' ? ' nats' : ''} on average.`
      : 'Over this episode no agent clearly influences another’s choices.',
  );
  const tied = together
    .map((value, at) => ({ value, at }))
    .filter(({ value, at }) => Math.floor(at / n) < at % n && value > chance[at]!)
    .sort((a, b) => b.value - a.value);
  if (tied.length === 0) out.push('Simultaneous actions show no more dependence than chance.');
  else out.push(`The actions of ${name(Math.floor(tied[0]!.at / n))} and ${name(tied[0]!.at % n)} depend on each other most.`);
  for (const { agent, entropy, heard } of messages) {
    const ears = heard.map((nats, j) => (nats > 0 ? name(j) : '')).filter(Boolean);
    if (entropy < 0.01) out.push(`${name(agent)} always sends the same symbol.`);
    else
      out.push(
        ears.length === 0
          ? `No agent’s actions depend on the messages of ${name(agent)}.`
          : `The actions of ${ears.join(' and ')} depend on the messages of ${name(agent)}.`,
      );
  }
  return out.map(capital);
}
