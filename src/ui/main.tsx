/** Starts the page: theme and language first, then the view; the workers meanwhile. Only a view in another language than English waits for its texts. */
import '#ui/kit/theme/base.css';
import { createRoot } from 'react-dom/client';
import { useStore } from 'zustand';
import { startServices } from '#client/start.ts';
import { embedded } from '#stores/route.ts';
import { t } from '#text/text.ts';
import { startRecent } from '#ui/catalogue/environments/recent.ts';
import { languageStore, startLanguage } from '#ui/kit/language.ts';
import { startTheme } from '#ui/kit/theme/theme.ts';
import { toast } from '#ui/kit/toasts.ts';
import { startKeys } from '#ui/shell/keyboard/keys.ts';
import { startPwa } from '#ui/shell/pwa/pwa.ts';
import { startTourOnFirstVisit } from '#ui/stage/tour.ts';
import { App } from './App.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');

startTheme();
/** Another language makes the views anew: texts are looked up where they are shown. Runs, the draft and the address stay as they are. */
function Page() {
  return <App key={useStore(languageStore, ({ language }) => language.id)} />;
}
const view = createRoot(root, {
  onCaughtError: (error) => console.error(error),
  onUncaughtError: (error) => {
    console.error(error);
    toast(t('Something outside a panel failed. Reload the page; your runs are kept.'), { tone: 'caution' });
  },
});
void startLanguage().then(() => view.render(<Page />));
// A frame in another page shows its poster, and nothing else happens until it is pressed.
if (!embedded()) {
  startKeys();
  startPwa();
  startRecent();
  startTourOnFirstVisit();
  void startServices();
}
