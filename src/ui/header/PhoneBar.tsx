/** The transport where the thumb is. */

import styles from './PhoneBar.module.css';
import { Readout } from './Readout.tsx';
import { TransportBar } from './TransportBar.tsx';

export function PhoneBar() {
  return (
    <div className={styles.bar}>
      <TransportBar />
      <Readout />
    </div>
  );
}
