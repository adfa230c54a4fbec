/**
 * A person at the controls: the environment's keys anywhere on the page, a gamepad, and the same actions as buttons and sticks for
 * touch. Real-time games read what is held; turn-based ones act on each press. Escape ends the game.
 */
import { type ReactNode, useEffect } from 'react';
import { useStore } from 'zustand';
import { keysOf } from '#client/human.ts';
import { lab } from '#client/lab.ts';
import type { EnvCard } from '#contract/catalog.ts';
import { stageStore } from '#stores/stage.ts';
import { measure } from '../format/numbers.ts';
import { Button } from '../kit/Button.tsx';
import { controlsOf, type Hold, keyName } from './controls.ts';
import { useGamepad } from './gamepad.ts';
import styles from './Stage.module.css';
import { Stick } from './Stick.tsx';

export function HumanPlay({ env }: { readonly env: EnvCard }) {
  const total = useStore(stageStore, (state) => state.returnSoFar);
  const steps = useStore(stageStore, (state) => Math.max(0, state.length - 1));
  useGameKeys(env);
  useGamepad(env);
  const { sticks, holds } = controlsOf(env);
  return (
    <div className={styles.human}>
      <p className={styles.score}>
        <span>
          return <b className="figures">{measure(total)}</b>
        </span>
        <span>
          step <b className="figures">{steps}</b>
        </span>
      </p>
      <div className={styles.pads}>
        {sticks.map((stick) => (
          <Stick key={stick.name} stick={stick} />
        ))}
        {holds.map((hold) => (
          <Pad key={hold.name} hold={hold} />
        ))}
      </div>
      <Button onClick={() => void lab.game.end()}>End the game</Button>
    </div>
  );
}

/** Held: the key is held. */
function Pad({ hold }: { readonly hold: Hold }): ReactNode {
  const held = useStore(stageStore, (state) => state.held);
  const { key, action } = hold;
  return (
    <button
      type="button"
      className={styles.pad}
      data-down={held.includes(key) || undefined}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        press(key);
      }}
      onPointerUp={() => release(key)}
      onPointerCancel={() => release(key)}
      onContextMenu={(event) => event.preventDefault()}
      onClick={(event) => {
        // A press without a pointer: Enter, or a screen reader.
        if (event.detail === 0 && action !== null) void lab.game.act([action]);
      }}
    >
      <kbd>{keyName(key)}</kbd>
      {hold.name}
    </button>
  );
}

/** What is held steers; where the game waits, the client acts on a fresh press and repeats a long one. */
function press(key: string): void {
  const { held } = stageStore.getState();
  if (!held.includes(key)) stageStore.setState({ held: [...held, key] });
}

function release(key: string): void {
  stageStore.setState(({ held }) => ({ held: held.filter((name) => name !== key) }));
}

function useGameKeys(env: EnvCard): void {
  useEffect(() => {
    const known = [...env.keys.flat().flatMap(keysOf), ...(env.axes ?? []).flatMap(({ less, more }) => [...less, ...more])];
    const find = (key: string): string | undefined => known.find((name) => name.toLowerCase() === key.toLowerCase());
    const down = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest('input:not([type=radio],[type=checkbox]), select, textarea, dialog, [popover]') != null) return;
      if (event.key === 'Escape') {
        event.preventDefault();
        void lab.game.end();
        return;
      }
      // Enter and Space on a focused button press that button.
      if (target?.closest('button') != null && (event.key === 'Enter' || event.key === ' ')) return;
      const found = find(event.key);
      if (found === undefined) return;
      event.preventDefault();
      press(found);
    };
    const up = (event: KeyboardEvent): void => {
      const found = find(event.key);
      if (found !== undefined) release(found);
    };
    const drop = (): void => stageStore.setState({ held: [], sticks: [] });
    document.addEventListener('keydown', down);
    document.addEventListener('keyup', up);
    window.addEventListener('blur', drop);
    return () => {
      document.removeEventListener('keydown', down);
      document.removeEventListener('keyup', up);
      window.removeEventListener('blur', drop);
      drop();
    };
  }, [env]);
}
