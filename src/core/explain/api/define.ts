/** From a typed explainer to a registry entry that takes requests by id and checks what all explainers have in common. */
import type { z } from 'zod';
import type { ExplainerCard, FieldSchema, Source } from '#contract/catalog/catalog.ts';
import type { Answer, AnswerKind, ExplainerRef, ExplainRequest } from '#contract/explain/explain-api.ts';
import { fail } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Policy } from '../../algos/api/types.ts';
import { parseConfig, toFieldSchema } from '../../envs/api/parse.ts';
import type { EnvMeta } from '../../envs/api/types.ts';
import { Scene, type SceneOptions } from './scene.ts';

/** What an explainer yields: an answer without what the registry fills in. */
export type Yielded<D> = Omit<Answer<D>, 'explainer' | 't'>;

/** A small question that tests ask of every explainer. */
export interface ExplainTrial {
  readonly env: { readonly id: string; readonly config: JsonObject };
  readonly algo: { readonly id: string; readonly config: JsonObject };
  /** Environment steps of training. */
  readonly steps: number;
  readonly config: JsonObject;
  /** An environment, and a policy in it, that it must refuse; left out where it refuses nothing. */
  readonly refuses?: { readonly env: { readonly id: string; readonly config: JsonObject }; readonly algo: string };
}

interface Common<C extends object, D> {
  /** Names the config and the detail of its answers, for panels that know them. */
  readonly ref: ExplainerRef<C, D>;
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  readonly source: Source;
  readonly config: z.ZodType<C>;
  readonly answers: AnswerKind;
  readonly trial: ExplainTrial;
}

/** Explains a policy in an environment. */
interface PolicyExplainer<C extends object, D> extends Common<C, D> {
  /** Whether it needs a learned policy, or takes a scripted one too. */
  readonly team: 'learned' | 'any';
  readonly frame: 'required' | 'optional' | 'none';
  /** Smallest number of agents; default 1. */
  readonly agents?: number;
  /** Throws LabError('incompatible') where it cannot explain this policy (null: a scripted one) there, naming why. */
  fits?(meta: EnvMeta, policy: Policy | null): void;
  /** Yields better and better answers; deterministic for a config. Throws LabError for a config that has no answer here. */
  explain(scene: Scene, config: C): AsyncGenerator<Yielded<D>, void, void>;
}

/** Needs neither policy nor environment. */
interface StandaloneExplainer<C extends object, D> extends Common<C, D> {
  standalone(config: C, options: SceneOptions): AsyncGenerator<Yielded<D>, void, void>;
}

export type ExplainerDef<C extends object, D> = PolicyExplainer<C, D> | StandaloneExplainer<C, D>;

export interface ExplainerEntry {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly source: Source;
  readonly schema: FieldSchema;
  readonly answers: AnswerKind;
  readonly team: ExplainerCard['team'];
  readonly frame: ExplainerCard['frame'];
  readonly agents: number;
  readonly trial: ExplainTrial;
  /** Fills defaults. Throws LabError('config-invalid'). */
  parse(config: unknown): JsonObject;
  /**
   * Answers better and better; the last is not 'running'. At several frames, one answer for each of them. Throws LabError naming the
   * field where the explainer does not fit, and whatever `pace` throws.
   */
  explain(request: ExplainRequest, options: SceneOptions): AsyncGenerator<Answer, void, void>;
}

export function defineExplainer<C extends object, D>(def: ExplainerDef<C, D>): ExplainerEntry {
  const { ref, title, summary, source, answers, trial } = def;
  const typed = (config: unknown): C => parseConfig(def.config, config ?? {}, 'explain');
  const alone = 'standalone' in def;
  const agents = alone ? 0 : (def.agents ?? 1);
  return {
    id: ref.id,
    title,
    summary,
    source,
    answers,
    trial,
    team: alone ? 'none' : def.team,
    frame: alone ? 'none' : def.frame,
    agents,
    schema: toFieldSchema(def.config),
    parse: (config) => typed(config) as JsonObject,
    async *explain(request, options) {
      const config = typed(request.config);
      if (alone) {
        await options.pace?.();
        for await (const answer of def.standalone(config, options)) yield { ...answer, explainer: ref.id, t: null };
        return;
      }
      const scene = await Scene.open(request, options);
      try {
        check(def, scene, request, agents);
        await options.pace?.();
        if (request.frames === null) {
          const t = def.frame !== 'none' && scene.hasMoment ? scene.moment.t : null;
          for await (const answer of def.explain(scene, config)) yield { ...answer, explainer: ref.id, t };
          return;
        }
        for (const t of request.frames) {
          await options.pace?.();
          let last: Yielded<D> | null = null;
          for await (const answer of def.explain(scene.atFrame(t), config)) last = answer;
          if (last !== null) yield { ...last, explainer: ref.id, t };
        }
      } finally {
        scene.free();
      }
    },
  };
}

function check<C extends object, D>(def: PolicyExplainer<C, D>, scene: Scene, request: ExplainRequest, agents: number): void {
  const refuse = (why: string, fix: string, field: string) => fail('incompatible', `${def.title}: ${why}`, fix, field);
  const { meta, policy } = scene;
  if (meta.agentCount < agents)
    throw refuse(`at least ${agents} agents are needed, here ${meta.agentCount === 1 ? 'is 1' : `are ${meta.agentCount}`}.`, 'Choose an environment with a team, or more agents.', 'agents'); // biome-ignore format: one refusal a line
  if (def.team === 'learned' && policy === null)
    throw refuse('a scripted policy has no network to ask.', 'Train first, or choose a learned policy.', 'team');
  if (def.frame === 'required' && request.moment === null)
    throw refuse('a frame of an episode is explained.', 'Choose an episode and a frame.', 'frame');
  if (request.frames !== null && (def.frame === 'none' || request.moment === null))
    throw refuse('it explains the policy on the whole, not frames.', 'Ask once, without frames.', 'frames');
  def.fits?.(meta, policy);
}
