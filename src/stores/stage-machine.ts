/**
 * The state machine of the stage. `next` is a pure function: the stage controller (client/stage) passes it each event and carries out the action that it
 * returns. stage-machine.test.ts has the table of all states and events.
 */
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';

/** Milliseconds that an older policy may stay on the stage while newer ones wait. */
const OLDEST_SHOWN_MS = 3000;

/** A policy in the watch worker (`key`): run, seed and training step. */
export interface ShownPolicy {
  readonly key: string;
  readonly runId: string;
  readonly seed: number;
  readonly step: number;
}

/**
 * What is in sight. idle: nothing, or a map that is no longer edited. live: episodes one after another; policy null: no learned one acts.
 * replay: one episode, which stays. play: a person acts. edit: the map.
 */
export type Shown =
  | { readonly kind: 'idle'; readonly env: EnvCard | null }
  /** `since`: when it came, in ms. `exploring`: its actions are drawn because its run is still training. */
  | {
      readonly kind: 'live';
      readonly env: EnvCard;
      readonly policy: ShownPolicy | null;
      readonly since: number;
      readonly exploring: boolean;
    }
  /** `game`: the result of a person's finished game stands beside it. */
  | { readonly kind: 'replay'; readonly env: EnvCard; readonly policy: ShownPolicy | null; readonly game: boolean }
  | { readonly kind: 'play'; readonly env: EnvCard }
  | { readonly kind: 'edit'; readonly env: EnvCard };

/** An episode of the newest or a chosen policy of a run, one of no learned policy, or the first frame of the map. */
export type Coming = { readonly kind: 'policy'; readonly runId: string } | { readonly kind: 'script' } | { readonly kind: 'map' };

export type StageScene = Shown | { readonly kind: 'loading'; readonly over: Shown; readonly what: Coming };

/** Who is to play: the newest policy of the active run; a point of a run, or a policy from a file (runId ''); random actions or a scripted policy. */
export type Choice =
  | { readonly kind: 'newest' }
  /** `world`: it stays for this environment whatever run is active, episode after episode, until another is chosen. */
  | { readonly kind: 'pinned'; readonly runId: string; readonly snapshot: PolicySnapshot; readonly world?: string }
  | { readonly kind: 'scripted'; readonly name: string; readonly envId: string; readonly runId: string };

export interface StageMachine {
  readonly scene: StageScene;
  readonly choice: Choice;
  /**
   * What is not tried again until it changes. unfit: the agent of the active run cannot act in this changed world. unmade: this environment was still
   * being made when its worker was ended.
   */
  readonly refused: { readonly why: 'unfit' | 'unmade'; readonly env: EnvCard } | null;
}

/** What the stage is to be about: the draft's environment, the active run ('': none), and whether that has learned anything. */
export interface StageSubject {
  readonly env: EnvCard;
  readonly runId: string;
  readonly learned: boolean;
}

export type StageEvent =
  /** The subject may have changed. */
  | ({ readonly kind: 'refresh' } & StageSubject)
  /** An episode is asked for; `unasked`: by the page itself. */
  | ({ readonly kind: 'play' } & StageSubject)
  /** The map is to be edited, or is shown anew while it is. */
  | { readonly kind: 'edit' }
  | { readonly kind: 'leave-map' }
  /** Another step of a lesson, or a run, takes the place of a finished game. */
  | { readonly kind: 'leave-game' }
  | { readonly kind: 'shown'; readonly as: Shown }
  /** Nothing came of what was on its way. */
  | { readonly kind: 'dropped' }
  | { readonly kind: 'chosen'; readonly choice: Choice }
  | { readonly kind: 'refused'; readonly why: 'unfit' | 'unmade'; readonly env: EnvCard }
  /** The shown episode has been played to its end. */
  | { readonly kind: 'ended' }
  /**
   * Time passes or a run changes. `now` in ms; `newest`: policy of the subject; `running`: the seed on the stage trains; `lookedAt`: a person has paused
   * in the middle.
   */
  | {
      readonly kind: 'renew';
      readonly now: number;
      readonly newest: { readonly seed: number; readonly step: number } | null;
      readonly running: boolean;
      readonly lookedAt: boolean;
    };

/** What the controller does then. unasked: an episode that comes by itself, and leaves a frame that is looked at. wait: the environment cannot be made. */
export type StageTodo = 'nothing' | 'episode' | 'unasked' | 'map' | 'refresh' | 'pause' | 'wait';

export const FIRST: StageMachine = { scene: { kind: 'idle', env: null }, choice: { kind: 'newest' }, refused: null };

/** What is in sight while the next is on its way, too. */
export const inSight = ({ scene }: StageMachine): Shown => (scene.kind === 'loading' ? scene.over : scene);

/** The script that a person chose, as long as it is about this environment and run; else the one that is shown before anything is learned. */
export function scriptOf({ choice }: StageMachine, { env, learned }: StageSubject): string | null {
  if (choice.kind === 'scripted') return choice.name;
  return learned || choice.kind === 'pinned' ? null : (env.before ?? null);
}

/** A policy that stays for this environment whatever run is active. */
const staysIn = (choice: Choice, env: EnvCard): boolean => choice.kind === 'pinned' && choice.world === env.id;

/** A choice of another run or environment is over. */
function choiceFor({ choice }: StageMachine, { env, runId }: StageSubject): Choice {
  if (choice.kind === 'newest') return choice;
  if (choice.kind === 'pinned' && choice.world !== undefined) return staysIn(choice, env) ? choice : { kind: 'newest' };
  const known = choice.kind === 'pinned' || (choice.envId === env.id && (choice.name === 'random' || env.policies.includes(choice.name)));
  return known && choice.runId === runId ? choice : { kind: 'newest' };
}

function refresh(before: StageMachine, subject: StageSubject): readonly [StageMachine, StageTodo] {
  const { env, runId, learned } = subject;
  const shown = inSight(before);
  if (shown.kind === 'edit' && shown.env.id === env.id) return [before, 'map'];
  // Another environment is not the map that was being edited, and perhaps has none.
  const scene: StageScene = shown.kind === 'edit' ? { kind: 'idle', env: shown.env } : before.scene;
  const sameEnv = shown.env === env;
  if (shown.kind === 'play' && sameEnv) return [before, 'nothing'];
  const after = { ...before, scene, choice: choiceFor(before, subject) };
  // An episode of this run that is on its way is not asked for again: the second would take the place of the first, whose caller waits for it.
  const onItsWay = scene.kind === 'loading' && scene.what.kind === 'policy' && scene.what.runId === runId && runId !== '';
  const policy = 'policy' in shown ? shown.policy : null;
  const runChanged = policy !== null && policy.runId !== runId && !onItsWay && !staysIn(after.choice, env);
  const unfit = before.refused?.why === 'unfit' && before.refused.env === env;
  // The first policy of a new run replaces the random one at once: the change is what people wait for.
  const firstPolicy = policy === null && learned && scriptOf(after, subject) === null && !onItsWay && !unfit;
  const idle = inSight(after).kind === 'idle';
  return [after, idle || !sameEnv || runChanged || firstPolicy ? 'episode' : 'nothing'];
}

function play(before: StageMachine, subject: StageSubject): readonly [StageMachine, StageTodo] {
  if (before.refused?.why === 'unmade' && before.refused.env === subject.env) return [before, 'wait'];
  // A policy from a file plays until another run is chosen, whatever the active one is; so does a point of a run that was just asked for.
  const choice = before.choice.kind === 'pinned' && before.choice.world === undefined ? before.choice : choiceFor(before, subject);
  const runId = choice.kind === 'pinned' ? choice.runId : subject.runId;
  const byPolicy = choice.kind === 'pinned' || (subject.learned && choice.kind === 'newest');
  const what: Coming = byPolicy ? { kind: 'policy', runId } : { kind: 'script' };
  return [{ ...before, choice, scene: { kind: 'loading', over: inSight(before), what } }, 'nothing'];
}

function renew(before: StageMachine, { now, newest, running, lookedAt }: Extract<StageEvent, { kind: 'renew' }>): StageTodo {
  const { scene, choice } = before;
  // An old policy gives way to the newest one: after a while as its run trains, at once when that has ended, never while its frame is looked at.
  if (scene.kind !== 'live' || lookedAt || choice.kind === 'pinned' || scene.policy === null || newest === null) return 'nothing';
  if (running && now - scene.since < OLDEST_SHOWN_MS) return 'nothing';
  const { seed, step } = scene.policy;
  // A later seed may have learned first: it stood in for the one that is followed.
  return newest.seed !== seed || newest.step > step || (!running && scene.exploring) ? 'unasked' : 'nothing';
}

/** The stage after an event, and what is to be done. The same object: nothing has changed. */
export function next(before: StageMachine, event: StageEvent): readonly [StageMachine, StageTodo] {
  const { scene, choice } = before;
  const shown = inSight(before);
  switch (event.kind) {
    case 'refresh':
      return refresh(before, event);
    case 'play':
      return play(before, event);
    case 'edit':
      return [{ ...before, scene: { kind: 'loading', over: shown, what: { kind: 'map' } } }, 'map'];
    case 'leave-map':
      return shown.kind === 'edit' ? [{ ...before, scene: { kind: 'idle', env: shown.env } }, 'refresh'] : [before, 'nothing'];
    case 'leave-game':
      return [before, shown.kind === 'replay' && shown.game && choice.kind !== 'pinned' ? 'episode' : 'nothing'];
    case 'shown': {
      // nothing newer takes the place of a policy from a file
      const ofRun = choice.kind === 'pinned' && choice.world === undefined && choice.runId !== '';
      return [{ ...before, scene: event.as, choice: event.as.kind === 'play' && ofRun ? { kind: 'newest' } : choice }, 'nothing'];
    }
    case 'dropped':
      return [scene.kind === 'loading' ? { ...before, scene: shown } : before, 'nothing'];
    case 'chosen':
      return [{ ...before, choice: event.choice }, 'nothing'];
    case 'refused':
      return [{ ...before, refused: { why: event.why, env: event.env } }, 'nothing'];
    case 'ended':
      // A chosen replay stays to be looked at; while watching live the next one follows, unless it is on its way.
      return [before, shown.kind !== 'live' ? 'pause' : scene.kind === 'loading' ? 'nothing' : 'unasked'];
    case 'renew':
      return [before, renew(before, event)];
  }
}
