/** What the scene shows, and what its world asks, in the reader's language. */
import type { FrameLayout } from '#contract/game/frames.ts';
import { describeFrame } from '#scenes/index.ts';
import type { Say } from '#scenes/lib/words.ts';
import { known, locale, msg, t } from '#text/text.ts';
import { marked } from '#ui/kit/format/numbers.ts';
import { wordings } from '#ui/kit/format/wording.ts';

/** A frame in words; as a whole in English where the language lacks a word of it, such as a thing's name. */
export function frameInWords(layout: FrameLayout, frame: Float32Array, names: readonly string[] = []): string {
  if (locale() === 'en') return describeFrame(layout, frame, names);
  let whole = true;
  const say: Say = (english, values) => {
    whole &&= known(english);
    return t(english, values);
  };
  const text = describeFrame(layout, frame, names, say);
  if (!whole) return describeFrame(layout, frame, names);
  // some sentences begin with the name of a thing
  return marked(punctuated(text.replace(/(?<=^|\. )\p{Ll}/gu, (first) => first.toLocaleUpperCase(locale()))));
}

const CHINESE: { readonly [mark: string]: string } = { ',': '，', ';': '；', '.': '。' };

/** Between clauses and things of a list, and behind numbers, a description has the marks of English. */
function punctuated(text: string): string {
  if (locale().startsWith('zh'))
    return text.replace(/([,;.])(?: |$)/g, (_all, mark: string) => CHINESE[mark] ?? mark).replaceAll('。 ', '。');
  return locale() === 'fr' ? text.replace(/(?<!\u00a0); /g, '\u00a0; ') : text;
}

/** Of the tasks in tokens those of the lessons (core/envs/language/lib/asked.ts). */
const ASKED: readonly string[] = [
  msg('Copy the letters {letters}.'),
  msg('Write the letters {letters} in reverse.'),
  msg('Put the letters {letters} in alphabetical order.'),
];

/** What a world asks in words, as its environment writes it. */
export const askedInWords = wordings(ASKED);
