/** A language model or its tokenizer was dropped or opened: it goes to the page where it writes. */
import { toast } from '#ui/kit/toasts.ts';
import { isModelFile, takeFile } from './held.ts';

export { isModelFile };

export async function bringModel(file: File): Promise<void> {
  const problem = await takeFile(file);
  if (problem !== '') toast(problem, { tone: 'caution' });
  location.hash = '#/model';
}
