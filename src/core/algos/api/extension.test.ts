/** Extensions as one: who fits where, the order in which they act, what is off, and that an unused one leaves every hash as it is. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flatConfig } from '#contract/run/flat-settings.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import { type Beginning, defineExtension, type Host, isOn, type Stand } from './extension.ts';
import { real } from './fields.ts';
import { standing, withExtensions } from './standing.ts';

const ROLLOUT: Stand = { loop: 'rollout', networks: 'policy' };
const REPLAY: Stand = { loop: 'replay', networks: 'q' };

/** Adds its amount to the reward and writes down that it did. */
function adding(id: string, amount: number, said: string[], loops: readonly string[] = ['rollout', 'replay']) {
  const field = variant('not used', [kind('not used', {}), kind('on', { amount: real(amount, { title: 'amount' }) })], { title: id });
  return defineExtension<z.infer<typeof field>>({
    id,
    field: ({ loop }) => (loops.includes(loop) ? field : null),
    metrics: () => [{ id: `${id}Paid`, title: id, description: id }],
    load: async () => (setting) => ({
      attach: () => ({
        places: () => ({
          afterStep: () => {
            said.push(`${id} ${setting.kind === 'on' ? setting.amount : 0}`);
          },
          metrics: () => ({ [`${id}Paid`]: 1 }),
        }),
      }),
    }),
  });
}

const begun = async (all: Parameters<typeof standing>[0], config: object) =>
  (await standing(all, ROLLOUT).begin(config, {} as Beginning)).attach({} as Host).places();

describe('extensions of a stand', () => {
  it('are those that fit it, with their settings and metrics', () => {
    const all = [adding('one', 1, []), adding('two', 2, [], ['replay'])];
    expect(standing(all, ROLLOUT).ids).toEqual(['one']);
    expect(standing(all, REPLAY).ids).toEqual(['one', 'two']);
    expect(standing(all, REPLAY).metrics.map(({ id }) => id)).toEqual(['onePaid', 'twoPaid']);
  });

  it('act in the order of the list, and only where a config turns them on', async () => {
    const said: string[] = [];
    const all = [adding('one', 1, said), adding('two', 2, said), adding('three', 3, said)];
    const loop = await begun(all, { three: { kind: 'on', amount: 3 }, one: { kind: 'on', amount: 5 }, two: { kind: 'not used' } });
    loop.afterStep?.(0);
    expect(said).toEqual(['one 5', 'three 3']);
    expect(loop.metrics?.()).toEqual({ onePaid: 1, threePaid: 1 });
  });

  it('fill no place where none is on', async () => {
    const loop = await begun([adding('one', 1, [])], {});
    const { states, metrics, ...places } = loop;
    expect([metrics?.(), states]).toEqual([{}, []]);
    // a place that nothing fills costs a loop nothing
    expect(Object.values(places).every((place) => place === undefined)).toBe(true);
  });

  it('may not give a program two inputs of one name', async () => {
    const giving = (id: string) =>
      defineExtension<number>({
        id,
        field: () => real(0, { title: id }),
        load: async () => () => ({ attach: () => ({ inputs: () => ({ noise: [4] }), places: () => ({}) }) }),
      });
    const both = standing([giving('one'), giving('two')], ROLLOUT);
    const attached = async (config: object) => (await both.begin(config, {} as Beginning)).attach({} as Host);
    expect((await attached({ one: 1, two: 0 })).inputs('policy')).toEqual({ noise: [4] });
    const twice = await attached({ one: 1, two: 2 });
    expect(() => twice.inputs('policy')).toThrow('Two extensions give the program "policy" an input "noise"');
  });

  it('that always act are begun where their number is 0, and read it where they act', async () => {
    const read: unknown[] = [];
    const live = defineExtension<number>({
      id: 'live',
      field: () => real(0, { title: 'live' }),
      always: true,
      load:
        async () =>
        (_, { config }) => ({ attach: () => ({ places: () => ({ beforeStep: () => read.push(config.live) }) }) }),
    });
    const config = { live: 0 };
    const loop = await begun([live], config);
    config.live = 2;
    loop.beforeStep?.(0);
    expect(read).toEqual([2]);
  });

  it('join the settings of a method behind its own, and may not have the name of one', () => {
    const own = z.strictObject({ lr: z.number().default(1) });
    const whole = withExtensions(own, standing([adding('one', 4, [])], ROLLOUT));
    expect(whole.parse({})).toEqual({ lr: 1, one: { kind: 'not used' } });
    expect(whole.parse({ one: 'on' })).toEqual({ lr: 1, one: { kind: 'on', amount: 4 } });
    expect(() => withExtensions(own, standing([adding('lr', 4, [])], ROLLOUT))).toThrow('"lr"');
  });
});

it('is on in every kind but those that change nothing', () => {
  for (const chosen of ['none', 'off', 'not used']) expect(isOn({ one: { kind: chosen } }, 'one')).toBe(false);
  expect([isOn({ one: { kind: 'on' } }, 'one'), isOn({}, 'one'), isOn({ one: 3 }, 'one'), isOn({ one: 0 }, 'one')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it('leaves the hash of a config as it was where it is not used', () => {
  const before = flatConfig('ppo', { lr: 1 }, true);
  expect(flatConfig('ppo', { lr: 1, one: { kind: 'not used' } }, true)).toEqual(before);
  expect(flatConfig('ppo', { lr: 1, one: { kind: 'on', amount: 1 } }, true)).not.toEqual(before);
});
