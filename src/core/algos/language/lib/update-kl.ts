/** By how much an update moved a policy on tokens, measured after it. */
import type { Engine } from '#core/engine/types.ts';
import { exp } from '#math/functions.ts';
import { type LineShape, linePrograms } from './packing.ts';
import type { compileScorer } from './programs.ts';
import type { Completions } from './rollouts.ts';

/** Lines that are scored once more: a forward pass of all of them would cost a third of the update. */
const LINES = 16;

/** `lines`: of a minibatch, of `places` places each; `compile`: the learned policy as a scorer. */
export function createKlProbe(
  engine: Engine,
  { lines, places }: Pick<LineShape, 'lines' | 'places'>,
  compile: (lines: LineShape) => ReturnType<typeof compileScorer>,
) {
  const most = Math.min(lines, LINES);
  const programs = linePrograms(engine, most, places, compile);
  return {
    /**
     * Mean over tokens of r - 1 - ln r, r = pi / old, in nats (k3 of tokens that were drawn from old, Schulman 2020). line: where the k-th line of
     * the minibatch stands in `last`; old: the log-probabilities of its places before the update, [places].
     */
    async measure(last: Completions, line: (k: number) => number, old: (k: number) => Float32Array): Promise<number> {
      const used = Array.from({ length: lines }, (_, k) => k).filter((k) => last.count[line(k)]! > 0);
      const count = Math.min(most, used.length);
      const picked = Array.from({ length: count }, (_, i) => used[Math.floor((i * used.length) / count)]!);
      const before = picked.map((k) => old(k).slice());
      const program = programs.holding(last, count, (i) => line(picked[i]!));
      const pending = program.run();
      if (pending) await pending;
      let [sum, tokens] = [0, 0];
      picked.forEach((k, i) => {
        for (let t = 0; t < places; t++) {
          if (last.written[line(k) * (places + 1) + t + 1] !== 1) continue;
          const change = program.out.logProb[i * places + t]! - before[i]![t]!;
          sum += exp(change) - 1 - change;
          tokens++;
        }
      });
      return tokens === 0 ? 0 : sum / tokens;
    },
  };
}
