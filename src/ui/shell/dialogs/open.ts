/** Opening what others sent: a link typed or pasted, a file chosen or dropped. */
import { lab } from '#client/lab.ts';
import { layoutStore } from '#stores/layout.ts';
import { toast } from '#ui/kit/toasts.ts';

/** Asks for a file and opens it; any file, because event files of TensorBoard have no extension. */
export function openAnything(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file !== undefined) void openFile(file);
  });
  input.click();
}

export async function openFile(file: File): Promise<void> {
  try {
    await lab.importFile(file);
    // What is wrong with a file stands in a dialog by now.
    if (layoutStore.getState().linkFailure === null) toast(`${file.name} opened.`);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), { tone: 'caution' });
  }
}

/** Takes a whole address or only what follows the #. */
export async function openLinkText(text: string): Promise<boolean> {
  const at = text.indexOf('#');
  const hash = at < 0 ? `#${text.trim()}` : text.slice(at).trim();
  return lab.openLink(hash);
}
