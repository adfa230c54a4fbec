import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/kit/json.ts';
import { getEnv } from '../../all.ts';
import { createBuffers } from '../../api/buffers.ts';
import { RETURNS } from './returns.ts';

/** Plays one episode per row with the expert; the steps and return of each. */
function play(id: string, config: JsonObject, batch: number) {
  const entry = getEnv(id);
  const env = entry.create(config, batch);
  const buffers = createBuffers(env.meta, batch);
  const actions = new Int32Array(batch);
  const { expert } = entry.policies(config);
  if (expert === undefined) throw new Error('there is no expert');
  env.reset(
    Uint32Array.from({ length: batch }, (_, i) => 1013 * i + 1),
    buffers,
  );
  const starts = Array.from({ length: batch }, (_, row) => env.meta.state.toJSON(env.save(row)));
  const steps = new Int32Array(batch);
  const returns = new Float64Array(batch);
  for (let t = 1; steps.includes(0); t++) {
    expert.act(env, buffers, actions);
    env.step(actions, buffers);
    const over = Uint8Array.from({ length: batch }, (_, row) => (buffers.terminated[row] === 1 || buffers.truncated[row] === 1 ? 1 : 0));
    for (let row = 0; row < batch; row++) {
      if (steps[row] !== 0) continue;
      returns[row] = returns[row]! + buffers.reward[row]!;
      if (over[row] === 1) steps[row] = t;
    }
    env.restart(over, buffers);
  }
  return { starts, steps, mean: returns.reduce((p, q) => p + q, 0) / batch };
}

/** Fewest turns and steps from the start to the goal, breadth first; doors that are closed take one more. */
function shortest(state: JsonObject): number {
  const grid = (state.layout as string[]).map((row) => row.split(' '));
  const [x, y] = state.agentPos as [number, number];
  let ring = [[x, y, state.agentDir as number, 0]] as [number, number, number, number][];
  const seen = new Set<string>();
  for (let steps = 0; ring.length > 0; steps++) {
    const next: typeof ring = [];
    for (const [cx, cy, dir, toggled] of ring) {
      if (grid[cy]?.[cx]?.[0] === 'G') return steps;
      const key = `${cx},${cy},${dir},${toggled}`;
      if (seen.has(key)) continue;
      seen.add(key);
      next.push([cx, cy, (dir + 1) % 4, 0], [cx, cy, (dir + 3) % 4, 0]);
      const [dx, dy] = [
        [1, 0],
        [0, 1],
        [-1, 0],
        [0, -1],
      ][dir] as [number, number];
      const ahead = grid[cy + dy]?.[cx + dx] ?? 'WE';
      if (ahead[0] === 'W' || ahead[0] === 'V') continue;
      next.push(ahead[0] === 'D' && toggled === 0 ? [cx, cy, dir, 1] : [cx + dx, cy + dy, dir, 0]);
    }
    ring = next;
  }
  throw new Error('there is no way');
}

describe('the expert', () => {
  it.each([
    ['minigrid-empty', { randomStart: true }],
    ['minigrid-four-rooms', {}],
    ['minigrid-simple-crossing', { crossings: 3 }],
    ['minigrid-lava-crossing', { width: 11, height: 11, crossings: 5 }],
    ['minigrid-dist-shift', { stripRow: 5 }],
    ['minigrid-lava-gap', {}],
    ['minigrid-multi-room', {}],
  ] as const)('walks the shortest way in %s', (id, config) => {
    const { starts, steps } = play(id, config, 60);
    starts.forEach((start, row) => {
      expect(steps[row], JSON.stringify(start.layout)).toBe(shortest(start));
    });
  });

  it.each(
    [
      'minigrid-blocked-unlock-pickup',
      'minigrid-doorkey',
      'minigrid-key-corridor',
      'minigrid-dynamic-obstacles',
      'minigrid-put-near',
      'babyai',
    ].flatMap((id) =>
      getEnv(id)
        .presets.slice(0, 3)
        .map((preset) => [id, preset.id, preset.config] as const),
    ),
  )('%s %s: its mean return is the listed one', (id, preset, config) => {
    const listed = RETURNS[id]?.[preset];
    expect(getEnv(id).meta(config).references).toContainEqual(expect.objectContaining({ name: 'expert', value: listed?.expert }));
    expect(Math.abs(play(id, config, 100).mean - (listed?.expert as number))).toBeLessThan(0.04);
  });

  it('plans anew when the world is not where it was left', () => {
    const entry = getEnv('minigrid-doorkey');
    const env = entry.create({}, 1);
    const buffers = createBuffers(env.meta, 1);
    const actions = new Int32Array(1);
    const { expert } = entry.policies({});
    env.reset(Uint32Array.of(1), buffers);
    for (let t = 0; t < 4; t++) {
      expert?.act(env, buffers, actions);
      env.step(actions, buffers);
    }
    env.reset(Uint32Array.of(2), buffers);
    for (let t = 0; t < 60 && buffers.terminated[0] === 0; t++) {
      expert?.act(env, buffers, actions);
      env.step(actions, buffers);
    }
    expect(buffers.reward[0]).toBeGreaterThan(0.9);
  });

  it('stands still where there is no way', () => {
    const layout = ['WE WE WE WE WE', 'WE .. WE GG WE', 'WE WE WE WE WE'];
    const entry = getEnv('minigrid-custom');
    const env = entry.create({ layout }, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    const actions = new Int32Array(1);
    entry.policies({ layout }).expert?.act(env, buffers, actions);
    expect(actions[0]).toBe(6);
  });

  it('makes room where everything beside the target is taken', () => {
    const layout = ['WE WE WE WE WE WE', 'WE .. AR KB AG WE', 'WE .. .. AP .. WE', 'WE .. .. .. .. WE', 'WE WE WE WE WE WE'];
    const instruction = { type: 'put-next', move: { type: 'box' }, fixed: { type: 'key' } };
    const config = {
      layout: layout.map((row, y) => (y === 3 ? 'WE BY .. .. .. WE' : row)),
      endRule: { type: 'babyai', instruction },
      maxSteps: 100,
      start: [1, 2, 0],
    };
    const { mean } = play('minigrid-custom', config, 1);
    expect(mean).toBeGreaterThan(0.5);
  });
});
