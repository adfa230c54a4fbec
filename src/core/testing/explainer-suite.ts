/**
 * What every explainer must hold, listed or not: asked of all in the registry and of the one that docs/adding-an-explainer.md builds.
 * It answers about a small trained policy, one request gives one answer, it stops when asked to, it refuses by name what it does not fit.
 */
import { describe, expect, it } from 'vitest';
import { type Answer, type ExplainRequest, seriesOf } from '#contract/explain/explain-api.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import { getEnv } from '../envs/all.ts';
import type { ExplainerEntry } from '../explain/api/define.ts';
import { buildPolicy, builtIn, completeRun, createSession } from '../run/loaded.ts';
import { playEpisode } from '../run/replay.ts';

/** Where tests run it is there; the core is compiled without the types of browsers and Node. */
declare const structuredClone: <T>(value: T) => T;

interface Trained {
  readonly snapshot: PolicySnapshot;
  readonly episodes: readonly [Replay, Replay];
}

const trained = new Map<string, Promise<Trained>>();
function trainedOn(
  env: { readonly id: string; readonly config: JsonObject },
  algo: { readonly id: string; readonly config: JsonObject },
  steps: number,
) {
  const key = JSON.stringify([env, algo, steps]);
  let found = trained.get(key);
  if (found === undefined) trained.set(key, (found = train(env, algo, steps)));
  return found;
}

async function train(
  env: { readonly id: string; readonly config: JsonObject },
  algo: { readonly id: string; readonly config: JsonObject },
  steps: number,
): Promise<Trained> {
  const config = completeRun({ v: 1, env, algo, run: { steps, seeds: 1, evalEpisodes: 1 } });
  let snapshot: PolicySnapshot | null = null;
  for await (const event of createSession({ config, seed: 1, now: () => 0 })) if (event.kind === 'policy') snapshot = event.snapshot;
  if (snapshot === null) throw new Error(`${algo.id} gave no policy in ${steps} steps.`);
  const entry = getEnv(env.id);
  const { policy, free } = await buildPolicy(snapshot);
  const play = (seed: number): Promise<Replay> => playEpisode(policy, entry, config.env.config, { seed, greedy: true });
  const episodes = [await play(1001), await play(1002)] as const;
  free();
  return { snapshot, episodes };
}

export function explainerSuite(explainer: ExplainerEntry): void {
  describe(explainer.id, () => {
    const { trial } = explainer;
    async function requestFor(extra: Partial<ExplainRequest> = {}): Promise<ExplainRequest> {
      const { snapshot, episodes } = await trainedOn(trial.env, trial.algo, trial.steps);
      const [replay, ...others] = episodes;
      return {
        explainer: explainer.id,
        config: trial.config,
        env: snapshot.env,
        team: { snapshot },
        other: null,
        moment: explainer.frame === 'none' ? null : { replay, t: 3 },
        episodes: others,
        frames: null,
        ...extra,
      };
    }
    async function ask(request: ExplainRequest, pace?: () => Promise<void> | undefined): Promise<Answer[]> {
      const answers: Answer[] = [];
      for await (const answer of explainer.explain(request, { registry: builtIn, ...(pace && { pace }) })) answers.push(answer);
      return answers;
    }

    it('explains itself and its options', () => {
      expect(explainer.summary).toMatch(/\.$/);
      expect(explainer.source.authors).not.toBe('');
      for (const [name, field] of Object.entries(explainer.schema.properties ?? {})) {
        expect(field.title, name).toBeTruthy();
        expect(field.description, name).toMatch(/\.$/);
        expect(field.default, name).not.toBe(undefined);
      }
      expect(explainer.parse(explainer.parse({}))).toEqual(explainer.parse({}));
      expect(() => explainer.parse({ tea: 1 })).toThrow('There is no setting explain.tea');
    });

    it('answers about a small trained policy with numbers of its kind; the last answer says that it is the last', async () => {
      const answers = await ask(await requestFor());
      const last = lastOf(answers);
      expect(answers.slice(0, -1).every(({ end }) => end === 'running')).toBe(true);
      expect(last).toMatchObject({ explainer: explainer.id, end: 'done', t: explainer.frame === 'none' ? null : 3 });
      expect(last.title).not.toBe('');
      expect(last.words.every((sentence) => /\.$/.test(sentence))).toBe(true);
      expect(last.data.kind).toBe(explainer.answers);
      expect(numbersOf(last).length).toBeGreaterThan(0);
      expect(numbersOf(last).every(Number.isFinite)).toBe(true);
      expect(structuredClone(last)).toEqual(last);
    }, 60_000);

    it('gives the same answer to the same request', async () => {
      const request = await requestFor();
      expect(await ask(request)).toEqual(await ask(request));
    }, 60_000);

    it('stops where it is told to leave time to others', async () => {
      const stop = new Error('stopped');
      const request = await requestFor();
      let calls = 0;
      await ask(request, () => void calls++);
      expect(calls).toBeGreaterThan(0);
      let left = Math.ceil(calls / 2);
      const pace = (): undefined => {
        if (--left === 0) throw stop;
      };
      await expect(ask(request, pace)).rejects.toBe(stop);
      expect(left).toBe(0);
    }, 60_000);

    it('answers at several frames, each once', async () => {
      if (explainer.frame === 'none') return;
      const answers = await ask(await requestFor({ frames: [2, 0] }));
      expect(answers.map(({ t, end }) => [t, end])).toEqual([
        [2, 'done'],
        [0, 'done'],
      ]);
      const series = seriesOf(answers);
      if (explainer.answers !== 'bars') expect(series).toBeNull();
      else {
        if (series?.data.kind !== 'series') throw new Error('no series');
        expect(series.data.lines.length).toBeGreaterThan(1);
        for (const line of series.data.lines) expect(line.x).toEqual([0, 2]);
      }
    }, 60_000);

    it('refuses by name what it does not fit', async () => {
      const { refuses } = trial;
      const named = { failure: { id: 'incompatible', field: expect.any(String) } };
      if (refuses !== undefined) {
        const { snapshot, episodes } = await trainedOn(refuses.env, { id: refuses.algo, config: {} }, 2048);
        const moment = explainer.frame === 'none' ? null : { replay: episodes[0], t: 0 };
        await expect(ask(await requestFor({ env: snapshot.env, team: { snapshot }, moment }))).rejects.toMatchObject(named);
      }
      if (explainer.frame === 'required')
        await expect(ask(await requestFor({ moment: null }))).rejects.toMatchObject({ failure: { id: 'incompatible', field: 'frame' } });
      if (explainer.team === 'learned') {
        const [script] = getEnv(trial.env.id).policyNames;
        if (script === undefined) throw new Error(`${trial.env.id} has no scripted policy to refuse.`);
        await expect(ask(await requestFor({ team: { scripted: script } }))).rejects.toMatchObject({ failure: { field: 'team' } });
      }
    }, 60_000);
  });
}

function numbersOf({ data }: Answer): number[] {
  switch (data.kind) {
    case 'bars':
      return data.bars.map(({ value }) => value);
    case 'matrix':
      return [...data.values];
    case 'series':
      return data.lines.flatMap(({ y }) => [...y]);
    case 'tree':
      return data.moves.flatMap(({ visits, value }) => [visits, value]);
    case 'replays':
      return [...data.sides.map(({ value }) => value), data.difference.value];
  }
}

function lastOf(answers: readonly Answer[]): Answer {
  const last = answers.at(-1);
  if (last === undefined) throw new Error('no answer');
  return last;
}
