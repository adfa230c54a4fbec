/** What is written while the disk is blocked is on the disk once it opens. */
import { expect, test } from 'vitest';
import { type Driver, memoryDriver } from './driver.ts';
import { waitingDriver } from './waiting.ts';

function later(): { readonly disk: Promise<Driver>; open(driver: Driver): void; refuse(): void } {
  let open = (_: Driver): void => {};
  let refuse = (): void => {};
  const disk = new Promise<Driver>((resolve, reject) => {
    open = resolve;
    refuse = () => reject(new Error('forbidden'));
  });
  return { disk, open: (driver) => open(driver), refuse: () => refuse() };
}
const diskDriver = (): Driver => ({ ...memoryDriver(), kind: 'disk' });
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test('records and files written before the disk opens are moved to it, beside what it held', async () => {
  const { disk, open } = later();
  const real = diskDriver();
  await real.put('runs', 'old', { n: 0 });
  let moved = 0;
  const driver = waitingDriver(disk, () => moved++);
  await driver.put('runs', 'new', { n: 1 });
  await driver.put('runs', 'gone', { n: 2 });
  await driver.remove('runs', 'gone');
  await driver.writeFile('new/1/slot-0.bin', Uint8Array.of(1, 2, 3));
  expect([driver.kind, await driver.keys('runs')]).toEqual(['memory', ['new']]);

  open(real);
  await turn();
  expect([driver.kind, moved]).toEqual(['disk', 1]);
  expect(await real.keys('runs')).toEqual(['new', 'old']);
  expect(await real.readFile('new/1/slot-0.bin')).toEqual(Uint8Array.of(1, 2, 3));
  await driver.put('runs', 'later', { n: 3 });
  expect(await real.get('runs', 'later')).toEqual({ n: 3 });
});

test('a write during the move comes after it', async () => {
  const { disk, open } = later();
  const real = diskDriver();
  const slow: Driver = {
    ...real,
    put: async (table, key, value) => {
      await turn();
      await real.put(table, key, value);
    },
  };
  const driver = waitingDriver(disk, () => {});
  await driver.put('runs', 'a', { n: 1 });
  open(slow);
  await Promise.resolve();
  await Promise.resolve();
  await driver.put('runs', 'a', { n: 2 });
  expect([driver.kind, await real.get('runs', 'a')]).toEqual(['disk', { n: 2 }]);
});

test('a disk that is refused, or full, leaves what is held in memory', async () => {
  const refused = later();
  const first = waitingDriver(refused.disk, () => {});
  await first.put('runs', 'a', 1);
  refused.refuse();
  await turn();
  expect([first.kind, await first.get('runs', 'a')]).toEqual(['memory', 1]);

  const full = later();
  let moved = 0;
  const second = waitingDriver(full.disk, () => moved++);
  await second.put('runs', 'a', 1);
  full.open({ ...diskDriver(), put: () => Promise.reject(new Error('no room')) });
  await turn();
  expect([second.kind, await second.get('runs', 'a'), moved]).toEqual(['memory', 1, 0]);
});
