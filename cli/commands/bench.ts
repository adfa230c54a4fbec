/** `bench`: benchmarks of bench/, each beside its peers; results go to bench/results/<name>.json with machine, commit and load. */

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Json, objectOf, readJson } from '#contract/kit/json.ts';
import { whichOf } from '#contract/kit/nearest.ts';
import { jsonRows } from '../../tools/rows.mjs';
import type { Command } from '../kit/context.ts';
import { CommandFailure, UsageError } from '../kit/failure.ts';
import { commit, load, machine } from '../kit/machine.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { writeWhole } from '../kit/seed-folder.ts';

const OPTIONS = {
  quick: { kind: 'flag', help: 'fewer repeats and smaller budgets: to see that it runs, not to quote; writes nothing' },
  'no-write': { kind: 'flag', help: 'print only, leave bench/results/ alone' },
  only: { kind: 'list', value: 'ID', help: 'of benchmarks with many parts: this part only; the others keep their results' },
  resume: { kind: 'flag', help: 'of benchmarks with many parts: go on where an interrupted run of the last day stopped' },
} as const;

/** What a file of bench/ exports. The answer is what is written. */
interface Bench {
  run(options: {
    readonly quick: boolean;
    readonly log: (line: string) => void;
    readonly project: string;
    readonly only: readonly string[];
    readonly resume: boolean;
    /** What was written last time; null: nothing. */
    readonly before: Json;
    /** Writes what there is so far, so that an interrupted run loses nothing. */
    readonly keep: (results: Json) => void;
  }): Promise<Json>;
}

/** The results that stand in a file, null where there is none that can be read. */
function written(file: string): Json {
  if (!existsSync(file)) return null;
  const { results = null } = objectOf(readJson(readFileSync(file)));
  return results;
}

export const bench: Command = {
  usage: 'bench NAME [--quick]      also: npm run bench -- NAME',
  summary: 'Measures speed: engine, envs, ppo, page.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const names = readdirSync(join(context.project, 'bench'))
      .filter((file) => file.endsWith('.bench.ts'))
      .map((file) => file.replace('.bench.ts', ''));
    const unknown = rest.filter((name) => !names.includes(name));
    if (rest.length === 0 || unknown.length > 0) {
      throw new UsageError(
        `${rest.length === 0 ? 'Bench what?' : `There is no benchmark "${unknown[0]}".`} ${whichOf(unknown[0] ?? '', names)}`,
      );
    }
    const folder = await context.bundle('bench');
    for (const name of rest) {
      const module = (await import(pathToFileURL(join(folder, `${name}.mjs`)).href)) as Partial<Bench>;
      if (!module.run) throw new CommandFailure(`bench/${name}.bench.ts exports no run().`);
      const about = { name, date: new Date().toISOString(), commit: commit(context.project), machine: machine(), loadBefore: load() };
      const log = (line: string): void => void process.stdout.write(`${line}\n`);
      const out = join(context.project, 'bench/results');
      const file = join(out, `${name}.json`);
      const writes = !options.quick && !options['no-write'];
      const keep = (results: Json): void => {
        if (!writes) return;
        mkdirSync(out, { recursive: true });
        writeWhole(file, jsonRows({ ...about, loadAfter: load(), results }));
      };
      const { quick, only, resume } = options;
      keep(await module.run({ quick, only, resume, log, project: context.project, before: written(file), keep }));
      if (!writes) continue;
      log(`written to bench/results/${name}.json`);
    }
  },
};
