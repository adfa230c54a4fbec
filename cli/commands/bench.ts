/** `bench`: benchmarks of bench/, each beside its peers; results go to bench/results/<name>.json with machine, commit and load. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Json } from '#contract/json.ts';
import type { Command } from '../context.ts';
import { CommandFailure, UsageError } from '../failure.ts';
import { commit, load, machine } from '../machine.ts';
import { describeOptions, parseOptions } from '../options.ts';
import { writeWhole } from '../run-folder.ts';

const OPTIONS = {
  quick: { kind: 'flag', help: 'fewer repeats and smaller budgets: to see that it runs, not to quote; writes nothing' },
  'no-write': { kind: 'flag', help: 'print only, leave bench/results/ alone' },
} as const;

/** What a file of bench/ exports. The answer is what is written. */
interface Bench {
  run(options: { readonly quick: boolean; readonly log: (line: string) => void; readonly project: string }): Promise<Json>;
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
        `${rest.length === 0 ? 'Bench what?' : `There is no benchmark "${unknown[0]}".`} Use any of: ${names.join(', ')}.`,
      );
    }
    const folder = await context.bundle('bench');
    for (const name of rest) {
      const module = (await import(pathToFileURL(join(folder, `${name}.mjs`)).href)) as Partial<Bench>;
      if (!module.run) throw new CommandFailure(`bench/${name}.bench.ts exports no run().`);
      const about = { name, date: new Date().toISOString(), commit: commit(context.project), machine: machine(), loadBefore: load() };
      const log = (line: string): void => void process.stdout.write(`${line}\n`);
      const results = await module.run({ quick: options.quick, log, project: context.project });
      if (options.quick || options['no-write']) continue;
      const out = join(context.project, 'bench/results');
      mkdirSync(out, { recursive: true });
      writeWhole(join(out, `${name}.json`), `${JSON.stringify({ ...about, loadAfter: load(), results }, null, 2)}\n`);
      log(`written to bench/results/${name}.json`);
    }
  },
};
