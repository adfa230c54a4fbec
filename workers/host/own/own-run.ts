/** One seed of training in a sandbox: what it says while it learns, its state as a text, and the newest policy. */

import { startIn } from '#contract/catalog/starts.ts';
import { fromBase64, toBase64 } from '#contract/kit/bytes.ts';
import { fail, toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { type Ask, LONGEST_MESSAGE, type OwnCard, type OwnSetup, type Said } from '#contract/own/sandbox.ts';
import type { PolicySnapshot, Saved } from '#contract/run/events.ts';
import { decodeSaved, encodeSaved } from '#contract/run/saved.ts';
import { episodeMetrics } from '#core/algos/api/metrics.ts';
import type { AlgoEntry } from '#core/algos/api/types.ts';
import { loadAlgo } from '#core/algos/index.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import type { Definition } from '#core/own/definition.ts';
import { MINE } from '#core/own/player.ts';
import { WORLD_RETURN } from '#core/own/reward.ts';
import { candidates, recommend } from '#core/recommend.ts';
import { completeRun } from '#core/run/complete.ts';
import { registryOf } from '#core/run/registry.ts';
import { createSession, type Session } from '#core/run/session.ts';
import { finiteOrNull } from '#math/finite.ts';

const EPISODES = 50;
const SLICE_MS = 40;
/** Characters that a message has beside the state in it. */
const BESIDE = 1000;

interface Listener {
  readonly id: number;
  readonly post: (said: Said) => void;
  readonly turn: () => Promise<void>;
  /** Of what was learned, where no episode of the evaluation ended. */
  readonly oldReturn: () => Promise<number | null>;
}

type Train = Extract<Ask, { kind: 'train' }>;

/** An error as the page takes it: no longer than its bounds. */
export const failureOf = (error: unknown) => {
  const { message, fix, field } = toFailure(error);
  return { message: message.slice(0, 1100), fix: fix.slice(0, 1100), ...(field !== undefined && { field: field.slice(0, 200) }) };
};

/** What the environment is made with: the page's settings, and the player in its seat. */
export const configOf = ({ settings, seat }: OwnSetup): JsonObject => ({ ...settings, ...(seat !== '' && { seats: { [seat]: MINE } }) });

export class OwnRun {
  learned: PolicySnapshot | null = null;
  private readonly session: Session;
  private readonly metrics: readonly string[];

  private constructor(session: Session, metrics: readonly string[]) {
    this.session = session;
    this.metrics = metrics;
  }

  /** Throws LabError, also for a state that is damaged or of another run. */
  static async begin(made: Definition, ask: Train, now: () => number): Promise<OwnRun> {
    const { env } = made;
    const algo = made.algo?.id === ask.algo ? made.algo : await loadAlgo(ask.algo);
    const config = completeRun(
      {
        env: { id: env.id, config: configOf(ask.setup) },
        algo: { id: algo.id, config: { ...(await startOf(made, algo, configOf(ask.setup))), ...(made.algo === algo && ask.setup.method) } },
        run: { steps: ask.steps, seeds: 1, seedStart: ask.seed, evalEpisodes: EPISODES },
      },
      registryOf([env], [algo]),
    );
    const resume = ask.state === '' ? null : stateOf(ask.state);
    const session = createSession({ config, env, algo, seed: ask.seed, now, sliceMs: SLICE_MS, ...(resume !== null && { resume }) });
    return new OwnRun(
      session,
      metricsOf(made).map(({ id }) => id),
    );
  }

  /** Trains until it is done or stopped. */
  async go({ id, post, turn, oldReturn }: Listener): Promise<void> {
    const newest = new Map<string, number>();
    let ended = false;
    for await (const event of this.session) {
      if (event.kind === 'policy') this.learned = event.snapshot;
      else if (event.kind === 'metrics') keepNewest(newest, event.columns, event.rows);
      else if (event.kind === 'progress') {
        const metrics = this.metrics.map((name) => finiteOrNull(newest.get(name)));
        const [paid, old] = [finiteOrNull(newest.get('episodicReturn')), finiteOrNull(newest.get(WORLD_RETURN))];
        post({
          kind: 'progress',
          id,
          step: event.step,
          return: paid,
          old,
          metrics,
          stepsPerSecond: finiteOrNull(event.stepsPerSecond) ?? 0,
        });
      } else if (event.kind === 'state' && event.error !== undefined) {
        post({ kind: 'failed', id, failure: failureOf({ failure: event.error }) });
        ended = true;
      } else if (event.kind === 'result') {
        const { evalReturn, finalReturn, steps, seconds, stepsPerSecond, parameterHash, measured } = event.result;
        const result = {
          evalReturn: finiteOrNull(evalReturn),
          oldReturn: finiteOrNull(measured?.[WORLD_RETURN]) ?? (await oldReturn()),
          finalReturn: finiteOrNull(finalReturn),
          steps,
          seconds,
          stepsPerSecond,
          parameterHash,
        };
        post({ kind: 'trained', id, result });
        ended = true;
      }
      await turn();
    }
    if (ended) return;
    const [message, fix] =
      this.session.state === 'stopped'
        ? ['Training was stopped.', 'What was learned until then can be watched, saved, and gone on with.']
        : ['The run had come to its end before.', 'Give it more steps to go on.'];
    post({ kind: 'failed', id, failure: { message, fix } });
  }

  stop(): void {
    this.session.stop();
  }

  /** Throws LabError where the state is too large for a message. */
  async save(): Promise<{ readonly step: number; readonly state: string }> {
    const state = toBase64(encodeSaved(await this.session.save()));
    if (state.length > LONGEST_MESSAGE - BESIDE)
      throw fail(
        'storage-full',
        `The state of this run takes ${Math.round(state.length / 1e6)} million characters; ${Math.round(LONGEST_MESSAGE / 1e6)} are the most here.`,
        'Train it on the command line, where a run of any size can be saved: rl train --env-file FILE --out FOLDER.',
      );
    return { step: this.session.step, state };
  }
}

function stateOf(text: string): Saved {
  const bytes = fromBase64(text);
  if (bytes === null) throw fail('file-invalid', 'The state of the run is damaged.', 'Train it again.');
  return decodeSaved(bytes);
}

/** What a person's method measures besides its episodes. */
export const metricsOf = ({ algo }: Definition): OwnCard['metrics'] =>
  (algo?.metrics ?? []).filter(({ id }) => !episodeMetrics.some((usual) => usual.id === id)).map(({ id, title }) => ({ id, title }));

/** The settings that a method starts with: as recommended where it is what is recommended. */
async function startOf(made: Definition, algo: AlgoEntry, config: JsonObject): Promise<JsonObject> {
  const { env } = made;
  if (made.algo !== algo) {
    await Promise.all(candidates(env, config).map(loadAlgo));
    const first = recommend(env, config);
    if (first.algo === algo.id) return first.config;
  }
  return startIn(cardIn(algo), startsOf(env, config));
}

const cardIn = (algo: AlgoEntry) => ({
  id: algo.id,
  defaults: algo.parse({}),
  presets: algo.presets,
  ...(algo.continuous !== undefined && { continuous: algo.continuous }),
});

function startsOf(env: EnvEntry, config: JsonObject): Parameters<typeof startIn>[1] {
  const { gamma, agents } = env.meta(config);
  return { id: env.id, gamma, groups: agents };
}

/** The last finite number of each column. */
function keepNewest(newest: Map<string, number>, columns: readonly string[], rows: Float64Array): void {
  const width = columns.length + 1;
  columns.forEach((name, column) => {
    for (let at = rows.length - width; at >= 0; at -= width) {
      const value = rows[at + 1 + column]!;
      if (!Number.isFinite(value)) continue;
      newest.set(name, value);
      return;
    }
  });
}
