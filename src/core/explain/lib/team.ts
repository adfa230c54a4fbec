/** Who plays in an explanation, from what a request names by id; `registry` knows the ids. */
import { fail } from '#contract/errors.ts';
import type { Replay } from '#contract/events.ts';
import type { AgentAttribution, AgentQuestion } from '#contract/explain.ts';
import type { ReplayFrame, Team, TeamRequest } from '#contract/explain-api.ts';
import type { JsonObject } from '#contract/json.ts';
import { Rng } from '#math/rng.ts';
import { createActions } from '../../envs/api/buffers.ts';
import type { EnvEntry, EnvMeta } from '../../envs/api/types.ts';
import { buildPolicy } from '../../run/policy.ts';
import type { Registry } from '../../run/registry.ts';
import { ReplayReader } from '../../run/replay.ts';
import { type AgentsOptions, explainAgents, playersOf } from '../agents.ts';
import { type Actor, learnedActor, scriptedActor } from './actors.ts';
import { type Replacement, replacementOf } from './replacement.ts';

interface BuiltTeam {
  /** The same policy, acting in batches of this size; `memory` as in learnedActor. */
  actor(batch: number, memory?: Float32Array): Actor;
  free(): void;
}

/** Learned policies are built once. Throws LabError('unknown-id') for a script that is not there, and what buildPolicy throws. */
async function buildTeam(
  team: Team,
  registry: Registry,
  entry: EnvEntry,
  config: unknown,
  meta: EnvMeta,
  greedy: boolean,
): Promise<BuiltTeam> {
  if ('scripted' in team) {
    const policy = entry.policies(config)[team.scripted];
    if (policy === undefined)
      throw fail('unknown-id', `There is no scripted policy "${team.scripted}".`, `There are: ${entry.policyNames.join(', ') || 'none'}.`);
    return { actor: () => scriptedActor(policy), free() {} };
  }
  const { policy, free } = await buildPolicy(team.snapshot, registry);
  return { actor: (batch, memory) => learnedActor(policy, meta, batch, greedy, Rng.from(0), memory), free };
}

interface Assembled {
  readonly entry: EnvEntry;
  readonly config: JsonObject;
  readonly meta: EnvMeta;
  readonly team: (batch: number, memory?: Float32Array) => Actor;
  /** Stands in for these agents. */
  readonly absent: (batch: number, players: readonly number[]) => Replacement;
  free(): void;
}

/** Everybody who may have to act. The caller frees. */
export async function assemble({ env, team, question, other }: TeamRequest, registry: Registry): Promise<Assembled> {
  const entry = registry.env(env.id);
  const config = entry.parse(env.config);
  const meta = entry.meta(config);
  const ours = await buildTeam(team, registry, entry, config, meta, question.greedy);
  try {
    const theirs = other === null ? null : await buildTeam(other, registry, entry, config, meta, question.greedy);
    return {
      entry,
      config,
      meta,
      team: ours.actor,
      absent: (batch, players) => replacementOf(question.replacement, meta, players, theirs?.actor(batch) ?? null),
      free() {
        ours.free();
        theirs?.free();
      },
    };
  } catch (error) {
    ours.free();
    throw error;
  }
}

/** Values of a team's agents (agents.ts), from what a request names. */
export async function* explainTeam(
  request: TeamRequest,
  registry: Registry,
  options: { readonly from?: ReplayFrame; readonly pace?: () => Promise<void> | undefined } = {},
): AsyncGenerator<AgentAttribution, void, void> {
  const people = await assemble(request, registry);
  const { from, pace } = options;
  try {
    const start = from === undefined ? {} : await standAt(people, from);
    yield* explainAgents({ ...valuesOf(people, request.question), ...start, ...(pace && { pace }) });
  } finally {
    people.free();
  }
}

/** The same of the rest of a replay at several frames, one after another; everybody is built once. */
export async function* explainTeamAlong(
  request: TeamRequest,
  registry: Registry,
  replay: Replay,
  frames: readonly number[],
  pace?: () => Promise<void> | undefined,
): AsyncGenerator<{ readonly t: number; readonly answer: AgentAttribution }, void, void> {
  const people = await assemble(request, registry);
  try {
    for (const t of frames) {
      const start = await standAt(people, { replay, t });
      for await (const answer of explainAgents({ ...valuesOf(people, request.question), ...start, whole: true, ...(pace && { pace }) }))
        if (answer.end !== 'running') yield { t, answer };
    }
  } finally {
    people.free();
  }
}

function valuesOf({ entry, config, meta, team, absent }: Assembled, question: AgentQuestion): AgentsOptions {
  const players = playersOf(meta, question);
  return { entry, config, meta, question, team, absent: (batch) => absent(batch, players) };
}

interface Standing {
  /** The state at the frame. */
  readonly from: Uint8Array;
  /** What the team remembers there, [A, ...]. */
  readonly memory: Float32Array;
}

/** The world and the team's memory at a frame of a replay: a team with a memory watches the episode up to there. */
export async function standAt({ entry, team }: Assembled, { replay, t }: ReplayFrame): Promise<Standing> {
  const reader = new ReplayReader(replay, entry);
  const watcher = team(1);
  if (watcher.memory.length > 0) {
    const ignored = createActions(reader.env.meta, 1);
    const clock = { seed: Uint32Array.of(replay.seed), step: Int32Array.of(0) };
    for (let frame = 0; frame < t; frame++) {
      reader.seek(frame);
      await watcher.act(reader.env, reader.buffers, clock, ignored);
    }
  }
  reader.seek(t);
  return { from: reader.env.save(0), memory: watcher.memory.slice() };
}
