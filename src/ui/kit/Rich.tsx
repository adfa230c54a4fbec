/** A translated text in which words between <b> and </b> are set bold, those between <code> and </code> as code. */
import { Fragment } from 'react';

export function Rich({ text }: { readonly text: string }) {
  return text.split(/(<b>.*?<\/b>|<code>.*?<\/code>)/).map((part, i) => {
    const [, tag, inner] = /^<(b|code)>(.*)<\/\1>$/.exec(part) ?? [];
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text do not move
    if (tag === undefined) return <Fragment key={i}>{part}</Fragment>;
    const Tag = tag === 'b' ? 'b' : 'code';
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    return <Tag key={i}>{inner}</Tag>;
  });
}
