import { expect, test, vi } from 'vitest';
import { fail } from '#contract/kit/errors.ts';
import type { Robot, RobotCard } from '#contract/link/robot.ts';
import { inspectRobot, keepCard, lookedAt } from './robots.ts';
import type { WatchWorker } from './workers.ts';

const robot: Robot = { name: 'r', mjcf: '<mujoco/>', files: {} };
const card = { name: 'r' } as RobotCard;

/** A worker that answers as given, and what became of it. */
function worker(answer: () => Promise<unknown>) {
  const seen = { ended: 0, break: (_: string): void => {} };
  const spawn = (_: string, onError: (message: string) => void): WatchWorker => {
    seen.break = onError;
    return { api: { robot: answer }, terminate: () => seen.ended++ } as unknown as WatchWorker;
  };
  return { seen, spawn };
}

test('a model whose compilation never ends is ended with its worker, and says so', async () => {
  vi.useFakeTimers();
  const { seen, spawn } = worker(() => new Promise(() => {}));
  const said = expect(inspectRobot(robot, { spawn })).rejects.toMatchObject({
    failure: { id: 'file-invalid', message: 'The model was not ready after 20 seconds and was ended.', field: 'env.robot' },
  });
  await vi.advanceTimersByTimeAsync(20_000);
  await said;
  expect(seen.ended).toBe(1);
  vi.useRealTimers();
});

test('a model that brings its worker down says so; a good one ends its worker too', async () => {
  const broken = worker(() => new Promise(() => {}));
  const said = expect(inspectRobot(robot, { spawn: broken.spawn })).rejects.toThrow('The model brought MuJoCo down: out of memory');
  broken.seen.break('out of memory');
  await said;
  const good = worker(async () => ({ robot, card }));
  expect(await inspectRobot(robot, { spawn: good.spawn })).toEqual({ robot, card });
  expect([broken.seen.ended, good.seen.ended]).toEqual([1, 1]);
});

test('a refused model is not compiled again; a download that was stopped is tried again', async () => {
  let asked = 0;
  let why = fail('file-invalid', 'Line 3: no.', 'Mend it.');
  const { spawn } = worker(async () => {
    asked++;
    throw why;
  });
  for (let i = 0; i < 2; i++) await expect(lookedAt(robot, { spawn })).rejects.toThrow('Line 3');
  expect(asked).toBe(1);
  const other = { ...robot, name: 'other' };
  why = fail('engine-missing', 'The download was stopped.', 'Try again.');
  for (let i = 0; i < 2; i++) await expect(lookedAt(other, { spawn })).rejects.toThrow('stopped');
  expect(asked).toBe(3);
  keepCard({ robot: other, card });
  await lookedAt({ ...other }, { spawn });
  expect(asked).toBe(3);
});
