/** `serve`: the page itself from this machine, and with --results the folder of a sweep beside it, which the page follows while it grows. */
import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import type { Command } from '../kit/context.ts';
import { pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput } from '../kit/output.ts';
import { resultsApi } from '../serve/results.ts';
import { LOOPBACK, openServer, untilEnded } from '../serve/server.ts';

const OPTIONS = {
  results: { kind: 'text', value: 'DIR', help: 'show the sweeps in this folder (sweep --out DIR), read-only, to who has the link' },
  port: { kind: 'count', value: 'N', min: 0, help: 'default 4180; 0 takes a free one' },
  host: {
    kind: 'text',
    value: 'ADDRESS',
    help: 'address to listen at; default 127.0.0.1, this machine only; 0.0.0.0 is the whole network',
  },
  page: { kind: 'text', value: 'DIR', help: 'a built page to serve; default dist/, built first where a source is newer' },
  json: { kind: 'flag', help: 'one JSON line with the link' },
} as const;

export const serve: Command = {
  usage: 'serve [--results DIR] [--port N] [--host ADDRESS]',
  summary: 'Serves the page, and shows it the results of a sweep while they come.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    if (rest.length > 0) throw new UsageError(`serve takes only options, not "${rest[0]}". Did you mean --results ${rest[0]}?`);
    const port = options.port ?? 4180;
    const results = options.results === undefined ? null : pathFrom(context, options.results);
    if (results !== null && !(existsSync(results) && statSync(results).isDirectory()))
      throw new UsageError(`--results "${options.results}" is no folder.`);
    const dir = options.page === undefined ? {} : { dir: pathFrom(context, options.page) };
    const host = options.host ?? LOOPBACK;
    const token = randomBytes(24).toString('base64url');
    const api = resultsApi(results === null ? null : realpathSync(results), token);
    const { server, url } = await openServer(context, { ...dir, host, port, api });
    const link = results === null ? url : `${url}#/sweeps?results=${token}`;
    const output = createOutput(options.json);
    output.text(results === null ? `The page: ${link}` : `The page with ${options.results}: ${link}`);
    if (host !== LOOPBACK && host !== 'localhost' && host !== '::1')
      output.text(
        'Others on this network can open it; results are read only with the whole link. Nothing is encrypted: use a tunnel or a proxy with TLS beyond it.',
      );
    output.text('Ctrl+C ends it.');
    output.record({ type: 'serving', link });
    await untilEnded(server);
  },
};
