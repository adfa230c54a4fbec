import { expect, it } from 'vitest';
import { moreFaults, plantedFaults, trainCase } from '../testing/planted.ts';

const planted = (id: string) => [...plantedFaults, ...moreFaults].find((one) => one.id === id)!;

it('a real run of PPO with a hundred times its learning rate is named, with the updates that say so', async () => {
  const told = await trainCase({ ...planted('learning rate x 100'), steps: 6000 }, 1);
  const [first] = told.findings;
  expect(first?.finding).toMatchObject({ id: 'learning-rate', since: 0, ways: [{ path: 'algo.lr', value: 2.5e-4 }] });
  expect(first?.finding.evidence.join(' ')).toMatch(/KL divergence of/);
});

it('a real run of PPO with a learning rate of 1e-8 learns nothing, and is told that its updates change nothing', async () => {
  const told = await trainCase({ ...planted('learning rate / 100,000'), steps: 6000 }, 1);
  expect(told.findings[0]?.finding).toMatchObject({ id: 'small-updates', since: 0, ways: [{ path: 'algo.lr', value: 2.5e-4 }] });
});
