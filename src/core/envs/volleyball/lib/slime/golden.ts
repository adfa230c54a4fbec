/** Golden files of SlimeVolley: states with lives inside, serves as listed, and the published net where its numbers are at hand. */
import { fail } from '#contract/kit/errors.ts';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import type { DrawSource } from '#core/envs/api/types.ts';
import { type RecurrentNet, recurrentButtons, recurrentStep } from './scripted.ts';

const numbers = (value: Json | undefined): readonly number[] => (Array.isArray(value) ? (value as readonly number[]) : []);

/** { ball, left [x, y, vx, vy, lives], right, delay } to fields of the state. */
export function fromGolden(json: JsonObject): JsonObject {
  const { left, right, ...rest } = json;
  return {
    ...rest,
    left: numbers(left).slice(0, 4),
    right: numbers(right).slice(0, 4),
    lives: [numbers(left)[4] ?? 0, numbers(right)[4] ?? 0],
  };
}

export function toGolden(json: JsonObject): JsonObject {
  const lives = numbers(json.lives);
  return { ...json, left: [...numbers(json.left), lives[0] ?? 0], right: [...numbers(json.right), lives[1] ?? 0] };
}

/** { serves: [[vx, vy], ...] }: velocities of the later serves, in order, as the two uniform numbers that give them. */
export function goldenServes(draws: JsonObject): DrawSource {
  const queue = (Array.isArray(draws.serves) ? (draws.serves as readonly Json[]) : []).flatMap((serve) => {
    const [vx = 0, vy = 0] = numbers(serve);
    return [(vx + 20) / 40, (vy - 10) / 15];
  });
  let next = 0;
  return {
    uniform(_row, name) {
      const u = queue[next++];
      if (u === undefined) throw fail('file-invalid', `Scripted draws: "${name}" is drawn after the listed serves.`, 'List more serves.');
      return u;
    },
    int(_row, _n, name) {
      throw fail('file-invalid', `Scripted draws: "${name}" is an integer, serves are not.`, 'Compare the order of draws.');
    },
  };
}

/** The published net from `baselinePolicy` of its data file; null where the data are not at hand. */
export function netOf(data: JsonObject): RecurrentNet | null {
  const found = data.baselinePolicy as JsonObject | undefined;
  if (found === undefined) return null;
  return { weights: (found.weight_7x15 as readonly Json[]).map(numbers), biases: numbers(found.bias_7) };
}

/** Check `baseline-policy`: one call of the net, its memory carries over. */
export function baselineChecks(net: RecurrentNet) {
  return {
    'baseline-policy': (inputs: JsonObject, memory: { [key: string]: Json }): Json => {
      const own = Float64Array.from(numbers(memory.memory));
      recurrentStep(net, numbers(inputs.obs), 0, own);
      memory.memory = Array.from(own);
      const bits = recurrentButtons(own);
      return { output: Array.from(own), action: [bits & 1, (bits >> 1) & 1, (bits >> 2) & 1] };
    },
  };
}
