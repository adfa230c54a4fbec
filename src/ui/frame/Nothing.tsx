/** A page that has nothing to show yet: a picture of the chosen environment, why it is empty, and what fills it. */
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { draftStore } from '#stores/draft.ts';
import { Picture } from '#ui/kit/picture/Picture.tsx';
import styles from './Nothing.module.css';

interface Props {
  readonly children: ReactNode;
  /** Buttons and links that lead on. */
  readonly ways?: ReactNode;
}

export function Nothing({ children, ways }: Props) {
  const env = useStore(draftStore, (state) => state.env);
  const config = useStore(draftStore, (state) => state.config.env.config);
  const first = env?.presets[0];
  return (
    <div className={styles.nothing}>
      {first !== undefined && env !== null && <Picture env={env} preset={first.id} config={config} />}
      <div>
        <p>{children}</p>
        {ways !== undefined && <p className={styles.ways}>{ways}</p>}
      </div>
    </div>
  );
}
