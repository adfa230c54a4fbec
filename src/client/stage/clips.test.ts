/** Clips: one after the other, files fetched at once, short episodes repeated, a failed one asked for again. */
import { expect, test, vi } from 'vitest';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { WatchApi } from '#contract/session/session.ts';
import { Clips, type Film, NOT_WANTED, type Player } from './clips.ts';

const script: Player = { kind: 'script', env: { id: 'toy', config: {} }, script: 'expert' };
const frame = { kind: 'table', bounds: [0, 0, 1, 1], items: [{ kind: 'number', label: '', x: 0, y: 0 }] };

/** A worker whose episodes have so many frames; `ended` of the first play. */
function worker(frames: number, ended: 'terminated' | 'cut' = 'terminated') {
  const api = {
    describe: vi.fn(async () => ({ frame, fps: 10, agents: 1 }) as unknown as EnvCard),
    play: vi.fn(async () => ({ reward: new Float32Array(frames - 1), ended: api.play.mock.calls.length === 1 ? ended : 'terminated' })),
    frames: vi.fn(async (_: unknown, __: number, count: number) => ({ frames: new Float32Array(Math.min(count, frames)) })),
  };
  return { api, clips: new Clips(() => api as unknown as WatchApi) };
}

test('short episodes are played until the clip lasts six seconds, a long one once and not beyond forty', async () => {
  const short = worker(21);
  await short.clips.clip(
    'a',
    async () => null,
    () => script,
  );
  expect(short.api.play).toHaveBeenCalledTimes(3);
  const long = worker(1000);
  const clip = await long.clips.clip(
    'a',
    async () => null,
    () => script,
  );
  expect(long.api.play).toHaveBeenCalledTimes(1);
  expect(long.api.frames.mock.calls[0]![2]).toBe(400);
  expect(clip.length).toBe(399 + 7);
});

test('what was played before needs no worker', async () => {
  const clips = new Clips(() => {
    throw new Error('a worker was started');
  });
  const env = { frame, fps: 10, agents: 1, groups: [] } as unknown as Film['env'];
  const film: Film = { env, episodes: [{ frames: Float32Array.of(1, 2, 3), reward: Float32Array.of(5, -1) }] };
  const clip = await clips.clip('f', async () => film, (got) => ({ kind: 'film', film: got })); // biome-ignore format: one call
  expect([0, 1, 2].map((t) => clip.returnAt(t))).toEqual([0, 5, 4]);
  expect(clip.length).toBe(2 + 7);
});

test('an episode that the stage cut short is played again', async () => {
  const { api, clips } = worker(100, 'cut');
  await clips.clip(
    'a',
    async () => null,
    () => script,
  );
  expect(api.play).toHaveBeenCalledTimes(2);
});

test('what is asked for twice is made once; what failed is asked for again, and does not keep the next from coming', async () => {
  const { clips } = worker(100);
  const get = vi.fn(async () => null);
  const [one, other] = [clips.clip('a', get, () => script), clips.clip('a', get, () => script)];
  expect(await one).toBe(await other);
  expect(get).toHaveBeenCalledTimes(1);
  const no = vi.fn(async () => Promise.reject(new Error('no network')));
  const failed = clips.clip('b', no, () => script);
  const next = clips.clip('c', get, () => script);
  await expect(failed).rejects.toThrow('no network');
  expect((await next).length).toBe(99 + 7);
  await expect(clips.clip('b', no, () => script)).rejects.toThrow('no network');
  expect(no).toHaveBeenCalledTimes(2);
});

test('a clip that no view waits for any more when its turn comes is not made, and may be asked for again', async () => {
  const { api, clips } = worker(100);
  const get = async (): Promise<null> => null;
  let here = true;
  const asked = ['a', 'b', 'c'].map((key) => clips.clip(key, get, () => script, () => here)); // biome-ignore format: one call
  const stays = clips.clip('c', get, () => script);
  await asked[0];
  here = false;
  await expect(asked[1]).rejects.toBe(NOT_WANTED);
  expect(await asked[2]).toBe(await stays); // another still waits for it
  expect(api.play).toHaveBeenCalledTimes(2);
  expect((await clips.clip('b', get, () => script)).length).toBe(99 + 7);
});

test('clips that are asked for later wait for what the first one gives the processor to', async () => {
  const { api, clips } = worker(100);
  const get = async (): Promise<null> => null;
  let moves = (): void => {};
  const moving = new Promise<void>((resolve) => {
    moves = resolve;
  });
  const first = clips.clip('a', get, () => script, () => true, () => moving); // biome-ignore format: one call
  const next = clips.clip('b', get, () => script);
  await first;
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(api.play).toHaveBeenCalledTimes(1);
  moves();
  expect((await next).length).toBe(99 + 7);
});

test('a match is one episode from its start, a player in each seat, and counts the rewards of one side', async () => {
  const reward = Float32Array.of(1, -1, 2, -2, 4, -4);
  const held = new Set<string>();
  const api = {
    describe: async () => ({ frame, fps: 10, agents: 2 }) as unknown as EnvCard,
    setPolicy: vi.fn(async (key: string) => void held.add(key)),
    dropPolicy: async (key: string) => void held.delete(key),
    playTeam: vi.fn(async () => ({ reward, ended: 'terminated' })),
    frames: async () => ({ frames: new Float32Array(4) }),
  };
  const clips = new Clips(() => api as unknown as WatchApi);
  const snapshot = { step: 5 } as unknown as Extract<Player, { kind: 'policy' }>['snapshot'];
  const match: Player = { kind: 'match', env: { id: 'toy', config: {} }, players: [snapshot, 'expert'], start: 42, counted: [1] };
  const clip = await clips.clip('m', async () => null, () => match); // biome-ignore format: one call
  expect(api.playTeam).toHaveBeenCalledWith(match.env, ['clip m 0', 'scripted:expert'], { seed: 42, greedy: true });
  expect(api.setPolicy).toHaveBeenCalledTimes(1);
  expect(held.size).toBe(0);
  expect([0, 1, 2, 3].map((t) => clip.returnAt(t))).toEqual([0, -1, -3, -7]);
  expect([0, 1, 3, 5].map((t) => clip.stepAt(t))).toEqual([0, 1, 3, 3]);
});

test('a policy plays in its world whatever its method asks of training: of the method nothing is checked', async () => {
  const { api } = worker(100);
  const complete = vi.fn(async ({ env, algo }: { readonly env: unknown; readonly algo: { readonly id: string } }) => {
    if (algo.id !== 'random') throw new Error('there is no sequence of tasks here');
    return { env };
  });
  const own = { ...api, complete, setPolicy: vi.fn(async () => {}), dropPolicy: vi.fn(async () => {}) };
  const snapshot = { env: { id: 'toy', config: { size: 3 } }, algo: { id: 'dqn', config: { forgetting: { kind: 'EWC' } } }, seed: 1 };
  const policies = new Clips(() => own as unknown as WatchApi);
  await policies.clip(
    'a',
    async () => null,
    () => ({ kind: 'policy', snapshot }) as unknown as Player,
  );
  expect(api.play.mock.calls[0]).toEqual([{ id: 'toy', config: { size: 3 } }, 'clip a', expect.anything()]);
});
