/**
 * `checkAlgo`: whether a method holds what saved runs, forks and policies stand on:
 *
 *   await checkAlgo(mine, { env: cartpole, steps: 4000 });
 *
 * It trains three runs of `steps` on the environment (whole, cut in the middle and resumed, another seed), and the probes that the method declares.
 */

import { kindsOf } from '#contract/catalog/variants.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Saved } from '#contract/run/events.ts';
import type { AlgoEntry } from '../algos/api/types.ts';
import type { EnvEntry } from '../envs/api/types.ts';
import { probesById } from './probes.ts';
import { type Task, type Trained, trained } from './trained.ts';

export interface AlgoFinding {
  readonly id: 'fields' | 'presets' | 'metrics' | 'snapshot' | 'resume' | 'seeds' | `probe-${string}`;
  readonly title: string;
  readonly verdict: 'holds' | 'fault';
  readonly words: string;
}

type Judged = Pick<AlgoFinding, 'verdict' | 'words'>;
const judged = (faults: readonly string[], words: string): Judged =>
  faults.length === 0 ? { verdict: 'holds', words } : { verdict: 'fault', words: faults.join(' ') };

/** Every setting has a title, a sentence and a default: forms, documents and messages show them. */
function fields(algo: AlgoEntry): Judged {
  const outer = Object.entries(algo.schema.properties ?? {});
  const inner = outer.flatMap(([key, field]) =>
    kindsOf(field).flatMap((kind) => Object.entries(kind.fields).map(([name, own]) => [`${key}.${name}`, own] as const)),
  );
  const all = [...outer, ...inner];
  const faults = all.flatMap(([name, { title, description, default: standard }]) => [
    ...(title ? [] : [`${name} has no title.`]),
    ...(description?.endsWith('.') ? [] : [`The description of ${name} is not a sentence.`]),
    ...(standard === undefined ? [`${name} has no default.`] : []),
  ]);
  return judged(faults, `${all.length} settings explain themselves.`);
}

function presets(algo: AlgoEntry): Judged {
  const standard = JSON.stringify(algo.parse({}));
  const faults = algo.presets
    .filter(({ config }) => JSON.stringify(algo.parse(config)) === standard)
    .map(({ id }) => `The preset ${id} changes nothing.`);
  return judged(faults, `${algo.presets.length} presets differ from the defaults.`);
}

function metrics(algo: AlgoEntry, run: Trained): Judged {
  const known = new Set(algo.metrics.map(({ id }) => id));
  const seen = new Set(run.rows.flatMap(([, row]) => Object.keys(row)));
  return judged(
    [...seen].filter((id) => !known.has(id)).map((id) => `The metric ${id} is yielded and not declared.`),
    `${seen.size} metrics are declared.`,
  );
}

/** Names of saved arrays whose bytes differ. */
function different(a: Saved, b: Saved): readonly string[] {
  const bytes = (array: ArrayBufferView): string => new Uint8Array(array.buffer, array.byteOffset, array.byteLength).join();
  const names = new Set([...Object.keys(a.arrays), ...Object.keys(b.arrays)]);
  return [...names].filter((name) => {
    const [left, right] = [a.arrays[name], b.arrays[name]];
    return left === undefined || right === undefined || bytes(left) !== bytes(right);
  });
}

async function resume(task: Task, whole: Trained): Promise<Judged> {
  const half = await trained(task, { stopAt: whole.steps / 2 });
  if (half.steps >= whole.steps) return judged([`One iteration takes all ${whole.steps} steps: give more.`], '');
  const rest = await trained(task, { resume: half.saved });
  const rows = JSON.stringify([...half.rows, ...rest.rows]) === JSON.stringify(whole.rows);
  const arrays = different(rest.saved, whole.saved);
  return judged(
    [
      ...(rows ? [] : ['Metrics of a run that was saved half-way and resumed differ from those of one that never stopped.']),
      ...(rest.hash === whole.hash ? [] : ['Its parameters differ.']),
      ...(arrays.length === 0 ? [] : [`Of its last state differ: ${arrays.slice(0, 8).join(', ')}. registerState misses something.`]),
    ],
    `Cut at ${half.steps} of ${whole.steps} steps and resumed: the same bits.`,
  );
}

/** Throws LabError('incompatible') where the method does not fit the environment, LabError('config-invalid') for wrong settings, and with the words of every fault unless `throws` is false. */
export async function checkAlgo(
  algo: AlgoEntry,
  options: {
    readonly env: EnvEntry;
    readonly envConfig?: JsonObject;
    readonly config?: JsonObject;
    /** Environment steps of each run; at least two iterations of the method. */
    readonly steps: number;
    readonly throws?: boolean;
  },
): Promise<readonly AlgoFinding[]> {
  const { env, envConfig = {}, config = {}, steps } = options;
  await env.prepare?.();
  const found: AlgoFinding[] = [];
  const add = (id: AlgoFinding['id'], title: string, verdict: Judged): void => void found.push({ id, title, ...verdict });
  const task: Task = { algo, env, envConfig, config, steps };
  add('fields', 'settings explain themselves', fields(algo));
  add('presets', 'presets differ from the defaults', presets(algo));
  const whole = await trained(task);
  add('metrics', 'metrics are declared', metrics(algo, whole));
  const acts = whole.snapshotReturn === whole.evalReturn;
  add(
    'snapshot',
    'a snapshot alone acts like the run',
    judged(
      acts ? [] : [`Return ${whole.evalReturn} in the run, ${whole.snapshotReturn} from its snapshot.`],
      `Return ${whole.evalReturn}.`,
    ),
  );
  add('resume', 'a resumed run goes on bit for bit', await resume(task, whole));
  const other = await trained({ ...task, seed: 2 });
  add('seeds', 'another seed learns something else', judged(other.hash === whole.hash ? ['Seeds 1 and 2 end alike.'] : [], 'It does.'));
  for (const { on, steps: budget, config: own, atLeast = 1 } of algo.probes) {
    for (const id of on) {
      const { evalReturn } = await trained({ algo, env: probesById[id], config: { ...algo.probeConfig, ...own }, steps: budget });
      const solved = evalReturn >= atLeast - 1e-6;
      add(
        `probe-${id}`,
        `solves the probe ${id}`,
        judged(solved ? [] : [`Return ${evalReturn} after ${budget} steps.`], `Return ${evalReturn}.`),
      );
    }
  }
  const faults = found.filter(({ verdict }) => verdict === 'fault');
  if (faults.length > 0 && options.throws !== false) {
    const words = faults.map((fault) => `${fault.title}: ${fault.words}`).join(' ');
    throw fail('incompatible', `The method ${algo.id} does not hold: ${words}`, 'Correct it and check it again.', faults[0]?.id);
  }
  return found;
}
