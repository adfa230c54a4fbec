/** Hands a blob to the browser's downloads. */
import { t } from '#text/text.ts';
import { toast } from './toasts.ts';

/** A name as that of a file, without its extension. */
export function fileName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'run'
  );
}

export async function save(blob: Blob | Promise<Blob>, name: string): Promise<void> {
  try {
    const url = URL.createObjectURL(await blob);
    const anchor = document.createElement('a');
    anchor.href = url;
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    toast(`${name} could not be written: ${why}`, { tone: 'caution' });
  }
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t('{what} copied.', { what }));
  } catch {
    toast(t('The browser did not allow copying. Select the text and copy it by hand.'), { tone: 'caution' });
  }
}
