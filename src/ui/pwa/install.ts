/** The browser's own offer to install the page, kept for our button. Safari has none: its share sheet does it. */
import { createStore } from 'zustand/vanilla';

/** Chromium's event; not in the DOM library. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

export const installStore = createStore<{ readonly prompt: (() => Promise<void>) | null }>(() => ({ prompt: null }));

export function watchInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    installStore.setState({
      prompt: async () => {
        installStore.setState({ prompt: null });
        await (event as InstallEvent).prompt();
      },
    });
  });
  window.addEventListener('appinstalled', () => installStore.setState({ prompt: null }));
}
