/** `code` between back ticks, as the sources write it. */
export function Prose({ text }: { readonly text: string }) {
  return text.split('`').map((part, i) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text keep their places
    i % 2 === 1 ? <code key={i}>{part}</code> : part,
  );
}
