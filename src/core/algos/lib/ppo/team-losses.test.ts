import { describe, expect, it } from 'vitest';
import { createGraph } from '#core/engine/graph.ts';
import { log, mul } from '#core/engine/ops.ts';
import type { Tensor } from '#core/engine/types.ts';
import { interpret } from '#core/testing/engine/interpreter.ts';
import normalisation from '#math/golden/algo-normalisation.json' with { type: 'json' };
import { standardiseWeighted } from '#math/normalise.ts';
import { mixRewards } from '../../extensions/team-reward/mix.ts';
import golden from '../../golden/algo-multiagent-ppo.json' with { type: 'json' };
import { clippedSurrogate, clippedValueError, weightedMean } from './common.ts';

const named = (name: string) =>
  golden.cases.find((c) => c.name === name) as unknown as {
    readonly input: Readonly<Record<string, number[]>> & { readonly clip: number; readonly alpha: number; readonly beta: number };
    readonly expected: Readonly<Record<string, number | number[]>>;
  };
const close = (found: ArrayLike<number> | undefined, want: number | readonly number[] | undefined, atol = 1e-6): void => {
  const list = typeof want === 'number' ? [want] : (want ?? []);
  expect(found?.length).toBe(list.length);
  list.forEach((v, i) => {
    expect(Math.abs(found![i]! - v)).toBeLessThan(atol);
  });
};

describe('team PPO against the reference', () => {
  it('HAPPO: the second agent’s surrogate carries the first one’s ratio', () => {
    const { input, expected } = named('happo_second_agent');
    const g = createGraph();
    const row = (name: string): Tensor => g.input(name, [3]);
    const [first, second, one] = [row('first'), row('second'), row('one')];
    const factor = mul(one, first); // the product over those updated before: here one agent
    const { loss } = clippedSurrogate(log(second), log(one), row('advantage'), g.input('clip', [1]), (x) => weightedMean(x, one), factor);
    const found = interpret([factor, loss], {
      inputs: {
        first: input.ratio_first_agent!,
        second: input.ratio_second_agent!,
        advantage: input.advantages!,
        one: [1, 1, 1],
        clip: [input.clip],
      },
    });
    close(found.get(factor), expected.factor);
    close(found.get(loss), expected.loss);
  });

  it('MAPPO: clipped Huber value loss, the dead left out of the mean', () => {
    const { input, expected } = named('mappo_value_loss');
    const g = createGraph();
    const row = (name: string): Tensor => g.input(name, [3]);
    const each = clippedValueError(row('value'), row('old'), row('target'), g.input('clip', [1]), 10);
    const loss = weightedMean(each, row('weight'));
    const found = interpret([each, loss], {
      inputs: { value: input.values!, old: input.old_values!, target: input.returns!, clip: [input.clip], weight: input.active_mask! },
    });
    close(found.get(each), expected.per_sample);
    close(found.get(loss), expected.loss);
  });

  it('nobody counts: no loss and no NaN', () => {
    const g = createGraph();
    const loss = weightedMean(g.input('x', [2]), g.input('w', [2]));
    close(interpret([loss], { inputs: { x: [3, 4], w: [0, 0] } }).get(loss), 0);
  });

  it('reward mixing', () => {
    const { input, expected } = named('reward_mixing');
    const rewards = Float32Array.from(input.rewards!);
    const out = new Float32Array(3);
    mixRewards({ kind: 'sum' }, rewards, 3, out);
    close(out, [1.5, 1.5, 1.5]);
    expect(expected.team_sum).toBe(1.5);
    mixRewards({ kind: 'mean' }, rewards, 3, out);
    expect(out[2]).toBeCloseTo(expected.team_mean as number, 6);
    const agent0 = input.svo_degrees!.map((orientation) => {
      mixRewards({ kind: 'orientation', orientation }, rewards, 3, out);
      return out[0]!;
    });
    close(agent0, expected.svo_agent0);
    mixRewards({ kind: 'own' }, rewards, 3, out);
    close(out, input.rewards);
  });

  it('inequity aversion, in each copy for itself', () => {
    const { input, expected } = named('inequity_aversion');
    const out = new Float32Array(6);
    const mix = { kind: 'inequity', envy: input.alpha, guilt: input.beta } as const;
    mixRewards(mix, Float32Array.from([...input.rewards!, 2, 2, 2]), 3, out);
    expect(out[0]).toBeCloseTo(expected.agent0 as number, 5);
    close(out.subarray(3), [2, 2, 2]);
  });

  it('advantages are standardised over the living', () => {
    const { input, expected } = normalisation.cases.find((c) => c.name === 'masked_advantage') as unknown as {
      readonly input: { readonly advantages: number[]; readonly active_mask: number[]; readonly eps: number };
      readonly expected: { readonly normalised: number[] };
    };
    const out = new Float64Array(4);
    standardiseWeighted(Float64Array.from(input.advantages), Float64Array.from(input.active_mask), input.eps, out);
    close(out, expected.normalised, 1e-9);
  });
});
