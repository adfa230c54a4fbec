/** One button for the whole page. `solid` is for the primary action only; `bare` for icon buttons in bars. */
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { t } from '#text/text.ts';
import styles from './Button.module.css';
import { Icon, type IconName } from './Icon.tsx';

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'title' | 'type'> & {
  readonly kind?: 'solid' | 'quiet' | 'bare' | 'danger';
  readonly icon?: IconName | undefined;
  /** Name of an icon-only button; shown as a tip too. */
  readonly label?: string | undefined;
  /** Key that does the same, shown in the tip. */
  readonly hotkey?: string | undefined;
  readonly pressed?: boolean | undefined;
  readonly big?: boolean;
  readonly children?: ReactNode;
};

export function Button({ kind = 'quiet', icon, label, hotkey, pressed, big, children, ...rest }: Props) {
  const tip =
    label === undefined && hotkey === undefined
      ? undefined
      : `${label ?? ''}${hotkey === undefined ? '' : ` (${hotkey === 'Space' ? t('Space') : hotkey})`}`.trim();
  return (
    <button
      {...rest}
      type="button"
      className={styles.button}
      data-kind={kind}
      data-big={big ? '' : undefined}
      data-icon-only={children === undefined ? '' : undefined}
      aria-label={children === undefined ? label : rest['aria-label']}
      aria-pressed={pressed ?? rest['aria-pressed']}
      title={tip}
    >
      {icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}
