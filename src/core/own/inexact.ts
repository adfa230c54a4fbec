/** What the code of a world says about itself before it runs. */
import { type Finding, fault, holds } from './check.ts';

/** Comments, texts and patterns, which may hold anything; then the operator that engines may round differently. */
const TOKENS = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\*\*/g;

/** Whether the code uses `**`, which the language leaves to the engine: the same run could come out otherwise in another browser. */
export function inexact(code: string): Finding {
  const title = 'the same bits in every browser';
  for (const { 0: token, index } of code.matchAll(TOKENS)) {
    if (token !== '**') continue;
    const line = code.slice(0, index).split('\n').length;
    return { id: 'exact', title, ...fault(`Line ${line} uses **, which browsers may round differently. Write Math.pow(a, b), or a * a.`) };
  }
  return { id: 'exact', title, ...holds("Math is the workbench's own.") };
}
