import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPace } from './pace.ts';

function fakeGl() {
  const state = { signalled: false, fences: 0 };
  const gl = {
    SYNC_STATUS: 1,
    SIGNALED: 2,
    SYNC_GPU_COMMANDS_COMPLETE: 3,
    isContextLost: () => false,
    getSyncParameter: () => (state.signalled ? 2 : 0),
    fenceSync: () => ({ id: ++state.fences }),
    deleteSync: () => {
      state.fences--;
    },
    flush: () => {},
  } as unknown as WebGL2RenderingContext;
  return { gl, state };
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

it('waits for the last picture, then twice as long as it took', () => {
  const { gl, state } = fakeGl();
  const pace = createPace(gl);
  expect(pace.ready(0)).toBe(true);
  pace.drawn(0);
  expect(pace.ready(400)).toBe(false);
  state.signalled = true;
  expect(pace.ready(500)).toBe(false); // took 500
  expect(pace.cost()).toBe(500);
  expect(pace.ready(999)).toBe(false);
  expect(pace.ready(1000)).toBe(true);
});

it('draws at most twenty pictures a second and leaves no fence behind', () => {
  const { gl, state } = fakeGl();
  const pace = createPace(gl);
  state.signalled = true;
  pace.drawn(0);
  expect(pace.ready(5)).toBe(false);
  expect(pace.ready(50)).toBe(true);
  pace.drawn(50);
  pace.drawn(60);
  expect(state.fences).toBe(1);
});

it('does not wait for a context that is gone', () => {
  const { gl } = fakeGl();
  const pace = createPace(gl);
  pace.drawn(0);
  pace.reset();
  expect(pace.ready(100)).toBe(true);
});

it('does not take the time a scene stood still for the cost of its last picture', () => {
  const { gl, state } = fakeGl();
  const pace = createPace(gl);
  pace.drawn(performance.now());
  vi.advanceTimersByTime(80);
  state.signalled = true;
  vi.advanceTimersByTime(60_000); // nobody asks meanwhile
  expect(pace.ready(performance.now())).toBe(true);
  expect(pace.cost()).toBeLessThanOrEqual(120);
  expect(vi.getTimerCount()).toBe(0);
});
