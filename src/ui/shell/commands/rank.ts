/** Which commands match what is typed, the best first. Pure. */

export interface Command {
  readonly id: string;
  /** What kind of thing it is: 'World', 'Paper', 'Action'. */
  readonly kind: string;
  readonly title: string;
  /** Beside the title: a family, a key, an author. */
  readonly detail?: string | undefined;
  /** Words that find it and that need not be shown. */
  readonly words?: string | undefined;
  readonly perform: () => void;
}

const MOST = 40;

const split = (text: string): readonly string[] => text.split(/[\s(:,/-]+/);

/** Points of one word: the title is it, has it as a word, begins with it, has a word that begins with it, holds it; then other words; 0: nothing does. */
function points(word: string, title: string, rest: string): number {
  if (title === word) return 10;
  const parts = split(title);
  if (parts.includes(word)) return parts[0] === word ? 9 : 8;
  if (title.startsWith(word)) return 7;
  if (parts.some((part) => part.startsWith(word))) return 6;
  if (title.includes(word)) return 4;
  if (split(rest).includes(word)) return 3;
  return rest.includes(word) ? 2 : 0;
}

/** Every word must match; the sum of the points decides, then the shorter title, then the order in which the commands come. At most 40. */
export function rank(commands: readonly Command[], query: string): readonly Command[] {
  const whole = query.trim().toLowerCase();
  const words = whole.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return commands
    .map((command) => {
      const title = command.title.toLowerCase();
      const rest = `${command.kind} ${command.detail ?? ''} ${command.words ?? ''}`.toLowerCase();
      const each = words.map((word) => points(word, title, rest));
      const together = words.length > 1 && title.includes(whole) ? 4 : 0;
      return { command, score: each.includes(0) ? 0 : each.reduce((sum, value) => sum + value, 0) / words.length + together };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.command.title.length - b.command.title.length)
    .slice(0, MOST)
    .map(({ command }) => command);
}
