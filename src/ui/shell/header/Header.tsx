/** The bar above everything: what is open, the transport, how far it is, on what it computes, and the ways out. */
import { useStore } from 'zustand';
import { layoutStore } from '#stores/layout.ts';
import { machineStore } from '#stores/machine.ts';
import { hashOf } from '#stores/route.ts';
import { pressable } from '#ui/kit/action.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Icon, Mark } from '#ui/kit/Icon.tsx';
import type { Room } from '#ui/kit/media.ts';
import { useTitle } from '#ui/kit/useTitle.ts';
import { help, share } from '../actions.ts';
import { ExecutorBadge } from './ExecutorBadge.tsx';
import styles from './Header.module.css';
import { Readout } from './Readout.tsx';
import { SavingBadge } from './SavingBadge.tsx';
import { TransportBar } from './TransportBar.tsx';
import { ViewMenu } from './ViewMenu.tsx';

interface Props {
  readonly room: Room;
  readonly setupOpen: boolean;
  readonly onSetup: () => void;
}

export function Header({ room, setupOpen, onSetup }: Props) {
  const depth = useStore(layoutStore, (state) => state.depth);
  const online = useStore(machineStore, (state) => state.online);
  const teach = depth === 'teach';
  const { set } = layoutStore.getState();
  const title = useTitle();

  return (
    <header className={styles.header} data-room={room}>
      <h1 className={styles.brand}>
        <a href={hashOf({ page: 'home', id: null, query: {} })} title="Home: worlds, lessons, papers">
          <Mark />
          <span className={styles.product}>RL Workbench</span>
        </a>
      </h1>
      <button
        type="button"
        className={styles.experiment}
        aria-haspopup="dialog"
        title={teach ? 'Choose a world' : 'Choose an experiment'}
        onClick={() => set('dialog', teach ? 'environments' : 'gallery')}
      >
        <span className={styles.name}>{title}</span>
        <Icon name="chevron" />
      </button>
      {room === 'medium' && (
        <Button kind="quiet" icon="sliders" aria-expanded={setupOpen} onClick={onSetup}>
          Set up
        </Button>
      )}
      {room !== 'phone' && (
        <>
          <TransportBar />
          <Readout />
          {!teach && <ExecutorBadge />}
        </>
      )}
      <span className={styles.space} />
      {!online && (
        <span className={styles.offline} title="No network. Everything here works without one.">
          <Icon name="offline" />
          Offline
        </span>
      )}
      <SavingBadge short={room === 'phone'} />
      <Button icon="share" {...pressable(share)}>
        {room === 'phone' ? undefined : 'Share'}
      </Button>
      {teach ? (
        <Button icon="sliders" label="Show everything: map, all fields, runs" onClick={() => set('depth', 'lab')}>
          {room === 'phone' ? undefined : 'More'}
        </Button>
      ) : (
        <ViewMenu />
      )}
      <Button kind="bare" icon="help" {...pressable(help)} />
    </header>
  );
}
