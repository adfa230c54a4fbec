/** `evaluate`: episodes of a policy file on fixed seeds, greedy unless asked otherwise. */
import { getAlgo } from '#core/algos/index.ts';
import { loadEnv } from '#core/envs/index.ts';
import { buildPolicy } from '#core/run/by-id.ts';
import { evaluate as measure } from '#core/run/evaluate.ts';
import { std } from '#math/stats.ts';
import { GYM_OPTIONS } from '../gym/gyms.ts';
import type { Command } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, number } from '../kit/output.ts';
import { nameOf } from '../kit/own-titles.ts';
import { CODE_OPTIONS, openGiven } from '../own/open.ts';
import { openPolicy } from '../train/policy-input.ts';

const OPTIONS = {
  policy: { kind: 'text', value: 'FILE', help: 'policy file, from train --out or the page' },
  ...CODE_OPTIONS,
  ...GYM_OPTIONS,
  episodes: { kind: 'count', value: 'N', min: 1, help: 'how many (100)' },
  'seed-start': { kind: 'count', value: 'K', min: 0, help: 'seed of the first episode; the usual evaluation seeds if missing' },
  sampled: { kind: 'flag', help: 'sample actions instead of taking the best' },
  json: { kind: 'flag', help: 'one JSON line, with the return of every episode' },
} as const;

export const evaluate: Command = {
  usage: 'evaluate --policy FILE [--episodes N]',
  summary: 'Measures a policy file over whole episodes.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    if (options.policy === undefined || rest.length > 0) throw new UsageError('Which policy? evaluate --policy FILE.');
    const output = createOutput(options.json);
    await openGiven(options, context);
    const snapshot = await openPolicy(context, options.policy);
    const envEntry = await loadEnv(snapshot.env.id);
    const algo = getAlgo(snapshot.algo.id);
    const envConfig = envEntry.parse(snapshot.env.config);
    const { policy, free } = await buildPolicy(snapshot);
    const episodes = options.episodes ?? 100;
    const firstSeed = options['seed-start'];
    const result = await measure(policy, envEntry, envConfig, {
      episodes,
      greedy: !options.sampled,
      ...(firstSeed === undefined ? {} : { firstSeed }),
    });
    free();
    const returns = Array.from(result.scores);
    output.record({
      type: 'evaluation',
      env: envEntry.id,
      algo: algo.id,
      step: snapshot.step,
      greedy: !options.sampled,
      episodes,
      evalReturn: result.score,
      std: returns.length > 1 ? std(returns, 1) : null,
      loops: result.loops,
      perAgent: result.perAgent,
      returns,
      lengths: Array.from(result.lengths),
    });
    const spread = returns.length > 1 ? ` ± ${number(std(returns, 1))}` : '';
    const loops = result.loops > 0 ? `, ${result.loops} ran into the limit of ${envEntry.meta(envConfig).evalMaxSteps} steps` : '';
    output.text(
      `${nameOf(envEntry.id)}, ${nameOf(algo.id)} at step ${number(snapshot.step)}: mean return ${number(result.score)}${spread} over ${episodes} episodes${loops}`,
    );
  },
};
