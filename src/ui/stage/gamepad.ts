/** A gamepad plays as keys and sticks do: read in every animation frame while one is connected, with a dead zone in the middle. */
import { useEffect } from 'react';
import { keysOf } from '#client/stage/human.ts';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import { pressKeys, pushSticks } from '#stores/stage.ts';
import { signOfX } from './controls.ts';

const DEAD = 0.15;
const TILTED = 0.5;
/** Buttons of the standard layout that stand for arrow keys; and the four under the right thumb. */
const CROSS: { readonly [button: number]: string } = { 12: 'ArrowUp', 13: 'ArrowDown', 14: 'ArrowLeft', 15: 'ArrowRight' };
const THUMB = [0, 1, 2, 3] as const;
const STICKS = { leftX: 0, leftY: 1, rightX: 2, rightY: 3 } as const;

export function readPad(env: EnvCard, pad: Pick<Gamepad, 'axes' | 'buttons'>): { held: readonly string[]; sticks: readonly number[] } {
  const tilt = (i: number): number => (Math.abs(pad.axes[i] ?? 0) < DEAD ? 0 : (pad.axes[i] ?? 0));
  const axes = env.action.kind === 'box' ? (env.axes ?? []) : [];
  const sticks = axes.map((axis) => {
    if (axis.stick === undefined) return 0;
    const value = tilt(STICKS[axis.stick]);
    // Gamepads count down the page.
    if (value === 0) return 0;
    return axis.stick.endsWith('Y') ? -value : value * signOfX(axis);
  });
  const known = new Set([...env.keys.flat().flatMap(keysOf), ...axes.flatMap(({ less, more }) => [...less, ...more])]);
  const held = new Set<string>();
  for (const [button, key] of Object.entries(CROSS)) if (pad.buttons[Number(button)]?.pressed) held.add(key);
  // Where no axis takes the left stick it is a cross.
  if (!axes.some(({ stick }) => stick?.startsWith('left'))) {
    if (tilt(0) < -TILTED) held.add('ArrowLeft');
    if (tilt(0) > TILTED) held.add('ArrowRight');
    if (tilt(1) < -TILTED) held.add('ArrowUp');
    if (tilt(1) > TILTED) held.add('ArrowDown');
  }
  const others = [...known].filter((key) => !key.startsWith('Arrow') && !/^[wasd]$/i.test(key));
  const thumbs = others.length > 0 ? others : ['ArrowUp'];
  THUMB.forEach((button, i) => {
    const key = thumbs[i];
    if (key !== undefined && pad.buttons[button]?.pressed) held.add(key);
  });
  return { held: [...held].filter((key) => known.has(key)), sticks };
}

export function useGamepad(env: EnvCard): void {
  useEffect(() => {
    let request = 0;
    let before: readonly string[] = [];
    let pushed = false;
    const poll = (): void => {
      const pad = navigator.getGamepads().find((one) => one?.connected === true);
      if (pad === null || pad === undefined) {
        request = 0;
        return;
      }
      const { held, sticks } = readPad(env, pad);
      // Keys of the keyboard stay as they are.
      if (held.join() !== before.join()) pressKeys(held, before);
      before = held;
      const active = sticks.some((value) => value !== 0);
      if (active || pushed) pushSticks(sticks);
      pushed = active;
      request = requestAnimationFrame(poll);
    };
    const start = (): void => {
      if (request === 0) request = requestAnimationFrame(poll);
    };
    start();
    window.addEventListener('gamepadconnected', start);
    return () => {
      cancelAnimationFrame(request);
      window.removeEventListener('gamepadconnected', start);
    };
  }, [env]);
}
