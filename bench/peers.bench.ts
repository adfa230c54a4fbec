/**
 * PPO on CartPole beside the same method as one compiled JAX program (peers/ppo_jax.py, in the form of PureJaxRL): in Node, in a Chromium worker and in
 * Python, in turn, one core each, compiling left out. What counts is the ratio within a round, since a busy minute slows all three. Python
 * with jax is named by RL_TEST_PYTHON; without it there is nothing to measure.
 */
import { execFileSync } from 'node:child_process';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { median } from '#math/stats.ts';
import { NO_GPU_FLAGS } from '../tools/browser.mjs';
import { withBrowser } from './browser.ts';
import { type BenchOptions, type Case, runInChromium, runInNode } from './training.ts';

const TARGETS = { node: 0.85, chromium: 0.95 } as const;

interface JaxRun extends JsonObject {
  readonly stepsPerSecond: number;
  readonly cpuStepsPerSecond: number;
  readonly compileSeconds: number;
  readonly finalReturn: number;
  readonly jax: string;
}

function runInJax(python: string, steps: number, seed: number): JaxRun {
  const args = ['bench/peers/ppo_jax.py', '--steps', String(steps), '--seed', String(seed)];
  return JSON.parse(execFileSync(python, args, { encoding: 'utf8' })) as JaxRun;
}

const percent = (ratio: number): number => Math.round(1000 * ratio) / 1000;

export async function run({ quick, log, keep }: BenchOptions): Promise<Json> {
  const python = process.env.RL_TEST_PYTHON;
  if (python === undefined) throw new Error('Name a Python that has jax: RL_TEST_PYTHON=/path/to/python.');
  const one: Case = {
    name: 'ppo cartpole',
    env: 'cartpole',
    algo: 'ppo',
    steps: quick ? 100_000 : 500_000,
    targets: { node: 0, chromium: 0 },
  };
  const rounds: JsonObject[] = [];
  const ratios = { node: [] as number[], chromium: [] as number[], nodeByProcessorTime: [] as number[] };
  const summary = (): JsonObject => ({
    unit: 'environment steps per second of one core, learning included; ratios to the JAX program of the same round',
    steps: one.steps,
    ...Object.fromEntries(Object.entries(ratios).map(([where, found]) => [where, percent(median(found))])),
    targets: TARGETS,
    met: median(ratios.node) >= TARGETS.node && median(ratios.chromium) >= TARGETS.chromium,
    rounds,
  });
  await withBrowser(async (visit) => {
    for (let seed = 1; seed <= (quick ? 2 : 5); seed++) {
      const node = await runInNode(one, seed);
      const chromium = await runInChromium(visit, one, seed);
      const jax = runInJax(python, one.steps, seed);
      if (node.parameterHash !== chromium.parameterHash) throw new Error('Node and Chromium do not agree');
      ratios.node.push(node.stepsPerSecond / jax.stepsPerSecond);
      ratios.chromium.push(chromium.stepsPerSecond / jax.stepsPerSecond);
      ratios.nodeByProcessorTime.push((node.cpuStepsPerSecond ?? 0) / jax.cpuStepsPerSecond);
      const [inNode, inChromium] = [Math.round(node.stepsPerSecond), Math.round(chromium.stepsPerSecond)];
      rounds.push({ seed, node: inNode, chromium: inChromium, jax, parameterHash: node.parameterHash });
      log(
        `seed ${seed}: Node ${inNode}, Chromium ${inChromium}, JAX ${jax.stepsPerSecond} steps/s after ${jax.compileSeconds} s of compiling`,
      );
      keep(summary());
    }
  }, NO_GPU_FLAGS);
  log(`of JAX: Node ${percent(median(ratios.node))}, Chromium ${percent(median(ratios.chromium))}`);
  return summary();
}
