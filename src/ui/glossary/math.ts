/**
 * Formulas in the little of TeX that the glossary needs, as MathML, which browsers set by themselves: letters and numbers, operators, `_`
 * and `^` with one sign or {group}, \frac{}{}, \sum, \hat{}, \mathrm{}, \mathcal{}, \theta and other Greek letters, ( ) [ ] |.
 */

export interface MathNode {
  readonly tag: string;
  readonly text?: string;
  readonly children?: readonly MathNode[];
  readonly attributes?: { readonly [name: string]: string };
}

const GREEK: { readonly [name: string]: string } = {
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  epsilon: 'ϵ',
  varepsilon: 'ε',
  theta: 'θ',
  lambda: 'λ',
  pi: 'π',
  phi: 'φ',
  rho: 'ρ',
  sigma: 'σ',
  tau: 'τ',
  nabla: '∇',
  partial: '∂',
  infty: '∞',
};
const SIGNS: { readonly [name: string]: string } = {
  cdot: '·',
  times: '×',
  leftarrow: '←',
  mid: '∣',
  sim: '∼',
  ldots: '…',
  le: '≤',
  prime: '′',
  quad: '\u2003',
};
const NAMES = new Set(['ln', 'min', 'max', 'clip', 'exp', 'var']);

const node = (tag: string, text: string): MathNode => ({ tag, text });
const row = (children: readonly MathNode[]): MathNode => (children.length === 1 ? (children[0] as MathNode) : { tag: 'mrow', children });

class Reader {
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Up to the end, or to a closing brace, which is taken. */
  group(closed: boolean): readonly MathNode[] {
    const found: MathNode[] = [];
    for (;;) {
      const sign = this.text[this.at];
      if (sign === undefined) {
        if (closed) throw new Error(`A brace is not closed in "${this.text}".`);
        return found;
      }
      if (sign === '}') {
        if (!closed) throw new Error(`A brace is closed that was not opened in "${this.text}".`);
        this.at++;
        return found;
      }
      if (sign === ' ') this.at++;
      else found.push(this.scripted(this.atom()));
    }
  }

  private scripted(base: MathNode): MathNode {
    let below: MathNode | null = null;
    let above: MathNode | null = null;
    for (;;) {
      const sign = this.text[this.at];
      if (sign === '_' && below === null) {
        this.at++;
        below = this.atom();
      } else if (sign === '^' && above === null) {
        this.at++;
        above = this.atom();
      } else if (sign === "'" && above === null) {
        this.at++;
        above = node('mi', '′');
      } else break;
    }
    const big = base.text === '∑';
    if (below !== null && above !== null) return { tag: big ? 'munderover' : 'msubsup', children: [base, below, above] };
    if (below !== null) return { tag: big ? 'munder' : 'msub', children: [base, below] };
    return above === null ? base : { tag: 'msup', children: [base, above] };
  }

  private atom(): MathNode {
    const sign = this.text[this.at] ?? '';
    if (sign === '{') {
      this.at++;
      return row(this.group(true));
    }
    if (sign === '\\') return this.command();
    const number = /^\d+(\.\d+)?(e[+-]?\d+)?/.exec(this.text.slice(this.at));
    if (number !== null) {
      this.at += number[0].length;
      return node('mn', number[0]);
    }
    this.at++;
    if (/\p{L}/u.test(sign)) return node('mi', sign);
    return node('mo', sign === '-' ? '−' : sign);
  }

  private command(): MathNode {
    const name = /^\\([a-zA-Z]+)/.exec(this.text.slice(this.at))?.[1];
    if (name === undefined) throw new Error(`A command has no name in "${this.text}".`);
    this.at += name.length + 1;
    if (name === 'frac') return { tag: 'mfrac', children: [this.atom(), this.atom()] };
    if (name === 'hat') return { tag: 'mover', children: [this.atom(), node('mo', '^')], attributes: { accent: 'true' } };
    if (name === 'sum') return node('mo', '∑');
    if (name === 'mathrm' || name === 'mathcal') {
      const end = this.text.indexOf('}', this.at);
      if (this.text[this.at] !== '{' || end < 0) throw new Error(`\\${name} needs a group in "${this.text}".`);
      const inside = this.text.slice(this.at + 1, end);
      this.at = end + 1;
      return { tag: 'mi', text: inside, attributes: { mathvariant: 'normal' } };
    }
    const greek = GREEK[name];
    if (greek !== undefined) return node('mi', greek);
    if (NAMES.has(name)) return node('mi', name);
    const other = SIGNS[name];
    if (other === undefined) throw new Error(`\\${name} is not known here.`);
    return node('mo', other);
  }
}

/** Throws Error for what it does not know: formulas are part of the program, not of a person's input. */
export function parseMath(tex: string): MathNode {
  return { tag: 'mrow', children: new Reader(tex).group(false) };
}

/** A number inside a formula: six significant figures, powers of ten written out. */
export function texNumber(value: number): string {
  const [digits = '', power] = String(Number(value.toPrecision(6))).split('e');
  const text = power === undefined ? digits : `${digits} \\cdot 10^{${Number(power)}}`;
  return value < 0 ? `(${text})` : text;
}
