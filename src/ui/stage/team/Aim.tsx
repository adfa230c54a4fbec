/**
 * Over a grid whose agents go to cells of their own choice, each under a flag: a press on a cell takes the flag there, so do arrow keys and Enter.
 * On a phone the buttons come when they are asked for, since they would lie on the scene.
 */
import { type KeyboardEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { EnvCard } from '#contract/catalog/catalog.ts';
import type { GridLayout } from '#contract/game/frames.ts';
import { spoken } from '#contract/game/seats.ts';
import { numbered } from '#scenes/lib/words.ts';
import { msg, t } from '#text/text.ts';
import { Button } from '#ui/kit/Button.tsx';
import { useRoom } from '#ui/kit/media.ts';
import { aimAt, aimFor, aimStore, moveAim } from './aim.ts';
import styles from './TeamSize.module.css';

const WAYS = [
  { key: 'ArrowLeft', sign: '←', label: msg('to the left'), dx: -1, dy: 0 },
  { key: 'ArrowUp', sign: '↑', label: msg('upwards'), dx: 0, dy: -1 },
  { key: 'ArrowDown', sign: '↓', label: msg('downwards'), dx: 0, dy: 1 },
  { key: 'ArrowRight', sign: '→', label: msg('to the right'), dx: 1, dy: 0 },
] as const;

export default function Aim({ env, layout }: { readonly env: EnvCard; readonly layout: GridLayout }) {
  const phone = useRoom() === 'phone';
  const [asked, setAsked] = useState(false);
  const { agent, cell } = useStore(aimStore);
  const names = env.groups.flatMap((group) => group.names);
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && cell >= 0 && !(event.target instanceof HTMLSelectElement)) {
      event.preventDefault();
      aimAt(cell);
      return;
    }
    const way = WAYS.find(({ key }) => key === event.key);
    if (way === undefined || event.target instanceof HTMLSelectElement) return;
    event.preventDefault(); // it is no key of the game here
    moveAim(layout, way.dx, way.dy);
  };
  if (phone && !asked)
    return (
      <div className={styles.team}>
        <Button kind="bare" onClick={() => setAsked(true)}>
          {t('Set the subgoal')}
        </Button>
      </div>
    );
  return (
    <fieldset
      className={styles.team}
      aria-label={t('Set the subgoal')}
      title={t('The flag is the subgoal. Press a cell to put it there, or move the mark with arrows and set it.')}
      onKeyDown={keys}
    >
      {layout.agents > 1 && (
        <select
          className={styles.which}
          aria-label={t('Whose subgoal')}
          value={agent}
          onChange={(event) => aimFor(Number(event.target.value))}
        >
          {names.map((name, i) => (
            <option key={name} value={i}>
              {numbered(t, spoken(name))}
            </option>
          ))}
        </select>
      )}
      {WAYS.map(({ key, sign, label, dx, dy }) => (
        <Button key={key} kind="bare" aria-label={t(label)} onClick={() => moveAim(layout, dx, dy)}>
          {sign}
        </Button>
      ))}
      <Button kind="bare" disabled={cell < 0} onClick={() => void aimAt(cell)}>
        {t('Set the subgoal')}
      </Button>
      {phone && <Button kind="bare" icon="close" label={t('Close')} onClick={() => setAsked(false)} />}
    </fieldset>
  );
}
