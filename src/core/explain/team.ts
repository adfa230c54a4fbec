/** Who plays in an explanation, from what a page or a command line can name. */
import { fail } from '#contract/errors.ts';
import type { AgentAttribution, AgentQuestion } from '#contract/explain.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Team } from '#contract/session.ts';
import { getEnv } from '../envs/index.ts';
import type { EnvEntry, EnvMeta } from '../envs/types.ts';
import { Rng } from '../math/rng.ts';
import { buildPolicy } from '../run/policy.ts';
import { type Replacement, replacementOf } from './absent.ts';
import { type Actor, learnedActor, scriptedActor } from './actors.ts';
import { explainAgents, playersOf } from './agents.ts';

interface Recruited {
  /** The same policy, acting in batches of this size. */
  actor(batch: number): Actor;
  free(): void;
}

/** Learned policies are built once. Throws LabError('unknown-id') for a script that is not there, and what buildPolicy throws. */
async function recruit(team: Team, entry: EnvEntry, config: unknown, meta: EnvMeta, greedy: boolean): Promise<Recruited> {
  if ('scripted' in team) {
    const policy = entry.policies(config)[team.scripted];
    if (policy === undefined)
      throw fail('unknown-id', `There is no scripted policy "${team.scripted}".`, `There are: ${entry.policyNames.join(', ') || 'none'}.`);
    return { actor: () => scriptedActor(policy), free() {} };
  }
  const { policy, free } = await buildPolicy(team.snapshot);
  return { actor: (batch) => learnedActor(policy, meta, batch, greedy, Rng.from(0)), free };
}

export interface TeamRequest {
  readonly env: { readonly id: string; readonly config: JsonObject };
  readonly team: Team;
  readonly question: AgentQuestion;
  /** Acts for absent agents where the question says so. */
  readonly other: Team | null;
}

export interface Assembled {
  readonly entry: EnvEntry;
  readonly config: JsonObject;
  readonly meta: EnvMeta;
  readonly team: (batch: number) => Actor;
  /** Stands in for these agents. */
  readonly absent: (batch: number, players: readonly number[]) => Replacement;
  free(): void;
}

/** Everybody who may have to act. The caller frees. */
export async function assemble({ env, team, question, other }: TeamRequest): Promise<Assembled> {
  const entry = getEnv(env.id);
  const config = entry.parse(env.config);
  const meta = entry.meta(config);
  const ours = await recruit(team, entry, config, meta, question.greedy);
  try {
    const theirs = other === null ? null : await recruit(other, entry, config, meta, question.greedy);
    return {
      entry,
      config,
      meta,
      team: ours.actor,
      absent: (batch, players) => replacementOf(question.absent, meta, players, theirs?.actor(batch) ?? null),
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

/** Values of a team's agents (agents.ts), from what a page or a command line can name. */
export async function* explainTeam(
  request: TeamRequest,
  options: { readonly from?: Uint8Array; readonly pace?: () => Promise<void> | undefined } = {},
): AsyncGenerator<AgentAttribution, void, void> {
  const { question } = request;
  const { absent, free, ...rest } = await assemble(request);
  try {
    const players = playersOf(rest.meta, question);
    yield* explainAgents({ ...rest, ...options, question, absent: (batch) => absent(batch, players) });
  } finally {
    free();
  }
}
