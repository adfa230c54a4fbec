/**
 * Decides what the stage shows: before training, random actions; while training, one episode after another, each by the newest
 * policy of the active run; on demand a stored point of a run; a person's game (human.ts); the map being edited.
 * Every change of scene has a number, and an answer that comes for an older one is dropped.
 */

import { policyAt, policyKey, policySteps } from '#client/runs/policies.ts';
import { chooseSeed, currentSubject, type Subject, type Training, trainingOf } from '#client/runs/subject.ts';
import type { EnvCard } from '#contract/catalog.ts';
import { toFailure } from '#contract/errors.ts';
import type { PolicySnapshot, Replay } from '#contract/events.ts';
import { canLearn, decides } from '#contract/learnable.ts';
import { frontOf, withPreference } from '#contract/pareto.ts';
import { SCRIPTED, type WatchApi } from '#contract/session.ts';
import { algoCard } from '#stores/catalog.ts';
import { draftStore } from '#stores/draft.ts';
import { lineupOf } from '#stores/lineup.ts';
import { preferencesStore } from '#stores/preferences.ts';
import { findGroup, findSeed } from '#stores/runs.ts';
import { stageStore } from '#stores/stage.ts';
import type { HumanScore, RunGroup, StageState } from '#stores/types.ts';
import { locale, msg, t } from '#text/text.ts';
import { GrowingSource, ReplaySource, returnUpTo } from './frames.ts';
import { resolvePlayers } from './lineup.ts';
import { numberOf } from './number-of.ts';

/** Episodes on the stage start from seeds of their own, so that watching never repeats a training episode. */
const FIRST_EPISODE_SEED = 1001;
/** Milliseconds that an older policy may stay on the stage while newer ones wait. */
const OLDEST_SHOWN_MS = 3000;
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

interface Pinned {
  readonly runId: string;
  readonly snapshot: PolicySnapshot;
}

export class StageController {
  private readonly options: StageControllerOptions;
  private scene = 0;
  private episode = 0;
  /** A point of a run chosen by a person; null: always the newest. */
  private pinned: Pinned | null = null;
  /** Random actions or a scripted policy, chosen by a person while this run was the active one. */
  private scripted: { readonly name: string; readonly envId: string; readonly runId: string } | null = null;
  /** Policies the watch worker has or is being given, the longest unused first. */
  private held = new Map<string, Promise<void>>();
  /** The run whose policy is on its way to the stage: asking again would only queue the same episode. */
  private coming: string | null = null;
  /** Episodes that the watch worker is playing. */
  private computing = 0;
  private shownEnv: EnvCard | null = null;
  /** The changed world in which the agent of the active run cannot act: it is not tried again with every new policy. */
  private unfit: EnvCard | null = null;
  /** The environment that was still being made when its worker was ended: it is not made again until it changes. */
  private unmade: EnvCard | null = null;
  /** When the shown episode came on the stage, and whether its actions are sampled because its run is still training. */
  private shown = { since: 0, exploring: false };

  constructor(options: StageControllerOptions) {
    this.options = options;
  }

  /** The subject may have changed: another environment, another active run. Keeps what is going on if it still fits. */
  async refresh(): Promise<void> {
    const { mode, policy } = stageStore.getState();
    const subject = currentSubject();
    if (subject === null) return;
    if (mode === 'edit' && this.shownEnv?.id === subject.env.id) {
      await this.showPreview(subject, 'edit');
      return;
    }
    // Another environment is not the map that was being edited, and perhaps has none.
    if (mode === 'edit') stageStore.setState({ mode: 'idle' });
    const sameEnv = this.shownEnv === subject.env;
    if (mode === 'play' && sameEnv) return;
    if (this.pinned !== null && this.pinned.runId !== (subject.group?.id ?? '')) this.pinned = null;
    const script = this.scriptFor(subject);
    this.listCheckpoints(subject);
    // An episode of this run that is on its way is not asked for again: the second would take the place of the first, whose caller waits for it.
    const onItsWay = this.coming !== null && this.coming === subject.group?.id;
    const runChanged = policy !== null && policy.runId !== subject.group?.id && !onItsWay;
    // The first policy of a new run replaces the random one at once: the change is what people wait for.
    const firstPolicy = policy === null && script === null && subject.policy !== null && !onItsWay && this.unfit !== subject.env;
    if (stageStore.getState().mode === 'idle' || !sameEnv || runChanged || firstPolicy) await this.nextEpisode();
  }

  /** The result of a finished game gives way: a run has begun, or another step of a lesson is open. */
  async leaveGame(): Promise<void> {
    const { mode, game } = stageStore.getState();
    if (mode === 'replay' && game !== null && this.pinned === null) await this.nextEpisode();
  }

  /** The episode has been shown: while watching live the next one follows, a chosen replay stays to be looked at. */
  atEnd(): void {
    if (stageStore.getState().mode === 'live') void this.nextEpisode({ unasked: true });
    else stageStore.getState().setPlaying(false);
  }

  /** Paused in the middle, or asked about: a person looks at this frame, and nothing that comes by itself may take it away. */
  private get lookedAt(): boolean {
    const { mode, playing, t, questioned } = stageStore.getState();
    return mode === 'live' && !playing && (t > 0 || questioned);
  }

  /** Whether what was computed for this scene has no place on the stage any more. */
  private outdated(scene: number, unasked: boolean): boolean {
    return scene !== this.scene || (unasked && this.lookedAt);
  }

  /**
   * Called as frames pass and as runs change: an old policy gives way to the newest one, after OLDEST_SHOWN_MS while its run trains, at once when the run has
   * ended. Paused in the middle, it stays on the stage.
   */
  renew(): void {
    const { mode, policy } = stageStore.getState();
    // With reduced motion episodes wait at their first frame: nothing is lost when a newer policy takes its place.
    if (mode !== 'live' || this.lookedAt || this.pinned !== null || policy === null || this.coming !== null) return;
    const ended = findSeed(policy.runId, policy.seed)?.state !== 'running';
    if (!ended && this.options.now() - this.shown.since < OLDEST_SHOWN_MS) return;
    const newest = currentSubject()?.policy;
    if (newest === undefined || newest === null) return;
    // A later seed may have learned first: it stood in for the one that is followed.
    if (newest.seed !== policy.seed || newest.step > policy.step || (ended && this.shown.exploring))
      void this.nextEpisode({ unasked: true });
  }

  /**
   * A pinned policy plays again, from another start unless that is to stay; else the newest policy plays. `moment`: the frame it comes in at.
   * `unasked`: it comes by itself, and not if a person looks at the frame that is shown by then.
   */
  async nextEpisode({ moment = 0, unasked = false }: { readonly moment?: number; readonly unasked?: boolean } = {}): Promise<void> {
    const subject = currentSubject();
    if (subject === null) return;
    if (subject.env === this.unmade) {
      stageStore.setState({ message: t(TOOK_TOO_LONG) });
      return;
    }
    const scene = ++this.scene;
    const script = this.scriptFor(subject);
    if (script !== null) {
      await this.playScript(scene, subject, script, { unasked });
      return;
    }
    const runId = this.pinned?.runId ?? subject.group?.id ?? '';
    const snapshot = asPreferred(runId, this.pinned?.snapshot ?? subject.policy);
    this.coming = snapshot === null ? null : runId;
    try {
      const key = snapshot === null ? null : await this.hold(runId, snapshot);
      const wish = preferencesStore.getState().weights[runId];
      // Who asks for certain weights wants to see what they are worth, not what is being tried.
      const learning = findSeed(runId, snapshot?.seed ?? -1)?.state === 'running' && this.pinned === null && wish === undefined;
      const seed = this.startSeed();
      const group = findGroup(runId);
      const training =
        snapshot === null || group === null
          ? subject.training
          : trainingOf(subject.env, group, snapshot.seed, snapshot.step, subject.ref.config);
      // Unchanged in the draft: with what was edited while it trained.
      const ref = training.changes.length === 0 ? (snapshot?.env ?? subject.ref) : subject.ref;
      const lineup = this.pinned === null ? lineupOf(subject.env) : null;
      const options = { seed, greedy: !learning };
      const replay = await this.computed(scene, async (watch) =>
        lineup === null ? watch.play(ref, key, options) : watch.playTeam(ref, await this.seat(subject, lineup), options),
      );
      if (this.outdated(scene, unasked)) return;
      this.episode++;
      const policy = snapshot === null || key === null ? null : { key, runId, seed: snapshot.seed, step: snapshot.step };
      this.shown = { since: this.options.now(), exploring: learning };
      const who =
        policy === null
          ? describeRandom(this.episode, subject.env)
          : describeEpisode(
              this.episode,
              t('{run}, seed {seed}', { run: group?.name ?? t('The policy'), seed: policy.seed }),
              policy.step,
              learning,
              group !== null && drawsActions(group),
              wish,
              training,
            );
      const same = stageStore.getState().sameStart === null ? '' : ` ${t('The start stays the same.')}`;
      const message = `${lineup === null ? who : t('Episode {n}, in the chosen line-up.', { n: this.episode })}${same}`;
      const mode = this.pinned === null ? 'live' : 'replay';
      await this.present(scene, replay, subject.env, { mode, policy, message }, { moment, unasked });
    } catch (error) {
      if (scene !== this.scene) return;
      const failure = toFailure(error);
      stageStore.setState({ message: failure.message });
      if (failure.id !== 'incompatible' || subject.training.changes.length === 0) return;
      // Random actions show the changed world, and the reason stays.
      this.unfit = subject.env;
      await this.playScript(scene, subject, 'random', { why: failure.message, unasked });
      return;
    } finally {
      if (scene === this.scene) this.coming = null;
    }
    // What came or ended meanwhile was not asked for while this one was on its way, and nothing ticks while the stage stands still.
    if (scene === this.scene) this.renew();
  }

  /** An episode that takes long says so, and gives way to the next that is asked for. */
  private async computed(scene: number, play: (watch: WatchApi) => Promise<Replay>): Promise<Replay> {
    const watch = this.options.watch();
    if (this.computing++ > 0) void watch.stopPlaying().catch(() => {}); // a lost worker plays nothing any more
    const timer = setTimeout(() => {
      if (scene === this.scene) stageStore.setState({ computing: true });
    }, SOON_MS);
    try {
      return await play(watch);
    } finally {
      this.computing--;
      clearTimeout(timer);
      if (this.computing === 0) stageStore.setState({ computing: false });
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
    this.scripted = null;
    this.pinned = null;
    if (stageStore.getState().mode !== 'play') await this.nextEpisode();
  }

  /** The start that is shown now stays for all episodes of every policy; or each has its own again. */
  keepStart(on: boolean): void {
    const { replay } = stageStore.getState();
    stageStore.setState({ sameStart: on ? (replay?.seed ?? FIRST_EPISODE_SEED) : null });
  }

  /** From another start, which stays if the one before did. */
  async anotherEpisode(): Promise<void> {
    if (stageStore.getState().sameStart !== null) stageStore.setState({ sameStart: FIRST_EPISODE_SEED + this.episode });
    await this.nextEpisode();
  }

  private startSeed(): number {
    return stageStore.getState().sameStart ?? FIRST_EPISODE_SEED + this.episode;
  }

  /** Random actions or a scripted policy of the environment, episode after episode; null: the newest learned policy again. */
  async watchScripted(name: string | null): Promise<void> {
    const subject = currentSubject();
    if (subject === null) return;
    this.pinned = null;
    this.scripted = name === null ? null : { name, envId: subject.env.id, runId: subject.group?.id ?? '' };
    await this.nextEpisode();
  }

  /** The script that a person chose, as long as it is about this environment and run; else the one that is shown before anything is learned. */
  private scriptFor({ env, group, policy }: Subject): string | null {
    const { scripted } = this;
    const holds =
      scripted !== null &&
      this.pinned === null &&
      scripted.envId === env.id &&
      scripted.runId === (group?.id ?? '') &&
      (scripted.name === 'random' || env.policies.includes(scripted.name));
    if (!holds) this.scripted = null;
    if (holds) return scripted.name;
    return policy === null && this.pinned === null ? (env.before ?? null) : null;
  }

  /** `why`: replaces the usual caption. */
  private async playScript(
    scene: number,
    subject: Subject,
    name: string,
    { why, unasked = false }: { readonly why?: string; readonly unasked?: boolean } = {},
  ): Promise<void> {
    this.coming = null;
    try {
      const key = name === 'random' ? null : `${SCRIPTED}${name}`;
      const options = { seed: this.startSeed(), greedy: true };
      const replay = await this.computed(scene, (watch) => watch.play(subject.ref, key, options));
      if (this.outdated(scene, unasked)) return;
      this.episode++;
      const n = this.episode;
      const message =
        why ??
        (name === 'random'
          ? t('Episode {n}: random actions.', { n })
          : t('Episode {n}: the scripted policy “{name}”, nothing learned.', { n, name }));
      await this.present(scene, replay, subject.env, { mode: 'live', policy: null, scripted: name, message }, { unasked });
    } catch (error) {
      if (scene === this.scene) stageStore.setState({ message: toFailure(error).message });
    }
  }

  /** Shows the policy at this training step; without a step, the newest one again and again. */
  async watch(runId: string, seed: number, step?: number): Promise<void> {
    chooseSeed(runId, seed);
    const snapshot = step === undefined ? null : policyAt(runId, seed, step);
    this.pinned = snapshot === null ? null : { runId, snapshot };
    this.scripted = null;
    const { sameStart, t } = stageStore.getState();
    await this.nextEpisode({ moment: sameStart === null ? 0 : t });
  }

  /** Among policies for several rewards another one is wanted (preferencesStore): it plays at once, and from now on. */
  async prefer(): Promise<void> {
    this.scripted = null;
    await this.nextEpisode();
  }

  /** A policy from a file plays like a chosen point of a run. */
  async showPolicy(snapshot: PolicySnapshot): Promise<void> {
    this.pinned = { runId: '', snapshot };
    await this.nextEpisode();
  }

  /** A finished game becomes a replay like any other; how it went stays beside it. */
  async showReplay(replay: Replay, message: string, game: HumanScore | null): Promise<void> {
    const subject = currentSubject();
    if (subject === null) return;
    await this.present(++this.scene, replay, subject.env, { mode: 'replay', policy: null, message, game });
  }

  /** The name that the watch worker has for the newest learned policy of this subject; null: nothing is learned. */
  newest({ group, policy }: Subject): Promise<string> | null {
    return group === null || policy === null ? null : this.hold(group.id, policy);
  }

  /** A person takes over the stage. */
  showGame(source: GrowingSource, env: EnvCard, message: string, told = ''): void {
    this.scene++;
    this.shownEnv = env;
    this.pinned = null;
    stageStore.setState({
      ...EMPTY,
      mode: 'play',
      source,
      length: source.length,
      playing: true,
      told,
      message,
    });
  }

  async editMap(on: boolean): Promise<void> {
    const subject = currentSubject();
    if (on && subject !== null) {
      await this.showPreview(subject, 'edit');
      return;
    }
    if (stageStore.getState().mode !== 'edit') return;
    stageStore.setState({ mode: 'idle' });
    await this.refresh();
  }

  /** Kept points of the shown run, for the learning timeline. */
  listCheckpoints(subject: Subject | null = currentSubject()): void {
    if (subject === null) return;
    const { group, seed } = subject;
    const steps = group === null ? [] : policySteps(group.id, seed);
    const before = stageStore.getState().checkpoints;
    if (before.length === steps.length && before.at(-1)?.step === steps.at(-1)) return;
    stageStore.setState({ checkpoints: steps.map((step) => ({ step, key: policyKey(group?.id ?? '', seed, step) })) });
  }

  /** The return shown beside the scene, for the frame that is shown. */
  updateReturn(): void {
    const { replay, t, returnSoFar } = stageStore.getState();
    if (replay === null) return;
    const sum = returnUpTo(replay, t, this.shownEnv?.agents ?? 1);
    if (sum !== returnSoFar) stageStore.setState({ returnSoFar: sum });
  }

  private async present(
    scene: number,
    replay: Replay,
    env: EnvCard,
    state: Partial<StageState>,
    { moment = 0, unasked = false }: { readonly moment?: number; readonly unasked?: boolean } = {},
  ): Promise<void> {
    const agents = Math.max(1, env.agents);
    const length = replay.reward.length / agents + 1;
    const watch = this.options.watch();
    const source = new ReplaySource(replay, env.frame, length, env.fps, (from, count) => watch.frames(replay, from, count));
    const t = Math.min(moment, length - 1);
    await source.fetch(t);
    if (this.outdated(scene, unasked)) return;
    const before = stageStore.getState();
    const continues = before.mode === 'live' || before.mode === 'replay';
    this.shownEnv = env;
    stageStore.setState({
      ...EMPTY,
      // An explanation stays until the next one is there, so that it does not blink between episodes.
      ...(state.policy === null ? {} : { inspection: before.inspection, valueMap: before.valueMap, visits: before.visits }),
      source,
      replay,
      told: replay.told ?? '',
      length,
      t,
      playing: continues ? before.playing : this.options.autoplay(),
      ...state,
    });
  }

  private async showPreview(subject: Subject, mode: 'edit' | 'idle'): Promise<void> {
    const scene = ++this.scene;
    const { config } = draftStore.getState();
    try {
      const window = await this.options.watch().preview(subject.ref, config.run.seedStart);
      if (scene !== this.scene) return;
      this.shownEnv = subject.env;
      const source = new GrowingSource(subject.env.frame, subject.env.fps, window.frames);
      const told = window.told ?? '';
      stageStore.setState({
        ...EMPTY,
        mode,
        source,
        told,
        length: 1,
        playing: false,
        message: mode === 'edit' ? t('Editing the map.') : '',
      });
    } catch (error) {
      if (scene === this.scene) stageStore.setState({ message: toFailure(error).message });
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
    return this.shown.exploring;
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
    this.unmade = currentSubject()?.env ?? null;
    stageStore.setState({ message: t(TOOK_TOO_LONG) });
  }
}

const EMPTY: Partial<StageState> = {
  questioned: false,
  replay: null,
  t: 0,
  returnSoFar: 0,
  policy: null,
  scripted: null,
  inspection: null,
  valueMap: null,
  visits: null,
  game: null,
  takeover: null,
  held: [],
};

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
