/** The watch worker's side of PageApi: catalogue, checks, replays, inspection, human play and the executor race. */

import { crc32 } from '#contract/kit/bytes.ts';
import { canonicalJson, utf8 } from '#contract/kit/canonical.ts';
import { fail, toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { readRobot } from '#contract/link/robot.ts';
import type { ExecutorId } from '#contract/run/config.ts';
import type { Replay } from '#contract/run/events.ts';
import { upgrade } from '#contract/run/versions.ts';
import type { PageApi } from '#contract/session/opened.ts';
import { SCRIPTED, type StrengthFound } from '#contract/session/session.ts';
import type { Policy } from '#core/algos/api/types.ts';
import { loadAlgo, loadAlgos } from '#core/algos/index.ts';
import { randomPolicy } from '#core/algos/lib/random-policy.ts';
import { envCard } from '#core/cards.ts';
import type { EnvEntry } from '#core/envs/api/types.ts';
import { loadEnv } from '#core/envs/index.ts';
import { editedState } from '#core/explain/lib/edited-state.ts';
import { candidates } from '#core/recommend.ts';
import { sampleAnswers } from '#core/run/answers.ts';
import { benchRow, buildPolicy, completeRun, loadRun, measureRun, policyToLayers, policyToOnnx, race } from '#core/run/by-id.ts';
import { playTogether } from '#core/run/cross-play.ts';
import { evaluate, evaluateScript } from '#core/run/evaluate.ts';
import { gridMap, inspect, Memory } from '#core/run/inspect.ts';
import { Lineup, type Player, seatPlayers } from '#core/run/lineup.ts';
import { playEpisode, playLineup, playScripted, ReplayReader, scriptedPolicy } from '#core/run/replay.ts';
import { stepNumbers } from '#core/run/step-numbers.ts';
import { answerPrompt, attentionMap, inspectToken, stripValues, tokenStrip } from '#core/run/tokens.ts';
import { type Episodes, measureStrength, strengthIn } from '#core/run/yardstick.ts';
import { createDataHost } from './data-host.ts';
import { createExplainHost } from './explain-host.ts';
import { HumanPlay } from './human-play.ts';
import { type Mate, mateOf } from './mate.ts';
import { Policies } from './policies.ts';
import { Stopping } from './stopping.ts';
import type { SwarmHost } from './swarm.ts';
import { withEnv } from './with-env.ts';

/** Replays kept open: the one on the stage, a comparison, and the last few before them. */
const OPEN_READERS = 4;

const NO_PULLS = new Float32Array(0);

/** A replay arrives as a new copy with each call, so it is known by its content. */
function keyOf({ env, seed, start, actions, pulls = NO_PULLS }: Replay): string {
  const sumOf = ({ buffer, byteOffset, byteLength }: Float32Array): number => crc32(new Uint8Array(buffer, byteOffset, byteLength));
  return `${env.id}:${seed}:${actions.length}:${crc32(start)}:${sumOf(actions)}:${sumOf(pulls)}:${crc32(utf8(canonicalJson(env.config)))}`;
}

export function createWatchHost(): PageApi {
  const policies = new Policies();
  const readers = new Map<string, ReplayReader>();
  const stopping = new Stopping(() => performance.now());
  const reading = new Stopping(() => performance.now());
  let play: HumanPlay | null = null;
  /** The policy of another team that plays beside the person; null: there is none. */
  let mate: Mate | null = null;
  let swarm: SwarmHost | null = null;
  /** Of the policy and replay that were inspected last. */
  let remembered: { readonly policy: Policy; readonly reader: ReplayReader; readonly memory: Memory } | null = null;

  const readerOf = async (replay: Replay): Promise<ReplayReader> => {
    const key = keyOf(replay);
    const entry = await loadEnv(replay.env.id);
    const reader = readers.get(key) ?? new ReplayReader(replay, entry);
    readers.delete(key);
    readers.set(key, reader); // the newest stands last
    for (const [old, unused] of [...readers].slice(0, -OPEN_READERS)) {
      readers.delete(old);
      unused.dispose();
    }
    return reader;
  };

  const playerOf = async (name: string | null, env: { readonly id: string; readonly config: JsonObject }): Promise<Player> => {
    if (name?.startsWith(SCRIPTED) !== true) return { kind: 'policy', policy: await policies.get(name, env) };
    return { kind: 'scripted', policy: scriptedPolicy(name.slice(SCRIPTED.length), await loadEnv(env.id), env.config) };
  };

  /** The replay at frame t, and what the policy remembers there. */
  const standing = async (replay: Replay, t: number, key: string) => {
    const policy = await policies.get(key, replay.env);
    const reader = await readerOf(replay);
    if (remembered?.policy !== policy || remembered.reader !== reader) remembered = { policy, reader, memory: new Memory(policy, reader) };
    const hidden = await remembered.memory.at(t);
    reader.seek(t);
    return { policy, reader, hidden };
  };

  const playing = (): HumanPlay => {
    if (play === null) throw fail('internal', 'No game is open.', 'Press Play yourself again.');
    return play;
  };

  const moving = (): SwarmHost => {
    if (swarm === null) throw fail('internal', 'No swarm is open.', 'Open its page again.');
    return swarm;
  };

  return {
    ...createExplainHost(),
    ...createDataHost(policies, stopping),
    // Both look at every method: their code is loaded when it is needed.
    catalog: async () => (await import('./catalog.ts')).catalog(),
    robot: async (given) => {
      const robot = 'bytes' in given ? readRobot(given.name, given.bytes) : given;
      const { inspectRobot } = await import('#core/envs/mujoco/lib/robot/inspect.ts');
      return { robot, card: await inspectRobot(robot, () => performance.now()) };
    },
    openFile: async (file, name) => (await import('#storage/opening.ts')).openFile(file, name),
    openFolder: async (home, files) => (await import('#storage/opening.ts')).openFolder(home, files),
    openSweep: async (text) => (await import('#contract/sweep/folder.ts')).readSweepFile(text),
    fitting: async ({ id, config }) => (await import('#core/fitting.ts')).fitting(await loadEnv(id), config, await loadAlgos()),
    complete: async (config) => {
      await loadRun(config);
      return completeRun(config);
    },
    describe: async ({ id, config }) => {
      const entry = await loadEnv(id);
      await Promise.all(candidates(entry, config).map(loadAlgo));
      return envCard(entry, config);
    },
    preview: (env, seed) => withEnv(env.id, (entry) => new HumanPlay(entry, env.config, seed).window()),
    checkPolicy: async (snapshot) => (await buildPolicy(snapshot)).free(),
    setPolicy: async (key, snapshot) => policies.set(key, snapshot),
    dropPolicy: async (key) => policies.drop(key),
    onnx: policyToOnnx,
    layers: policyToLayers,
    freeze: async (snapshot, seat) => {
      const { freeze } = await import('#core/run/freeze.ts');
      const built = await buildPolicy(snapshot);
      try {
        return freeze(built, snapshot, seat);
      } finally {
        built.free();
      }
    },
    play: async (env, key, options) =>
      key?.startsWith(SCRIPTED)
        ? playScripted(key.slice(SCRIPTED.length), await loadEnv(env.id), env.config, options.seed, stopping.begin())
        : playEpisode(await policies.get(key, env), await loadEnv(env.id), env.config, options, stopping.begin()),
    solve: ({ id, config }, levels) =>
      withEnv(id, (entry) => {
        const env = entry.create(config, 1);
        return env.solveLevel === undefined ? null : levels.map((level) => env.solveLevel?.(level) ?? null);
      }),
    playTeam: async (env, names, options) => {
      const entry = await loadEnv(env.id);
      const players = await seatPlayers(names, entry.meta(env.config).agentCount, (name) => playerOf(name, env));
      return playLineup(new Lineup(players, options), entry, env.config, options.seed, stopping.begin());
    },
    pairing: (env, key, partner, options) =>
      withEnv(env.id, async (entry) => {
        const built = { policy: await policies.get(key, env), meta: entry.meta(env.config) };
        const { mean, interval } = await playTogether({ built, config: env.config }, partner, entry, options);
        return { mean, interval };
      }),
    stopPlaying: async () => stopping.stop(),
    frames: async (replay, from, count) => (await readerOf(replay)).window(from, count),
    rewardTerms: async (replay) => (await readerOf(replay)).terms(),
    inspect: async (replay, t, key, agent) => {
      const { policy, reader, hidden } = await standing(replay, t, key);
      return inspect(policy, reader.env.meta, reader.buffers, hidden, agent);
    },
    network: async (key, env, agent) => (await policies.probe(key, env, agent)).view,
    look: async ({ replay, t, policy: key, agent, edits, network }) => {
      const probe = network === null ? null : await policies.probe(key, replay.env, agent).catch(onlyIncompatible);
      const { policy, reader, hidden } = await standing(replay, t, key);
      const { meta } = reader.env;
      const edited = edits.length === 0 ? null : await withEnv(replay.env.id, (entry) => editedState(entry, reader, agent, edits));
      const buffers = edited?.buffers ?? reader.buffers;
      const inspection = await inspect(policy, meta, buffers, hidden, agent);
      const { obs } = inspection;
      const memory = hidden.subarray((agent * hidden.length) / meta.agentCount, ((agent + 1) * hidden.length) / meta.agentCount);
      const mask = buffers.mask?.subarray(agent * meta.actionCount, (agent + 1) * meta.actionCount) ?? null;
      const values = network === null || probe === null ? null : await probe.values({ obs, mask, memory }, network.slope);
      return { inspection, values, frame: edited?.frame ?? null };
    },
    stepNumbers: async (replay, t, key, agent, old) =>
      stepNumbers({
        policy: await policies.get(key, replay.env),
        config: policies.configOf(key),
        reader: await readerOf(replay),
        t,
        agent,
        old: old === null ? null : await policies.get(old, replay.env),
      }),
    valueMap: async (replay, t, key) => {
      const policy = await policies.get(key, replay.env);
      const reader = await readerOf(replay);
      reader.seek(t);
      return withEnv(replay.env.id, (entry) => gridMap(policy, entry, replay.env.config, reader.env));
    },
    tokenStrip: async (replay, key) => {
      reading.stop(); // values of an older episode: the new one must not wait for them
      const policy = await policies.get(key, replay.env);
      const reader = await readerOf(replay);
      return withEnv(replay.env.id, (entry) => tokenStrip(policy, reader, entry));
    },
    stripValues: async (replay, key) => {
      const policy = await policies.get(key, replay.env);
      const reader = await readerOf(replay);
      const cut = reading.begin();
      return withEnv(replay.env.id, (entry) => stripValues(policy, entry, replay, reader, cut));
    },
    inspectToken: async (replay, t, key) => inspectToken(await policies.get(key, replay.env), await readerOf(replay), t),
    attentionMap: async (replay, t, key) => attentionMap(await policies.get(key, replay.env), await readerOf(replay), t),
    answerPrompt: async (env, key, prompt, seed) =>
      answerPrompt(await policies.get(key, env), (await loadEnv(env.id)).meta(env.config), prompt, seed),
    sampleAnswers: async ({ policy, env, from, ...asked }) => {
      const player = await policies.get(policy, env);
      const weigh = await policies.weighing(policy);
      // nothing stops it: who asked waits for all of it
      const rest = stopping.begin();
      return withEnv(env.id, (entry) => sampleAnswers(player, entry, env.config, { ...asked, start: from?.start ?? null, weigh, rest }));
    },
    openPlay: async (env, seed, seat) => {
      const names = seat?.players ?? null;
      const entry = await loadEnv(env.id);
      const agents = entry.meta(env.config).agentCount;
      const place = { entry, env, person: seat?.agent ?? 0, seed };
      mate = seat?.beside === undefined ? null : await mateOf(place, seat.beside, (key, ref) => policies.get(key, ref));
      const lineup =
        names === null ? null : new Lineup(await seatPlayers(names, agents, (name) => playerOf(name, env)), { seed, greedy: true });
      const game = new HumanPlay(entry, env.config, seed, place.person, mate ?? lineup, seat?.takeover);
      if (seat?.from !== undefined) await game.goOnFrom(seat.from.replay, seat.from.t);
      play?.dispose();
      play = game;
      return game.open();
    },
    playStep: async (action, agent, pull) => playing().step(action, agent, pull),
    closePlay: async () => {
      const game = playing();
      const replay = game.replay();
      game.dispose();
      play = null;
      mate = null;
      return replay;
    },
    playSoFar: async () => playing().replay(),
    besideSays: async () => mate?.said() ?? null,
    scripted: async ({ env, run }, seed, script) => {
      const entry = await loadEnv(env.id);
      const policy = scriptedPolicy(script, entry, env.config);
      const { score, measures } = await evaluateScript(policy, entry, env.config, run.evalEpisodes, seed);
      return { evalReturn: score, measures };
    },
    async score(env, key, episodes) {
      const policy = await policies.get(key, env);
      return (await evaluate(policy, await loadEnv(env.id), env.config, { episodes })).score;
    },
    strength: async (ask) => {
      const { of, ...episodes } = ask;
      if (!('saved' in of)) {
        const entry = await loadEnv(of.id);
        return foundBy(randomPolicy(entry.meta(of.config)), entry, of.config, episodes);
      }
      const { policy, free } = await buildPolicy(of);
      try {
        const entry = await loadEnv(of.env.id);
        return await foundBy(policy, entry, upgrade(entry, of.env.version, of.env.config, 'env.version').config, episodes);
      } finally {
        free();
      }
    },
    afterRun: async (snapshot, ask) => (await import('./after-run.ts')).afterRun(snapshot, ask),
    oneGroup: async (ask) => {
      const { playGroup } = await import('#core/run/one-group.ts');
      return withEnv(ask.config.env.id, (entry) => playGroup(entry, ask));
    },
    bench: (row) => benchRow(row, () => performance.now()),
    async swarm(canvas, ask) {
      swarm = await (await import('./swarm.ts')).openSwarm(canvas, ask);
    },
    swarmChange: async (ask) => moving().change(ask),
    swarmFrame: async (frame) => moving().frame(frame),
    measure: (config, executor) => measureRun(config, executor, () => performance.now()),
    race: async (config) => race(config, await executorsHere(), () => performance.now()),
  };
}

const foundBy = async (policy: Policy, entry: EnvEntry, config: JsonObject, episodes: Episodes): Promise<StrengthFound> => ({
  kind: strengthIn(entry.meta(config)),
  scores: await measureStrength(policy, entry, config, episodes),
});

/** A policy that is no such network answers all the same. */
function onlyIncompatible(error: unknown): null {
  if (toFailure(error).id === 'incompatible') return null;
  throw error;
}

async function executorsHere(): Promise<Exclude<ExecutorId, 'auto'>[]> {
  const gpu = 'gpu' in navigator ? await navigator.gpu.requestAdapter().catch(() => null) : null;
  return gpu === null ? ['wasm'] : ['wasm', 'webgpu'];
}
