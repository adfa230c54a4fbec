/** A translated text in which words between <b> and </b> are set bold. */
import { Fragment } from 'react';

export function Rich({ text }: { readonly text: string }) {
  return text.split(/<b>(.*?)<\/b>/).map((part, i) =>
    // Every second part stood between the marks.
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text do not move
    i % 2 === 1 ? <b key={i}>{part}</b> : <Fragment key={i}>{part}</Fragment>,
  );
}
