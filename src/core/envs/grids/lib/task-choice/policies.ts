/** Choosers as scripted policies: those that see what an observation holds, one that draws, and one that knows the recording. */
import { Rng } from '#math/rng.ts';
import { numberOf } from '../../../api/checks.ts';
import { viewOf } from '../../../api/state.ts';
import type { ScriptedPolicy } from '../../../api/types.ts';
import type { Known } from './choosers.ts';
import { greedyChoice } from './mission.ts';
import { COUNT, recordingsOf, type Setting } from './recorded.ts';

const trainedIn = (obs: Float32Array, at: number): readonly number[] =>
  Array.from({ length: COUNT }, (_, i) => i).filter((i) => obs[at + i] === 1);

/** Reads observations alone. */
export const bySight = (choose: (known: Known) => number): ScriptedPolicy => ({
  act({ batch }, { obs }, out) {
    for (let row = 0; row < batch; row++) {
      const at = row * 3 * COUNT;
      const trained = trainedIn(obs, at);
      const own = trained.map((i) => obs[at + COUNT + i]!);
      out[row] =
        trained.length === COUNT ? 0 : choose({ settings: COUNT, trained, own, best: obs.subarray(at + 2 * COUNT, at + 3 * COUNT) });
    }
  },
});

const WORDS = 4;

/** One of those not yet trained, by a generator of its own: that of the row, split by how many there are. */
export const byDraw: ScriptedPolicy = {
  act(env, { obs }, out) {
    const { state } = env.meta;
    for (let row = 0; row < env.batch; row++) {
      const trained = trainedIn(obs, row * 3 * COUNT);
      const view = viewOf(state, env.save(row));
      const words = Uint32Array.from({ length: WORDS }, (_, i) => view.getUint32(state.bytes - 4 * (WORDS - i), true));
      const left = Array.from({ length: COUNT }, (_, i) => i).filter((i) => !trained.includes(i));
      out[row] = left.length === 0 ? 0 : left[new Rng(words).split('drawn choice', trained.length).int(left.length)]!;
    }
  },
};

/** Sees the whole recording: no method, but what the others may be held against. */
export const byKnown = (setting: Setting): ScriptedPolicy => ({
  act(env, { obs }, out) {
    for (let row = 0; row < env.batch; row++) {
      const matrix = recordingsOf(setting)[numberOf(env.meta.state.toJSON(env.save(row)), 'recording')]!;
      out[row] = greedyChoice(matrix, trainedIn(obs, row * 3 * COUNT));
    }
  },
});
