/** What we need to find a fault: where it was, the error, the config, the build, the browser. Nothing is sent anywhere. */
import { draftStore } from '#stores/draft.ts';
import { toast } from './toasts.ts';

function report(where: string, error: unknown): string {
  const { config, hash } = draftStore.getState();
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return JSON.stringify({ where, error: text, build: BUILD, config, configHash: hash, browser: navigator.userAgent }, null, 2);
}

export async function copyReport(where: string, error: unknown): Promise<void> {
  try {
    await navigator.clipboard.writeText(report(where, error));
    toast('Report copied.');
  } catch {
    toast('The browser did not allow copying.', { tone: 'caution' });
  }
}
