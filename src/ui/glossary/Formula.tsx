/** A formula as MathML. */
import { createElement, type ReactNode } from 'react';
import styles from './Glossary.module.css';
import { type MathNode, parseMath } from './math.ts';

const draw = ({ tag, text, children, attributes }: MathNode, key: number): ReactNode =>
  createElement(tag, { key, ...attributes }, text ?? children?.map(draw));

export function Formula({ tex, block = false }: { readonly tex: string; readonly block?: boolean }) {
  return createElement('math', { display: block ? 'block' : 'inline', className: styles.math }, draw(parseMath(tex), 0));
}
