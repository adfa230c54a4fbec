/** Makes a registry entry of a MiniGrid generator: config, meta, state and the golden hooks are the same for all of them. */

import { z } from 'zod';
import type { Preset, ReferenceReturn, Source } from '#contract/catalog/catalog.ts';
import { checkMaps } from '#contract/game/map-check.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { Rng } from '#math/rng.ts';
import { defineEnv } from '../../api/define.ts';
import { offerOf } from '../../api/offer.ts';
import type { EnvEntry, EnvMeta, Offer } from '../../api/types.ts';
import type { Builder } from './builder.ts';
import { COLOURS, colourOf, DOOR, EMPTY, FLOOR, GOAL, KEY, LAVA, LOOKS, objectOf } from './cells.ts';
import { type GridConfig, type GridDefaults, gridShape, ownMap } from './config.ts';
import { createWorld } from './core.ts';
import { createExpert, levelSolver, type Task } from './expert.ts';
import { compileInstruction, type Instruction } from './instructions.ts';
import type { MissionCode } from './mission.ts';
import { DROP, FORWARD, PICKUP, TOGGLE } from './moment.ts';
import { RETURNS } from './returns.ts';
import { type CompiledRule, compileRule, type RuleType } from './rules.ts';
import { missionText, sentenceField, tellMission, tokenMission } from './sentences.ts';
import { minigridState } from './state.ts';
import { usualNumbers } from './usual-rule.ts';
import type { World } from './world.ts';

export const MINIGRID: Source = {
  title: 'Minigrid & Miniworld: modular and customizable reinforcement learning environments for goal-oriented tasks',
  authors: 'Chevalier-Boisvert et al.',
  year: 2023,
  url: 'https://arxiv.org/abs/2306.13831',
};

export interface GridDef<E extends z.ZodRawShape> extends Offer {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  /** Minigrid's paper without it. */
  readonly source?: Source;
  readonly defaults: GridDefaults;
  /** Settings of the generator. */
  readonly extra: E;
  readonly presets: readonly Preset[];
  readonly rule: RuleType;
  maxSteps(c: GridConfig & z.output<z.ZodObject<E>>): number;
  mission(c: GridConfig & z.output<z.ZodObject<E>>, a: number, b: number): string;
  readonly missionCode?: MissionCode;
  /** Only the first actions; 7 without it. */
  readonly actions?: number;
  /** Balls walk about, see obstacles.ts. */
  readonly obstacles?: boolean;
  /** Its levels may be edited: a copy of one with a small change, drawn. */
  readonly edited?: (level: Uint8Array, width: number, height: number, rng: Rng) => Uint8Array;
  /** Where the size follows from other settings. */
  size?(c: GridConfig & z.output<z.ZodObject<E>>): readonly [width: number, height: number];
  /** BabyAI: generated episodes have a sentence of their own, of at most `tokens` words of mission.ts. */
  readonly told?: {
    tokens(c: GridConfig & z.output<z.ZodObject<E>>): number;
    limit(c: GridConfig & z.output<z.ZodObject<E>>, instruction: Instruction): number;
  };
  /** Throws 'config-invalid' where the generator cannot make such a map. */
  check?(c: GridConfig & z.output<z.ZodObject<E>>): void;
  generate(c: GridConfig & z.output<z.ZodObject<E>>, builder: Builder): void;
  references?(c: GridConfig & z.output<z.ZodObject<E>>): readonly ReferenceReturn[];
}

const ZOO = 'RL Baselines3 Zoo, benchmark.md: PPO on flat observations';
const ACTIONS = ['left', 'right', 'forward', 'pickup', 'drop', 'toggle', 'done'];
const KEYS = [['ArrowLeft', 'a'], ['ArrowRight', 'd'], ['ArrowUp', 'w'], ['e'], ['q'], [' '], ['Enter']];

interface Prepared {
  readonly width: number;
  readonly height: number;
  readonly rule: CompiledRule | null;
  readonly map: Uint32Array | null;
  numbers(words: Uint32Array): readonly [number, number];
}

function prepare(c: GridConfig, type: RuleType, size: readonly [number, number]): Prepared {
  const map = ownMap(c);
  const width = map?.width ?? size[0];
  const height = map?.height ?? size[1];
  const rule = c.endRule === null ? null : compileRule(c.endRule);
  const numbers = (words: Uint32Array) => (rule === null ? usualNumbers(type, words) : rule.numbers(words, width, height));
  if (map !== null) numbers(map.words); // a map that lacks what its rule needs is an error now, not at the first reset
  return { width, height, rule, map: map?.words ?? null, numbers };
}

export function defineMiniGrid<E extends z.ZodRawShape>(def: GridDef<E>): EnvEntry {
  type C = GridConfig & z.output<z.ZodObject<E>>;
  const config = z.strictObject({ ...def.extra, ...gridShape(def.defaults), ...def.extra }) as unknown as z.ZodType<C>;

  const presetTexts = def.presets.map((preset) => JSON.stringify(config.parse(preset.config)));
  const measuredReturns = (c: C): readonly ReferenceReturn[] => {
    const preset = def.presets[presetTexts.indexOf(JSON.stringify(c))];
    const found = preset === undefined ? undefined : RETURNS[def.id]?.[preset.id];
    if (found === undefined) return [];
    return [
      { name: 'random', value: found.random, source: 'uniform actions, measured over 1,000 episodes' },
      { name: 'expert', value: found.expert, source: `scripted policy "expert", measured over ${found.episodes} episodes` },
      ...(found.published === undefined ? [] : [{ name: 'published PPO', value: found.published, source: ZOO }]),
    ];
  };

  const metaOf = (c: C, p: Prepared): EnvMeta => {
    const maxSteps = c.maxSteps ?? def.maxSteps({ ...c, width: p.width, height: p.height });
    const mission = missionOf(c);
    const extra = 4 + (mission?.size ?? 0);
    const actions = def.actions ?? ACTIONS.length;
    return {
      id: def.id,
      version: 1,
      agents: [
        {
          count: 1,
          names: ['agent'],
          obs: { kind: 'grid', shape: [c.viewSize, c.viewSize, 3], codes: [11, 6, 3], extra },
          action: { kind: 'discrete', n: actions, labels: ACTIONS.slice(0, actions) },
        },
      ],
      agentCount: 1,
      obsSize: c.viewSize * c.viewSize * 3 + extra,
      actionSize: 1,
      actionCount: actions,
      rewards: ['reward'],
      costs: [],
      globalSize: 0,
      masked: false,
      cells: {
        kind: 'view',
        size: c.viewSize,
        forward: FORWARD,
        changes: [PICKUP, DROP, TOGGLE],
        enter: [EMPTY, FLOOR, GOAL, LAVA],
        door: DOOR,
      },
      score: 'mean',
      gamma: 0.99,
      maxSteps,
      evalMaxSteps: maxSteps,
      state: minigridState(p.width, p.height, p.numbers, def.told && sentenceField(p.width, p.height, p.rule?.sentence ?? null)),
      frame: {
        kind: 'grid',
        width: p.width,
        height: p.height,
        agents: 1,
        headings: true,
        looks: LOOKS,
        colours: COLOURS,
        view: (c.viewSize - 1) / 2,
      },
      references: [...measuredReturns(c), ...(p.map === null && c.endRule === null ? (def.references?.(c) ?? []) : [])],
      keys: KEYS.slice(0, actions),
      idleAction: null,
      fps: 8,
      ...(def.edited && { edited: true }),
    };
  };

  const missionOf = (c: C): MissionCode | undefined => (def.told === undefined ? def.missionCode : tokenMission(def.told.tokens(c)));

  const prepared = (c: C): Prepared => {
    const p = prepare(c, def.rule, def.size?.(c) ?? [c.width, c.height]);
    if (p.map === null) def.check?.(c);
    return p;
  };

  /** What the planner is asked for. */
  const taskOf = (c: C, p: Prepared): Task => {
    const rule = p.rule?.type ?? def.rule;
    const sentence = p.rule?.sentence ?? null;
    return {
      width: p.width,
      height: p.height,
      rule,
      instruction: sentence === null || def.told !== undefined ? null : compileInstruction(sentence),
      told: def.told !== undefined,
      pickupToggles: c.pickupActsAsToggle ?? rule === 'reach',
      obstacles: def.obstacles ?? false,
    };
  };

  return defineEnv<C>({
    spec: {
      id: def.id,
      version: 1,
      title: def.title,
      summary: def.summary,
      source: def.source ?? MINIGRID,
      config,
      checkNew: checkMaps,
      presets: def.presets,
      ...offerOf(def),
      meta: (c) => metaOf(c, prepared(c)),
    },
    create(c, batch, options) {
      const p = prepared(c);
      const meta = metaOf(c, p);
      const rule = p.rule?.type ?? def.rule;
      const { told } = def;
      const sentence = p.rule?.sentence ?? null;
      const mission = missionOf(c);
      const world: World = {
        meta,
        width: p.width,
        height: p.height,
        maxSteps: meta.maxSteps,
        viewSize: c.viewSize,
        seeThroughWalls: c.seeThroughWalls,
        pickupToggles: c.pickupActsAsToggle ?? rule === 'reach',
        rule,
        instruction: sentence === null || told !== undefined ? null : compileInstruction(sentence),
        ...(told !== undefined && {
          told: {
            limit: (instruction) => c.maxSteps ?? told.limit(c, instruction),
            encode: (builder) => tellMission(builder, builder.sentence),
          },
        }),
        obstacles: def.obstacles ?? false,
        generate(builder) {
          if (p.map === null) {
            def.generate(c, builder);
            if (p.rule !== null) {
              [builder.a, builder.b] = p.numbers(builder.copy());
              builder.sentence = sentence;
            }
            return;
          }
          for (let i = 0; i < p.map.length; i++) builder.set(i % p.width, Math.floor(i / p.width), p.map[i]!);
          [builder.a, builder.b] = p.numbers(p.map);
          builder.sentence = sentence;
          if (c.start === null) builder.placeAgent();
          else builder.agent(c.start[0]!, c.start[1]!, c.start[2]!);
        },
        mission: (a, b, words, at) => c.mission ?? (told === undefined ? def.mission(c, a, b) : missionText(words, at)),
        missionSize: mission?.size ?? 0,
        writeMission: mission?.write ?? (() => {}),
      };
      const { edited } = def;
      return {
        ...createWorld(world, batch, options?.draws),
        // among obstacles that walk there is no plan
        ...(!world.obstacles && { solveLevel: levelSolver(taskOf(c, p), () => createWorld(world, 1)) }),
        ...(edited && { editLevel: (level, rng) => edited(level, p.width, p.height, rng) }),
      };
    },
    policies: { expert: (c) => createExpert(taskOf(c, prepared(c))) },
    golden: {
      // A golden case gives its map in the state; as a config it decides the size as well.
      config: (c: JsonObject, state: JsonObject) =>
        Array.isArray(state.layout) && c.layout === undefined ? { ...c, layout: state.layout } : c,
    },
  });
}

/** Mission of one thing: key, ball or box, then its colour. */
export const thingMission: MissionCode = {
  size: 9,
  write(_words, _base, a, _b, out, at) {
    out.fill(0, at, at + 9);
    out[at + objectOf(a) - KEY] = 1;
    out[at + 3 + colourOf(a)] = 1;
  },
};

export function thingName(word: number): string {
  return `${COLOURS[colourOf(word)]} ${LOOKS[objectOf(word)]}`;
}
