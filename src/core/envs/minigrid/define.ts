/** Makes a registry entry of a MiniGrid generator: config, meta, state and the golden hooks are the same for all of them. */
import { z } from 'zod';
import type { Preset, ReferenceReturn, Source } from '#contract/catalog.ts';
import type { JsonObject } from '#contract/json.ts';
import { defineEnv } from '../define.ts';
import { badConfig } from '../parse.ts';
import type { EnvEntry, EnvMeta } from '../types.ts';
import type { Builder } from './builder.ts';
import { BALL, BOX, CLOSED, COLOURS, colourOf, DOOR, EMPTY_CELL, KEY, LOCKED, LOOKS, objectOf, stateOf } from './cells.ts';
import { type GridConfig, type GridDefaults, gridShape, ownMap } from './config.ts';
import { createWorld, type World } from './core.ts';
import { type CompiledRule, compileRule, nearThing, type RuleType } from './rules.ts';
import { minigridState } from './state.ts';

export const MINIGRID: Source = {
  title: 'Minigrid & Miniworld: modular and customizable reinforcement learning environments for goal-oriented tasks',
  authors: 'Chevalier-Boisvert et al.',
  year: 2023,
  url: 'https://arxiv.org/abs/2306.13831',
};

/** Mission as one-hot numbers. */
export interface MissionCode {
  readonly size: number;
  write(words: Uint32Array, base: number, a: number, b: number, out: Float32Array, at: number): void;
}

export interface GridDef<E extends z.ZodRawShape> {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly defaults: GridDefaults;
  /** Settings of the generator. */
  readonly extra: E;
  readonly presets: readonly Preset[];
  /** Mean returns by preset: uniform actions over 1,000 episodes; breadth-first search on 10 to 40 generated maps. */
  readonly measured?: { readonly [preset: string]: { readonly random: number; readonly optimal?: number } };
  readonly rule: RuleType;
  maxSteps(c: GridConfig & z.output<z.ZodObject<E>>): number;
  mission(c: GridConfig & z.output<z.ZodObject<E>>, a: number, b: number): string;
  readonly missionCode?: MissionCode;
  /** Throws 'config-invalid' where the generator cannot make such a map. */
  check?(c: GridConfig & z.output<z.ZodObject<E>>): void;
  generate(c: GridConfig & z.output<z.ZodObject<E>>, builder: Builder): void;
  references?(c: GridConfig & z.output<z.ZodObject<E>>): readonly ReferenceReturn[];
}

interface Prepared {
  readonly width: number;
  readonly height: number;
  readonly rule: CompiledRule | null;
  readonly map: Uint32Array | null;
  numbers(words: Uint32Array): readonly [number, number];
}

function prepare(c: GridConfig, type: RuleType): Prepared {
  const map = ownMap(c);
  const width = map?.width ?? c.width;
  const height = map?.height ?? c.height;
  const rule = c.endRule === null ? null : compileRule(c.endRule);
  const numbers = (words: Uint32Array) => (rule === null ? usualNumbers(type, words) : rule.numbers(words, width, height));
  if (map !== null) numbers(map.words); // a map that lacks what its rule needs is an error now, not at the first reset
  return { width, height, rule, map: map?.words ?? null, numbers };
}

/** The numbers of a rule on a map of one's own that says nothing about them: the first things that fit, row by row. */
function usualNumbers(type: RuleType, words: Uint32Array): readonly [number, number] {
  const find = (what: string, fits: (word: number) => boolean, from = 0): number => {
    const at = words.findIndex((word, i) => i >= from && fits(word));
    if (at < 0) throw badConfig('layout', `The map has no ${what}.`, `Put one on it, or give endRule.`);
    return at;
  };
  const withColour = (at: number, add: number): readonly [number, number] => [at + add, colourOf(words[at] as number)];
  const isDoor = (word: number) => objectOf(word) === DOOR;
  const isThing = (word: number) => objectOf(word) === KEY || objectOf(word) === BALL || objectOf(word) === BOX;
  switch (type) {
    case 'open-door':
      return [
        words.some((w) => isDoor(w) && stateOf(w) === LOCKED)
          ? find('door', (w) => isDoor(w) && stateOf(w) === LOCKED)
          : find('door', isDoor),
        0,
      ];
    case 'pickup':
      return withColour(
        find('box or ball', (w) => objectOf(w) === BOX || objectOf(w) === BALL),
        1,
      );
    case 'fetch':
      return [(words[find('key or ball', isThing)] as number) & 127, 0];
    case 'done-next-to':
      return withColour(
        find('door or thing', (w) => isDoor(w) || isThing(w)),
        0,
      );
    case 'open-in-order': {
      const first = find('door', (w) => isDoor(w) && stateOf(w) >= CLOSED);
      return [first, find('second door', (w) => isDoor(w) && stateOf(w) >= CLOSED, first + 1)];
    }
    case 'put-near': {
      const first = find('thing', isThing);
      return [(words[first] as number) & 127, nearThing(words, find('second thing', isThing, first + 1))];
    }
    case 'reach':
      throw badConfig(
        'endRule',
        'A map of your own needs the place to reach.',
        'Give endRule {"type": "reach", "success": [x, y], "failure": [x, y]}.',
      );
    default:
      return [0, 0];
  }
}

export function defineMiniGrid<E extends z.ZodRawShape>(def: GridDef<E>): EnvEntry {
  type C = GridConfig & z.output<z.ZodObject<E>>;
  const config = z.strictObject({ ...gridShape(def.defaults), ...def.extra }) as unknown as z.ZodType<C>;

  const presetTexts = def.presets.map((preset) => JSON.stringify(config.parse(preset.config)));
  const measuredReturns = (c: C): readonly ReferenceReturn[] => {
    const preset = def.presets[presetTexts.indexOf(JSON.stringify(c))];
    const found = preset === undefined ? undefined : def.measured?.[preset.id];
    if (found === undefined) return [];
    const random = { name: 'random', value: found.random, source: 'uniform actions, measured over 1,000 episodes' };
    if (found.optimal === undefined) return [random];
    return [random, { name: 'optimal', value: found.optimal, source: 'shortest plans by search on generated maps, mean' }];
  };

  const metaOf = (c: C, p: Prepared): EnvMeta => {
    const maxSteps = c.maxSteps ?? def.maxSteps({ ...c, width: p.width, height: p.height });
    const extra = 4 + (def.missionCode?.size ?? 0);
    return {
      id: def.id,
      version: 1,
      agents: [
        {
          count: 1,
          names: ['agent'],
          obs: { kind: 'grid', shape: [c.viewSize, c.viewSize, 3], codes: [11, 6, 3], extra },
          action: { kind: 'discrete', n: 7, labels: ['left', 'right', 'forward', 'pickup', 'drop', 'toggle', 'done'] },
        },
      ],
      agentCount: 1,
      obsSize: c.viewSize * c.viewSize * 3 + extra,
      actionSize: 1,
      actionCount: 7,
      rewards: ['reward'],
      costs: [],
      goalSize: 0,
      globalSize: 0,
      masked: false,
      score: 'mean',
      gamma: 0.99,
      maxSteps,
      evalMaxSteps: maxSteps,
      state: minigridState(p.width, p.height, p.numbers),
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
      keys: [['ArrowLeft', 'a'], ['ArrowRight', 'd'], ['ArrowUp', 'w'], ['e'], ['q'], [' '], ['Enter']],
      idleAction: null,
      fps: 8,
    };
  };

  const prepared = (c: C): Prepared => {
    const p = prepare(c, def.rule);
    if (p.map === null) def.check?.(c);
    return p;
  };

  return defineEnv<C>({
    spec: {
      id: def.id,
      version: 1,
      title: def.title,
      summary: def.summary,
      source: MINIGRID,
      config,
      presets: def.presets,
      meta: (c) => metaOf(c, prepared(c)),
    },
    create(c, batch, options) {
      const p = prepared(c);
      const meta = metaOf(c, p);
      const rule = p.rule?.type ?? def.rule;
      const world: World = {
        meta,
        width: p.width,
        height: p.height,
        maxSteps: meta.maxSteps,
        viewSize: c.viewSize,
        seeThroughWalls: c.seeThroughWalls,
        pickupToggles: c.pickupActsAsToggle ?? rule === 'reach',
        rule,
        instruction: p.rule?.instruction ?? null,
        generate(builder) {
          if (p.map === null) {
            def.generate(c, builder);
            if (p.rule !== null) [builder.a, builder.b] = numbersOf(p, builder);
            return;
          }
          for (let i = 0; i < p.map.length; i++) builder.set(i % p.width, Math.floor(i / p.width), p.map[i] as number);
          [builder.a, builder.b] = p.numbers(p.map);
          if (c.start === null) builder.placeAgent();
          else builder.agent(c.start[0] as number, c.start[1] as number, c.start[2] as number);
        },
        mission: (a, b) => c.mission ?? def.mission(c, a, b),
        missionSize: def.missionCode?.size ?? 0,
        writeMission: def.missionCode?.write ?? (() => {}),
      };
      return createWorld(world, batch, options?.draws);
    },
    golden: {
      // A golden case gives its map in the state; as a config it decides the size as well.
      config: (c: JsonObject, state: JsonObject) =>
        Array.isArray(state.layout) && c.layout === undefined ? { ...c, layout: state.layout } : c,
    },
  });
}

function numbersOf(p: Prepared, builder: Builder): readonly [number, number] {
  const words = new Uint32Array(p.width * p.height).fill(EMPTY_CELL);
  for (let i = 0; i < words.length; i++) words[i] = builder.get(i % p.width, Math.floor(i / p.width));
  return p.numbers(words);
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
