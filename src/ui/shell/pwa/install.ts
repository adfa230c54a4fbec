/** The browser's own offer to install the page, kept for our button. Safari has none: its share sheet does it. */
import { createStore } from 'zustand/vanilla';

/** Chromium's event; not in the DOM library. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

/** Files that the system opens with the installed app. Not in the DOM library either. */
interface LaunchQueue {
  setConsumer(consumer: (params: { readonly files?: readonly { getFile(): Promise<File> }[] }) => void): void;
}

export const installStore = createStore<{ readonly prompt: (() => Promise<void>) | null }>(() => ({ prompt: null }));

export function watchInstall(): void {
  const queue = (window as { readonly launchQueue?: LaunchQueue }).launchQueue;
  queue?.setConsumer(({ files = [] }) => {
    void Promise.all([import('../dialogs/open.ts'), ...files.map((file) => file.getFile())]).then(([{ openGiven }, ...given]) =>
      openGiven(given),
    );
  });
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
