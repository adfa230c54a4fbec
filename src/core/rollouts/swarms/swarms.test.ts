/** The rules of swarms in numbers beside the environments; on a device they run in e2e/webgpu.spec.ts. */
import { describe, expect, it } from 'vitest';
import { numbersKit } from '#core/engine/kit.ts';
import { createWebgpuEngine } from '#core/engine/webgpu/engine.ts';
import { idleGpu } from '#core/testing/engine/idle-gpu.ts';
import { farOff, metStates, swarmOf } from '#core/testing/rollouts/swarms.ts';
import { Rng } from '#math/rng.ts';
import { boids } from './boids.ts';
import { deviceSwarm, MOST_ON_DEVICE, stepKernels, swarmMemory } from './swarm.ts';

/** Memory of a swarm for the kit of numbers. */
function memoryOf(swarm: ReturnType<typeof swarmOf>) {
  const size = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);
  const memory = Object.fromEntries(Object.entries(swarmMemory(swarm)).map(([name, shape]) => [name, new Float64Array(size(shape))]));
  return { ...memory, feed: new Uint32Array(4), state: new Float64Array(swarm.sizes.members * 4) };
}

describe('one step from states met on the host is the environment’s', () => {
  it.each([
    ['boids', { boids: 1000, box: 45 }],
    ['boids', { boids: 30, box: 4 }], // one cell: all are neighbours
    ['boids', { boids: 60, box: 7, viewRadius: 1, separationRadius: 1.5, maxSpeed: 0.5, dt: 0.7 }],
    ['vicsek-swarm', { particles: 1000, box: 15, eta: 1 }],
    ['vicsek-swarm', { particles: 40, box: 2, eta: 3 }],
  ] as const)('%s %o', async (name, config) => {
    const swarm = swarmOf(name, config);
    const memory = memoryOf(swarm);
    const k = numbersKit(memory);
    for (const { before, after, noise } of await metStates(name, config, [0, 7, 60])) {
      memory.state.set(before);
      memory.feed.set(noise);
      for (const { threads, body } of stepKernels(swarm)) for (let thread = 0; thread < threads; thread++) body(k, thread);
      expect(farOff(memory.state, after, swarm.box)).toBeLessThan(1e-9);
    }
  });
});

describe('a swarm on a device', () => {
  it('moves a hundred thousand by eleven dispatches, in one submit with what is read next', async () => {
    const { gpu } = idleGpu();
    const engine = await createWebgpuEngine(gpu);
    const swarm = deviceSwarm(engine.device, boids({ box: 443 }, 100_000));
    const rng = Rng.from(1);
    swarm.step(rng);
    await swarm.order();
    const before = { ...engine.counts };
    swarm.step(rng);
    await swarm.order();
    expect(engine.counts.dispatches - before.dispatches).toBe(11 + 1);
    expect(engine.counts.submits - before.submits).toBe(1);
    expect(rng.state[2]).toBe(200_000);
    engine.dispose();
  });

  it.each([
    [{ learners: 3 }, 100, 'env.learners'],
    [{ box: null }, 100, 'env.box'],
    [{ box: 1, maxSpeed: 2 }, 100, 'env.box'],
    [{}, MOST_ON_DEVICE + 1, 'env.members'],
    [{}, 2.5, 'env.members'],
  ])('refuses %o with %i members', (config, members, field) => {
    expect(() => boids(config, members)).toThrow(expect.objectContaining({ failure: expect.objectContaining({ field }) }));
  });
});
