import { describe, expect, it } from 'vitest';
import { algos, getAlgo } from './algos/all.ts';
import { getEnv } from './envs/all.ts';
import { abilitiesOf, fitting } from './fitting.ts';
import { recommend } from './recommend.ts';
import { completeRun } from './run/loaded.ts';
import { envs } from './testing/ready.ts';

const known = new Set(algos.map(({ id }) => id));

describe.each(envs.map((entry) => [entry.id, entry] as const))('%s', (id, entry) => {
  const { fits, others } = fitting(entry, {}, algos);
  it('every method fits or says why not, the recommended one first', () => {
    expect([...fits, ...others].map(({ algo }) => algo).sort()).toEqual([...known].sort());
    const { algo } = recommend(entry);
    expect(fits[0]?.algo).toBe(algo);
    for (const { why } of [...fits, ...others]) expect(why.length).toBeGreaterThan(10);
  });
  it('what is offered first can be set up, what is not offered is refused', () => {
    for (const { algo, preset } of fits.slice(0, 2)) {
      const config =
        algo === recommend(entry).algo ? recommend(entry).config : (getAlgo(algo).presets.find((one) => one.id === preset)?.config ?? {});
      expect(completeRun({ env: { id }, algo: { id: algo, config } }).algo.id).toBe(algo);
    }
    const [refused] = others.filter(({ algo }) => getAlgo(algo).needsModel !== true); // those are found out by asking for the table
    if (refused !== undefined) expect(() => completeRun({ env: { id }, algo: { id: refused.algo } })).toThrow(refused.why);
  });
});

it('what a method can do is what it has shown in its probes', () => {
  const of = (id: string) => abilitiesOf(getAlgo(id));
  expect(of('recurrent-ppo')).toMatchObject({ memory: true, team: true });
  expect(of('ppo')).toMatchObject({ memory: false, masks: true, aims: true });
  expect(of('sac')).toMatchObject({ aims: true, masks: false });
  expect(of('qmix')).toMatchObject({ coordination: true });
});

it('an environment asks for what it needs: memory, a table, continuous actions', () => {
  const ranked = (id: string): readonly string[] => fitting(getEnv(id), {}, algos).fits.map(({ algo }) => algo);
  const chain = ranked('memory-chain');
  expect(chain.indexOf('recurrent-ppo')).toBe(0);
  expect(ranked('frozen-lake')).toContain('value-iteration');
  expect(ranked('cartpole')).not.toContain('value-iteration');
  expect(ranked('pendulum').slice(0, 4)).toEqual(expect.arrayContaining(['sac', 'td3']));
});
