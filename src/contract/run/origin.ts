/** Where a run was started: the person's own set-up, a lesson, an arm of a paper, a link, a file or a sweep. Kept with the run. */
import { z } from 'zod';

export const originSchema = z.object({
  kind: z.enum(['own', 'lesson', 'paper', 'link', 'file', 'sweep']),
  /** Of the lesson and its step, the paper and its arm, the file, the sweep; '' for a set-up and a link. */
  title: z.string().max(200),
  /** The address in this page that leads back to it; it begins with #, so that a file cannot lead anywhere else. */
  address: z.string().max(4000).regex(/^#/).optional(),
});
export type Origin = z.infer<typeof originSchema>;

const WORDS: { readonly [K in Origin['kind']]: string } = {
  own: 'own set-up',
  lesson: 'lesson',
  paper: 'paper',
  link: 'link',
  file: 'file',
  sweep: 'sweep',
};

/** "lesson: Two walkers, one cliff, step 3"; '' where it is not known. */
export function originText(origin: Origin | undefined): string {
  if (origin === undefined) return '';
  return origin.title === '' ? WORDS[origin.kind] : `${WORDS[origin.kind]}: ${origin.title}`;
}
