/** The comment at the head of a source file, as what is shown of environments and methods reads it. Pure. */

/** Lines of a file's first comment, without its stars; what is indented behind them stays so. */
export function headLines(source: string): readonly string[] {
  const comment = /^\s*\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? '';
  return comment.split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trimEnd());
}

/** Its sentences, without those that only help who changes the file: what is thrown, which files it uses. */
export const sentencesOf = (text: string): readonly string[] =>
  text.split(/(?<=[.;]) (?=[A-Z])/).filter((one) => !/^Throws\b|\b[\w-]+\/[\w-]+\.ts\b/.test(one));
