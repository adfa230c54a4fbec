/** Starts the page: theme first, then the view, then the workers. Nothing here waits for anything. */
import './theme/base.css';
import { createRoot } from 'react-dom/client';
import { lab } from '#client/lab.ts';
import { embedded } from '#stores/route.ts';
import { App } from './App.tsx';
import { startRecent } from './env-page/recent.ts';
import { startKeys } from './keyboard/keys.ts';
import { toast } from './kit/toasts.ts';
import { startPwa } from './pwa/pwa.ts';
import { startTheme } from './theme/theme.ts';
import { startTourOnFirstVisit } from './tour/tour.ts';

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
  void lab.boot();
}
