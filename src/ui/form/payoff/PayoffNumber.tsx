/**
 * One payoff: a number field that is read while it is typed. Arrows step by one, with Shift by ten; Enter, a short rest or leaving the
 * field keeps it; Escape takes a wrong text back.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { t } from '#text/text.ts';
import { editable, parseNumber } from '#ui/kit/format/numbers.ts';
import styles from './Payoff.module.css';

const SETTLES = 500; // ms

interface Props {
  readonly name: string;
  readonly value: number;
  readonly best: boolean;
  /** Whose it is: 'row', 'column', or 'any' in tables of many players. */
  readonly who: 'row' | 'column' | 'any';
  /** A text that is a number, while it is typed. */
  readonly onType: (value: number) => void;
  readonly onWrong: (text: string, message: string) => void;
  /** What was typed stays; a wrong text is gone. */
  readonly onDone: () => void;
  readonly onStep: (value: number) => void;
}

export function PayoffNumber({ name, value, best, who, onType, onWrong, onDone, onStep }: Props) {
  const [text, setText] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => () => clearTimeout(timer.current), []);

  const leave = () => {
    clearTimeout(timer.current);
    if (text === null) return;
    setText(null);
    setWrong(false);
    onDone();
  };
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    const number = parseNumber(next);
    setWrong(!Number.isFinite(number));
    if (!Number.isFinite(number)) {
      onWrong(next, t('Each payoff must be a number.'));
      return;
    }
    onType(number);
    timer.current = setTimeout(() => done.current(), SETTLES);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const size = event.shiftKey ? 10 : 1;
    const step = event.key === 'ArrowUp' ? size : event.key === 'ArrowDown' ? -size : 0;
    if (step !== 0) {
      clearTimeout(timer.current);
      setText(null);
      setWrong(false);
      onStep(Number((value + step).toPrecision(12)));
    } else if (event.key === 'Enter') leave();
    else if (event.key === 'Escape' && wrong) leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const exact = editable(value);
  const shown = text ?? (exact.length > 7 ? editable(Number(value.toPrecision(3))) : exact);
  return (
    <input
      type="text"
      role="spinbutton"
      inputMode="text"
      autoComplete="off"
      spellCheck={false}
      className={styles.payoff}
      data-who={who}
      data-best={best ? '' : undefined}
      aria-label={name}
      aria-invalid={wrong}
      aria-valuenow={value}
      style={{ inlineSize: `${Math.max(3, shown.length) + 1.2}ch` }}
      value={shown}
      onChange={(event) => type(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={leave}
      onKeyDown={onKeyDown}
    />
  );
}
