import { describe, expect, it } from 'vitest';
import { algos } from './algos/index.ts';
import { envs } from './envs/index.ts';
import { abilitiesOf, fitting } from './fitting.ts';
import { recommend } from './recommend.ts';
import { completeRun } from './run/by-id.ts';

const known = new Set(algos.map(({ id }) => id));

describe.each(envs.map((entry) => [entry.id, entry] as const))('%s', (id, entry) => {
  const { fits, others } = fitting(entry);
  it('every method fits or says why not, the recommended one first', () => {
    expect([...fits, ...others].map(({ algo }) => algo).sort()).toEqual([...known].sort());
    const { algo } = recommend(entry);
    expect(fits[0]?.algo).toBe(algo);
    for (const { why } of [...fits, ...others]) expect(why.length).toBeGreaterThan(10);
  });
  it('what is offered can be set up, what is not is refused', () => {
    for (const { algo, preset } of fits) {
      const entry = algos.find((one) => one.id === algo);
      const config = entry?.presets.find((one) => one.id === preset)?.config ?? {};
      const settle = () => completeRun({ env: { id }, algo: { id: algo, config } });
      // A setting may still be out of place with plain defaults (the start of continuous actions differs): never the method itself.
      try {
        settle();
      } catch (error) {
        expect((error as { failure: { id: string } }).failure.id, algo).toBe('config-invalid');
      }
    }
    for (const { algo } of others) {
      if (algos.find((one) => one.id === algo)?.needsModel === true) continue; // found out by asking for the table
      expect(() => completeRun({ env: { id }, algo: { id: algo } }), algo).toThrow();
    }
  });
});

it('what a method can do is what it has shown in its probes', () => {
  const of = (id: string) => abilitiesOf(algos.find((entry) => entry.id === id)!);
  expect(of('recurrent-ppo')).toMatchObject({ memory: true, team: true });
  expect(of('ppo')).toMatchObject({ memory: false, masks: true, aims: true });
  expect(of('sac')).toMatchObject({ aims: true, masks: false });
  expect(of('qmix')).toMatchObject({ coordination: true });
});

it('an environment asks for what it needs: memory, a table, continuous actions', () => {
  const ranked = (id: string): readonly string[] => fitting(envs.find((entry) => entry.id === id)!).fits.map(({ algo }) => algo);
  const chain = ranked('memory-chain');
  expect(chain.indexOf('recurrent-ppo')).toBe(0);
  expect(ranked('frozen-lake').slice(0, 5)).toContain('value-iteration');
  expect(ranked('cartpole')).not.toContain('value-iteration');
  expect(ranked('pendulum').slice(0, 4)).toEqual(expect.arrayContaining(['sac', 'td3']));
});
