// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { configOfJson, decodePolicyFile } from '#contract/files/files.ts';
import { toFailure } from '#contract/kit/errors.ts';
import { decodeLink } from '#contract/link/link.ts';
import { layoutStore } from '#stores/layout.ts';
import { LinkProblemDialog } from './LinkProblemDialog.tsx';

/** The words of the dialog after this was opened. */
async function told(open: () => unknown): Promise<{ readonly title: string; readonly text: string }> {
  try {
    open();
  } catch (error) {
    layoutStore.getState().set('linkFailure', toFailure(error));
  }
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const home = document.body.appendChild(document.createElement('div'));
  const root = createRoot(home);
  await act(async () => root.render(<LinkProblemDialog onClose={() => {}} />));
  const words = { title: home.querySelector('h2')?.textContent ?? '', text: home.textContent ?? '' };
  await act(async () => root.unmount());
  home.remove();
  return words;
}

test('a file that is refused is called a file, a link a link, and the reason is in our words', async () => {
  for (const open of [() => configOfJson('hello'), () => configOfJson('[1]'), () => decodePolicyFile('{"kind":"policy"}')]) {
    const { title, text } = await told(open);
    expect(title).toBe('This file cannot be opened');
    expect(text).toMatch(/This is not a (run config|policy file): /);
    expect(text).not.toMatch(/invalid input|expected|received/i);
  }
  expect((await told(() => decodeLink('#1.I88mtAxJnFUA'))).title).toBe('This link is damaged');
});
