/**
 * A swarm on a device: its members' state stays there, and a step is a neighbour search (cells.ts) and a move, eleven dispatches that go out
 * with whatever is read next. The environments (envs/swarms) are the definition and what the rules are held to (swarms.test.ts in numbers,
 * e2e/webgpu.spec.ts on a device). Any number of members up to MOST_ON_DEVICE: an environment's limit is that of the processor.
 */
import { fail } from '#contract/kit/errors.ts';
import type { Rng } from '#math/rng.ts';
import type { Kit } from '../../engine/kit.ts';
import type { DeviceKernel, DeviceSide, Param } from '../../engine/types.ts';
import * as cells from './cells.ts';

export const MOST_ON_DEVICE = 1_000_000;

export interface Swarm {
  readonly sizes: cells.CellSizes;
  /** Side of the square, m, and its lower corner on both axes. */
  readonly box: number;
  readonly low: number;
  /** The first state [N, 4]: place x, y (m), then a vector along which the member looks. */
  start(rng: Rng): Float32Array<ArrayBuffer>;
  /** Moves the member of a slot by what `near` holds. Inputs: key and position of the stream of noise; member i takes word i. */
  move<F, W, B>(k: Kit<F, W, B>, slot: W): void;
}

/** What both swarms ask of a config; answers the side of the box. */
export function checkSwarm(
  id: string,
  { learners, box }: { readonly learners: number; readonly box: number | null },
  members: number,
  step: number,
): number {
  const refuse = (message: string, fix: string, field: string): Error => fail('config-invalid', message, fix, `env.${field}`);
  if (learners > 0) throw refuse(`"${id}" on the device has no learners.`, 'Set learners to 0.', 'learners');
  if (box === null) throw refuse(`"${id}" on the device needs a box.`, 'Give its side in metres.', 'box');
  if (step >= box) throw refuse(`A step of ${step} m leaves the box of ${box} m.`, 'Make the box larger.', 'box');
  if (!Number.isInteger(members) || members < 2 || members > MOST_ON_DEVICE)
    throw refuse(`${members} members are not possible.`, `Choose 2 to ${MOST_ON_DEVICE}.`, 'members');
  return box;
}

/** A thread a block of members: the sum of their directions, whose mean's length is the order. */
function directions<F, W, B>(k: Kit<F, W, B>, block: W, { members }: cells.CellSizes): void {
  const sums = [k.floatVariable(0), k.floatVariable(0)] as const;
  k.loop(cells.BLOCK, (j) => {
    const i = k.plus(k.times(block, cells.BLOCK), j);
    k.when(k.less(i, members), () => {
      const at = k.times(i, cells.WIDE);
      const x = k.float('state', k.plus(at, 2));
      const y = k.float('state', k.plus(at, 3));
      const size = k.sqrt(k.add(k.mul(x, x), k.mul(y, y)));
      k.when(k.below(0, size), () => {
        sums[0].set(k.add(sums[0].get(), k.div(x, size)));
        sums[1].set(k.add(sums[1].get(), k.div(y, size)));
      });
    });
  });
  sums.forEach((sum, d) => {
    k.setFloat('directions', k.plus(k.times(block, 2), d), sum.get());
  });
}

/** The kernels of a step in their order, for any kit: name, threads, body. */
export interface SwarmKernel {
  readonly name: string;
  readonly threads: number;
  body<F, W, B>(k: Kit<F, W, B>, thread: W): void;
}

const moveKernel = ({ sizes, move }: Swarm): SwarmKernel => ({ name: 'move', threads: sizes.members, body: (k, slot) => move(k, slot) });

export function stepKernels(swarm: Swarm): readonly SwarmKernel[] {
  const { sizes, box, low } = swarm;
  const { members } = sizes;
  const blocks = cells.blocksOf(sizes);
  const sorted = ([0, 1] as const).flatMap((digit): SwarmKernel[] => [
    { name: `count ${digit}`, threads: blocks, body: (k, block) => cells.count(k, block, sizes, digit) },
    { name: `before ${digit}`, threads: cells.BINS, body: (k, bin) => cells.before(k, bin, sizes) },
    { name: `begin ${digit}`, threads: 1, body: (k) => cells.begin(k) },
    { name: `place ${digit}`, threads: blocks, body: (k, block) => cells.place(k, block, sizes, digit) },
  ]);
  return [
    { name: 'locate', threads: members, body: (k, member) => cells.locate(k, member, box, low, sizes) },
    ...sorted,
    { name: 'gather', threads: members, body: (k, slot) => cells.gather(k, slot, sizes) },
    moveKernel(swarm),
  ];
}

/** Sizes of all memories by name. */
export function swarmMemory({ sizes }: Swarm): { readonly [name: string]: readonly number[] } {
  return { ...cells.cellMemory(sizes), state: [sizes.members, cells.WIDE], directions: [cells.blocksOf(sizes), 2] };
}

export interface DeviceSwarm {
  /** [N, 4] on the device. */
  readonly state: Param;
  /** Records a step; `noise` moves on by as many words as there are members. */
  step(noise: Rng): void;
  /** Length of the mean direction, 0 to 1. */
  order(): Promise<number>;
  /** Other rules for the same members in the same box, who see as far. Throws Error for others. */
  change(next: Swarm): void;
}

export function deviceSwarm(device: DeviceSide, swarm: Swarm): DeviceSwarm {
  const { members } = swarm.sizes;
  const memory = new Map(Object.entries(swarmMemory(swarm)).map(([name, shape]) => [name, device.memory(name, [...shape])]));
  const all = [...memory.values()];
  const build = ({ name, threads, body }: SwarmKernel): DeviceKernel =>
    device.kernel({ name, threads, memory: all, body, ...(name === 'move' ? { inputs: 4 } : {}) });
  const kernels = stepKernels(swarm).map(build);
  const sum = build({
    name: 'directions',
    threads: cells.blocksOf(swarm.sizes),
    body: (k, block) => directions(k, block, swarm.sizes),
  });
  const find = (name: string): Param => {
    const found = memory.get(name);
    if (found === undefined) throw new Error(`a swarm has no memory "${name}"`);
    return found;
  };
  return {
    state: find('state'),
    step(noise) {
      for (const kernel of kernels) {
        if (kernel.in.length > 0) kernel.in.set(noise.state);
        kernel.run();
      }
      noise.skip(members);
    },
    async order() {
      sum.run();
      const sums = await device.read(find('directions'));
      const mean = [0, 1].map((d) => sums.reduce((all, x, i) => (i % 2 === d ? all + x : all), 0) / members);
      return Math.sqrt(mean[0]! ** 2 + mean[1]! ** 2);
    },
    change(next) {
      if (next.box !== swarm.box || next.sizes.members !== members || next.sizes.side !== swarm.sizes.side)
        throw new Error('another swarm needs memory of its own');
      kernels.pop()?.dispose();
      kernels.push(build(moveKernel(next)));
    },
  };
}
