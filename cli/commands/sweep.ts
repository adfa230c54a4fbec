/** `sweep FILE`: tries set-ups of one config, says what matters, and holds the best against the config as it stands on fresh seeds. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson, utf8 } from '#contract/canonical.ts';
import { configHash, sha256 } from '#contract/config-hash.ts';
import { readJson } from '#contract/json.ts';
import { countOf, parseSweep, tuningSeeds, valuesOf } from '#contract/sweep.ts';
import { importances, sweepCsv, verdictOf } from '#contract/sweep-report.ts';
import { firstPoints, setupConfig, sweepSize } from '#contract/sweep-run.ts';
import { completeRun } from '#core/run/by-id.ts';
import { readInput } from '../config.ts';
import type { Command } from '../context.ts';
import { pathFrom } from '../context.ts';
import { CommandFailure, UsageError } from '../failure.ts';
import { commit, machine } from '../machine.ts';
import { describeOptions, parseOptions } from '../options.ts';
import { createOutput, number } from '../output.ts';
import { writeWhole } from '../run-folder.ts';
import { sweepText } from '../sweep/report.ts';
import { sweepInFolders } from '../sweep/run.ts';

const OPTIONS = {
  out: { kind: 'text', value: 'DIR', help: 'keep runs and results there; without it runs are kept in the cache of the project' },
  jobs: { kind: 'count', value: 'N', min: 1, help: 'runs at the same time; default: as many as there are cores' },
  plan: { kind: 'flag', help: 'only say how many runs and steps it would be, and list the first set-ups' },
  json: { kind: 'flag', help: 'JSON lines: a line per set-up, the last one is the summary' },
} as const;

export const sweep: Command = {
  usage: 'sweep FILE [--out DIR] [--plan]',
  summary: 'Tries set-ups of a config and says which field matters and whether the best one holds.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const [file, ...more] = rest;
    if (file === undefined || more.length > 0) throw new UsageError('Which sweep? sweep FILE, one file (docs/sweeps.md).');
    const output = createOutput(options.json);
    const asked = parseSweep(readJson(readInput(context, file, 'sweep file')));
    const seeds = tuningSeeds(asked);
    const points = firstPoints(asked);
    for (const point of points) await setupConfig(asked, valuesOf(asked, point), completeRun); // a value that cannot be is refused before anything runs
    const { runs, steps } = sweepSize(asked, (await setupConfig(asked, {}, completeRun)).run.steps);
    output.text(`${countOf(asked)} set-ups by ${asked.search.by}, ${number(runs)} runs, ${number(steps)} environment steps.`);
    output.record({ type: 'plan', setups: countOf(asked), runs, steps });
    if (options.plan) {
      for (const point of points) output.text(JSON.stringify(valuesOf(asked, point)));
      return;
    }
    const about = { commit: commit(context.project), machine: machine(), date: new Date().toISOString() };
    const { names: _, dimensions: __, ...plain } = asked;
    const name = sha256(utf8(canonicalJson(plain))).slice(0, 12);
    const folder =
      options.out === undefined ? join(context.project, 'node_modules/.cache/rl-workbench/sweeps', name) : pathFrom(context, options.out);
    mkdirSync(folder, { recursive: true });
    const swept = await sweepInFolders(asked, { folder, threads: options.jobs ?? about.machine.cores, progress: output.progress });
    const setups = swept.setups.map(({ number: place, values, scores, score, steps: each, config }) => ({
      setup: place,
      values,
      scores,
      score,
      steps: each,
      config: configHash(config),
    }));
    const summary = {
      type: 'sweep',
      sweep: plain,
      ...about,
      best: swept.best?.number ?? null,
      importance: importances(asked, swept),
      reported: swept.reported && { ...swept.reported, verdict: verdictOf(asked, swept.reported) },
    };
    for (const setup of setups) output.record({ type: 'setup', ...setup });
    output.record(summary);
    writeWhole(join(folder, 'sweep.json'), `${JSON.stringify({ ...summary, setups }, null, 1)}\n`);
    writeWhole(join(folder, 'sweep.csv'), sweepCsv(asked, swept, seeds));
    output.text(`${sweepText(asked, swept)}\nWritten: ${folder}/sweep.json and sweep.csv`);
    if (swept.failures.length > 0) throw new CommandFailure(`${swept.failures.length} runs failed: ${swept.failures[0]}`);
  },
};
