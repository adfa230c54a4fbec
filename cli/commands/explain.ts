/**
 * `explain`: what each agent of a team contributes (Shapley values with intervals), or what a decision rests on. Several policy files, such as the checkpoints of
 * one run, are explained one after the other on the same seeds: the values over training.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PolicySnapshot, Replay } from '#contract/events.ts';
import {
  type AgentAttribution,
  type AgentQuestion,
  defaultQuestion,
  type FeatureAttribution,
  type FeatureQuestion,
  type Payoff,
  type ReplacementRule,
  type SchemeName,
} from '#contract/explain.ts';
import type { Team, TeamRequest } from '#contract/explain-api.ts';
import { decodePolicyFile } from '#contract/files.ts';
import type { Json } from '#contract/json.ts';
import { getEnv } from '#core/envs/index.ts';
import { openMoments } from '#core/explain/lib/frames.ts';
import { explainTeam } from '#core/explain/lib/team.ts';
import { buildPolicy, builtIn } from '#core/run/by-id.ts';
import { playEpisode } from '#core/run/replay.ts';
import { reportPage } from '#report/report.ts';
import { readConfig, readInput } from '../config.ts';
import { type Command, type Context, pathFrom } from '../context.ts';
import { UsageError } from '../failure.ts';
import { describeOptions, parseOptions } from '../options.ts';
import { createOutput, number } from '../output.ts';

const SCHEMES: readonly SchemeName[] = ['auto', 'exact', 'permutation', 'antithetic', 'stratified', 'owen', 'banzhaf'];

const ABOUT: readonly FeatureQuestion['about'][] = ['behaviour', 'prediction', 'outcome'];

const OPTIONS = {
  policy: { kind: 'list', value: 'FILE', help: 'policy file; may be repeated, for values over training' },
  env: { kind: 'text', value: 'ID', help: 'environment, with --scripted instead of a policy file' },
  set: { kind: 'list', value: 'env.KEY=VALUE', help: 'its config' },
  scripted: { kind: 'text', value: 'NAME', help: 'explain this scripted policy' },
  players: { kind: 'text', value: '0,1,2', help: 'agents that are explained (all whose returns make the score)' },
  scheme: { kind: 'text', value: 'NAME', choices: SCHEMES, help: 'how coalitions are drawn (auto)' },
  unions: { kind: 'text', value: '0,1/2,3', help: 'for --scheme owen: agents that arrive together' },
  absent: { kind: 'text', value: 'RULE', help: 'noop, random, other-agent, scripted:NAME or policy:FILE (noop)' },
  worth: { kind: 'text', value: 'WHAT', help: 'team, agent:K or component:NAME (team)' },
  sampled: { kind: 'flag', help: 'draw actions instead of taking the best' },
  steps: { kind: 'count', value: 'N', min: 1, help: 'environment steps that may be spent per policy (1000000)' },
  width: { kind: 'text', value: 'W', help: 'stop when half of every interval is at most this' },
  seed: { kind: 'count', value: 'K', min: 0, help: 'seed of coalitions and episodes (1)' },
  features: { kind: 'text', value: 'QUESTION', choices: ABOUT, help: 'instead: what a decision of one agent rests on' },
  agent: { kind: 'count', value: 'K', min: 0, help: 'with --features: whose decision (0)' },
  frame: { kind: 'count', value: 'T', min: 0, help: 'with --features: at which frame (10)' },
  episode: { kind: 'count', value: 'SEED', min: 0, help: 'with --features: of the episode from this seed (1001)' },
  kernel: { kind: 'flag', help: 'with --features: KernelSHAP instead of orders' },
  report: { kind: 'text', value: 'FILE', help: 'also write all answers there as one HTML page' },
  json: { kind: 'flag', help: 'one JSON line per policy, with every number' },
} as const;

function agentsIn(text: string, option: string): number[] {
  const agents = text.split(',').map(Number);
  if (agents.some((agent) => !Number.isInteger(agent) || agent < 0))
    throw new UsageError(`--${option} takes agent numbers such as 0,1,2, not "${text}".`);
  return agents;
}

function payoffOf(text: string): Payoff {
  const [kind, name] = text.split(/:(.*)/s) as [string, string | undefined];
  if (kind === 'team' && name === undefined) return { kind };
  if (kind === 'agent' && name !== undefined && /^\d+$/.test(name)) return { kind, agent: Number(name) };
  if (kind === 'component' && name) return { kind, name };
  throw new UsageError(`--worth takes team, agent:K or component:NAME, not "${text}".`);
}

function replacementOf(
  text: string,
  context: Pick<Context, 'typedIn'>,
): { readonly replacement: ReplacementRule; readonly other: Team | null } {
  const [kind, name] = text.split(/:(.*)/s) as [string, string | undefined];
  if ((kind === 'noop' || kind === 'random' || kind === 'other-agent') && name === undefined) return { replacement: { kind }, other: null };
  if (kind === 'scripted' && name) return { replacement: { kind, name }, other: { scripted: name } };
  if (kind === 'policy' && name)
    return {
      replacement: { kind, key: name, title: name },
      other: { snapshot: decodePolicyFile(readInput(context, name, 'policy file')) },
    };
  throw new UsageError(`--absent takes noop, random, other-agent, scripted:NAME or policy:FILE, not "${text}".`);
}

const widthOf = (halfWidth: number): string => (Number.isFinite(halfWidth) ? ` ± ${number(halfWidth)}` : '');

function describe(title: string, answer: AgentAttribution): string {
  const width = Math.max(...answer.players.map(({ name }) => name.length));
  const lines = answer.players.map(({ name }, i) => `  ${name.padEnd(width)}  ${number(answer.value[i]!)}${widthOf(answer.halfWidth[i]!)}`);
  return [
    `${title}: no agents ${number(answer.vEmpty)}${widthOf(answer.vEmptyHalfWidth)}, all agents ${number(answer.vGrand)}${widthOf(answer.vGrandHalfWidth)}`,
    ...lines,
    `  ${answer.scheme}, ${answer.draws} draws, ${answer.episodes} episodes, ${answer.steps} steps, sum check ${Math.abs(answer.efficiencyGap).toExponential(0)}`,
  ].join('\n');
}

/** Episodes of the page begin with this seed. */
const FIRST_EPISODE = 1001;
const SHOWN = 12;

/** One decision of the best actions' episode from this seed; a frame beyond its end becomes the last. */
async function explainFrame(
  snapshot: PolicySnapshot,
  question: FeatureQuestion,
  seed: number,
  frame: number,
): Promise<{ readonly t: number; readonly of: FeatureAttribution }> {
  const { policy, free } = await buildPolicy(snapshot);
  try {
    const entry = getEnv(snapshot.env.id);
    const config = entry.parse(snapshot.env.config);
    const play = (from: number): Promise<Replay> => playEpisode(policy, entry, config, { seed: from, greedy: true });
    const replay = await play(seed);
    const others = [await play(seed + 1), await play(seed + 2)];
    const t = Math.min(frame, replay.reward.length / entry.meta(config).agentCount - 1);
    const explained = await openMoments({ snapshot, replay, others, question }, builtIn);
    try {
      return { t, of: await explained.at(t) };
    } finally {
      explained.free();
    }
  } finally {
    free();
  }
}

function describeFeatures(title: string, of: FeatureAttribution): string {
  const order = of.features.map((_, i) => i).sort((a, b) => Math.abs(of.value[b]!) - Math.abs(of.value[a]!));
  const shown = order.slice(0, SHOWN);
  const width = Math.max(...shown.map((i) => of.features[i]!.name.length));
  return [
    `${title}: ${of.question.about}, from ${number(of.base)} at other moments to ${number(of.output)} here`,
    ...shown.map(
      (i) =>
        `  ${of.features[i]!.name.padEnd(width)}  ${number(of.value[i]!)}${widthOf(of.halfWidth[i]!)}   alone ${number(of.occlusion?.[i] ?? null)}`,
    ),
    `  ${of.question.method}, ${of.draws} draws, ${of.background} other moments, sum check ${Math.abs(of.efficiencyGap).toExponential(0)}`,
  ].join('\n');
}

export const explain: Command = {
  usage: 'explain --policy FILE [--policy FILE ...] [--absent RULE] [--worth WHAT] [--features QUESTION] [--report FILE]',
  summary: 'Says what each agent of a team contributes, or what a decision rests on.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    if (rest.length > 0 || (options.policy.length === 0) === (options.scripted === undefined))
      throw new UsageError('Whose agents? explain --policy FILE, or explain --env ID --scripted NAME.');
    const output = createOutput(options.json);
    const width = options.width === undefined ? 0 : Number(options.width);
    if (!(width >= 0)) throw new UsageError(`--width takes a number of at least 0, not "${options.width}".`);
    const { replacement, other } = replacementOf(options.absent ?? 'noop', context);
    const question: AgentQuestion = {
      ...defaultQuestion,
      players: options.players === undefined ? null : agentsIn(options.players, 'players'),
      scheme: (options.scheme ?? 'auto') as SchemeName,
      unions: options.unions === undefined ? null : options.unions.split('/').map((union) => agentsIn(union, 'unions')),
      replacement,
      payoff: payoffOf(options.worth ?? 'team'),
      greedy: !options.sampled,
      seed: options.seed ?? 1,
      halfWidth: width,
      maxSteps: options.steps ?? 1_000_000,
    };
    const told: { title: string; answer: AgentAttribution; step: number; config: Json }[] = [];
    const seen: { t: number; of: FeatureAttribution; what: string }[] = [];
    const explainOne = async (
      title: string,
      team: Team,
      env: TeamRequest['env'],
      facts: { readonly [key: string]: Json },
    ): Promise<void> => {
      let answer: AgentAttribution | null = null;
      for await (const estimate of explainTeam({ env, team, question, other }, builtIn)) answer = estimate;
      if (answer === null) throw new Error('The explanation gave no estimate.');
      output.record({ type: 'explanation', ...facts, ...(answer as unknown as { readonly [key: string]: Json }) });
      output.text(describe(title, answer));
      told.push({ title, answer, step: typeof facts.step === 'number' ? facts.step : 0, config: { ...facts, env } as unknown as Json });
    };
    if (options.scripted !== undefined) {
      if (options.env === undefined) throw new UsageError('Which environment? --scripted needs --env ID.');
      const { env } = readConfig({ env: options.env, algo: 'random', config: undefined, set: options.set }, context);
      await explainOne(`${env.id}, scripted ${options.scripted}`, { scripted: options.scripted }, env, {
        env: env.id,
        scripted: options.scripted,
      });
    }
    for (const file of options.policy) {
      const snapshot = decodePolicyFile(readInput(context, file, 'policy file'));
      const { env, algo, seed, step } = snapshot;
      if (options.features !== undefined) {
        const about = options.features as FeatureQuestion['about'];
        const asked = {
          agent: options.agent ?? 0,
          about,
          action: null,
          method: options.kernel ? 'kernel' : 'orders',
          draws: 300,
          seed: options.seed ?? 1,
        } as const;
        const { t, of } = await explainFrame(snapshot, asked, options.episode ?? FIRST_EPISODE, options.frame ?? 10);
        output.record({
          type: 'features',
          policy: file,
          env: env.id,
          algo: algo.id,
          step,
          frame: t,
          ...(of as unknown as { readonly [key: string]: Json }),
        });
        output.text(describeFeatures(`${env.id}, ${algo.id} at step ${number(step)}, frame ${t}`, of));
        seen.push({
          t,
          of,
          what: about === 'prediction' ? 'the return it expects' : about === 'outcome' ? 'the return that follows' : `action ${of.action}`,
        });
        continue;
      }
      await explainOne(`${env.id}, ${algo.id} at step ${number(step)}`, { snapshot }, env, {
        policy: file,
        env: env.id,
        algo: algo.id,
        seed,
        step,
      });
    }
    if (options.report === undefined) return;
    const [first] = told;
    const last = told.at(-1);
    const page = reportPage({
      title: last?.title ?? `What a decision rests on`,
      made: new Date().toISOString(),
      about: last?.title ?? options.policy.join(', '),
      config: last?.config ?? options.policy,
      curve: null,
      agents: last?.answer ?? null,
      training: first === last ? [] : told.map(({ step, answer }) => ({ step, answer })).sort((a, b) => a.step - b.step),
      features: seen.at(-1) ?? null,
      whatIf: null,
      picture: null,
    });
    const path = pathFrom(context, options.report);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, page);
    output.text(`report: ${path}`);
  },
};
