/** Resolves the theme to light or dark on the root element, where the style sheet and the canvas read it. Printing is always light. */
import { layoutStore } from '#stores/layout.ts';

const DARK = '(prefers-color-scheme: dark)';

export function startTheme(): void {
  const apply = () => {
    const { theme, projector, motion, depth } = layoutStore.getState();
    const { dataset } = document.documentElement;
    const next = theme === 'system' ? (matchMedia(DARK).matches ? 'dark' : 'light') : theme;
    if (dataset.theme !== next) dataset.theme = next;
    dataset.projector = projector ? 'on' : 'off';
    dataset.motion = motion;
    dataset.depth = depth;
  };
  apply();
  layoutStore.subscribe(apply);
  matchMedia(DARK).addEventListener('change', apply);
  window.addEventListener('beforeprint', () => {
    document.documentElement.dataset.theme = 'light';
  });
  window.addEventListener('afterprint', apply);
}
