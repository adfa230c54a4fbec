/** Opens links. Nothing here throws. */
import { pinStore } from '#stores/pins.ts';
import { addressBar } from './address-bar.ts';

export interface LinkService {
  /** Whether the link was opened; where it is not, the page says why. */
  open(hash: string): Promise<boolean>;
}

/** Shows the moment that the link in use points to, where it points to one and a run here has its policy. */
export async function findPinned(): Promise<void> {
  if (pinStore.getState().pin !== null) await (await import('./pin-service.ts')).pins.find();
}

export const links: LinkService = {
  open: async (hash) => {
    const opened = (await addressBar.open(hash)) === true;
    if (opened) await findPinned();
    return opened;
  },
};
