/** A sentence in which things are named with their pictures. */
import { Fragment } from 'react';
import styles from './Rules.module.css';
import { ThingArt } from './ThingArt.tsx';
import { type Piece, thingWords } from './words.ts';

export function Sentence({ pieces }: { readonly pieces: readonly Piece[] }) {
  return pieces.map((piece, i) =>
    typeof piece === 'string' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one sentence stay in their order
      <Fragment key={i}>{piece}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one sentence stay in their order
      <span key={i} className={styles.thing}>
        <ThingArt thing={piece} />
        {thingWords(piece)}
      </span>
    ),
  );
}
