/** An environment and its rules over a kit in numbers, moved side by side: state, generator and what a step tells must be the same. */

import { present } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { numbersKit } from '#core/engine/kit.ts';
import { getEnv } from '#core/envs/all.ts';
import { createVectorEnv } from '#core/envs/api/vector-env.ts';
import { Row, stateLayout } from '#core/rollouts/row.ts';
import { worlds } from '#core/rollouts/worlds/index.ts';
import { Rng } from '#math/rng.ts';

/** What of the two differs first, in words; null: nothing. `copies` of them, `steps` of random actions, restarts included. */
export async function differs(id: string, config: JsonObject, copies: number, steps: number): Promise<string | null> {
  const entry = getEnv(id);
  const whole = entry.parse(config);
  const meta = entry.meta(whole);
  const env = createVectorEnv(entry, whole, copies, Rng.from(1));
  env.reset();
  const rules = (await present(worlds[id], 'a world')()).rules(whole, meta);
  const layout = stateLayout(meta.state);
  const memories = {
    floats: new Float64Array(copies * layout.floats),
    words: new Uint32Array(copies * layout.words),
    obs: new Float32Array(copies * meta.obsSize),
  };
  const load = (): { floats: Float64Array; words: Uint32Array } => {
    const floats = new Float64Array(memories.floats.length);
    const words = new Uint32Array(memories.words.length);
    for (let row = 0; row < copies; row++) {
      const state = env.env.save(row);
      floats.set(new Float64Array(state.buffer, 8, layout.floats), row * layout.floats);
      words.set(new Uint32Array(state.buffer, 8 + 8 * layout.floats, layout.words), row * layout.words);
    }
    return { floats, words };
  };
  const begin = load();
  memories.floats.set(begin.floats);
  memories.words.set(begin.words);
  const k = numbersKit(memories);
  const rng = Rng.from(2);
  const actions = new Int32Array(copies);
  for (let t = 0; t < steps; t++) {
    for (let row = 0; row < copies; row++) actions[row] = rng.int(meta.actionCount);
    env.step(actions);
    for (let row = 0; row < copies; row++) {
      const own = new Row(k, layout, row);
      const { reward, terminated, truncated } = rules.step(k, own, actions[row]!);
      const { buffers } = env;
      if (Math.fround(reward) !== buffers.reward[row]) return `step ${t}, copy ${row}: reward ${reward}, not ${buffers.reward[row]}`;
      if (Number(terminated) !== buffers.terminated[row] || Number(truncated) !== buffers.truncated[row])
        return `step ${t}, copy ${row}: ended ${terminated} ${truncated}, not ${buffers.terminated[row]} ${buffers.truncated[row]}`;
      const at = row * meta.obsSize;
      const see = (place: number, value: number): void => {
        memories.obs[at + place] = value;
      };
      if (truncated && !terminated) {
        rules.observe(k, own, see);
        const wrong = memories.obs.subarray(at, at + meta.obsSize).findIndex((x, i) => x !== buffers.finalObs[at + i]);
        if (wrong >= 0) return `step ${t}, copy ${row}: number ${wrong} of the final observation`;
      }
      if (terminated || truncated) rules.start(k, own);
      rules.observe(k, own, see);
    }
    const now = load();
    for (const name of ['floats', 'words'] as const) {
      const wrong = now[name].findIndex((x, i) => x !== memories[name][i]);
      if (wrong >= 0) return `step ${t}: number ${wrong} of ${name} is ${memories[name][wrong]}, not ${now[name][wrong]}`;
    }
    const wrong = memories.obs.findIndex((x, i) => x !== env.buffers.obs[i]);
    if (wrong >= 0) return `step ${t}: number ${wrong} of obs is ${memories.obs[wrong]}, not ${env.buffers.obs[wrong]}`;
  }
  return null;
}
