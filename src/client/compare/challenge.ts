/**
 * Challenges (contract/link/challenge.ts): set up in the laboratory, handed in, and proved. What was played is played again action by action; what was
 * trained is trained again in a worker of its own, and what it learned plays the episode. Loaded with the page.
 */
import { laboratory } from '#client/address/laboratory.ts';
import { drafts } from '#client/runs/parts.ts';
import { newestPolicy } from '#client/runs/policies.ts';
import { runs } from '#client/runs/service.ts';
import { game } from '#client/stage/service.ts';
import { workers } from '#client/workers/service.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { actionSize } from '#contract/game/spaces.ts';
import { fail, toFailure } from '#contract/kit/errors.ts';
import type { JsonObject } from '#contract/kit/json.ts';
import { type Attempt, actionsOf, type Challenge, MOST_BUDGET, markOf, movesOf, type Seated } from '#contract/link/challenge.ts';
import { refsOf } from '#contract/link/link.ts';
import type { RunConfig } from '#contract/run/config.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import { sameSettings } from '#contract/run/flat-settings.ts';
import { isOwnWorld } from '#contract/run/own-world.ts';
import { SCRIPTED, type WatchApi } from '#contract/session/session.ts';
import { algoCard, envCard } from '#stores/catalog.ts';
import { type ChallengeState, tryChallenge } from '#stores/challenge.ts';
import { tookOver } from '#stores/datasets.ts';
import { draftStore } from '#stores/draft.ts';
import { runsStore } from '#stores/runs.ts';
import type { RunGroup } from '#stores/types.ts';

/** A training that is done again to prove an attempt may take so long. */
const PATIENCE_MS = 120_000;

export type Proof =
  | { readonly state: 'holds'; readonly score: number }
  /** false: it is not what it says. unknown: it cannot be told here. */
  | { readonly state: 'false' | 'unknown'; readonly why: string };

/** What an attempt is made of, without what its card says anyway. */
function refs(config: RunConfig) {
  const [env, algo] = [envCard(config.env.id)?.defaults ?? {}, algoCard(config.algo.id)?.defaults ?? {}];
  const found = refsOf(config, { env, algo });
  const plain = ({ id, config: own }: { readonly id: string; readonly config?: unknown }) => ({ id, config: (own ?? {}) as JsonObject });
  return { env: plain(found.env), algo: plain(found.algo) };
}

/** Whether a short link cannot hold this world: it is code of your own. */
export const unfit = (config: RunConfig): boolean => isOwnWorld(config.env.id);

export const challengeOf = (config: RunConfig, rest: Omit<Challenge, 'env'>): Challenge => ({ env: refs(config).env, ...rest });

/** The set-up with which a policy is first trained for it. Throws LabError for a world that is not there. */
export async function setUpOf({ env, steps }: Challenge): Promise<RunConfig> {
  const card = envCard(env.id);
  const algo = card === null ? { id: 'random' } : { id: card.recommended.algo, config: card.recommended.config };
  return workers.complete({ env, algo, run: { steps: Math.max(1, steps), seeds: 1 } } as JsonObject);
}

/** The world of a set-up with its settings: how many agents there are may depend on them. */
export const worldOf = ({ env }: RunConfig): Promise<EnvCard> =>
  workers.player().describe({ id: env.id, config: env.config as JsonObject });

/** The return of an episode: the rewards of one agent of so many, or of all. */
export function returnOf({ reward }: Pick<Replay, 'reward'>, seat?: { readonly agent: number; readonly agents: number }): number {
  let sum = 0;
  for (let i = seat?.agent ?? 0; i < reward.length; i += seat?.agents ?? 1) sum += reward[i]!;
  return sum;
}

/** The seat of a challenge among the agents of its world; undefined: it has none. Throws LabError for a seat that is not there. */
export function seatedIn({ seat }: Pick<Challenge, 'seat'>, world: EnvCard): Seated | undefined {
  if (seat === undefined) return;
  const action = world.groups.flatMap((group) => group.names.map(() => group.action))[seat.agent];
  if (action === undefined) throw fail('incompatible', `${world.title} has no agent ${seat.agent + 1}.`, 'Ask for a new link.');
  return { agent: seat.agent, agents: world.agents, size: actionSize(action) };
}

/** Who plays each seat of a challenge: `player` its own, its script or chance the others. */
const playersOf = ({ agent, others }: NonNullable<Challenge['seat']>, agents: number, player: string | null): readonly (string | null)[] =>
  Array.from({ length: agents }, (_, i) => (i === agent ? player : others === '' ? null : SCRIPTED + others));

/** A worker of its own, for as long as `work` lasts. */
async function inPlayer<T>(work: (api: WatchApi) => Promise<T>): Promise<T> {
  let lose: (why: Error) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  const player = workers.spawnPlayer((why) => lose(fail('worker-lost', `The worker that played was lost (${why}).`, 'Try again.')));
  try {
    return await Promise.race([work(player.api), lost]);
  } finally {
    player.terminate();
  }
}

const KEY = 'challenge';

async function scoreOf(snapshot: PolicySnapshot, given: RunConfig['env'], { seed, seat }: Challenge): Promise<number> {
  return inPlayer(async (api) => {
    const env = { id: given.id, config: given.config as JsonObject };
    const options = { seed, greedy: true };
    await api.setPolicy(KEY, snapshot);
    if (seat === undefined) return returnOf(await api.play(env, KEY, options));
    const { agents } = await api.describe(env);
    return returnOf(await api.playTeam(env, playersOf(seat, agents, KEY), options), { agent: seat.agent, agents });
  });
}

/** Opens the world of a challenge in the laboratory: with a game from its seed, or ready to train. */
export async function open(challenge: Challenge, address: string, way: 'play' | 'train'): Promise<void> {
  const config = await setUpOf(challenge);
  const env = { id: config.env.id, config: config.env.config as JsonObject };
  const { seat } = challenge;
  const { agents } = await worldOf(config);
  tryChallenge({
    env,
    seed: challenge.seed,
    address,
    ...(seat !== undefined && { seat: { agent: seat.agent, players: playersOf(seat, agents, null) } }),
  });
  runsStore.getState().setActive(null);
  draftStore.getState().open(config);
  await drafts.check();
  laboratory.back();
  if (way === 'play') await game.open();
}

/** Games of this visit from the seed of a challenge, played to their end by hand alone; those on a seat were opened from its page. */
export const gamesFor = (
  config: RunConfig,
  challenge: Challenge,
  games: readonly Replay[],
  seated: ChallengeState['seated'],
  address: string,
): readonly Replay[] =>
  challenge.seat === undefined
    ? gamesByHand(config, challenge, games)
    : seated.filter((one) => one.address === address).map(({ replay }) => replay);

const gamesByHand = (config: RunConfig, { seed }: Challenge, games: readonly Replay[]): readonly Replay[] =>
  games.filter(
    (one) =>
      one.seed === seed &&
      one.ended !== 'cut' &&
      one.pulls === undefined &&
      !tookOver(one) &&
      sameSettings({ id: one.env.id, config: one.env.config }, { id: config.env.id, config: config.env.config as JsonObject }),
  );

/** Runs that were trained in the world of a challenge within its steps, and can be trained again bit for bit. */
export const runsFor = (config: RunConfig, { steps }: Challenge, groups: readonly RunGroup[]): readonly RunGroup[] =>
  groups.filter(
    ({ config: own, seeds, edits = [], parent, imported }) =>
      imported === undefined &&
      parent === null &&
      edits.length === 0 &&
      own.run.shaping === undefined &&
      own.run.executor === 'wasm' &&
      own.run.steps <= steps &&
      seeds.some(({ state }) => state === 'done') &&
      sameSettings(
        { id: own.env.id, config: own.env.config as JsonObject },
        { id: config.env.id, config: config.env.config as JsonObject },
      ),
  );

export function attemptOfGame(challenge: Challenge, replay: Replay, world: EnvCard): Attempt {
  const seated = seatedIn(challenge, world);
  return { of: markOf(challenge), score: returnOf(replay, seated), moves: movesOf(replay, seated) };
}

/** The best seed of a run in the episode of a challenge. Throws LabError where no policy of it is kept. */
export async function attemptOfRun(challenge: Challenge, group: RunGroup): Promise<Attempt> {
  await runs.read(group.id);
  let best: Attempt | null = null;
  for (const { seed, state } of group.seeds) {
    const snapshot = state === 'done' ? newestPolicy(group.id, seed) : null;
    if (snapshot === null) continue;
    const score = await scoreOf(snapshot, group.config.env, challenge);
    const { algo } = refs(group.config);
    if (best === null || score > best.score) best = { of: markOf(challenge), score, algo, steps: group.config.run.steps, seed };
  }
  if (best === null) throw fail('incompatible', 'No policy of this run is kept.', 'Train it again.');
  return best;
}

/** Plays or trains an attempt again. Never throws. */
export async function prove(challenge: Challenge, attempt: Attempt): Promise<Proof> {
  try {
    if (attempt.of !== markOf(challenge)) return { state: 'false', why: 'it belongs to another challenge' };
    const config = await setUpOf(challenge);
    const score = 'moves' in attempt ? await playAgain(config, challenge, attempt) : await trainAgain(challenge, attempt);
    if (typeof score === 'string') return { state: 'false', why: score };
    return Object.is(score, attempt.score) ? { state: 'holds', score } : { state: 'false', why: 'its score is not the one that it names' };
  } catch (error) {
    return { state: 'unknown', why: toFailure(error).message };
  }
}

/** The score; a text: why there is none. */
async function playAgain(
  config: RunConfig,
  { seed, seat }: Challenge,
  { moves }: Extract<Attempt, { moves: unknown }>,
): Promise<number | string> {
  return inPlayer(async (api) => {
    const env = { id: config.env.id, config: config.env.config as JsonObject };
    const { agents } = await api.describe(env);
    await api.openPlay(env, seed, seat && { agent: seat.agent, players: playersOf(seat, agents, null) });
    let over = false;
    for (const action of actionsOf(moves)) {
      if (over) return 'the episode ends before the last move';
      const { terminated, truncated } = await api.playStep(action);
      over = terminated || truncated;
    }
    return over ? returnOf(await api.closePlay(), seat && { agent: seat.agent, agents }) : 'the episode goes on after the last move';
  });
}

async function trainAgain(challenge: Challenge, { algo, steps, seed }: Extract<Attempt, { algo: unknown }>): Promise<number | string> {
  if (steps > Math.min(challenge.steps, MOST_BUDGET)) return 'it was trained for more steps than are allowed';
  const run = { steps, seeds: 1, seedStart: seed, executor: 'wasm' };
  const config = await workers.complete({ env: challenge.env, algo, run } as JsonObject);
  let lose: (why: Error) => void = () => {};
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  const give = (why: string): void => lose(fail('worker-lost', `The training was given up: ${why}.`, 'Try again.'));
  const session = workers.spawnSession(give);
  const timer = setTimeout(() => give(`it takes longer than ${PATIENCE_MS / 1000} s here`), PATIENCE_MS);
  try {
    const learned = new Promise<PolicySnapshot>((resolve, reject) => {
      session
        .simulate(config, seed, ({ events }) => {
          for (const event of events) if (event.kind === 'policy') resolve(event.snapshot);
        })
        .catch(reject);
    });
    return await scoreOf(await Promise.race([learned, lost]), config.env, challenge);
  } finally {
    clearTimeout(timer);
    session.terminate();
  }
}
