/** The transport where the thumb is. */
import { useStore } from 'zustand';
import { inLesson, routeStore } from '#stores/route.ts';
import { useTransport } from '#ui/runs/useTransport.ts';
import styles from './PhoneBar.module.css';
import { Readout } from './Readout.tsx';
import { TransportBar } from './TransportBar.tsx';

export function PhoneBar() {
  const { main } = useTransport();
  // A lesson starts its runs itself and needs the room; pausing and stopping stay at hand.
  if (useStore(routeStore, inLesson) && main === 'train') return null;
  return (
    <div className={styles.bar}>
      <TransportBar />
      <Readout />
    </div>
  );
}
