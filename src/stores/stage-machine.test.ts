import { describe, expect, test } from 'vitest';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { PolicySnapshot } from '#contract/run/events.ts';
import {
  type Choice,
  FIRST,
  inSight,
  next,
  type ShownPolicy,
  type StageEvent,
  type StageMachine,
  type StageScene,
  scriptOf,
} from './stage-machine.ts';

const env = { id: 'x', policies: ['careful'] } as unknown as EnvCard;
const changed = { ...env };
const other = { id: 'y', policies: [] } as unknown as EnvCard;
const policy: ShownPolicy = { key: 'r/1/100', runId: 'r', seed: 1, step: 100 };
const subject = { env, runId: 'r', learned: true };
const live = { kind: 'live', env, policy, since: 0, exploring: true } as const;
const random = { kind: 'live', env, policy: null, since: 0, exploring: false } as const;
const pinned: Choice = { kind: 'pinned', runId: 'r', snapshot: {} as PolicySnapshot };
const scripted: Choice = { kind: 'scripted', name: 'careful', envId: 'x', runId: 'r' };
const at = (scene: StageScene, more: Partial<StageMachine> = {}): StageMachine => ({ ...FIRST, scene, ...more });
const loading = (over: StageScene & { kind: 'live' | 'replay' | 'play' | 'edit' | 'idle' } = live): StageScene => ({
  kind: 'loading',
  over,
  what: { kind: 'policy', runId: 'r' },
});
const renewal = { kind: 'renew', now: 5000, newest: { seed: 1, step: 200 }, running: true, lookedAt: false } as const;

/** One of each: a new kind is missing here until it is added. */
const SCENES: { readonly [K in StageScene['kind']]: Extract<StageScene, { kind: K }> } = {
  idle: { kind: 'idle', env },
  loading: { kind: 'loading', over: live, what: { kind: 'policy', runId: 'r' } },
  live,
  replay: { kind: 'replay', env, policy: null, game: true },
  play: { kind: 'play', env },
  edit: { kind: 'edit', env },
};
const EVENTS: { readonly [K in StageEvent['kind']]: Extract<StageEvent, { kind: K }> } = {
  refresh: { kind: 'refresh', ...subject },
  play: { kind: 'play', ...subject },
  edit: { kind: 'edit' },
  'leave-map': { kind: 'leave-map' },
  'leave-game': { kind: 'leave-game' },
  shown: { kind: 'shown', as: live },
  dropped: { kind: 'dropped' },
  chosen: { kind: 'chosen', choice: scripted },
  refused: { kind: 'refused', why: 'unfit', env },
  ended: { kind: 'ended' },
  renew: renewal,
};

/** The kind of scene after the event, and what is to be done. */
const TABLE: { readonly [S in StageScene['kind']]: { readonly [E in StageEvent['kind']]: string } } = {
  idle: {
    refresh: 'idle: episode',
    play: 'loading: nothing',
    edit: 'loading: map',
    'leave-map': 'idle: nothing',
    'leave-game': 'idle: nothing',
    shown: 'live: nothing',
    dropped: 'idle: nothing',
    chosen: 'idle: nothing',
    refused: 'idle: nothing',
    ended: 'idle: pause',
    renew: 'idle: nothing',
  },
  loading: {
    refresh: 'loading: nothing',
    play: 'loading: nothing',
    edit: 'loading: map',
    'leave-map': 'loading: nothing',
    'leave-game': 'loading: nothing',
    shown: 'live: nothing',
    dropped: 'live: nothing',
    chosen: 'loading: nothing',
    refused: 'loading: nothing',
    ended: 'loading: nothing',
    renew: 'loading: nothing',
  },
  live: {
    refresh: 'live: nothing',
    play: 'loading: nothing',
    edit: 'loading: map',
    'leave-map': 'live: nothing',
    'leave-game': 'live: nothing',
    shown: 'live: nothing',
    dropped: 'live: nothing',
    chosen: 'live: nothing',
    refused: 'live: nothing',
    ended: 'live: unasked',
    renew: 'live: unasked',
  },
  replay: {
    refresh: 'replay: episode',
    play: 'loading: nothing',
    edit: 'loading: map',
    'leave-map': 'replay: nothing',
    'leave-game': 'replay: episode',
    shown: 'live: nothing',
    dropped: 'replay: nothing',
    chosen: 'replay: nothing',
    refused: 'replay: nothing',
    ended: 'replay: pause',
    renew: 'replay: nothing',
  },
  play: {
    refresh: 'play: nothing',
    play: 'loading: nothing',
    edit: 'loading: map',
    'leave-map': 'play: nothing',
    'leave-game': 'play: nothing',
    shown: 'live: nothing',
    dropped: 'play: nothing',
    chosen: 'play: nothing',
    refused: 'play: nothing',
    ended: 'play: pause',
    renew: 'play: nothing',
  },
  edit: {
    refresh: 'edit: map',
    play: 'loading: nothing',
    edit: 'loading: map',
    'leave-map': 'idle: refresh',
    'leave-game': 'edit: nothing',
    shown: 'live: nothing',
    dropped: 'edit: nothing',
    chosen: 'edit: nothing',
    refused: 'edit: nothing',
    ended: 'edit: pause',
    renew: 'edit: nothing',
  },
};

const entries = <K extends string, V>(of: Readonly<Record<K, V>>) => Object.entries(of) as [K, V][];
const todo = (machine: StageMachine, event: StageEvent): string => next(machine, event)[1];

describe.each(entries(SCENES))('%s', (kind, scene) => {
  test.each(entries(EVENTS))('%s', (name, event) => {
    const before = at(scene);
    const [after, then] = next(before, event);
    expect(`${after.scene.kind}: ${then}`).toBe(TABLE[kind][name]);
    expect(before).toEqual(at(scene));
    if (kind === 'loading' && after.scene.kind === 'loading') expect(inSight(after)).toBe(live);
  });
});

describe('repairs of the order of events', () => {
  test('another environment takes the stage, whatever is on it, also a game and a map that is edited', () => {
    for (const [, scene] of entries(SCENES)) {
      expect(todo(at(scene), { kind: 'refresh', env: other, runId: 'r', learned: true })).toBe('episode');
    }
    const [left] = next(at(SCENES.edit), { kind: 'refresh', env: other, runId: '', learned: false });
    expect(left.scene.kind).toBe('idle');
    expect(todo(at(SCENES.edit), { kind: 'refresh', ...subject, env: changed })).toBe('map'); // the same one with another map
  });

  test('the first policy of a run takes the place of random actions at once, and is not asked for again while it is on its way', () => {
    expect(todo(at(random), { kind: 'refresh', ...subject })).toBe('episode');
    expect(todo(at(loading(random)), { kind: 'refresh', ...subject })).toBe('nothing');
    expect(todo(at(random), { kind: 'refresh', ...subject, learned: false })).toBe('nothing');
  });

  test('another run takes the stage from the one before; its episode that is on its way is not asked for again', () => {
    expect(todo(at(live), { kind: 'refresh', ...subject, runId: 's' })).toBe('episode');
    expect(
      todo(at({ kind: 'loading', over: live, what: { kind: 'policy', runId: 's' } }), { kind: 'refresh', ...subject, runId: 's' }),
    ).toBe('nothing');
  });

  test('a game that begins while a policy is on its way leaves nothing that is waited for', () => {
    const [game] = next(at(loading(random)), { kind: 'shown', as: SCENES.play });
    expect(game.scene).toEqual(SCENES.play);
    const [result] = next(game, { kind: 'shown', as: SCENES.replay });
    expect(todo(result, { kind: 'refresh', ...subject })).toBe('episode');
  });

  test('an episode that is on its way is waited for, however often the one before it has ended', () => {
    expect(todo(at(loading()), { kind: 'ended' })).toBe('nothing');
    expect(todo(next(at(loading()), { kind: 'dropped' })[0], { kind: 'ended' })).toBe('unasked');
  });

  test('the result of a game gives way, a chosen point of a run does not; nor does a replay without a game', () => {
    expect(todo(at(SCENES.replay, { choice: pinned }), { kind: 'leave-game' })).toBe('nothing');
    expect(todo(at({ ...SCENES.replay, game: false }), { kind: 'leave-game' })).toBe('nothing');
  });

  test('an old policy gives way after three seconds while its run trains, at once when that has ended, and never while it is looked at', () => {
    const soon = { ...renewal, now: 2999 };
    expect(todo(at(live), soon)).toBe('nothing');
    expect(todo(at(live), { ...renewal, now: 3000 })).toBe('unasked');
    expect(todo(at(live), { ...soon, running: false })).toBe('unasked');
    expect(todo(at(live), { ...soon, running: false, lookedAt: true })).toBe('nothing');
    expect(todo(at(live, { choice: pinned }), renewal)).toBe('nothing');
    expect(todo(at(live), { ...renewal, newest: null })).toBe('nothing');
  });

  test('when the run has ended the same policy comes with its best actions, once', () => {
    const same = { ...renewal, newest: policy, running: false };
    expect(todo(at(live), same)).toBe('unasked');
    expect(todo(at({ ...live, exploring: false }), same)).toBe('nothing');
  });

  test('a seed that learned first gives way to the followed one, at a lower step too', () => {
    expect(todo(at(live), { ...renewal, newest: { seed: 2, step: 1 } })).toBe('unasked');
  });

  test('a policy that cannot act in the changed world is not tried again until that changes', () => {
    const [refused] = next(at(random), { kind: 'refused', why: 'unfit', env });
    expect(todo(refused, { kind: 'refresh', ...subject })).toBe('nothing');
    expect(todo(refused, { kind: 'refresh', ...subject, env: changed })).toBe('episode');
  });

  test('an environment that could not be made is not made again until it changes', () => {
    const [refused] = next(at(SCENES.idle), { kind: 'refused', why: 'unmade', env });
    expect(next(refused, { kind: 'play', ...subject })).toEqual([refused, 'wait']);
    expect(next(refused, { kind: 'play', ...subject, env: changed })[0].scene.kind).toBe('loading');
  });

  test('a choice is over with its run and its environment; a policy that was just chosen plays though another run is active', () => {
    const choiceAfter = (choice: Choice, event: StageEvent): string => next(at(live, { choice }), event)[0].choice.kind;
    for (const choice of [pinned, scripted]) {
      expect(choiceAfter(choice, { kind: 'refresh', ...subject })).toBe(choice.kind);
      expect(choiceAfter(choice, { kind: 'refresh', ...subject, runId: 's' })).toBe('newest');
    }
    expect(choiceAfter(scripted, { kind: 'play', ...subject, env: other })).toBe('newest');
    const file = { ...pinned, runId: '' };
    const [played] = next(at(live, { choice: file }), { kind: 'play', ...subject });
    expect([played.choice, played.scene]).toEqual([file, { kind: 'loading', over: live, what: { kind: 'policy', runId: '' } }]);
    expect(choiceAfter(pinned, { kind: 'shown', as: SCENES.play })).toBe('newest');
    expect(choiceAfter(file, { kind: 'shown', as: SCENES.play })).toBe('pinned');
  });

  test('a policy that is kept for a world stays for it whatever run is active, through a game too, and for no other world', () => {
    const kept: Choice = { ...pinned, runId: '', world: env.id };
    const shows = at({ ...live, policy: { ...policy, runId: '' } }, { choice: kept });
    for (const runId of ['', 'r', 's']) {
      const [after, does] = next(shows, { kind: 'refresh', ...subject, runId });
      expect([after.choice, does]).toEqual([kept, 'nothing']);
    }
    expect(next(shows, { kind: 'play', ...subject })[0].choice).toEqual(kept);
    expect(next(shows, { kind: 'shown', as: SCENES.play })[0].choice).toEqual(kept);
    for (const kind of ['refresh', 'play'] as const)
      expect(next(shows, { kind, ...subject, runId: '', env: other })[0].choice).toEqual({ kind: 'newest' });
    expect(todo(shows, renewal)).toBe('nothing');
    expect(todo(shows, { kind: 'ended' })).toBe('unasked');
  });

  test('before anything is learned a scripted policy of the environment plays, unless another one is chosen', () => {
    const shows = { ...subject, env: { ...env, before: 'gait' } as EnvCard, learned: false };
    expect(scriptOf(FIRST, shows)).toBe('gait');
    expect(scriptOf(FIRST, { ...shows, learned: true })).toBeNull();
    expect(scriptOf(at(live, { choice: pinned }), shows)).toBeNull();
    expect(scriptOf(at(live, { choice: scripted }), shows)).toBe('careful');
  });
});
