/** `crossplay`: policies with partners they were not trained with, as a table. */
import { loadEnv } from '#core/envs/index.ts';
import { buildPolicy } from '#core/run/by-id.ts';
import { type Pairing, type Partner, playTogether } from '#core/run/cross-play.ts';
import { mean } from '#math/stats.ts';
import type { Command } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, number } from '../kit/output.ts';
import { openPolicy } from '../train/policy-input.ts';

const OPTIONS = {
  policy: { kind: 'list', value: 'FILE', help: 'policy file, from train --out or the page; a row of the table each' },
  partner: {
    kind: 'list',
    value: 'NAME|FILE',
    help: 'script of the environment, random, idle, or the file of a frozen policy; a column each; left out: every script, and random',
  },
  seat: { kind: 'list', value: 'NAME', help: 'seat that partners take; left out: those that the policy was trained without' },
  episodes: { kind: 'count', value: 'N', min: 2, help: 'of each pairing (100), the same starts for all' },
  steps: { kind: 'count', value: 'N', min: 1, help: 'count only the first N steps of each episode' },
  'seed-start': { kind: 'count', value: 'K', min: 0, help: 'seed of the first episode; the usual evaluation seeds if missing' },
  sampled: { kind: 'flag', help: 'sample actions instead of taking the best' },
  json: { kind: 'flag', help: 'JSON lines: one for each pairing, with the return of every episode' },
} as const;

const isFile = (name: string): boolean => /\.(json|rlwb)$/.test(name);

/** "0.31 [0.27, 0.35]". */
const cellText = ({ mean: middle, interval }: Pairing): string =>
  interval === null ? number(middle) : `${number(middle)} [${number(interval[0])}, ${number(interval[1])}]`;

/** Lines of a table whose columns are as wide as they must be; the first is the head. */
function lined(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const crossPlay: Command = {
  usage: 'crossplay --policy FILE [--policy FILE ...] [--partner NAME|FILE ...]',
  summary: 'Plays policies with partners they were not trained with: zero-shot returns as a table.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    if (options.policy.length === 0 || rest.length > 0)
      throw new UsageError('Which policies? crossplay --policy FILE [--policy FILE ...].');
    const output = createOutput(options.json);
    const policies = await Promise.all(options.policy.map(async (file) => ({ name: file, snapshot: await openPolicy(context, file) })));
    const [first, ...others] = policies;
    const id = first?.snapshot.env.id ?? '';
    const foreign = others.find(({ snapshot }) => snapshot.env.id !== id);
    if (foreign !== undefined)
      throw new UsageError(`${foreign.name} plays ${foreign.snapshot.env.id}, not ${id}: a table has one environment.`);
    const entry = await loadEnv(id);
    const asked = options.partner.length > 0 ? options.partner : ['random', ...entry.policyNames];
    const partners = await Promise.all(
      asked.map(
        async (name): Promise<{ readonly name: string; readonly partner: Partner }> => ({
          name,
          partner: isFile(name) ? await buildPolicy(await openPolicy(context, name)) : name,
        }),
      ),
    );
    const episodes = options.episodes ?? 100;
    const firstSeed = options['seed-start'];
    const rows: string[][] = [['policy \\ partner', ...asked, 'mean']];
    for (const { name, snapshot } of policies) {
      const built = await buildPolicy(snapshot);
      const pairings: Pairing[] = [];
      for (const { name: other, partner } of partners) {
        const pairing = await playTogether({ built, config: snapshot.env.config }, partner, entry, {
          episodes,
          greedy: !options.sampled,
          ...(options.seat.length > 0 && { seats: options.seat }),
          ...(firstSeed !== undefined && { firstSeed }),
          ...(options.steps !== undefined && { steps: options.steps }),
        });
        pairings.push(pairing);
        const { scores, mean: middle, interval } = pairing;
        output.record({ type: 'pairing', policy: name, partner: other, episodes, mean: middle, interval, returns: [...scores] });
      }
      built.free();
      rows.push([name, ...pairings.map(cellText), number(mean(pairings.map((pairing) => pairing.mean)))]);
    }
    const counted = options.steps === undefined ? 'Mean returns' : `Mean returns of the first ${options.steps} steps`;
    output.text(`${counted} of ${episodes} episodes each, with 95 % intervals over episodes\n\n${lined(rows)}`);
  },
};
