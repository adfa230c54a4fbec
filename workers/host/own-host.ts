/**
 * The inside of a sandbox: one world of a person's code, checked, played and trained. It speaks in texts (contract/sandbox.ts); its answers are
 * bounded where the page reads them, because the code beside it could send anything in its name.
 */
import { toBase64 } from '#contract/bytes.ts';
import type { FieldSchema } from '#contract/catalog.ts';
import { toFailure } from '#contract/errors.ts';
import type { PolicySnapshot } from '#contract/events.ts';
import { frameSize } from '#contract/frames.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Ask, OwnCard, OwnSettings, Said } from '#contract/sandbox.ts';
import { startIn } from '#contract/starts.ts';
import { algoFamilies, loadAlgo } from '#core/algos/index.ts';
import { randomPolicy } from '#core/algos/lib/random-policy.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import type { LineOf } from '#core/own/call.ts';
import { checkWorld } from '#core/own/check.ts';
import { worldEntry } from '#core/own/entry.ts';
import { candidates, recommend } from '#core/recommend.ts';
import { checkFit, completeRun } from '#core/run/complete.ts';
import { buildPolicy } from '#core/run/policy.ts';
import { registryOf } from '#core/run/registry.ts';
import { playEpisode, ReplayReader } from '#core/run/replay.ts';
import { createSession, type Session } from '#core/run/session.ts';

/** Numbers of all frames of an episode: what is longer is cut in the picture. */
const MOST_NUMBERS = 1_000_000;
const EPISODES = 50;
const SLICE_MS = 40;

export interface OwnHostOptions {
  readonly post: (said: Said) => void;
  readonly now: () => number;
  /** Resolves after messages had their turn. */
  readonly turn: () => Promise<void>;
}

export interface OwnHost {
  /** Makes the world; `given`: what its code called defineEnv with. */
  open(given: unknown, id: string, lineOf: LineOf): Promise<void>;
  refuse(error: unknown, line: number | null): void;
  ask(ask: Ask): Promise<void>;
}

export function createOwnHost({ post, now, turn }: OwnHostOptions): OwnHost {
  let entry: EnvEntry | null = null;
  let session: Session | null = null;
  let learned: PolicySnapshot | null = null;

  const refuse = (error: unknown, line: number | null): void => post({ kind: 'refused', failure: said(error), line });
  const world = (): EnvEntry => {
    if (entry === null) throw new Error('no world is open');
    return entry;
  };

  async function play(id: number, settings: OwnSettings, seed: number, trained: boolean): Promise<void> {
    const env = world();
    const snapshot = trained ? learned : null;
    const built = snapshot === null ? null : await buildPolicy(snapshot, registryOf([env], [await loadAlgo(snapshot.algo.id)]));
    try {
      const policy = built?.policy ?? randomPolicy(env.meta({ ...settings }));
      const replay = await playEpisode(policy, env, { ...settings }, { seed, greedy: true });
      const reader = new ReplayReader(replay, env);
      try {
        const { frame } = env.meta({ ...settings });
        const most = Math.max(1, Math.min(replay.reward.length + 1, Math.floor(MOST_NUMBERS / frameSize(frame))));
        const window = reader.window(0, most);
        const episode = {
          layout: frame as OwnCard['layout'],
          frames: base64(window.frames),
          rewards: base64(replay.reward.slice(0, window.frames.length / frameSize(frame) - 1)),
          ended: replay.ended,
        };
        post({ kind: 'played', id, episode });
      } finally {
        reader.dispose();
      }
    } finally {
      built?.free();
    }
  }

  async function train(ask: Extract<Ask, { kind: 'train' }>): Promise<void> {
    const env = world();
    const algo = await loadAlgo(ask.algo);
    const { gamma, agents } = env.meta({ ...ask.settings });
    await Promise.all(candidates(env, { ...ask.settings }).map(loadAlgo));
    const first = recommend(env, { ...ask.settings });
    const card = { defaults: algo.parse({}), presets: algo.presets, ...(algo.continuous !== undefined && { continuous: algo.continuous }) };
    const config = completeRun(
      {
        env: { id: env.id, config: { ...ask.settings } },
        algo: { id: algo.id, config: first.algo === algo.id ? first.config : startIn(card, { id: env.id, gamma, groups: agents }) },
        run: { steps: ask.steps, seeds: 1, seedStart: ask.seed, evalEpisodes: EPISODES },
      },
      registryOf([env], [algo]),
    );
    const current = createSession({ config, env, algo, seed: ask.seed, now, sliceMs: SLICE_MS });
    session = current;
    let average: number | null = null;
    try {
      for await (const event of current) {
        if (event.kind === 'policy') learned = event.snapshot;
        else if (event.kind === 'metrics') average = newest(event.columns, event.rows, 'episodicReturn') ?? average;
        else if (event.kind === 'progress')
          post({ kind: 'progress', id: ask.id, step: event.step, return: average, stepsPerSecond: event.stepsPerSecond });
        else if (event.kind === 'state' && event.error !== undefined) post({ kind: 'failed', id: ask.id, failure: plain(event.error) });
        else if (event.kind === 'result') {
          const { evalReturn, finalReturn, steps, seconds, stepsPerSecond, parameterHash } = event.result;
          const result = {
            evalReturn: finiteOr(evalReturn),
            finalReturn: finiteOr(finalReturn),
            steps,
            seconds,
            stepsPerSecond,
            parameterHash,
          };
          post({ kind: 'trained', id: ask.id, result });
        }
        await turn();
      }
      if (current.state === 'stopped')
        post({
          kind: 'failed',
          id: ask.id,
          failure: { message: 'Training was stopped.', fix: 'What was learned until then can be watched.' },
        });
    } finally {
      session = null;
    }
  }

  return {
    refuse,
    async open(given, id, lineOf) {
      try {
        entry = worldEntry(given, id, lineOf);
        post({ kind: 'ready', world: await cardOf(entry) });
      } catch (error) {
        refuse(error, lineOf(error));
      }
    },
    async ask(ask) {
      try {
        if (ask.kind === 'check') post({ kind: 'checked', id: ask.id, findings: checkWorld(world(), { ...ask.settings }, now).slice() });
        else if (ask.kind === 'play') await play(ask.id, ask.settings, ask.seed, ask.policy);
        else if (ask.kind === 'train') await train(ask);
        else session?.stop();
      } catch (error) {
        post({ kind: 'failed', id: ask.id, failure: said(error) });
      }
    },
  };
}

const base64 = (numbers: Float32Array): string => toBase64(new Uint8Array(numbers.slice().buffer));
const finiteOr = (x: number): number | null => (Number.isFinite(x) ? x : null);

function plain({ message, fix, field }: { readonly message: string; readonly fix: string; readonly field?: string }) {
  return { message: message.slice(0, 1100), fix: fix.slice(0, 1100), ...(field !== undefined && { field: field.slice(0, 200) }) };
}

const said = (error: unknown) => plain(toFailure(error));

function newest(columns: readonly string[], rows: Float64Array, metric: string): number | null {
  const column = columns.indexOf(metric);
  if (column < 0) return null;
  const width = columns.length + 1;
  for (let at = rows.length - width; at >= 0; at -= width) {
    const value = rows[at + 1 + column]!;
    if (Number.isFinite(value)) return value;
  }
  return null;
}

/** What the page needs to show and set up the world. */
async function cardOf(entry: EnvEntry): Promise<OwnCard> {
  const meta = entry.meta({});
  const group = meta.agents[0]!;
  const ids = algoFamilies.flatMap(({ algos }) => Object.keys(algos));
  const methods: { id: string; title: string }[] = [];
  for (const id of ids) {
    const algo = await loadAlgo(id);
    if (algo.learner === 'none') continue;
    try {
      checkFit(algo, startOf(algo, meta), meta, entry.title);
      methods.push({ id, title: algo.title });
    } catch {
      // it cannot act there, and is not offered
    }
  }
  await Promise.all(candidates(entry).map(loadAlgo));
  const { algo, steps } = recommend(entry);
  const { obs, action } = group;
  return {
    id: entry.id,
    title: entry.title,
    about: entry.summary,
    layout: meta.frame as OwnCard['layout'],
    settings: Object.entries(entry.schema.properties ?? {}).flatMap(([name, field]) => (isPlain(field) ? [settingOf(name, field)] : [])),
    actions: [...action.labels],
    sees: obs.kind === 'discrete' ? `${obs.n} numbered states` : `${meta.obsSize} numbers`,
    maxSteps: meta.maxSteps,
    fps: meta.fps,
    methods,
    recommended: { algo, steps },
  };
}

function startOf(algo: Awaited<ReturnType<typeof loadAlgo>>, { gamma, agents, id }: ReturnType<EnvEntry['meta']>): JsonObject {
  const card = { defaults: algo.parse({}), presets: algo.presets, ...(algo.continuous !== undefined && { continuous: algo.continuous }) };
  return { ...card.defaults, ...startIn(card, { id, gamma, groups: agents }) };
}

/** A number, a switch or a word: what every environment has besides, ranges of settings for instance, has no control here. */
const isPlain = ({ default: value }: FieldSchema): boolean => ['number', 'boolean', 'string'].includes(typeof value);

function settingOf(name: string, field: FieldSchema): OwnCard['settings'][number] {
  const { title = name, description = '', unit, default: value, minimum, maximum, type } = field;
  const options = field.enum?.filter((item) => typeof item === 'string');
  return {
    name,
    title,
    about: description,
    value: typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? value : 0,
    ...(unit !== undefined && { unit }),
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    ...(type === 'integer' && { whole: true }),
    ...(options !== undefined && { options }),
  };
}
