/** `gym ID`: what an environment in Python looks like from here, and how it is trained on. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { GymDescription } from '#contract/game/gym-wire.ts';
import { GYM_OPTIONS, NOT_EXACT, openGym } from '../gym/gyms.ts';
import { gymPage } from '../gym/page-api.ts';
import type { Command } from '../kit/context.ts';
import { pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput } from '../kit/output.ts';
import { openServer, untilEnded } from '../serve/server.ts';

const { gym: _, ...BESIDE } = GYM_OPTIONS;
const OPTIONS = {
  ...BESIDE,
  serve: { kind: 'flag', help: 'serves the page with this environment in it, at this machine only' },
  port: { kind: 'count', value: 'N', min: 0, help: 'with --serve: default 4190; 0 takes a free one' },
  page: { kind: 'text', value: 'DIR', help: 'with --serve: a built page; default dist/, built first where a source is newer' },
  json: { kind: 'flag', help: 'one JSON line with the description, with --serve another with the link' },
} as const;

const SHOWN = 12;
const some = (names: readonly string[]): string => `${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? ', …' : ''}`;

/** Between which ends numbers lie. */
const ends = (low: number | null, high: number | null): string =>
  low === null && high === null ? 'without bounds' : `from ${low ?? 'no bound'} to ${high ?? 'no bound'}`;

function agentText({ name, obs, notes = [], action }: GymDescription['agents'][number]): readonly string[] {
  const sees =
    obs.kind === 'discrete'
      ? `one of ${obs.n} states`
      : obs.shape.length === 3
        ? `a picture of ${obs.shape.join(' x ')}, ${ends(obs.low, obs.high)}`
        : `${obs.shape.reduce((a, b) => a * b, 1)} numbers ${ends(obs.low, obs.high)}${obs.labels === undefined ? '' : `: ${some(obs.labels)}`}`;
  const does =
    action.kind === 'discrete'
      ? `chooses one of ${action.n}: ${some(action.labels)}`
      : `gives ${some(action.labels.map((label, i) => `${label} ${ends(action.low[i]!, action.high[i]!)}`))}`;
  return [`  ${name} sees ${sees}`, ...notes.map((note) => `    ${note}`), `  ${name} ${does}`];
}

export const gym: Command = {
  usage: 'gym ID|MODULE:NAME [--gym-args JSON] [--python PATH] [--serve]',
  summary:
    'Says what an environment of Gymnasium or PettingZoo looks like from here, and serves the page with it; train --gym trains on it.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const [name, ...more] = rest;
    if (name === undefined || more.length > 0)
      throw new UsageError('Which environment? gym ID of Gymnasium, for example gym CartPole-v1, or gym MODULE:NAME.');
    const output = createOutput(options.json);
    const gym = openGym({ ...options, gym: name }, context);
    const { id, description } = gym;
    const { agents, masked, limit, picture, versions } = description;
    output.record({ type: 'gym', id, description });
    output.text(`${name}, here ${id}: ${NOT_EXACT}.`);
    output.text(
      `  ${Object.entries(versions)
        .map((pair) => pair.join(' '))
        .join(', ')}`,
    );
    for (const line of agents.flatMap(agentText)) output.text(line);
    if (masked) output.text('  says which actions are legal');
    output.text(
      limit > 0
        ? `  ends episodes after ${limit} steps itself`
        : '  names no limit of steps: training cuts no episode (env.maxSteps would), an evaluation does after 100,000 steps and counts them as loops',
    );
    output.text(picture === null ? '  gives no pictures' : `  gives pictures of ${picture.join(' x ')}`);
    if (!options.serve) {
      output.text(`Train on it: train --gym ${name}, or gym ${name} --serve for the page.`);
      return;
    }
    const token = randomBytes(24).toString('base64url');
    const dir = options.page === undefined ? null : pathFrom(context, options.page);
    const index = join(dir ?? join(context.project, 'dist'), 'index.html');
    if (dir !== null && !existsSync(index)) throw new UsageError(`--page "${options.page}" holds no built page.`);
    const { api, close } = gymPage({ id, start: gym.start, description: gym.described, token, index });
    const { server, url } = await openServer(context, { ...(dir !== null && { dir }), port: options.port ?? 4190, api });
    const link = `${url}api/gym/open?token=${token}`;
    output.text(`The page with it: ${link}`);
    output.text('Who has the link can run this environment. Ctrl+C ends it.');
    output.record({ type: 'serving', link });
    await untilEnded(server);
    close();
  },
};
