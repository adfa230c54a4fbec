/**
 * Own robots are read, compiled and timed in a worker that is started for one of them and ended after it. A model that takes too
 * long, or that brings MuJoCo down, ends that worker and nothing else. The shared workers get a robot only after that (`lookedAt`), whether it
 * came from a file, a link or a stored run.
 */
import { fail, toFailure } from '#contract/kit/errors.ts';
import { type Robot, type RobotCard, type RobotFile, robotSchema } from '#contract/link/robot.ts';
import { downloadStore } from '#stores/downloads.ts';
import { spawnWatch, type WatchWorker } from './workers.ts';

/** ms that a model has, counted from when MuJoCo is there; the second for each of its megabytes besides, as they are given. */
const LIMIT_MS = 20_000;
const LIMIT_MS_PER_MB = 3000;
/** Loading MuJoCo on a slow line, ms. */
const SLOWEST_LOAD_MS = 600_000;

export interface Inspection {
  readonly robot: Robot;
  readonly card: RobotCard;
}

interface Options {
  readonly spawn?: (name: string, onError: (message: string) => void) => WatchWorker;
  readonly limitMs?: number;
}

const sizeOf = (given: RobotFile | Robot): number =>
  'bytes' in given ? given.bytes.length : Object.values(given.files).reduce((sum, { length }) => sum + length, 0);

/** Rejects with LabError('file-invalid') naming what is wrong, also where the model was ended. */
export function inspectRobot(
  given: RobotFile | Robot,
  { spawn = spawnWatch, limitMs = LIMIT_MS + Math.round((sizeOf(given) / 1e6) * LIMIT_MS_PER_MB) }: Options = {},
): Promise<Inspection> {
  let end: (error: Error) => void = () => {};
  const late = new Promise<never>((_, reject) => {
    end = reject;
  });
  const slow = (): void =>
    end(
      fail(
        'file-invalid',
        `The model was not ready after ${Math.round(limitMs / 1000)} seconds and was ended.`,
        'Take fewer bodies, or coarser meshes.',
        'env.robot',
      ),
    );
  const broke = (message: string): void =>
    end(fail('file-invalid', `The model brought MuJoCo down: ${message.slice(0, 200)}`, 'Make the model smaller.', 'env.robot'));
  const worker = spawn(`rl-workbench:robot ${crypto.getRandomValues(new Uint32Array(1))}`, broke);
  // What comes over the line first is not the model's fault.
  let timer = setTimeout(slow, limitMs);
  const stop = downloadStore.subscribe(({ download }) => {
    clearTimeout(timer);
    timer = setTimeout(slow, download === null ? limitMs : SLOWEST_LOAD_MS);
  });
  return Promise.race([worker.api.robot(given), late]).finally(() => {
    clearTimeout(timer);
    stop();
    worker.terminate();
  });
}

/** By what the robots hold: they come back from workers as other objects. Newest last. */
const cards = new Map<string, Promise<RobotCard>>();
const MOST_CARDS = 10;
/** Characters of all that is kept by: a robot with many meshes is long. */
const MOST_KEPT = 50_000_000;

/** What a robot in the settings has; asked once, and a model that is refused is not compiled again. */
export function robotCard(robot: Robot, options: Options = {}): Promise<RobotCard> {
  const key = JSON.stringify(robot);
  const known = cards.get(key) ?? inspectRobot(robot, options).then(({ card }) => card);
  keep(key, known);
  known.catch((error: unknown) => {
    // Another failure, such as a download that was stopped, is not the model's.
    if (toFailure(error).id !== 'file-invalid' && cards.get(key) === known) cards.delete(key);
  });
  return known;
}

/** A robot from a file was looked at. */
export const keepCard = ({ robot, card }: Inspection): void => keep(JSON.stringify(robot), Promise.resolve(card));

function keep(key: string, card: Promise<RobotCard>): void {
  cards.delete(key);
  cards.set(key, card);
  let kept = [...cards.keys()].reduce((sum, { length }) => sum + length, 0);
  for (const old of cards.keys()) {
    if (cards.size === 1 || (cards.size <= MOST_CARDS && kept <= MOST_KEPT)) break;
    cards.delete(old);
    kept -= old.length;
  }
}

/** Waits until the robot in a setting is known to be one that can be compiled. Rejects as `inspectRobot`. */
export async function lookedAt(setting: unknown, options: Options = {}): Promise<void> {
  const robot = robotSchema.safeParse(setting);
  if (robot.success) await robotCard(robot.data, options); // else the worker says which field is wrong
}
