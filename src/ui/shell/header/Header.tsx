/** The bar of the laboratory: what is open, the transport, how far it is, on what it computes, sharing, and how much is shown. */
import { useStore } from 'zustand';
import { layoutStore } from '#stores/layout.ts';
import { machineStore } from '#stores/machine.ts';
import { inLesson, routeStore } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { pressable } from '#ui/kit/action.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Icon } from '#ui/kit/Icon.tsx';
import type { Room } from '#ui/kit/media.ts';
import { useTitle } from '#ui/kit/useTitle.ts';
import { help, share } from '../actions.ts';
import { DepthSwitch } from './DepthSwitch.tsx';
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
  const teach = useStore(layoutStore, (state) => state.depth === 'teach');
  const lesson = useStore(routeStore, inLesson);
  const online = useStore(machineStore, (state) => state.online);
  const { set } = layoutStore.getState();
  const title = useTitle();

  return (
    <div className={styles.header} data-room={room} data-tour="bar">
      <h1 className={styles.open}>
        <button
          type="button"
          className={styles.experiment}
          aria-haspopup="dialog"
          title={teach ? t('Choose a world') : t('Choose an experiment')}
          onClick={() => set('dialog', teach ? 'environments' : 'gallery')}
        >
          <span className={styles.name}>{title}</span>
          <Icon name="chevron" />
        </button>
      </h1>
      {room === 'medium' && (
        <Button kind="quiet" icon="sliders" aria-expanded={setupOpen} onClick={onSetup}>
          {t('Set up')}
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
        <span className={styles.offline} title={t('No network. Everything here works without one.')}>
          <Icon name="offline" />
          {t('Offline')}
        </span>
      )}
      <SavingBadge short={room === 'phone'} />
      <Button icon="share" {...pressable(share)}>
        {room === 'phone' ? undefined : t('Share')}
      </Button>
      {room === 'desktop' && !lesson && <DepthSwitch />}
      <ViewMenu depth={room !== 'desktop' && !lesson} />
      {room === 'phone' && <Button kind="bare" icon="help" {...pressable(help)} />}
    </div>
  );
}
