/**
 * A person plays the draft's environment with the very dynamics of training. Where the environment has an idle action the game runs by
 * itself at its frame rate and the held keys steer; so it does where actions are continuous, steered by keys and sticks, and from the
 * first key on where a world moves fast: there the side pressed last stays pressed. Otherwise it waits: a key acts at once and, while it
 * is held, again at the frame rate. `act` is the same for buttons and touch. One step is under way at a time. Others play from the same
 * start: their scores are there to be beaten. Who takes over shares an episode with a policy: it plays on at the frame rate, and acts in every
 * step in which no key of the game is held. Where an episode is one step (a lever is pulled, a matrix game played), a game goes on: the next press
 * is the next round, from another start, until the person ends it; scores are sums over the rounds, those of the others too.
 */

import { currentSubject, type Subject } from '#client/runs/subject.ts';
import type { EnvCard, HumanAxis } from '#contract/catalog/catalog.ts';
import type { Pull } from '#contract/game/frames.ts';
import { spoken, withoutSeat } from '#contract/game/seats.ts';
import { canonicalJson } from '#contract/kit/canonical.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { objectOf } from '#contract/kit/json.ts';
import type { Replay } from '#contract/run/events.ts';
import { sameSettings } from '#contract/run/flat-settings.ts';
import { type Beside, type HumanSeat, SCRIPTED, type WatchApi, type Window } from '#contract/session/session.ts';
import { challengeStore, seatPlayed } from '#stores/challenge.ts';
import { addGame } from '#stores/datasets.ts';
import { lineupOf, NEWEST, partnerIn, seatOf, takeSeat } from '#stores/lineup.ts';
import { captionStage, gameSteps, rivalScored, stageStore, tellTask } from '#stores/stage.ts';
import { locale, t } from '#text/text.ts';
import { GrowingSource } from './frames.ts';
import { cardOfSeat } from './human-seat.ts';
import type { StageController } from './stage-controller.ts';

/** A key held this long repeats; below this frame rate a short press must be one step. */
const REPEAT_AFTER_S = 0.4;
const SLOW_FPS = 15;
const LONGEST_TICK_S = 0.25;

/** The agent that a person acts for, and who plays the others; null: there are no others, or all of them wait. */
interface Seat {
  readonly agent: number;
  readonly players: readonly (string | null)[] | null;
}

export class HumanGame {
  private readonly watch: () => WatchApi;
  private readonly stageController: StageController;
  private env: EnvCard | null = null;
  private source: GrowingSource | null = null;
  /** The first round of the game whose rivals count: of the one that is open, or was ended last. */
  private called: GrowingSource | null = null;
  private busy = false;
  /** Seconds since the last step. */
  private waited = 0;
  private repeating = false;
  /** The action pressed last; null: the game has not begun. */
  private last: number | null = null;
  /** The person takes over: pressed since the last step, and perhaps let go already. */
  private tapped: readonly number[] | null = null;
  private shared = false;
  /** What the person pulls at, until it is let go and a step has been taken with it: a press may be shorter than a step takes, or a game to open. */
  private pulled: Pull | null = null;
  private letGo = false;
  /** The pull of the last step. */
  private stepped: Pull | null = null;
  /** The episode ended meanwhile: what is still held counts no more. */
  private spent = false;
  private opening = false;
  /** The world of a game in a seat that the settings give to players; null: it is the draft's. */
  private joined: EnvCard | null = null;
  /** How the rounds of this game are opened, and how many there were; null: a game is one episode. */
  private series: { readonly subject: Subject; readonly seat: Seat; readonly rounds: number } | null = null;
  /** The round has ended: what it paid stays on the stage until the next press. */
  private roundOver = false;
  /** A step that is under way, and the round that begins with it: the game is ended after it. */
  private stepping: Promise<void> = Promise.resolve();
  /** Address of the challenge whose seat is played; null: it is no such game. */
  private tries: string | null = null;
  private games = 0;
  /** A person's best scores, by environment and config. */
  private readonly bests = new Map<string, number>();
  private world = '';

  constructor(watch: () => WatchApi, stageController: StageController) {
    this.watch = watch;
    this.stageController = stageController;
    stageStore.subscribe((state, before) => {
      if (state.held !== before.held && state.mode === 'play') this.press(state.held, before.held);
    });
  }

  async open(): Promise<void> {
    const subject = currentSubject();
    if (subject === null) return;
    this.shared = false;
    try {
      const seatGiven = partnerIn(subject.env);
      const beside = seatGiven === null ? null : await this.partnerOf(subject, seatGiven);
      const { env, ref } = beside ?? subject;
      this.joined = beside === null ? null : env;
      // With a policy the others are the team that was trained, unless the line-up says otherwise.
      const team = lineupOf(env) ?? (subject.policy === null ? null : new Array<string>(env.agents).fill(NEWEST));
      const { tried } = challengeStore.getState();
      const challenged = tried !== null && sameSettings(tried.env, ref);
      const held = challenged ? tried.seat : undefined;
      if (held !== undefined) takeSeat(env, held.agent);
      this.tries = challenged && held !== undefined ? tried.address : null;
      const seat: Seat & HumanSeat = beside?.seat ??
        held ?? {
          agent: seatOf(env),
          players: env.agents < 2 || team === null ? null : await this.stageController.seat(subject, team),
        };
      const seed = challenged ? tried.seed : 1 + this.games++;
      const window = await this.watch().openPlay(ref, seed, seat);
      this.series = isOneStep(env) && !challenged && beside === null ? { subject, seat, rounds: 1 } : null;
      this.roundOver = false;
      this.env = cardOfSeat(env, seat.agent);
      this.last = null;
      this.world = `${env.id} ${canonicalJson(ref.config)}`;
      // Others may have moved first: a frame for each step.
      this.source = growing(env, window);
      this.waited = 0;
      this.busy = false;
      const game = { rivals: [], score: null, steps: 0, rounds: this.series?.rounds ?? null, best: this.bests.get(this.world) ?? null };
      const mates = beside === null ? '' : ` ${beside.told}`;
      this.stageController.showGame(this.source, env, howTo(this.env, this.series !== null) + mates, window, {
        game,
        takeover: null,
        returnSoFar: 0,
        t: 0,
      });
      this.called = this.source;
      if (beside === null) void this.callRivals(this.source, this.called, subject, seed, seat);
    } catch (error) {
      captionStage(toFailure(error).message);
    }
  }

  /** The world in which a person has a seat that the settings give to players; who learned there plays the others, or scripts as long as no agent did. */
  private async partnerOf(subject: Subject, name: string) {
    const { env, ref } = subject;
    const { seats, ...rest } = ref.config;
    const others = withoutSeat(objectOf(seats), env.roster, name);
    const world = { id: ref.id, config: others === undefined ? rest : { ...rest, seats: others } };
    const card = await this.watch().describe(world);
    const agent = card.groups.flatMap((one) => one.names).indexOf(name);
    const known = await this.stageController.acting(subject);
    takeSeat(card, agent);
    const seat = { agent, players: null, ...(known !== null && { beside: { policy: known, trained: ref.config } }) };
    const told =
      known === null
        ? t('You are {name}. Nothing is trained yet: a script plays beside you.', { name: spoken(name) })
        : t('You are {name}. The trained policy plays beside you; it never met you.', { name: spoken(name) });
    return { env: card, ref: world, seat, told };
  }

  /** The episode on the stage goes on from the shown frame, or a new one begins: the policy plays, and the person whenever a key is held. */
  async takeOver(told?: string): Promise<void> {
    const subject = currentSubject();
    if (subject === null) return;
    try {
      const { env, ref } = subject;
      const { replay, t: shown, policy, scripted } = stageStore.getState();
      const script = scripted ?? env.policies[0] ?? 'random';
      const usual = policy?.key ?? (script === 'random' ? null : SCRIPTED + script);
      const lineup = lineupOf(env);
      const players = lineup === null ? new Array<string | null>(env.agents).fill(usual) : await this.stageController.seat(subject, lineup);
      const fits = replay !== null && sameSettings(replay.env, ref);
      const from = fits ? { from: { replay, t: shown } } : {};
      const seed = fits ? replay.seed : 1 + this.games++;
      const window = await this.watch().openPlay(ref, seed, { agent: seatOf(env), players, takeover: true, ...from });
      this.env = env;
      this.shared = true;
      this.called = null;
      this.tapped = null;
      this.waited = 0;
      this.busy = false;
      this.source = growing(env, window);
      const who =
        policy !== null || lineup !== null
          ? t('The policy plays')
          : script === 'random'
            ? t('Random actions play')
            : t('The scripted policy “{name}” plays', { name: script });
      const how = told ?? `${who}. ${t('Hold a key and you act in its place; let go, and it goes on. Escape ends it.')}`;
      const returnSoFar = window.rewards.reduce((sum, value) => sum + value, 0);
      const at = this.source.length - 1;
      this.stageController.showGame(this.source, env, how, window, { game: null, takeover: { steps: 0 }, returnSoFar, t: at });
    } catch (error) {
      captionStage(toFailure(error).message);
    }
  }

  /** The next round of a game whose episodes are one step: another start, the same keys, and the scores so far. */
  private async nextRound({ subject, seat, rounds }: NonNullable<HumanGame['series']>): Promise<void> {
    const { env, ref } = subject;
    addGame(await this.watch().closePlay());
    const seed = 1 + this.games++;
    const window = await this.watch().openPlay(ref, seed, seat);
    this.series = { subject, seat, rounds: rounds + 1 };
    this.roundOver = false;
    this.source = growing(env, window);
    const { game, returnSoFar } = stageStore.getState();
    const so = { game: game && { ...game, rounds: rounds + 1 }, takeover: null, returnSoFar, t: 0 };
    this.stageController.showGame(this.source, env, howTo(cardOfSeat(env, seat.agent), true), window, so);
    if (this.called !== null) void this.callRivals(this.source, this.called, subject, seed, seat);
  }

  /**
   * A part of the picture is drawn to a place, until null. Where no game is open one is: the episode on the stage goes on from the shown frame with
   * what plays there. A copy of the watch worker is pulled at, never one that learns.
   */
  async pull(pull: Pull | null): Promise<void> {
    this.letGo = pull === null;
    if (pull === null) {
      this.spent = false;
      if (this.pulled === this.stepped) this.pulled = null;
      return;
    }
    const { mode } = stageStore.getState();
    if (this.spent || (this.source === null && mode === 'edit')) return;
    this.pulled = pull;
    if (this.opening || this.source !== null) return;
    this.opening = true;
    const frame = currentSubject()?.env.frame;
    await this.takeOver(
      frame?.kind === 'grid'
        ? t('You set the subgoal; the policy goes there. Escape ends it.')
        : frame?.kind === 'points' && frame.ordered
          ? t('Your orders come first; a unit without one does as what plays. Escape ends it.')
          : t('You pull at it; what plays goes on acting. Escape ends it.'),
    );
    this.opening = false;
    if (this.source === null) this.pulled = null; // no game could be opened
  }

  /** Lets chance and the best known player play from the same start, in the person's seat. A score that cannot be had is left out. */
  private async callRivals(
    source: GrowingSource,
    first: GrowingSource,
    subject: Subject,
    seed: number,
    { agent, players }: Seat,
  ): Promise<void> {
    const { env, ref } = subject;
    const [script] = env.policies;
    const others = players ?? new Array<string | null>(env.agents).fill(script === undefined ? null : SCRIPTED + script);
    const play = (name: string | null): Promise<Replay> => {
      const options = { seed, greedy: true };
      if (env.agents < 2) return this.watch().play(ref, name, options);
      return this.watch().playTeam(
        ref,
        others.map((other, i) => (i === agent ? name : other)),
        options,
      );
    };
    const rivals: { readonly name: string; readonly call: () => Promise<Replay> | null }[] = [
      { name: 'random', call: () => play(null) },
      { name: 'agent', call: () => this.stageController.newest(subject)?.then(play) ?? null },
    ];
    if (subject.policy === null && script !== undefined)
      rivals.push({ name: script.replaceAll('-', ' '), call: () => play(SCRIPTED + script) });
    for (const { name, call } of rivals) {
      try {
        const replay = await call();
        if (replay !== null && name === 'random') await this.tellTask(source, env, replay);
        const { game } = stageStore.getState();
        // The game may be over and looked at: its rivals still count, those of another game do not.
        if (this.called !== first) return;
        if (replay === null || game === null || this.world === '') continue;
        rivalScored({ name, score: scoreOf(replay, agent, env.agents) });
      } catch (error) {
        if (this.called === first) captionStage(toFailure(error).message);
        return;
      }
    }
  }

  /** What a task in tokens asks, in words: an episode from the same start is asked the same. */
  private async tellTask(source: GrowingSource, env: EnvCard, replay: Replay): Promise<void> {
    if (env.tokens === undefined) return;
    const { asked } = await this.watch().tokenStrip(replay, null);
    if (this.source === source && asked !== '') tellTask(asked);
  }

  /** Called each animation frame. */
  tick(seconds: number): void {
    const { env } = this;
    const { held, sticks, playing, speed } = stageStore.getState();
    if (env === null || !playing) return;
    if (this.shared) {
      const period = 1 / (Math.max(1, env.fps) * speed);
      this.waited = Math.min(this.waited + Math.min(seconds, LONGEST_TICK_S), 2 * period);
      if (this.waited < period || this.busy) return;
      this.waited -= period;
      const taken = takenOver(cardOfSeat(env, seatOf(env)), held, sticks) ?? this.tapped;
      this.tapped = null;
      void this.step(taken);
      return;
    }
    const action = inputOf(env, held, sticks) ?? (flows(env) && this.last !== null ? [this.last] : null);
    if (action === null) {
      this.waited = 0;
      return;
    }
    const period = 1 / (Math.max(1, env.fps) * speed);
    const patience = waits(env) && env.fps < SLOW_FPS && !this.repeating ? REPEAT_AFTER_S : period;
    // A slow machine slows the game down, it does not skip steps.
    this.waited = Math.min(this.waited + Math.min(seconds, LONGEST_TICK_S), patience + period);
    if (this.waited < patience || this.busy) return;
    this.waited -= patience;
    this.repeating = true;
    void this.step(action);
  }

  /** A press without a key: of a button, or by a screen reader. What is held already acts by itself. */
  async act(action: readonly number[]): Promise<void> {
    const { held } = stageStore.getState();
    if (this.shared) {
      this.tapped = action;
      return;
    }
    if (this.env !== null && flows(this.env)) {
      this.last = action[0] ?? null;
      return;
    }
    if (this.env === null || (held.length > 0 && actionOf(this.env, held) === action[0])) return;
    await this.step(action);
  }

  /** The open game as far as it has come, which goes on; undefined: none is open. */
  async soFar(): Promise<Replay | undefined> {
    return this.source === null ? undefined : this.watch().playSoFar();
  }

  /** What the policy beside the person in the open game says of its last decision; null: none plays beside, or it has decided nothing yet. */
  async besideSays(): Promise<Beside | null> {
    return this.joined === null || this.source === null ? null : this.watch().besideSays();
  }

  /** The game so far becomes a replay. */
  async end(): Promise<void> {
    await this.stepping;
    await this.close();
  }

  private async close(): Promise<void> {
    if (this.source === null) return;
    this.source = null;
    this.env = null;
    this.spent = this.pulled !== null && !this.letGo;
    this.pulled = null;
    const { series, joined } = this;
    this.series = null;
    this.joined = null;
    const { returnSoFar, length, game, takeover } = stageStore.getState();
    const replay = await this.watch().closePlay();
    // What a pull has moved is no play to learn from.
    const played = replay.human === undefined ? length > 1 : replay.human.some((agent) => agent >= 0);
    if (played && replay.pulls === undefined) addGame(replay);
    const score = Number(returnSoFar.toFixed(3)).toLocaleString(locale());
    if (takeover !== null) {
      const own = replay.human?.filter((agent) => agent >= 0).length ?? takeover.steps; // in games of turns not every press was a move
      const [yours, all] = [own, length - 1].map((count) => count.toLocaleString(locale())) as [string, string];
      const pulled = replay.pulls !== undefined && own === 0;
      const said = pulled
        ? replay.cells !== undefined
          ? t('You set subgoals; the return is {score}.', { score })
          : t('You pulled at it; the return is {score}.', { score })
        : t('You acted in {n} of {all} steps; the return is {score}.', { n: yours, all, score });
      await this.stageController.showReplay(replay, said, null);
      return;
    }
    if (series !== null) {
      const rounds = series.rounds - (length > 1 ? 0 : 1);
      const result = game === null ? null : { ...game, score: returnSoFar, steps: rounds, rounds };
      await this.stageController.showReplay(
        replay,
        t('You scored {score} in {n} rounds.', { score, n: rounds.toLocaleString(locale()) }),
        result,
      );
      return;
    }
    if (this.tries !== null && replay.ended !== 'cut') seatPlayed(this.tries, replay);
    const best = this.bests.get(this.world);
    if (length > 1) this.bests.set(this.world, Math.max(returnSoFar, best ?? Number.NEGATIVE_INFINITY));
    const result = game === null ? null : { ...game, score: returnSoFar, steps: length - 1, best: best ?? null };
    await this.stageController.showReplay(
      replay,
      t('You scored {score} in {n} steps.', { score, n: (length - 1).toLocaleString(locale()) }),
      result,
      joined ?? undefined,
    );
  }

  /** A key that was not held before acts at once where the game waits for it. */
  private press(held: readonly string[], before: readonly string[]): void {
    const { env } = this;
    const fresh = held.filter((key) => !before.includes(key));
    if (env !== null && this.shared) {
      if (fresh.length > 0) this.tapped = takenOver(cardOfSeat(env, seatOf(env)), fresh, []);
      return;
    }
    if (env === null || !waits(env)) return;
    const action = actionOf(env, fresh);
    if (action === null) return;
    this.last = action;
    if (flows(env)) return;
    this.waited = 0;
    this.repeating = false;
    void this.step([action]);
  }

  /** `action` null: the policy's. */
  private async step(action: readonly number[] | null): Promise<void> {
    const { env } = this;
    if (this.source === null || env === null || this.busy) return;
    this.busy = true;
    this.stepping = this.played(env, action);
    await this.stepping;
  }

  private async played(env: EnvCard, action: readonly number[] | null): Promise<void> {
    try {
      if (this.roundOver && this.series !== null) await this.nextRound(this.series);
      const { source } = this;
      const watch = this.watch();
      const { pulled } = this;
      const { window, reward, terminated, truncated } = await watch.playStep(action, this.shared ? seatOf(env) : undefined, pulled);
      if (source === null || this.source !== source) return;
      this.stepped = pulled;
      if (this.letGo && this.pulled === pulled) this.pulled = null;
      // Others may have moved since: a frame for each step.
      for (let i = 0; i < window.rewards.length; i++)
        source.push(
          window.frames.slice((i * window.frames.length) / window.rewards.length, ((i + 1) * window.frames.length) / window.rewards.length),
          window.rewards.length === 1 ? action?.[0] : undefined,
          partOf(window.cells, i, window.rewards.length),
        );
      gameSteps(source.length, reward, this.shared && action !== null);
      if (!terminated && !truncated) return;
      if (this.series === null) await this.close();
      else this.roundOver = true;
    } catch (error) {
      captionStage(toFailure(error).message);
    } finally {
      this.busy = false;
    }
  }
}

/** All frames of a game that is opened. */
function growing(env: EnvCard, { frames, total, cells }: Window): GrowingSource {
  const size = frames.length / total;
  const source = new GrowingSource(env.frame, env.fps, frames.slice(0, size));
  for (let i = 1; i < total; i++) source.push(frames.slice(i * size, (i + 1) * size), undefined, partOf(cells, i - 1, total - 1));
  return source;
}

/** Part i of `count` equal ones. */
function partOf(cells: Int16Array | undefined, i: number, count: number): Int16Array | undefined {
  return cells?.slice((i * cells.length) / count, ((i + 1) * cells.length) / count);
}

/** Whether the game stands still until a key is pressed. */
function waits(env: EnvCard): boolean {
  return env.idleAction === null && !steered(env);
}

/** A world that moves many times a second has no time for a press per step: what was pressed last goes on. */
function flows(env: EnvCard): boolean {
  return waits(env) && env.fps >= SLOW_FPS;
}

/** Whether every episode is one step. */
const isOneStep = ({ maxSteps, evalMaxSteps }: EnvCard): boolean => maxSteps === 1 || evalMaxSteps === 1;

function howTo(env: EnvCard, rounds: boolean): string {
  const press = rounds ? t('Each press is one round.') : t('Each press is one step.');
  const how = flows(env) ? t('Press a side: it stays pressed until you press the other.') : waits(env) ? press : '';
  return [t('You are playing.'), how, t('Escape ends the game.')].filter((part) => part !== '').join(' ');
}

/** What one agent of a team earned. */
function scoreOf({ reward }: Replay, agent: number, agents: number): number {
  let sum = 0;
  for (let i = agent; i < reward.length; i += Math.max(1, agents)) sum += reward[i]!;
  return sum;
}

/** Whether a person steers numbers instead of choosing among actions. */
function steered(env: EnvCard): env is EnvCard & { axes: NonNullable<EnvCard['axes']> } {
  return env.axes !== undefined && env.axes.length > 0 && env.action.kind === 'box';
}

/** What is held as an action; null: the game waits. */
export function inputOf(env: EnvCard, held: readonly string[], sticks: readonly number[]): readonly number[] | null {
  if (steered(env)) return steering(env.action.kind === 'box' ? env.action.size : 0, env.axes, held, sticks);
  const action = actionOf(env, held);
  return action === null ? null : [action];
}

/** The same of a person who takes over; null: no key of the game is held, no stick pushed, so that the policy acts. */
export function takenOver(env: EnvCard, held: readonly string[], sticks: readonly number[]): readonly number[] | null {
  if (!steered(env)) {
    const action = actionOf({ ...env, idleAction: null }, held);
    return action === null ? null : [action];
  }
  const down = new Set(held.map((key) => key.toLowerCase()));
  const steers = env.axes.some(({ less, more }) => [...less, ...more].some((key) => down.has(key.toLowerCase())));
  return steers || sticks.some((push) => push !== 0) ? inputOf(env, held, sticks) : null;
}

/** Every axis from its rest towards its ends, as far as keys (all the way) or its stick say; keys on both sides cancel out. */
function steering(size: number, axes: readonly HumanAxis[], held: readonly string[], sticks: readonly number[]): readonly number[] {
  const down = new Set(held.map((key) => key.toLowerCase()));
  const pressed = (names: readonly string[]): number => (names.some((name) => down.has(name.toLowerCase())) ? 1 : 0);
  const action = new Array<number>(size).fill(0);
  axes.forEach((axis, i) => {
    const push = Math.min(1, Math.max(-1, pressed(axis.more) - pressed(axis.less) + (sticks[i] ?? 0)));
    action[axis.component] = axis.rest + push * (push > 0 ? axis.high - axis.rest : axis.rest - axis.low);
  });
  return action;
}

/** Keys that must be held together: 'ArrowUp+ArrowRight' are two, '+' is one. */
export function keysOf(name: string): readonly string[] {
  return name.length > 2 && name.includes('+') ? name.split('+') : [name];
}

/** The action of the keys pressed last, of several together before single ones; with none held, the idle action, or null where the game waits. */
function actionOf(env: EnvCard, held: readonly string[]): number | null {
  const down = held.map((key) => key.toLowerCase());
  let best = { action: env.idleAction, rank: 0 };
  env.keys.forEach((names, action) => {
    for (const name of names) {
      const keys = keysOf(name).map((key) => key.toLowerCase());
      if (!keys.every((key) => down.includes(key))) continue;
      const newest = Math.max(...keys.map((key) => down.lastIndexOf(key)));
      const rank = keys.length * 1000 + newest + 1;
      if (rank > best.rank) best = { action, rank };
    }
  });
  return best.action;
}
