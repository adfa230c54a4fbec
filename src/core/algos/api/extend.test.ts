/** A method with an extension of one's own: the same bits without its setting, otherwise with it, and the same after a pause. */
import { expect, test } from 'vitest';
import { getEnv } from '../../envs/all.ts';
import { kind, variant } from '../../envs/api/variant.ts';
import { trained } from '../../testing/trained.ts';
import { getAlgo } from '../all.ts';
import { extend } from './extend.ts';
import { defineExtension } from './extension.ts';
import * as fields from './fields.ts';

const size = fields.real(1, { min: 0, max: 10, title: 'size', description: 'Of what is paid.', source: 'own choice' });
/** Pays more from step to step, which must go on after a pause. */
const rising = defineExtension<{ readonly kind: string }>({
  id: 'rising',
  field: ({ loop }) =>
    loop === 'team' || loop === 'groups'
      ? null
      : variant('not used', [kind('not used', {}), kind('on', { size })], {
          title: 'rising',
          description: 'Pays more.',
          source: 'own choice',
        }),
  load: async () => () => ({
    attach: ({ env }) => ({
      places() {
        const counters = { paid: 0 };
        return {
          state: { counters },
          afterStep() {
            counters.paid += 0.01;
            env.buffers.reward.fill(counters.paid);
          },
        };
      },
    }),
  }),
});

test.each(['ppo', 'dqn', 'sac'])('%s with one', async (id) => {
  const method = getAlgo(id);
  const mine = extend(method, rising);
  expect(mine).toMatchObject({ id: `${id}-rising`, version: 1 });
  const { env, steps, config = {} } = method.trial;
  const task = { env: getEnv(env), config, steps };
  const on = { ...task, algo: mine, config: { ...config, rising: { kind: 'on' } } };
  const [plain, off, paid] = [await trained({ ...task, algo: method }), await trained({ ...task, algo: mine }), await trained(on)];
  expect(off.hash).toBe(plain.hash);
  expect(paid.hash).not.toBe(plain.hash);
  const half = await trained(on, { stopAt: steps / 2 });
  expect((await trained(on, { resume: half.saved })).hash).toBe(paid.hash);
  expect(JSON.stringify(mine.schema.properties?.rising)).toContain('Of what is paid.');
  expect(JSON.stringify(method.schema)).not.toContain('Of what is paid.');
});

test('where it has no place, and where its name is taken, it is refused in words', () => {
  expect(() => extend(getAlgo('a2c'), rising)).toThrow('does not fit');
  expect(() => extend(extend(getAlgo('ppo'), rising), rising)).toThrow('has a setting "rising" already');
});
