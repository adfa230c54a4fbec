/** A panel folded away to its title at the window's edge. */
import { Button } from './Button.tsx';
import styles from './Fold.module.css';

interface Props {
  readonly title: string;
  readonly side: 'left' | 'right';
  readonly onOpen: () => void;
}

export function Fold({ title, side, onOpen }: Props) {
  return (
    <div className={styles.fold} data-side={side}>
      <Button kind="bare" onClick={onOpen}>
        {title}
      </Button>
    </div>
  );
}
