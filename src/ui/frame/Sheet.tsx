/** A page that is read and filled in from top to bottom, part by part. */
import type { ReactNode } from 'react';
import type { PageName } from '#stores/route.ts';
import { PageFrame } from './PageFrame.tsx';
import styles from './Sheet.module.css';

interface Props {
  readonly title: string;
  readonly page: PageName;
  readonly tab?: string | undefined;
  /** Buttons below the title. */
  readonly actions?: ReactNode;
  /** Text and forms without tables. */
  readonly narrow?: boolean;
  readonly children: ReactNode;
}

export function Sheet({ title, page, tab, actions, narrow = false, children }: Props) {
  return (
    <PageFrame title={title} page={page} tab={tab}>
      <div className={styles.sheet} data-narrow={narrow || undefined}>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        {children}
      </div>
    </PageFrame>
  );
}
