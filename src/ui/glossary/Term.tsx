/** A word that opens its place in the glossary: meaning, formula, and the numbers of what is shown. */
import { lazy, type ReactNode, Suspense } from 'react';
import { t } from '#text/text.ts';
import { Popover } from '#ui/kit/Popover.tsx';
import type { TermId } from './ids.ts';

const Entry = lazy(() => import('./Entry.tsx').then((module) => ({ default: module.Entry })));

interface Props {
  readonly id: TermId;
  /** The word; a question mark in its place where the word is a label already. */
  readonly children?: ReactNode;
  /** What the question mark is about. */
  readonly label?: string;
}

export function Term({ id, children, label }: Props) {
  return (
    <Popover
      look={children === undefined ? 'sign' : 'word'}
      width={360}
      trigger={children ?? <span aria-hidden="true">ƒ</span>}
      {...(children === undefined && { label: t('Formula: {name}', { name: label ?? id }), title: t('Formula and current numbers') })}
    >
      {() => (
        <Suspense fallback={<p>{t('Opening the glossary.')}</p>}>
          <Entry id={id} />
        </Suspense>
      )}
    </Popover>
  );
}
