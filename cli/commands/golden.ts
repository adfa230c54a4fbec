/** `golden FILE...`: replays golden files (environments and language models through public interfaces, methods through their functions) and says where they differ. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LabError } from '#contract/kit/errors.ts';
import { readJson } from '#contract/kit/json.ts';
import { createEngine } from '#core/engine/index.ts';
import type { Engine } from '#core/engine/types.ts';
import { type GoldenReport, runGoldenFile } from '#core/testing/golden.ts';
import { isMethodFile, runMethodFile } from '#core/testing/golden-methods.ts';
import { isLanguageModelFile, runLanguageModelFile } from '#core/testing/lm/index.ts';
import type { Command } from '../kit/context.ts';
import { pathFrom } from '../kit/context.ts';
import { CommandFailure, UsageError } from '../kit/failure.ts';
import { readInput } from '../kit/files.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput } from '../kit/output.ts';
import { prepareTfjs } from '../train/tfjs-files.ts';

const OPTIONS = {
  'allow-skip': { kind: 'flag', help: 'skipped cases are named but are no failure' },
  json: { kind: 'flag', help: 'JSON lines: one per case, then the summary' },
} as const;

/** Where the programs of methods are compared, beside float64. */
async function openEngines(): Promise<readonly Engine[]> {
  prepareTfjs();
  return [await createEngine('wasm'), await createEngine('tfjs-wasm'), await createEngine('tfjs-cpu')];
}

function parseFile(text: string, name: string): unknown {
  try {
    return readJson(text);
  } catch {
    throw new UsageError(`"${name}" is not a golden file: it is not JSON.`);
  }
}

export const golden: Command = {
  usage: 'golden FILE... [--allow-skip]',
  summary: 'Compares environments, methods and language models with golden files of their references.',
  help: `${describeOptions(OPTIONS)}\n\nData files that a case requires are looked for beside the golden file and in the folder RL_DATA.`,
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    if (rest.length === 0) throw new UsageError('Which files? golden FILE... with golden files in JSON.');
    const output = createOutput(options.json);
    const total = { passed: 0, failed: 0, skipped: 0 };
    let good = true;
    // All are read first: a mistyped name is reported before a minute of work.
    const files = rest.map((name) => ({ name, json: parseFile(readInput(context, name, 'golden file'), name) }));
    const engines = files.some(({ json }) => isMethodFile(json)) ? await openEngines() : [];
    for (const { name, json } of files) {
      const beside = dirname(pathFrom(context, name));
      const folders = [beside, ...(process.env.RL_DATA ? [pathFrom(context, process.env.RL_DATA)] : [])];
      const readData = (file: string): unknown => {
        const found = folders.map((folder) => join(folder, file)).find((path) => existsSync(path));
        return found === undefined ? undefined : parseFile(readFileSync(found, 'utf8'), found);
      };
      let report: GoldenReport;
      try {
        if (isLanguageModelFile(json)) report = await runLanguageModelFile(json, await createEngine('wasm'));
        else if (isMethodFile(json)) report = await runMethodFile(json, { allowSkip: options['allow-skip'], engines });
        else report = runGoldenFile(json, { allowSkip: options['allow-skip'], readData });
      } catch (error) {
        if (error instanceof LabError) throw new UsageError(`${name}: ${error.message}`);
        throw error;
      }
      output.text(`${basename(name)}${report.reference ? ` (${report.reference})` : ''}`);
      for (const one of report.cases) {
        output.record({ type: 'case', file: name, ...one });
        const error =
          one.status === 'skipped'
            ? one.message
            : `largest error ${one.largestError.toExponential(2)}${one.where ? ` at ${one.where}` : ''}`;
        output.text(`  ${one.status.padEnd(7)} ${one.env === '' ? one.kind : one.env}: ${one.name}  ${error}`);
        if (one.unchecked.length > 0) output.text(`          not compared: ${one.unchecked.join('; ')}`);
        if (one.status === 'failed') for (const line of one.message.split('\n')) output.text(`          ${line}`);
      }
      total.passed += report.passed;
      total.failed += report.failed;
      total.skipped += report.skipped;
      good &&= report.ok;
    }
    for (const engine of engines) engine.dispose();
    output.record({ type: 'summary', ...total, ok: good });
    output.text(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
    if (good) return;
    const skipped = total.skipped > 0 && !options['allow-skip'] ? `, ${total.skipped} skipped (--allow-skip lets them pass)` : '';
    throw new CommandFailure(`${total.failed} cases differ${skipped}.`);
  },
};
