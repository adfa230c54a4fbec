/** What a view of a lesson plays: on the stage, at its size, in place of the scene that the step began with. */
import { type ReactNode, useEffect } from 'react';
import { createPortal } from 'react-dom';
import { useStore } from 'zustand';
import { askForSlot, slotStore } from '#ui/stage/slot.ts';
import styles from './OnStage.module.css';

interface Props {
  /** Scenes side by side. */
  readonly scenes: 1 | 2;
  readonly children: ReactNode;
}

export function OnStage({ scenes, children }: Props) {
  const place = useStore(slotStore, (state) => state.place);
  useEffect(askForSlot, []);
  return place === null
    ? null
    : createPortal(
        <div className={styles.played} data-scenes={scenes}>
          {children}
        </div>,
        place,
      );
}
