/**
 * `explain`: what each agent of a team contributes (Shapley values with intervals), what a decision rests on, or what any other explainer of
 * the registry finds. Several policy files, such as the checkpoints of one run, are explained one after the other on the same seeds: the values over training.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  AGENTS,
  type AgentAttribution,
  type AgentQuestion,
  defaultQuestion,
  FEATURES,
  type FeatureAttribution,
  type FeatureQuestion,
  type Payoff,
  type ReplacementRule,
  type SchemeName,
} from '#contract/explain/explain.ts';
import {
  type Answer,
  type ExplainerRef,
  type ExplainRequest,
  type Interval,
  requestOf,
  type Team,
  type TreeMove,
} from '#contract/explain/explain-api.ts';
import { type Json, readJson } from '#contract/kit/json.ts';
import type { Replay } from '#contract/run/events.ts';
import { loadEnv } from '#core/envs/index.ts';
import { explainers, getExplainer } from '#core/explain/index.ts';
import { buildPolicy, builtIn } from '#core/run/by-id.ts';
import { playEpisode, playScripted } from '#core/run/replay.ts';
import { reportPage } from '#report/report.ts';
import { GYM_OPTIONS } from '../gym/gyms.ts';
import { type Command, type Context, pathFrom } from '../kit/context.ts';
import { UsageError } from '../kit/failure.ts';
import { describeOptions, parseOptions } from '../kit/options.ts';
import { createOutput, number } from '../kit/output.ts';
import { nameOf } from '../kit/own-titles.ts';
import { readConfig } from '../own/config.ts';
import { CODE_OPTIONS, namedBy, openGiven } from '../own/open.ts';
import { openPolicy } from '../train/policy-input.ts';

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
  frame: { kind: 'count', value: 'T', min: 0, help: 'with --features or --explainer: at which frame (10)' },
  episode: { kind: 'count', value: 'SEED', min: 0, help: 'with --features or --explainer: of the episode from this seed (1001)' },
  explainer: {
    kind: 'text',
    value: 'ID',
    choices: explainers.map(({ id }) => id),
    help: 'instead: any explainer, about the policy or, with --frame, a frame',
  },
  with: { kind: 'list', value: 'KEY=VALUE', help: 'with --explainer: its config' },
  kernel: { kind: 'flag', help: 'with --features: KernelSHAP instead of orders' },
  report: { kind: 'text', value: 'FILE', help: 'also write all answers there as one HTML page' },
  ...CODE_OPTIONS,
  ...GYM_OPTIONS,
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

async function replacementOf(
  text: string,
  context: Pick<Context, 'typedIn'>,
): Promise<{ readonly replacement: ReplacementRule; readonly other: Team | null }> {
  const [kind, name] = text.split(/:(.*)/s) as [string, string | undefined];
  if ((kind === 'noop' || kind === 'random' || kind === 'other-agent') && name === undefined) return { replacement: { kind }, other: null };
  if (kind === 'scripted' && name) return { replacement: { kind, name }, other: null };
  if (kind === 'policy' && name)
    return {
      replacement: { kind, key: name, title: name },
      other: { snapshot: await openPolicy(context, name) },
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
const DEFAULT_FRAME = 10;
const SHOWN = 12;

interface Asked {
  readonly team: Team;
  readonly env: NonNullable<ExplainRequest['env']>;
  readonly other?: Team | null;
  /** The episode from this seed, at this frame; a frame beyond its end becomes the last. */
  readonly frame?: { readonly seed: number; readonly t: number };
}

/** The last answer of an explainer. */
async function answerOf<C extends object, D>(ref: ExplainerRef<C, D>, config: Partial<C>, asked: Asked): Promise<Answer<D>> {
  const { team, env, other = null, frame } = asked;
  const episodes = frame === undefined ? [] : await episodesOf(asked, frame.seed);
  const [replay, ...others] = episodes;
  const last = (replay?.reward.length ?? 0) / (await loadEnv(env.id)).meta(env.config).agentCount - 1;
  const moment = replay === undefined ? null : { replay, t: Math.min(frame?.t ?? 0, last) };
  let answer: Answer | null = null;
  const request = requestOf(ref, config, { env, team, other, moment, episodes: others });
  for await (const next of getExplainer(ref.id).explain(request, { registry: builtIn })) answer = next;
  if (answer === null) throw new Error('The explanation gave no answer.');
  return answer as Answer<D>;
}

/** Three episodes of the best actions: the explained one and two more to compare with. */
async function episodesOf({ team, env }: Asked, seed: number): Promise<Replay[]> {
  const entry = await loadEnv(env.id);
  const config = entry.parse(env.config);
  const seeds = [seed, seed + 1, seed + 2];
  if ('scripted' in team) return Promise.all(seeds.map((from) => playScripted(team.scripted, entry, config, from)));
  const { policy, free } = await buildPolicy(team.snapshot);
  try {
    const played: Replay[] = [];
    for (const from of seeds) played.push(await playEpisode(policy, entry, config, { seed: from, greedy: true }));
    return played;
  } finally {
    free();
  }
}

const inWords = ({ value, halfWidth }: Interval): string => `${number(value)}${halfWidth === null ? '' : widthOf(halfWidth)}`;

/** A line for each move, indented by how far ahead it is. */
function treeLines(moves: readonly TreeMove[]): string[] {
  const ahead: number[] = [];
  return moves.map(({ parent, label, visits, value, over }) => {
    const depth = parent < 0 ? 0 : ahead[parent]! + 1;
    ahead.push(depth);
    return `  ${'  '.repeat(depth)}${label}: ${visits} visits, value ${number(value)}${over ? ', ends the game' : ''}`;
  });
}

/** An answer by its kind, for explainers without words of their own here. */
function describeAnswer(title: string, { title: what, unit, t, data, words }: Answer): string {
  const table = (rows: readonly (readonly string[])[]): string[] => {
    const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
    return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`.trimEnd());
  };
  const lines = (): string[] => {
    switch (data.kind) {
      case 'bars':
        return table(data.bars.map((bar) => [bar.label, inWords(bar)]));
      case 'matrix':
        return table([
          ['', ...data.columns],
          ...data.rows.map((row, i) => [row, ...data.columns.map((_, j) => number(data.values[i * data.columns.length + j]!))]),
        ]);
      case 'series':
        return data.lines.flatMap((line) => [`  ${line.label}`, ...table(line.x.map((x, k) => ['', number(x), number(line.y[k]!)]))]);
      case 'tree':
        return treeLines(data.moves);
      case 'replays':
        return table([...data.sides.map((side) => [side.label, inWords(side)]), ['difference', inWords(data.difference)]]);
    }
  };
  const head = `${title}${t === null ? '' : `, frame ${t}`}: ${what}${unit === '' ? '' : ` (${unit})`}`;
  return [head, ...lines(), ...words.map((sentence) => `  ${sentence}`)].join('\n');
}

/** An explainer that needs neither policy nor environment. */
async function explainAlone(id: string, config: object, output: ReturnType<typeof createOutput>): Promise<void> {
  for await (const answer of getExplainer(id).explain(requestOf({ id }, config, {}), { registry: builtIn })) {
    if (answer.end === 'running') continue;
    output.record({ type: 'answer', ...(answer as unknown as { readonly [key: string]: Json }) });
    output.text(describeAnswer(id, answer));
  }
}

/** KEY=VALUE, the value as JSON where it is JSON, else as text. */
function configFrom(settings: readonly string[]): Record<string, Json> {
  return Object.fromEntries(
    settings.map((setting) => {
      const [key, text] = setting.split(/=(.*)/s) as [string, string | undefined];
      if (text === undefined) throw new UsageError(`--with takes KEY=VALUE, not "${setting}".`);
      try {
        return [key, readJson(text)];
      } catch {
        return [key, text]; // not JSON: a word
      }
    }),
  );
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
  usage: 'explain --policy FILE [--policy FILE ...] [--explainer ID] [--absent RULE] [--worth WHAT] [--features QUESTION] [--report FILE]',
  summary: 'Says what each agent of a team contributes, or what a decision rests on.',
  help: describeOptions(OPTIONS),
  async run(args, context) {
    const { options, rest } = parseOptions(args, OPTIONS);
    const explainer = options.explainer === undefined ? null : getExplainer(options.explainer);
    if (explainer?.team === 'none' && rest.length === 0 && options.policy.length === 0 && options.scripted === undefined) {
      await explainAlone(explainer.id, configFrom(options.with), createOutput(options.json));
      return;
    }
    if (rest.length > 0 || (options.policy.length === 0) === (options.scripted === undefined))
      throw new UsageError('Whose agents? explain --policy FILE, or explain --env ID --scripted NAME.');
    const output = createOutput(options.json);
    const width = options.width === undefined ? 0 : Number(options.width);
    if (!(width >= 0)) throw new UsageError(`--width takes a number of at least 0, not "${options.width}".`);
    const given = await openGiven(options, context);
    const { replacement, other } = await replacementOf(options.absent ?? 'noop', context);
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
    const at = (t: number) => ({ seed: options.episode ?? FIRST_EPISODE, t });
    const explainOne = async (title: string, team: Team, env: Asked['env'], facts: { readonly [key: string]: Json }): Promise<void> => {
      if (explainer !== null) {
        const frame = options.frame ?? (explainer.frame === 'required' ? DEFAULT_FRAME : undefined);
        const asked = { team, env, ...(frame !== undefined && { frame: at(frame) }) };
        const answer = await answerOf({ id: explainer.id }, configFrom(options.with), asked);
        output.record({ type: 'answer', ...facts, ...(answer as unknown as { readonly [key: string]: Json }) });
        output.text(describeAnswer(title, answer));
        return;
      }
      const { detail: answer } = await answerOf(AGENTS, question, { team, env, other });
      output.record({ type: 'explanation', ...facts, ...(answer as unknown as { readonly [key: string]: Json }) });
      output.text(describe(title, answer));
      told.push({ title, answer, step: typeof facts.step === 'number' ? facts.step : 0, config: { ...facts, env } as unknown as Json });
    };
    if (options.scripted !== undefined) {
      const asked = { env: options.env, ...namedBy(given, options) };
      if (asked.env === undefined) throw new UsageError('Which environment? --scripted needs --env ID or --env-file FILE.');
      const { env } = await readConfig({ ...asked, algo: 'random', config: undefined, set: options.set }, context);
      await explainOne(`${nameOf(env.id)}, scripted ${options.scripted}`, { scripted: options.scripted }, env, {
        env: env.id,
        scripted: options.scripted,
      });
    }
    for (const file of options.policy) {
      const snapshot = await openPolicy(context, file);
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
        const found = await answerOf(FEATURES, asked, { team: { snapshot }, env, frame: at(options.frame ?? DEFAULT_FRAME) });
        const of = found.detail;
        const t = found.t ?? 0;
        output.record({
          type: 'features',
          policy: file,
          env: env.id,
          algo: algo.id,
          step,
          frame: t,
          ...(of as unknown as { readonly [key: string]: Json }),
        });
        output.text(describeFeatures(`${nameOf(env.id)}, ${nameOf(algo.id)} at step ${number(step)}, frame ${t}`, of));
        seen.push({
          t,
          of,
          what: about === 'prediction' ? 'the return it expects' : about === 'outcome' ? 'the return that follows' : `action ${of.action}`,
        });
        continue;
      }
      await explainOne(`${nameOf(env.id)}, ${nameOf(algo.id)} at step ${number(step)}`, { snapshot }, env, {
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
