/** What the file of a method says at its head (idea, equations, pseudo-code), and its code as text. Pure. */

import { headLines, sentencesOf } from './source-head.ts';

export interface MethodFacts {
  /** Path of its file in the project. */
  readonly file: string;
  /** Paragraphs and equations in their order; an equation may have several lines. */
  readonly about: readonly { readonly kind: 'text' | 'equation'; readonly text: string }[];
  /** Lines of pseudo-code; two spaces before a line for each level it is nested. */
  readonly pseudo: readonly string[];
}

const PSEUDO = 'Pseudo-code:';

/** Names of files in brackets: they only help who changes the file. */
const ASIDE = /\s*\([^()]*(?:\blib\/|\w\.ts\b)[^()]*\)/g;

/** Of the first comment of a file: indented lines are equations, those below "Pseudo-code:" its pseudo-code, the rest is prose. */
export function methodFacts(file: string, source: string): MethodFacts {
  const blocks: { kind: 'text' | 'equation'; text: string }[] = [];
  const pseudo: string[] = [];
  let inPseudo = false;
  let apart = true;
  for (const line of headLines(source)) {
    const indented = line.startsWith('  ');
    if (line === PSEUDO) inPseudo = true;
    else if (inPseudo && indented) pseudo.push(line.slice(2));
    else if (line.trim() === '') apart = true;
    else {
      inPseudo = false;
      const kind = indented ? 'equation' : 'text';
      const last = blocks.at(-1);
      if (last?.kind === kind && !(apart && kind === 'text')) last.text += (kind === 'text' ? ' ' : '\n') + line.trim();
      else blocks.push({ kind, text: line.trim() });
      apart = false;
    }
  }
  const about = blocks.map(({ kind, text }) => ({ kind, text: kind === 'equation' ? text : withoutAsides(text) }));
  return { file, about: about.filter(({ text }) => text !== ''), pseudo };
}

const withoutAsides = (text: string): string => sentencesOf(text.replace(ASIDE, '')).join(' ');

/** A method's file without its head, which is shown beside it, and without its imports. */
export function methodCode(source: string): string {
  const afterHead = source.replace(/^\s*\/\*\*[\s\S]*?\*\/\s*/, '');
  return afterHead.replace(/^(?:import\b[\s\S]*?';\n)+/, '').trim();
}
