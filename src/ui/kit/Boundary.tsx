/**
 * One failing panel must not take the page along: it says what happened and hands over a report; everything else goes on. A part that is not on
 * this device is no fault: it says so, and how to get it, and comes by itself when the network is back.
 */
import { Component, type ReactNode } from 'react';
import { isNotFetched } from '#contract/kit/errors.ts';
import { machineStore } from '#stores/machine.ts';
import { t } from '#text/text.ts';
import styles from './Boundary.module.css';
import { Button } from './Button.tsx';
import { tryAgain } from './late.tsx';
import { copyReport } from './report.ts';

interface Props {
  readonly name: string;
  /** It stands for a whole page: what it says stands where a page begins. */
  readonly page?: boolean;
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

  private unfollow = (): void => {};

  override componentDidMount(): void {
    this.unfollow = machineStore.subscribe(({ online }, before) => {
      if (online && !before.online && isNotFetched(this.state.error)) this.again();
    });
  }

  override componentWillUnmount(): void {
    this.unfollow();
  }

  private readonly again = (): void => {
    tryAgain();
    this.setState({ error: null });
  };

  override render(): ReactNode {
    const { error } = this.state;
    const { name: part, page = false } = this.props;
    if (error === null) return this.props.children;
    if (isNotFetched(error)) {
      return (
        <div className={styles.failed} role="alert" data-missing="" data-page={page || undefined}>
          <p className={styles.title}>{t('{part}: not on this device.', { part })}</p>
          <p>
            {t(
              'This part of the page is loaded when it is first used, and it could not be fetched now. Connect to the network and try again. To have every part without a network, choose Storage in the dotted menu, then “Keep everything for offline”, while you are connected.',
            )}
          </p>
          <div className={styles.row}>
            <Button kind={page ? 'solid' : 'quiet'} icon="reset" big={page} onClick={this.again}>
              {t('Try again')}
            </Button>
          </div>
        </div>
      );
    }
    return (
      <div className={styles.failed} role="alert" data-page={page || undefined}>
        <p className={styles.fault}>{t('{part} stopped working.', { part })}</p>
        <p>
          {t(
            'The rest of the page goes on, and nothing you made is lost. Try again; if it fails again, copy the report: it says what failed.',
          )}
        </p>
        <div className={styles.row}>
          <Button onClick={this.again}>{t('Try again')}</Button>
          <Button icon="copy" onClick={() => void copyReport(part, error)}>
            {t('Copy report')}
          </Button>
        </div>
      </div>
    );
  }
}
