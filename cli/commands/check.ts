/** `check FILE`: whether a world, reward, player or method of one's own holds what it should, in words. */
import { performance } from 'node:perf_hooks';
import { inexact } from '#core/own/inexact.ts';
import { checkOwn } from '#core/run/own-check.ts';
import type { Command } from '../kit/context.ts';
import { CommandFailure, UsageError } from '../kit/failure.ts';
import { readInput } from '../kit/files.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput } from '../kit/output.ts';
import { openCode } from '../own/open.ts';

const OPTIONS = { json: { kind: 'flag', help: 'one JSON line per check' } } as const;
const MARKS = { holds: 'ok   ', note: 'note ', fault: 'FAULT' };

export const check: Command = {
  usage: 'check FILE [--json]',
  summary: 'Checks a world, reward, player or method of your own, in words.',
  help: `FILE holds a world, reward, player or method in the simple form (see "new world").\n\n${describeOptions(OPTIONS)}`,
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const [path] = rest;
    if (path === undefined || rest.length > 1) throw new UsageError('Check which world? check FILE.');
    const output = createOutput(options.json);
    const [made] = await openCode(context, path);
    if (made === undefined) throw new UsageError(`"${path}" holds no code.`);
    const entry = made.algo ?? made.env;
    const findings = [inexact(readInput(context, path, 'world')), ...(await checkOwn(made, {}, {}, () => performance.now()))];
    for (const { id, title, verdict, words } of findings) {
      output.record({ type: 'check', id, title, verdict, words });
      output.text(`${MARKS[verdict]}  ${title}: ${words}`);
    }
    const faults = findings.filter(({ verdict }) => verdict === 'fault').length;
    output.text(faults === 0 ? `${entry.title}: nothing wrong. Train it: train --env-file ${path}` : '');
    if (faults > 0) throw new CommandFailure(`${faults} of ${findings.length} checks failed.`);
  },
};
