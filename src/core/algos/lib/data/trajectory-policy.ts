/**
 * Acting by a trajectory network: a row remembers its last K steps and what is still to be paid, which falls by what the last action was paid
 * (ActQuery.paid; without it the return asked for stays). Memory of a row: steps so far, what is still to be paid, then K steps, the newest last,
 * each as that number, the observation and the action.
 */
import type { Engine } from '#core/engine/types.ts';
import type { EnvMeta } from '#core/envs/api/types.ts';
import { chunkSize } from '#core/nets/chunks.ts';
import { log } from '#math/functions.ts';
import { argmax, categorical } from '#math/sampling.ts';
import type { Policy } from '../../api/types.ts';
import { boxOf } from '../box.ts';
import { type TrajectoryNetwork, trajectoryInputs } from './trajectory-network.ts';

const HEAD = 2;
const NO_NOISE = log(1e-6); // log std of a deterministic action

export interface Asked {
  /** What an agent is to be paid in an episode. */
  readonly target: number;
  /** By which returns are multiplied before the network sees them. */
  readonly scale: number;
}

export function trajectoryPolicy(
  engine: Engine,
  meta: EnvMeta,
  net: TrajectoryNetwork,
  K: number,
  { target, scale }: Asked,
  dispose?: () => void,
): Policy {
  const { obsSize: O, agentCount, actionSize, evalMaxSteps } = meta;
  const A = net.discrete ? 1 : actionSize;
  const place = 1 + O + A;
  const width = HEAD + K * place;
  const { centre, half } = boxOf(meta);
  const compile = (rows: number) =>
    engine.compile(trajectoryInputs(meta, rows, K), (x, g) => ({ answers: net.answers(g, x) }), { name: 'policy' });
  const programs = new Map<number, ReturnType<typeof compile>>();
  const programOf = (rows: number) => {
    const found = programs.get(rows) ?? compile(rows);
    programs.set(rows, found);
    return found;
  };

  /** The step that begins: the newest place, its action still 0. */
  function begin(memory: Float32Array, obs: Float32Array, paid: number): void {
    const owed = memory[0] === 0 ? target * scale : memory[1]! - paid * scale;
    memory.copyWithin(HEAD, HEAD + place);
    memory[0] = memory[0]! + 1;
    memory[1] = owed;
    const newest = width - place;
    memory[newest] = owed;
    memory.set(obs, newest + 1);
    memory.fill(0, newest + 1 + O);
  }

  /** Fills row m of a program's inputs with what a row remembers. */
  function show(memory: Float32Array, into: ReturnType<typeof compile>['in'], m: number): void {
    const steps = memory[0]!;
    for (let k = 0; k < K; k++) {
      const behind = K - 1 - k;
      const known = behind < steps;
      const at = HEAD + k * place;
      const to = m * K + k;
      into.mask[to] = known ? 1 : 0;
      into.time[to] = known ? Math.min(steps - 1 - behind, evalMaxSteps - 1) : 0;
      into.toGo[to] = known ? memory[at]! : 0;
      for (let j = 0; j < O; j++) into.obs[to * O + j] = known ? memory[at + 1 + j]! : 0;
      for (let d = 0; d < A; d++) into.action[to * A + d] = known ? memory[at + 1 + O + d]! : 0;
    }
  }

  return {
    initial: (rows) => new Float32Array(rows * width),
    async act({ rows, obs, hidden: before, rng, greedy, agent, paid }) {
      const hidden = before.slice();
      const N = net.actions;
      const answers = new Float32Array(rows * N); // of the newest step
      for (let row = 0; row < rows; row++)
        begin(hidden.subarray(row * width, (row + 1) * width), obs.subarray(row * O, (row + 1) * O), paid?.[row] ?? 0);
      for (let from = 0; from < rows; ) {
        const size = chunkSize(rows - from);
        const count = Math.min(size, rows - from);
        const program = programOf(size);
        for (let m = 0; m < count; m++) show(hidden.subarray((from + m) * width, (from + m + 1) * width), program.in, m);
        const pending = program.run();
        if (pending) await pending;
        for (let m = 0; m < count; m++) {
          const last = (m * K + K - 1) * N;
          answers.set(program.out.answers.subarray(last, last + N), (from + m) * N);
        }
        from += count;
      }
      const newest = (row: number): number => (row + 1) * width - A;
      if (net.discrete) {
        const actions = new Int32Array(rows);
        for (let row = 0; row < rows; row++) {
          actions[row] = greedy ? argmax(answers, row * N, N) : categorical(answers, row * N, N, rng.uniform());
          hidden[newest(row)] = actions[row]!;
        }
        return { actions, hidden, logits: answers };
      }
      const mean = new Float32Array(rows * A);
      for (let i = 0; i < mean.length; i++) {
        const row = Math.floor(i / A);
        const of = (agent[row]! % agentCount) * A + (i % A);
        mean[i] = centre[of]! + half[of]! * answers[i]!;
        hidden[newest(row) + (i % A)] = answers[i]!;
      }
      return { actions: mean.slice(), hidden, mean, logStd: new Float32Array(rows * A).fill(NO_NOISE) };
    },
    dispose() {
      dispose?.();
    },
  };
}
