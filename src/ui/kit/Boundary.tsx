/** One failing panel must not take the page along: it says what happened and hands over a report; everything else goes on. */
import { Component, type ReactNode } from 'react';
import { t } from '#text/text.ts';
import styles from './Boundary.module.css';
import { Button } from './Button.tsx';
import { copyReport } from './report.ts';

interface Props {
  readonly name: string;
  readonly children: ReactNode;
}
interface State {
  readonly error: unknown;
}

export class Boundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <div className={styles.failed} role="alert">
        <p className={styles.title}>{t('{part} stopped working.', { part: this.props.name })}</p>
        <p>{t('The rest of the page goes on, and nothing you made is lost. Try again; if it fails again, send us the report.')}</p>
        <div className={styles.row}>
          <Button onClick={() => this.setState({ error: null })}>{t('Try again')}</Button>
          <Button icon="copy" onClick={() => void copyReport(this.props.name, error)}>
            {t('Copy report')}
          </Button>
        </div>
      </div>
    );
  }
}
