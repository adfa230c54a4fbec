import { expect, it } from 'vitest';
import { plantedFaults, trainCase } from '../testing/planted.ts';

const planted = (id: string) => plantedFaults.find((one) => one.id === id)!;

it('a real run of PPO with a hundred times its learning rate is named, with the updates that say so', async () => {
  const told = await trainCase({ ...planted('learning rate x 100'), steps: 6000 }, 1);
  const [first] = told.findings;
  expect(first?.finding).toMatchObject({ id: 'learning-rate', since: 0, ways: [{ path: 'algo.lr', value: 2.5e-4 }] });
  expect(first?.finding.evidence.join(' ')).toMatch(/KL divergence of/);
});
