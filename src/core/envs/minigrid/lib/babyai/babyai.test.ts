import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '#contract/kit/json.ts';
import { createBuffers } from '#core/envs/api/buffers.ts';
import { misfit } from '#core/testing/chi-square.ts';
import { Rng } from '#math/rng.ts';
import { DRAWS } from '../../../../../../tools/nightly.ts';
import { babyai } from '../../babyai.ts';
import { parseSentence, type Sentence, sentenceJson } from '../instructions.ts';
import { textOf, VOCABULARY, wordsOf } from '../mission.ts';
import { articlesOf, decodeSentence, encodeSentence } from '../sentence-code.ts';

const LEVELS = (babyai.schema.properties?.level?.enum ?? []) as readonly string[];

interface World extends JsonObject {
  readonly layout: readonly string[];
  readonly agentPos: readonly [number, number];
  readonly agentDir: number;
  readonly instruction: JsonObject;
  readonly carrying: string | null;
  readonly boxes: readonly JsonObject[];
}

function worlds(level: string, count: number, salt = 0): World[] {
  const env = babyai.create({ level }, count);
  env.reset(
    Uint32Array.from({ length: count }, (_, i) => i * 7919 + salt),
    createBuffers(env.meta, count),
  );
  return Array.from({ length: count }, (_, row) => env.meta.state.toJSON(env.save(row)) as World);
}

/** Calls `hear` with the words of so many missions, drawn one after another. */
function said(level: string, count: number, hear: (words: readonly string[]) => void): void {
  const batch = 1000;
  const env = babyai.create({ level }, batch);
  const buffers = createBuffers(env.meta, batch);
  const rows = (env.meta.obsSize - 151) / VOCABULARY.length;
  const all = new Uint8Array(batch).fill(1);
  env.reset(
    Uint32Array.from({ length: batch }, (_, i) => i),
    buffers,
  );
  for (let n = 0; n < count; env.restart(all, buffers))
    for (let row = 0; row < batch && n < count; row++, n++)
      hear(
        Array.from({ length: rows }, (_, i) => {
          const at = row * env.meta.obsSize + 151 + i * VOCABULARY.length;
          return VOCABULARY[buffers.obs.subarray(at, at + VOCABULARY.length).indexOf(1)] ?? '';
        }),
      );
}

const tokens = (world: World) => world.layout.flatMap((row) => row.split(' '));
const things = (world: World) => tokens(world).filter((t) => /^[KAB]/.test(t));
const NAMES: { readonly [letter: string]: string } = { K: 'key', A: 'ball', B: 'box', D: 'door', L: 'door', O: 'door' };
const COLOURS: { readonly [letter: string]: string } = { R: 'red', G: 'green', B: 'blue', P: 'purple', Y: 'yellow', E: 'grey' };
const named = (token: string) => ({ type: NAMES[token[0] as string] ?? null, color: COLOURS[token[1] as string] ?? null, location: null });

describe.each(LEVELS.map((level) => ({ level })))('$level', ({ level }) => {
  const batch = 8;
  it('is solved by the expert, says what it wants in its words, and keeps its step limit', () => {
    const env = babyai.create({ level }, batch);
    const { meta } = env;
    const buffers = createBuffers(meta, batch);
    const actions = new Int32Array(batch);
    const { expert } = babyai.policies({ level });
    if (expert === undefined) throw new Error('there is no expert');
    env.reset(
      Uint32Array.from({ length: batch }, (_, i) => 97 * i + 11),
      buffers,
    );
    const rows = (meta.obsSize - 151) / VOCABULARY.length;
    for (let row = 0; row < batch; row++) {
      const said = Array.from({ length: rows }, (_, i) => {
        const at = row * meta.obsSize + 151 + i * VOCABULARY.length;
        return VOCABULARY[buffers.obs.subarray(at, at + VOCABULARY.length).indexOf(1)];
      });
      expect(textOf(said.filter((word): word is string => word !== undefined && word !== ''))).toBe(env.extras?.(row).mission);
    }
    const over = new Uint8Array(batch);
    for (let t = 1; over.includes(0); t++) {
      expect(t).toBeLessThanOrEqual(meta.maxSteps);
      expert.act(env, buffers, actions);
      env.step(actions, buffers);
      for (let row = 0; row < batch; row++) {
        if (over[row] === 1 || (buffers.terminated[row] === 0 && buffers.truncated[row] === 0)) continue;
        const mission = String(env.extras?.(row).mission);
        // strict levels can be beyond anybody: a way blocked by things that must not be touched, or an order of strict openings
        const hopeless = level === 'PickupDistDebug' || (/OrderN.Debug/.test(level) && /then|after/.test(mission));
        if (!hopeless) expect(buffers.reward[row], `row ${row}: ${mission}`).toBeGreaterThan(0.1);
        over[row] = 1;
      }
      env.restart(buffers.terminated, buffers);
    }
  });
});

describe('step limits', () => {
  it.each([
    ['GoToRedBall', 64],
    ['GoToObj', 64],
    ['GoToLocal', 64],
    ['GoTo', 576],
    ['Pickup', 576],
    ['Open', 576],
    ['Unlock', 576],
    ['PutNextLocal', 128],
    ['Synth', 1152],
    ['OneRoomS8', 64],
    ['OpenRedDoor', 50],
    ['UnlockPickup', 72],
    ['FindObjS5', 500],
    ['KeyCorridorS3R1', 270],
    ['PickupAbove', 288],
    ['PutNextS5N2', 200],
  ])('%s: %i at most', (level, most) => {
    expect(babyai.meta({ level }).maxSteps).toBe(most);
  });

  it('go by the sentence of the episode', () => {
    const level = 'GoToSeq';
    const env = babyai.create({ level }, 1);
    const buffers = createBuffers(env.meta, 1);
    const seen = new Set<number>();
    for (let seed = 0; seed < 30; seed++) {
      env.reset(Uint32Array.of(seed), buffers);
      const walks = JSON.stringify(env.meta.state.toJSON(env.save(0)).instruction).split('"go-to"').length - 1;
      seen.add(walks);
      const state = env.meta.state.toJSON(env.save(0));
      env.load(0, env.meta.state.fromJSON({ ...state, stepCount: walks * 576 - 2 }), buffers);
      env.step(Int32Array.of(6), buffers);
      expect(buffers.truncated[0]).toBe(0);
      env.step(Int32Array.of(6), buffers);
      expect(buffers.truncated[0]).toBe(1);
    }
    expect(seen.size).toBeGreaterThan(2);
    expect(env.meta.maxSteps).toBe(4 * 576);
  });
});

describe('what levels draw', () => {
  it('GoToRedBall: a red ball and seven things, grey ones in GoToRedBallGrey', () => {
    for (const world of worlds('GoToRedBall', 50)) expect(things(world).length).toBe(8);
    for (const world of worlds('GoToRedBallGrey', 50)) {
      expect(things(world).filter((t) => t[1] !== 'E')).toEqual(['AR']);
      expect(things(world).length).toBe(8);
    }
    expect(things(worlds('GoToRedBallNoDists', 1)[0] as World)).toEqual(['AR']);
  });

  it('GoToRedBlueBall: exactly one ball that is red or blue, each as often', () => {
    for (const world of worlds('GoToRedBlueBall', 100)) {
      const [ball, ...more] = things(world).filter((t) => t === 'AR' || t === 'AB');
      expect(more).toEqual([]);
      expect(world.instruction).toMatchObject({ type: 'go-to', object: named(ball as string) });
    }
    const meant = [0, 0];
    said('GoToRedBlueBall', DRAWS, (words) => {
      const colour = words.includes('red') ? 0 : 1;
      meant[colour] = meant[colour]! + 1;
    });
    expect(misfit(meant)).toBeLessThan(1);
  });

  it('GoToObj: any of 18 kinds, any direction, each alike', () => {
    const batch = 2000;
    const env = babyai.create({ level: 'GoToObjS4' }, batch);
    const buffers = createBuffers(env.meta, batch);
    const frame = new Float32Array(16 * 3 + 6);
    const kinds = new Map<number, number>();
    const directions = [0, 0, 0, 0];
    env.reset(
      Uint32Array.from({ length: batch }, (_, i) => i),
      buffers,
    );
    const all = new Uint8Array(batch).fill(1);
    for (let n = 0; n < DRAWS; n += batch, env.restart(all, buffers))
      for (let row = 0; row < batch; row++) {
        env.frame(row, frame);
        for (let i = 0; i < 16; i++) {
          const object = frame[3 * i]!;
          if (object < 5) continue;
          const kind = object * 8 + frame[3 * i + 1]!;
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        }
        const dir = frame[16 * 3 + 2]!;
        directions[dir] = directions[dir]! + 1;
      }
    expect(kinds.size).toBe(18);
    expect(misfit([...kinds.values()])).toBeLessThan(1);
    expect(misfit(directions)).toBeLessThan(1);
  });

  it('GoToDoor: four doors around the middle room, locked or not alike', () => {
    const locked = [0, 0];
    const batch = 1000;
    const env = babyai.create({ level: 'GoToDoor' }, batch);
    const buffers = createBuffers(env.meta, batch);
    const frame = new Float32Array(19 * 19 * 3 + 6);
    env.reset(
      Uint32Array.from({ length: batch }, (_, i) => i),
      buffers,
    );
    const all = new Uint8Array(batch).fill(1);
    for (let n = 0; n < DRAWS / 4; n += batch, env.restart(all, buffers))
      for (let row = 0; row < batch; row++) {
        env.frame(row, frame);
        let doors = 0;
        for (let i = 0; i < 19 * 19; i++) {
          if (frame[3 * i] !== 4) continue;
          doors++;
          const at = frame[3 * i + 2] === 2 ? 1 : 0;
          locked[at] = locked[at]! + 1;
        }
        if (doors !== 4) throw new Error(`${doors} doors`);
      }
    expect(locked[0]! + locked[1]!).toBe(DRAWS);
    expect(misfit(locked)).toBeLessThan(1);
  });

  it('PutNextLocal: all things differ, the two named are not side by side', () => {
    for (const world of worlds('PutNextLocal', 100)) {
      expect(new Set(things(world)).size).toBe(8);
      const { move, fixed } = world.instruction as { move: JsonObject; fixed: JsonObject };
      const place = (d: JsonObject) => {
        const at = tokens(world).findIndex((t) => NAMES[t[0] as string] === d.type && COLOURS[t[1] as string] === d.color);
        return [at % 8, Math.floor(at / 8)] as const;
      };
      const [[ax, ay], [bx, by]] = [place(move), place(fixed)];
      expect(Math.abs(ax - bx) + Math.abs(ay - by)).toBeGreaterThan(1);
    }
  });

  it('Carrying: the thing is in hand from the start', () => {
    for (const world of worlds('PutNextS5N2Carrying', 50)) {
      expect(named(world.carrying as string)).toEqual((world.instruction as { move: JsonObject }).move);
      expect(things(world).length).toBe(3);
    }
  });

  it('Unlock: the key is never in the locked room, the agent neither', () => {
    for (const world of worlds('Unlock', 200)) {
      const grid = tokens(world);
      const door = grid.findIndex((t) => t[0] === 'L');
      const key = `K${grid[door]?.[1]}`;
      // without that key in reach the locked door could not be opened: flood from the agent without passing it
      const seen = new Set([world.agentPos[1] * 22 + world.agentPos[0]]);
      const stack = [...seen];
      let found = false;
      for (let at = stack.pop(); at !== undefined; at = stack.pop())
        for (const to of [at + 1, at - 1, at + 22, at - 22]) {
          const token = grid[to] ?? 'WE';
          if (seen.has(to) || token[0] === 'W' || token[0] === 'L') continue;
          if (token === key) found = true;
          seen.add(to);
          stack.push(to);
        }
      expect(found).toBe(true);
    }
  });

  it('KeyInBox: the key lies in the only box', () => {
    for (const world of worlds('KeyInBox', 30)) {
      const [door] = tokens(world).filter((t) => t[0] === 'L');
      expect(world.boxes).toMatchObject([{ content: `K${door?.[1]}` }]);
    }
  });

  it('UnblockPickup: something is out of reach until a thing is moved', () => {
    for (const world of worlds('UnblockPickup', 20)) {
      const grid = tokens(world);
      const seen = new Set([world.agentPos[1] * 22 + world.agentPos[0]]);
      const stack = [...seen];
      for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
        if (/^[KAB]/.test(grid[at] as string)) continue;
        for (const to of [at + 1, at - 1, at + 22, at - 22]) {
          if (seen.has(to) || grid[to]?.[0] === 'W') continue;
          seen.add(to);
          stack.push(to);
        }
      }
      expect(grid.some((t, i) => /^[KABDLO]/.test(t) && !seen.has(i))).toBe(true);
    }
  });

  it('OpenDoorLoc and PickupLoc name places', () => {
    for (const world of worlds('OpenDoorLoc', 30))
      expect(world.instruction).toMatchObject({
        object: { type: 'door', color: null, location: expect.stringMatching(/front|behind|left|right/) },
      });
    const places = new Set(worlds('PickupLoc', 60).map((w) => (w.instruction.object as JsonObject).location));
    expect(places).toEqual(new Set([null, 'front', 'behind', 'left', 'right']));
  });

  it('PickupDist names type, colour or both, each as often', () => {
    const named = [0, 0, 0];
    said('PickupDist', DRAWS, (words) => {
      const colour = words.some((word) => Object.values(COLOURS).includes(word));
      const kind = !colour ? 0 : words.includes('object') ? 1 : 2;
      named[kind] = named[kind]! + 1;
    });
    expect(misfit(named)).toBeLessThan(1);
  });

  it('boss levels say every kind of sentence, and never name the key of a locked door', () => {
    const kinds = new Set<string>();
    for (const world of worlds('BossLevel', 150)) {
      const text = JSON.stringify(world.instruction);
      for (const [, kind] of text.matchAll(/"type":"(go-to|open|pickup|put-next|and|before|after)"/g)) kinds.add(kind as string);
      for (const token of tokens(world).filter((t) => t[0] === 'L'))
        expect(text).not.toContain(`{"type":"key","color":"${COLOURS[token[1] as string]}"`);
    }
    expect(kinds.size).toBe(7);
  });
});

describe('sentences', () => {
  it('are kept in five words whatever they say', () => {
    const rng = Rng.from(12);
    const pick = (n: number) => rng.int(n);
    const what = () => ({ object: pick(5) === 0 ? -1 : 4 + pick(4), colour: pick(7) - 1, location: pick(2) === 0 ? 0 : 1 << pick(4) });
    const clause = (): Sentence => {
      const kind = pick(4);
      if (kind === 3) return { kind: 'put-next', move: what(), fixed: what() };
      return { kind: (['go-to', 'open', 'pickup'] as const)[kind] as 'open', strict: pick(2) === 0, what: what() };
    };
    const part = (): Sentence => (pick(2) === 0 ? clause() : { kind: 'and', first: clause(), second: clause() });
    for (let n = 0; n < 300; n++) {
      const sentence: Sentence = pick(2) === 0 ? part() : { kind: pick(2) === 0 ? 'before' : 'after', first: part(), second: part() };
      const articles: boolean[] = [];
      const words = encodeSentence(sentence, () => {
        articles.push(pick(2) === 0);
        return articles.at(-1) as boolean;
      });
      expect(decodeSentence(words, 0)).toEqual(sentence);
      expect(articlesOf(words, 0)).toEqual(articles);
      expect(parseSentence(JSON.parse(JSON.stringify(sentenceJson(sentence))) as Json)).toEqual(sentence);
      for (const word of wordsOf(sentence, articles)) expect(VOCABULARY).toContain(word);
    }
  });

  it('say "a" where several things match', () => {
    const layout = ['WE WE WE WE WE', 'WE .. AR AR WE', 'WE .. .. KB WE', 'WE WE WE WE WE'];
    const endRule: JsonObject = {
      type: 'babyai',
      instruction: {
        type: 'before',
        first: { type: 'put-next', move: { type: 'ball', color: 'red' }, fixed: { type: 'key' } },
        second: { type: 'go-to', object: { color: 'blue', location: 'right' } },
      },
    };
    const env = babyai.create({ layout, endRule, start: [1, 1, 0] }, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    expect(env.extras?.(0).mission).toBe('put a red ball next to the key, then go to the blue object on your right');
    const { instruction: _, ...state } = env.meta.state.toJSON(env.save(0));
    env.load(0, env.meta.state.fromJSON(state), buffers);
    expect(env.extras?.(0).mission).toBe('put a red ball next to the key, then go to the blue object on your right');
  });

  it('strict ones end with nothing when the wrong thing is done', () => {
    const layout = ['WE WE WE WE WE', 'DR .. AR .. DB', 'WE .. KB .. WE', 'WE WE WE WE WE'];
    const play = (instruction: JsonObject, pose: readonly [number, number, number], action: number) => {
      const env = babyai.create({ layout, endRule: { type: 'babyai', instruction }, start: [...pose] }, 1);
      const buffers = createBuffers(env.meta, 1);
      env.reset(Uint32Array.of(1), buffers);
      env.step(Int32Array.of(action), buffers);
      return [buffers.terminated[0], buffers.reward[0]! > 0];
    };
    const door = (strict: boolean) => ({ type: 'open', object: { type: 'door', color: 'red' }, strict });
    const ball = (strict: boolean) => ({ type: 'pickup', object: { type: 'ball' }, strict });
    expect(play(door(true), [3, 1, 0], 5)).toEqual([1, false]);
    expect(play(door(false), [3, 1, 0], 5)).toEqual([0, false]);
    expect(play(door(true), [1, 1, 2], 5)).toEqual([1, true]);
    expect(play(ball(true), [1, 2, 0], 3)).toEqual([1, false]);
    expect(play(ball(false), [1, 2, 0], 3)).toEqual([0, false]);
    expect(play(ball(true), [1, 1, 0], 3)).toEqual([1, true]);
  });

  it('a strict second part is broken by the opening that fulfils the first, as in the reference', () => {
    const layout = ['WE WE WE WE WE', 'DR .. .. .. DB', 'WE WE WE WE WE'];
    const door = (color: string) => ({ type: 'open', object: { type: 'door', color }, strict: true });
    const instruction = { type: 'before', first: door('red'), second: door('blue') };
    const env = babyai.create({ layout, endRule: { type: 'babyai', instruction }, start: [1, 1, 2] }, 1);
    const buffers = createBuffers(env.meta, 1);
    env.reset(Uint32Array.of(1), buffers);
    env.step(Int32Array.of(5), buffers);
    expect([buffers.terminated[0], buffers.reward[0]]).toEqual([1, 0]);
  });

  it('the second part of a sequence does not know what was held before the first was done', () => {
    // one drop next to both things: the first part is fulfilled, the second only counts drops from then on
    const layout = ['WE WE WE WE WE', 'WE .. .. KB WE', 'WE .. BG .. WE', 'WE .. .. .. WE', 'WE WE WE WE WE'];
    const put = (fixed: string) => ({ type: 'put-next', move: { type: 'ball' }, fixed: { type: fixed } });
    const endRule = (type: string) => ({ type: 'babyai', instruction: { type, first: put('key'), second: put('box') } });
    const drop = (type: string) => {
      const env = babyai.create({ layout, endRule: endRule(type) }, 1);
      const buffers = createBuffers(env.meta, 1);
      const state = { layout, agentPos: [1, 1], agentDir: 0, carrying: 'AR', origins: [{ pos: null, origin: 17 }] };
      env.load(0, env.meta.state.fromJSON(state), buffers);
      env.step(Int32Array.of(4), buffers);
      return { env, buffers };
    };
    const before = drop('before');
    expect(before.buffers.terminated[0]).toBe(0);
    expect(before.env.meta.state.toJSON(before.env.save(0)).progress).not.toBe(0);
    expect(drop('and').buffers.terminated[0]).toBe(1);
  });

  it('a level is refused a size that is not its own, and a map of one’s own without a sentence', () => {
    expect(() => babyai.meta({ level: 'GoToLocal', width: 9 })).toThrow(/8 x 8/);
    expect(babyai.meta({ level: 'GoToLocal', width: 8, height: 8 }).maxSteps).toBe(64);
    expect(() => babyai.meta({ layout: ['WE WE WE', 'WE .. WE', 'WE WE WE'] })).toThrow(/instruction/);
  });
});
