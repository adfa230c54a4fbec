/**
 * The conformance suite, the fuzzer and the training checks on the executor `webgpu`, on whatever adapter this browser has. Posts what
 * failed and how much was run. The message it is sent says how much that is.
 */
import { createWebgpuEngine } from '#core/engine/webgpu/engine.ts';
import { largeCases } from '#core/testing/engine/conformance/cases.ts';
import { judge, sensitivity } from '#core/testing/engine/conformance/check.ts';
import { suites } from '#core/testing/engine/conformance/suites.ts';
import { trainingErrors } from '#core/testing/engine/conformance/training.ts';
import { fuzzProgram } from '#core/testing/engine/fuzz.ts';
import { Rng } from '#math/rng.ts';

export interface Amount {
  readonly sizes: readonly number[];
  /** Every so many-th case of a suite. */
  readonly every: number;
  readonly seeds: number;
  readonly large: boolean;
  /** Of training.ts; missing: all. */
  readonly training?: readonly string[];
  /** Whether shaders let threads wait for each other; a software adapter alone would take the form without. */
  readonly barriers: boolean;
}

async function check({ sizes, every, seeds, large, training, barriers }: Amount): Promise<unknown> {
  const failures: string[] = [];
  let programs = 0;
  const create = () => createWebgpuEngine(undefined, 'webgpu', barriers);
  const engine = await create();
  for (const [name, { cases, tolerance }] of Object.entries({
    ...suites(sizes),
    ...(large ? { large: { cases: largeCases, tolerance: 2e-4 } } : {}),
  })) {
    for (const one of cases().filter((_, i) => name === 'large' || i % every === 0)) {
      programs++;
      const { error, where, repeatable } = await judge(engine, one);
      if (!(error < tolerance)) failures.push(`${name}: ${one.name}, ${where} (${error})`);
      if (!repeatable) failures.push(`${name}: ${one.name} run twice`);
    }
  }
  const rng = Rng.from(1);
  for (let seed = 1; seed <= seeds; seed++) {
    programs++;
    const program = fuzzProgram(seed);
    const { error, where, repeatable } = await judge(engine, { name: `seed ${seed}`, ...program });
    if (!(error <= 2e-5) && !(error < 20 * sensitivity(program, rng))) failures.push(`seed ${seed}, ${where} (${error})`);
    if (!repeatable) failures.push(`seed ${seed} run twice`);
  }
  engine.dispose();
  for (const [name, error] of Object.entries(await trainingErrors(create, training))) {
    programs++;
    if (!(error < 3e-5)) failures.push(`${name}: ${error}`);
  }
  return { failures, programs };
}

self.addEventListener('message', ({ data }: MessageEvent<Amount>) => {
  check(data).then(postMessage, (error: unknown) =>
    postMessage({ error: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) }),
  );
});
