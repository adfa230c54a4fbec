/** Starts the page: theme first, then the view, then the workers. Nothing here waits for anything. */
import '#ui/kit/theme/base.css';
import { createRoot } from 'react-dom/client';
import { startServices } from '#client/start.ts';
import { embedded } from '#stores/route.ts';
import { startRecent } from '#ui/catalogue/environments/recent.ts';
import { startTheme } from '#ui/kit/theme/theme.ts';
import { toast } from '#ui/kit/toasts.ts';
import { startKeys } from '#ui/shell/keyboard/keys.ts';
import { startPwa } from '#ui/shell/pwa/pwa.ts';
import { startTourOnFirstVisit } from '#ui/stage/tour.ts';
import { App } from './App.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');

startTheme();
createRoot(root, {
  onCaughtError: (error) => console.error(error),
  onUncaughtError: (error) => {
    console.error(error);
    toast('Something outside a panel failed. Reload the page; your runs are kept.', { tone: 'caution' });
  },
}).render(<App />);
// A frame in somebody's page shows its poster, and nothing else happens until it is pressed.
if (!embedded()) {
  startKeys();
  startPwa();
  startRecent();
  startTourOnFirstVisit();
  void startServices();
}
