/**
 * The inside of a sandbox: what a person's code defines, checked, played and trained. It speaks in texts (contract/own/sandbox.ts); its answers are
 * bounded where the page reads them, because the code beside it could send anything in its name.
 */

import { frameSize } from '#contract/game/frames.ts';
import { toBase64 } from '#contract/kit/bytes.ts';
import { LabError } from '#contract/kit/errors.ts';
import type { Ask, OwnCard, OwnPlayer, OwnScore, OwnSetup, Said } from '#contract/own/sandbox.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import { loadAlgo } from '#core/algos/index.ts';
import { randomPolicy } from '#core/algos/lib/random-policy.ts';
import { scoreOf } from '#core/envs/api/score.ts';
import type { EnvEntry, Environment } from '#core/envs/api/types.ts';
import { loadEnv } from '#core/envs/index.ts';
import type { LineOf } from '#core/own/call.ts';
import { playsPlainly } from '#core/own/check.ts';
import { type Definition, define, type Given } from '#core/own/definition.ts';
import { WORLD_RETURN } from '#core/own/reward.ts';
import { type Evaluation, evaluate, evaluateScript } from '#core/run/evaluate.ts';
import { checkOwn } from '#core/run/own-check.ts';
import { buildPolicy } from '#core/run/policy.ts';
import { registryOf } from '#core/run/registry.ts';
import { playEpisode, playScripted, ReplayReader } from '#core/run/replay.ts';
import { finiteOrNull } from '#math/finite.ts';
import { cardOf } from './own-card.ts';
import { configOf, failureOf, OwnRun } from './own-run.ts';

/** Numbers of all frames of an episode: what is longer is cut in the picture. */
const MOST_NUMBERS = 1_000_000;
/** Episodes over which the old return of a policy is measured whose episodes do not end by themselves. */
const EPISODES = 20;
/** Scripted policies that are compared with the person's player. */
const RIVALS = 4;

export interface OwnHostOptions {
  readonly post: (said: Said) => void;
  readonly now: () => number;
  /** Resolves after messages had their turn. */
  readonly turn: () => Promise<void>;
}

export interface OwnHost {
  /** Makes what the code defines; `given`: what it called with what. */
  open(given: Given, id: string, lineOf: LineOf): Promise<void>;
  refuse(error: unknown, line: number | null): void;
  ask(ask: Ask): Promise<void>;
}

export function createOwnHost({ post, now, turn }: OwnHostOptions): OwnHost {
  let definition: Definition | null = null;
  let run: OwnRun | null = null;

  const refuse = (error: unknown, line: number | null): void => post({ kind: 'refused', failure: failureOf(error), line });
  const made = (): Definition => {
    if (definition === null) throw new Error('nothing is open');
    return definition;
  };

  /** Calls `use` with the policy that was trained here, and frees it. */
  async function withLearned<T>(snapshot: PolicySnapshot, use: (policy: Parameters<typeof evaluate>[0]) => Promise<T>): Promise<T> {
    const { env, algo } = made();
    const entry = algo?.id === snapshot.algo.id ? algo : await loadAlgo(snapshot.algo.id);
    const built = await buildPolicy(snapshot, registryOf([env], [entry]));
    try {
      return await use(built.policy);
    } finally {
      built.free();
    }
  }

  async function episodeOf(setup: OwnSetup, seed: number, player: OwnPlayer) {
    const { env } = made();
    const config = configOf(setup);
    if (typeof player === 'object') return playScripted(player.script, env, config, seed);
    const snapshot = player === 'learned' ? run?.learned : null;
    if (snapshot == null) return playEpisode(randomPolicy(env.meta(config)), env, config, { seed, greedy: false });
    return withLearned(snapshot, (policy) => playEpisode(policy, env, config, { seed, greedy: true }));
  }

  async function play({ id, setup, seed, player }: Extract<Ask, { kind: 'play' }>): Promise<void> {
    const { env, kind } = made();
    if (kind === 'world' && player === 'random') playsPlainly(env, configOf(setup)); // training would find it only when it saves
    const replay = await episodeOf(setup, seed, player);
    const reader = new ReplayReader(replay, env);
    try {
      const { frame, agentCount, score } = env.meta(replay.env.config);
      const steps = replay.reward.length / agentCount;
      const size = frameSize(frame);
      const most = Math.max(1, Math.min(steps + 1, Math.floor(MOST_NUMBERS / size)));
      const window = reader.window(0, most);
      const shown = window.frames.length / size - 1;
      const rewards = Float32Array.from({ length: shown }, (_, t) => scoreOf(score, replay.reward, t * agentCount, agentCount));
      const episode = {
        layout: frame as OwnCard['layout'],
        frames: base64(window.frames),
        rewards: base64(rewards),
        ended: replay.ended,
      };
      post({ kind: 'played', id, episode });
    } finally {
      reader.dispose();
    }
  }

  async function score({ id, setup, episodes }: Extract<Ask, { kind: 'score' }>): Promise<void> {
    const { env, kind } = made();
    const config = configOf(setup);
    const scores: OwnScore[] = [];
    const add = (who: string, { scores: returns, measures }: Evaluation): void =>
      void scores.push({ who, returns: [...returns].map((x) => (Number.isFinite(x) ? x : 0)), old: finiteOrNull(measures[WORLD_RETURN]) });
    add('random', await evaluate(randomPolicy(env.meta(config)), measurable(env), config, { episodes, greedy: false }));
    const rivals = kind === 'player' ? env.policyNames.slice(0, RIVALS) : [];
    for (const name of rivals) {
      const script = env.policies(config)[name];
      if (script !== undefined) add(name, await evaluateScript(script, env, config, episodes));
    }
    const learned = run?.learned ?? null;
    if (learned !== null) add('learned', await withLearned(learned, (policy) => evaluate(policy, measurable(env), config, { episodes })));
    post({ kind: 'scored', id, scores });
  }

  async function train(ask: Extract<Ask, { kind: 'train' }>): Promise<void> {
    const { env, kind } = made();
    const current = await OwnRun.begin(made(), ask, now);
    run = current;
    const oldReturn = async (): Promise<number | null> => {
      if (kind !== 'reward' || current.learned === null) return null;
      const config = configOf(ask.setup);
      const { measures } = await withLearned(current.learned, (policy) =>
        evaluate(policy, measurable(env), config, { episodes: EPISODES }),
      );
      return finiteOrNull(measures[WORLD_RETURN]);
    };
    await current.go({ id: ask.id, post, turn, oldReturn });
  }

  return {
    refuse,
    async open(given, id, lineOf) {
      try {
        const found = await define(given, id, lineOf, loadEnv);
        definition = found;
        post({ kind: 'ready', world: await cardOf(found) });
      } catch (error) {
        refuse(error, lineOf(error));
      }
    },
    async ask(ask) {
      try {
        if (ask.kind === 'check') {
          const findings = await checkOwn(made(), configOf(ask.setup), ask.setup.method, now);
          post({ kind: 'checked', id: ask.id, findings: [...findings] });
        } else if (ask.kind === 'play') await play(ask);
        else if (ask.kind === 'score') await score(ask);
        else if (ask.kind === 'train') await train(ask);
        else if (ask.kind === 'save') post({ kind: 'saved', id: ask.id, ...(await (run ?? nothing()).save()) });
        else if (ask.kind === 'ping') post({ kind: 'pong', id: ask.id });
        else run?.stop();
      } catch (error) {
        post({ kind: 'failed', id: ask.id, failure: failureOf(error) });
      }
    },
  };
}

/** The environment, whose episodes are cut where evaluations stop: what is measured of an episode is measured of those that never end, too. */
function measurable(entry: EnvEntry): EnvEntry {
  return Object.assign(Object.create(entry) as EnvEntry, {
    create(...given: Parameters<EnvEntry['create']>) {
      const inner = entry.create(...given);
      const { evalMaxSteps } = inner.meta;
      let steps = 0;
      return Object.assign(Object.create(inner) as Environment, {
        step(...[actions, out]: Parameters<Environment['step']>) {
          inner.step(actions, out);
          if (++steps < evalMaxSteps) return;
          for (let row = 0; row < inner.batch; row++) if (out.terminated[row] === 0) out.truncated[row] = 1;
        },
      });
    },
  });
}

function nothing(): never {
  throw new LabError({ id: 'world-invalid', message: 'Nothing was trained here.', fix: 'Train it first.' });
}

const base64 = (numbers: Float32Array): string => toBase64(new Uint8Array(numbers.slice().buffer));
