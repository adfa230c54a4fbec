/**
 * Decides what the stage shows: before training, random actions; while training, one episode after another, each by the newest
 * policy of the active run; on demand a stored point of a run; a person's game (human.ts); the map being edited.
 * What follows from what happens is in stores/stage-machine.ts; here episodes are asked for and shown. An answer that comes after a later change of scene
 * is dropped.
 */

import { policyAt, policyKey, policySteps } from '#client/runs/policies.ts';
import { chooseSeed, currentSubject, type Subject, type Training, trainingOf } from '#client/runs/subject.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { canLearn, decides } from '#contract/catalog/learnable.ts';
import { frontOf, withPreference } from '#contract/files/pareto.ts';
import { toFailure } from '#contract/kit/errors.ts';
import type { PolicySnapshot, Replay } from '#contract/run/events.ts';
import { SCRIPTED, type WatchApi, type Window } from '#contract/session/session.ts';
import { algoCard, catalogStore } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { Latest, type Turn } from '#stores/latest.ts';
import { lineupOf } from '#stores/lineup.ts';
import { preferencesStore } from '#stores/preferences.ts';
import { findGroup, findSeed } from '#stores/runs.ts';
import {
  captionStage,
  episodeTakesLong,
  keepStartAt,
  listCheckpoints,
  returnCounted,
  showEpisode,
  showGame,
  showMap,
  stageEvent,
  stageStore,
} from '#stores/stage.ts';
import { type Choice, inSight, type Shown, type StageSubject, scriptOf } from '#stores/stage-machine.ts';
import type { HumanScore, RunGroup, StageState } from '#stores/types.ts';
import { locale, msg, t } from '#text/text.ts';
import { nameShown } from '../runs/own-name.ts';
import { GrowingSource, ReplaySource, returnUpTo } from './frames.ts';
import { resolvePlayers } from './lineup.ts';
import { numberOf } from './number-of.ts';

/** Episodes on the stage start from seeds of their own, so that watching never repeats a training episode. */
const FIRST_EPISODE_SEED = 1001;
/** Milliseconds after which a stage that waits says so. */
const SOON_MS = 500;
const TOOK_TOO_LONG = msg('This environment takes too long to make with these settings. Choose smaller ones.');
/** Policies the watch worker holds at once. */
const HELD_POLICIES = 12;

export interface StageControllerOptions {
  readonly watch: () => WatchApi;
  /** Whether replays start by themselves (no reduced motion). */
  readonly autoplay: () => boolean;
  /** Milliseconds of a clock that only moves forward. */
  readonly now: () => number;
}

export class StageController {
  private readonly options: StageControllerOptions;
  private readonly scenes = new Latest();
  private episode = 0;
  /** Policies the watch worker has or is being given, the longest unused first. */
  private held = new Map<string, Promise<void>>();
  /** Episodes that the watch worker is playing. */
  private computing = 0;

  constructor(options: StageControllerOptions) {
    this.options = options;
  }

  /** The subject may have changed: another environment, another active run. Keeps what is going on if it still fits. */
  async refresh(): Promise<void> {
    const subject = currentSubject();
    if (subject === null) return;
    const todo = stageEvent({ kind: 'refresh', ...facts(subject) });
    if (todo === 'map') await this.showMap(subject);
    else {
      this.listCheckpoints(subject);
      if (todo === 'episode') await this.nextEpisode();
    }
  }

  /** The result of a finished game gives way: a run has begun, or another step of a lesson is open. */
  async leaveGame(): Promise<void> {
    if (stageEvent({ kind: 'leave-game' }) === 'episode') await this.nextEpisode();
  }

  /** The episode has been shown to its end. */
  atEnd(): void {
    const todo = stageEvent({ kind: 'ended' });
    if (todo === 'unasked') void this.nextEpisode({ unasked: true });
    else if (todo === 'pause') stageStore.getState().setPlaying(false);
  }

  /** Paused in the middle, or asked about: a person looks at this frame, and nothing that comes by itself may take it away. */
  private get lookedAt(): boolean {
    const { mode, playing, t, questioned } = stageStore.getState();
    return mode === 'live' && !playing && (t > 0 || questioned);
  }

  /** Whether what was computed for this scene has no place on the stage any more. */
  private outdated(newest: Turn, unasked: boolean): boolean {
    return !newest() || (unasked && this.lookedAt);
  }

  /** Called as frames pass and as runs change: an old policy gives way to the newest one. */
  renew(): void {
    const { policy } = stageStore.getState();
    const { now } = this.options;
    if (policy === null) return;
    const running = findSeed(policy.runId, policy.seed)?.state === 'running';
    const newest = currentSubject()?.policy ?? null;
    if (stageEvent({ kind: 'renew', now: now(), newest, running, lookedAt: this.lookedAt }) === 'unasked')
      void this.nextEpisode({ unasked: true });
  }

  /**
   * A pinned policy plays again, from another start unless that is to stay; else the newest policy plays. `moment`: the frame it comes in at.
   * `unasked`: it comes by itself, and not if a person looks at the frame that is shown by then.
   */
  async nextEpisode({ moment = 0, unasked = false }: { readonly moment?: number; readonly unasked?: boolean } = {}): Promise<void> {
    const subject = currentSubject();
    if (subject === null) return;
    if (stageEvent({ kind: 'play', ...facts(subject) }) === 'wait') {
      captionStage(t(TOOK_TOO_LONG));
      return;
    }
    const newest = this.scenes.begin();
    const { machine } = stageStore.getState();
    const script = scriptOf(machine, facts(subject));
    try {
      if (script === null) await this.playPolicy(newest, subject, machine.choice, moment, unasked);
      else await this.playScript(newest, subject, script, { unasked });
    } catch (error) {
      if (!newest()) return;
      const { id, message } = toFailure(error);
      captionStage(message);
      if (script === null && id === 'incompatible' && subject.training.changes.length > 0) {
        // Random actions show the changed world, and the reason stays.
        stageEvent({ kind: 'refused', why: 'unfit', env: subject.env });
        await this.playScript(newest, subject, 'random', { why: message, unasked }).catch((problem: unknown) => {
          if (newest()) captionStage(toFailure(problem).message);
        });
      }
      return;
    } finally {
      if (newest()) stageEvent({ kind: 'dropped' }); // unless it has been shown
    }
    // What came or ended meanwhile was not asked for while this one was on its way, and nothing ticks while the stage stands still.
    if (newest()) this.renew();
  }

  private async playPolicy(newest: Turn, subject: Subject, choice: Choice, moment: number, unasked: boolean): Promise<void> {
    const pinned = choice.kind === 'pinned' ? choice : null;
    const runId = pinned?.runId ?? subject.group?.id ?? '';
    const snapshot = asPreferred(runId, pinned?.snapshot ?? subject.policy);
    const key = snapshot === null ? null : await this.hold(runId, snapshot);
    const wish = preferencesStore.getState().weights[runId];
    // Who asks for certain weights wants to see what they are worth, not what is being tried.
    const exploring = findSeed(runId, snapshot?.seed ?? -1)?.state === 'running' && pinned === null && wish === undefined;
    const seed = this.startSeed();
    const group = findGroup(runId);
    const training =
      snapshot === null || group === null
        ? subject.training
        : trainingOf(subject.env, group, snapshot.seed, snapshot.step, subject.ref.config);
    // Unchanged in the draft: with what was edited while it trained.
    const ref = training.changes.length === 0 && pinned?.world === undefined ? (snapshot?.env ?? subject.ref) : subject.ref;
    const lineup = pinned === null ? lineupOf(subject.env) : null;
    const options = { seed, greedy: !exploring };
    const replay = await this.computed(newest, async (watch) =>
      lineup === null ? watch.play(ref, key, options) : watch.playTeam(ref, await this.seat(subject, lineup), options),
    );
    if (this.outdated(newest, unasked)) return;
    this.episode++;
    const policy = snapshot === null || key === null ? null : { key, runId, seed: snapshot.seed, step: snapshot.step };
    const since = this.options.now();
    const who =
      pinned?.world !== undefined
        ? t('A policy that was trained before, for {n} steps: episode {episode}. Push it with the pointer.', {
            n: pinned.snapshot.step.toLocaleString(locale()),
            episode: this.episode,
          })
        : policy === null
          ? describeRandom(this.episode, subject.env)
          : describeEpisode(
              this.episode,
              t('{run}, seed {seed}', {
                run: !group?.name ? t('The policy') : nameShown(group, catalogStore.getState().catalog),
                seed: policy.seed,
              }),
              policy.step,
              exploring,
              group !== null && drawsActions(group),
              wish,
              training,
            );
    const same = stageStore.getState().sameStart === null ? '' : ` ${t('The start stays the same.')}`;
    const message = `${lineup === null ? who : t('Episode {n}, in the chosen line-up.', { n: this.episode })}${same}`;
    const { env } = subject;
    const as =
      pinned === null || pinned.world !== undefined
        ? ({ kind: 'live', env, policy, since, exploring } as const)
        : ({ kind: 'replay', env, policy, game: false } as const);
    await this.present(newest, replay, as, message, { moment, unasked });
  }

  /** An episode that takes long says so, and gives way to the next that is asked for. */
  private async computed(newest: Turn, play: (watch: WatchApi) => Promise<Replay>): Promise<Replay> {
    const watch = this.options.watch();
    if (this.computing++ > 0) void watch.stopPlaying().catch(() => {}); // a lost worker plays nothing any more
    const timer = setTimeout(() => {
      if (newest()) episodeTakesLong(true);
    }, SOON_MS);
    try {
      return await play(watch);
    } finally {
      this.computing--;
      clearTimeout(timer);
      if (this.computing === 0) episodeTakesLong(false);
    }
  }

  /** What there is of the episode that is being computed is shown. */
  async stopComputing(): Promise<void> {
    await this.options
      .watch()
      .stopPlaying()
      .catch(() => {}); // a lost worker is reported elsewhere
  }

  /** The worker's names of these players. */
  seat({ group, policy }: Subject, players: readonly string[]): Promise<readonly (string | null)[]> {
    const newest = group === null || policy === null ? null : { runId: group.id, snapshot: policy };
    return resolvePlayers(players, newest, (runId, snapshot) => this.hold(runId, snapshot));
  }

  /** A seat got another player, which plays at once. */
  async newLineup(): Promise<void> {
    this.choose({ kind: 'newest' });
    if (stageStore.getState().mode !== 'play') await this.nextEpisode();
  }

  /** The start that is shown now stays for all episodes of every policy; or each has its own again. */
  keepStart(on: boolean): void {
    const { replay } = stageStore.getState();
    keepStartAt(on ? (replay?.seed ?? FIRST_EPISODE_SEED) : null);
  }

  /** From another start, which stays if the one before did. */
  async anotherEpisode(): Promise<void> {
    if (stageStore.getState().sameStart !== null) keepStartAt(FIRST_EPISODE_SEED + this.episode);
    await this.nextEpisode();
  }

  private startSeed(): number {
    return stageStore.getState().sameStart ?? FIRST_EPISODE_SEED + this.episode;
  }

  /** Random actions or a scripted policy of the environment, episode after episode; null: the newest learned policy again. */
  async watchScripted(name: string | null): Promise<void> {
    const subject = currentSubject();
    if (subject === null) return;
    this.choose(name === null ? { kind: 'newest' } : { kind: 'scripted', name, envId: subject.env.id, runId: subject.group?.id ?? '' });
    await this.nextEpisode();
  }

  private choose(choice: Choice): void {
    stageEvent({ kind: 'chosen', choice });
  }

  /** `why`: replaces the usual caption. */
  private async playScript(
    newest: Turn,
    { env, ref }: Subject,
    name: string,
    { why, unasked }: { readonly why?: string; readonly unasked: boolean },
  ): Promise<void> {
    const key = name === 'random' ? null : `${SCRIPTED}${name}`;
    const options = { seed: this.startSeed(), greedy: true };
    const replay = await this.computed(newest, (watch) => watch.play(ref, key, options));
    if (this.outdated(newest, unasked)) return;
    const n = ++this.episode;
    const message =
      why ??
      (name === 'random'
        ? t('Episode {n}: random actions.', { n })
        : t('Episode {n}: the scripted policy “{name}”, nothing learned.', { n, name }));
    const as = { kind: 'live', env, policy: null, since: this.options.now(), exploring: false } as const;
    await this.present(newest, replay, as, message, { scripted: name, unasked });
  }

  /** Shows the policy at this training step; without a step, the newest one again and again. */
  async watch(runId: string, seed: number, step?: number): Promise<void> {
    chooseSeed(runId, seed);
    const snapshot = step === undefined ? null : policyAt(runId, seed, step);
    this.choose(snapshot === null ? { kind: 'newest' } : { kind: 'pinned', runId, snapshot });
    const { sameStart, t } = stageStore.getState();
    await this.nextEpisode({ moment: sameStart === null ? 0 : t });
  }

  /** Among policies for several rewards another one is wanted (preferencesStore): it plays at once, and from now on. */
  async prefer(): Promise<void> {
    if (stageStore.getState().machine.choice.kind === 'scripted') this.choose({ kind: 'newest' });
    await this.nextEpisode();
  }

  /** A policy from a file plays like a chosen point of a run; one that is kept for a world stays there beside any run. */
  async showPolicy(snapshot: PolicySnapshot, world?: string): Promise<void> {
    this.choose({ kind: 'pinned', runId: '', snapshot, ...(world !== undefined && { world }) });
    await this.nextEpisode();
  }

  /** The newest policy plays from a state in which an episode may begin. `said`: beside the scene. */
  async playFrom(start: Uint8Array, said: string): Promise<void> {
    const subject = currentSubject();
    if (subject === null || subject.group === null || subject.policy === null) return;
    const { env, group, policy } = subject;
    const newest = this.scenes.begin();
    try {
      const key = await this.hold(group.id, policy);
      const replay = await this.computed(newest, (watch) =>
        watch.play(policy.env, key, { seed: FIRST_EPISODE_SEED, greedy: false, start }),
      );
      const shown = { key, runId: group.id, seed: policy.seed, step: policy.step };
      await this.present(newest, replay, { kind: 'replay', env, policy: shown, game: false }, said, {});
    } catch (error) {
      if (newest()) captionStage(toFailure(error).message);
    }
  }

  /** A finished game becomes a replay like any other; how it went stays beside it. `played`: in a world of more agents than the draft's. */
  async showReplay(replay: Replay, message: string, game: HumanScore | null, played?: EnvCard): Promise<void> {
    const subject = currentSubject();
    if (subject === null) return;
    const as = { kind: 'replay', env: played ?? subject.env, policy: null, game: game !== null } as const;
    await this.present(this.scenes.begin(), replay, as, message, { game });
  }

  /** The name that the watch worker has for the newest learned policy of this subject; null: nothing is learned. */
  newest({ group, policy }: Subject): Promise<string> | null {
    return group === null || policy === null ? null : this.hold(group.id, policy);
  }

  /** The same of the policy that plays: one that was chosen, of a run or of a file, else the newest. */
  acting(subject: Subject): Promise<string> | null {
    const { choice } = stageStore.getState().machine;
    return choice.kind === 'pinned' ? this.hold(choice.runId, choice.snapshot) : this.newest(subject);
  }

  /** A person takes over the stage. */
  showGame(
    source: GrowingSource,
    env: EnvCard,
    message: string,
    { told = '' }: Pick<Window, 'told'>,
    { t: at, ...shared }: Pick<StageState, 'game' | 'takeover' | 'returnSoFar' | 't'>,
  ): void {
    this.scenes.begin();
    showGame(env, { source, length: source.length, t: at, told, message }, shared);
  }

  async editMap(on: boolean): Promise<void> {
    const subject = currentSubject();
    if (on && subject !== null) await this.showMap(subject);
    else if (stageEvent({ kind: 'leave-map' }) === 'refresh') await this.refresh();
  }

  /** Kept points of the shown run, for the learning timeline. */
  listCheckpoints(subject: Subject | null = currentSubject()): void {
    if (subject === null) return;
    const { group, seed } = subject;
    const steps = group === null ? [] : policySteps(group.id, seed);
    const before = stageStore.getState().checkpoints;
    if (before.length === steps.length && before.at(-1)?.step === steps.at(-1)) return;
    listCheckpoints(steps.map((step) => ({ step, key: policyKey(group?.id ?? '', seed, step) })));
  }

  /** The return shown beside the scene, for the frame that is shown. */
  updateReturn(): void {
    const { replay, t, machine } = stageStore.getState();
    if (replay !== null) returnCounted(returnUpTo(replay, t, inSight(machine).env?.agents ?? 1));
  }

  private async present(
    newest: Turn,
    replay: Replay,
    as: Extract<Shown, { kind: 'live' | 'replay' }>,
    message: string,
    {
      moment = 0,
      unasked = false,
      scripted = null,
      game = null,
    }: { readonly moment?: number; readonly unasked?: boolean; readonly scripted?: string | null; readonly game?: HumanScore | null },
  ): Promise<void> {
    const { env } = as;
    const length = replay.reward.length / Math.max(1, env.agents) + 1;
    const watch = this.options.watch();
    const source = new ReplaySource(replay, env.frame, length, env.fps, (from, count) => watch.frames(replay, from, count));
    const at = Math.min(moment, length - 1);
    await source.fetch(at);
    if (this.outdated(newest, unasked)) return;
    showEpisode(as, { replay, source, length, t: at, message }, { autoplay: this.options.autoplay(), scripted, game });
  }

  /** The first frame of the map, which is edited. */
  private async showMap(subject: Subject): Promise<void> {
    stageEvent({ kind: 'edit' });
    const newest = this.scenes.begin();
    const { env } = subject;
    try {
      const { frames, told = '' } = await this.options.watch().preview(subject.ref, draftStore.getState().config.run.seedStart);
      if (newest()) showMap(env, new GrowingSource(env.frame, env.fps, frames), told, t('Editing the map.'));
    } catch (error) {
      if (newest()) captionStage(toFailure(error).message);
    } finally {
      if (newest()) stageEvent({ kind: 'dropped' }); // unless it has been shown
    }
  }

  /** What the parts of the reward added to every step of this episode (WatchApi.rewardTerms); empty where it cannot be re-simulated. */
  async rewardTerms(replay: Replay): Promise<Float64Array> {
    return this.options
      .watch()
      .rewardTerms(replay)
      .catch(() => new Float64Array(0)); // the stage says so itself
  }

  /** Whether the actions of the shown episode are drawn, because its run is still training. */
  get exploring(): boolean {
    const shown = inSight(stageStore.getState().machine);
    return shown.kind === 'live' && shown.exploring;
  }

  /** The watch worker gets each policy once and keeps the last few, and the one on the stage. Answers its name there. */
  async hold(runId: string, snapshot: PolicySnapshot): Promise<string> {
    const wish = preferencesStore.getState().weights[runId];
    // Policies from files have no run, and several of them may have the same seed and step.
    const key =
      policyKey(runId || `file ${numberOf(snapshot)}`, snapshot.seed, snapshot.step) + (wish === undefined ? '' : `#${wish.join()}`);
    const watch = this.options.watch();
    const given = this.held.get(key) ?? watch.setPolicy(key, snapshot);
    this.held.delete(key);
    this.held.set(key, given); // now the last to be dropped
    for (const old of [...this.held.keys()].slice(0, -HELD_POLICIES)) {
      if (old === stageStore.getState().policy?.key) continue;
      this.held.delete(old);
      void watch.dropPolicy(old);
    }
    await given;
    return key;
  }

  /** After a new watch worker: it holds nothing. */
  forgetHeld(): void {
    this.held.clear();
  }

  /** The worker was ended while it made the environment that is to be shown. */
  tookTooLong(): void {
    const env = currentSubject()?.env;
    if (env !== undefined) stageEvent({ kind: 'refused', why: 'unmade', env });
    captionStage(t(TOOK_TOO_LONG));
  }
}

/** What the stage's events say of their subject. */
const facts = ({ env, group, policy }: Subject): StageSubject => ({ env, runId: group?.id ?? '', learned: policy !== null });

/** The policy a person wants of those this run has learned for several rewards. */
function asPreferred(runId: string, snapshot: PolicySnapshot | null): PolicySnapshot | null {
  const wish = preferencesStore.getState().weights[runId];
  return snapshot === null || wish === undefined || frontOf(snapshot) === null ? snapshot : withPreference(snapshot, wish);
}

/** Whether the policy of this run draws its actions by their probabilities where others take the best. */
function drawsActions({ config: { algo } }: RunGroup): boolean {
  const mixed = algoCard(algo.id)?.mixed;
  return typeof mixed === 'string' ? algo.config[mixed] === true : mixed === true;
}

/** Actions that no policy chose. */
function describeRandom(episode: number, env: EnvCard): string {
  if (!decides(env)) return t('Episode {n}: every member follows the built-in rule.', { n: episode });
  return canLearn(env)
    ? t('Episode {n}: random actions, before any learning.', { n: episode })
    : t('Episode {n}: random actions; there is no task here.', { n: episode });
}

/** Settings that a caption names; more are counted. */
const NAMED = 2;

/** Who plays, after how much learning, how it chooses, and where it learned if that is another world than the one on the stage. */
function describeEpisode(
  episode: number,
  name: string,
  step: number,
  learning: boolean,
  mixed: boolean,
  wish: readonly number[] | undefined,
  { edits, changes }: Training,
): string {
  const which = wish === undefined ? '' : t(' for weights {weights}', { weights: wish.map((w) => Number(w.toFixed(2))).join(' : ') });
  const how = learning ? t('exploring') : mixed ? t('actions drawn by their probabilities') : t('always its best action');
  const worlds = [...edits, ...changes];
  const some = `${worlds.slice(0, NAMED).join('; ')}${worlds.length > NAMED ? '; …' : ''}`;
  const world = worlds.length === 0 ? '' : ` ${t('Trained with {changes}.', { changes: some })}`;
  const at = step.toLocaleString(locale());
  return `${t('{run}: episode {n}, the policy at step {step}{which}, {how}.', { run: name, n: episode, step: at, which, how })}${world}`;
}
