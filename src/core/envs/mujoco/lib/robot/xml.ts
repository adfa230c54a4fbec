/** Elements of an XML text with the lines on which they stand: as much as is needed to bound what a model asks for before it is compiled. */

export interface Element {
  readonly name: string;
  readonly attributes: { readonly [name: string]: string };
  readonly children: readonly Element[];
  /** From 1. */
  readonly line: number;
  /** Indices into the text: start of the element's first tag, and end of the element. */
  readonly from: number;
  readonly to: number;
  /** Index into the text: end of the element's first tag. */
  readonly open: number;
}

/** The text is not well formed: what is wrong, and where. */
export class XmlError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** As tinyxml2 stops at; deeper texts are made to break a reader. */
const DEEPEST = 200;
const NAME = /[A-Za-z_:][\w:.-]*/y;
const ATTRIBUTE = /\s+([A-Za-z_:][\w:.-]*)\s*=\s*("[^"]*"|'[^']*')/y;
const END_OF_TAG = /\s*(\/?)>/y;
const ENTITIES: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function plain(value: string): string {
  return value.replace(/&(#x?[0-9a-fA-F]+|\w+);/g, (whole, code: string) => {
    if (!code.startsWith('#')) return ENTITIES[code] ?? whole;
    const point = code[1] === 'x' ? Number.parseInt(code.slice(2), 16) : Number.parseInt(code.slice(1), 10);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

/** The outermost element. Throws XmlError. Comments, declarations and text between elements are passed over. */
export function readXml(text: string): Element {
  let line = 1;
  let counted = 0;
  const lineAt = (at: number): number => {
    for (; counted < at; counted++) if (text.charCodeAt(counted) === 10) line++;
    return line;
  };
  type Open = Element & { readonly attributes: { [name: string]: string }; readonly children: Element[]; to: number };
  const stack: Open[] = [];
  let root: Element | null = null;
  let at = 0;
  const after = (mark: string, from: number, what: string): number => {
    const end = text.indexOf(mark, from);
    if (end < 0) throw new XmlError(`${what} that begins here does not end`, lineAt(at));
    return end + mark.length;
  };
  for (;;) {
    at = text.indexOf('<', at);
    if (at < 0) break;
    if (text.startsWith('<!--', at)) at = after('-->', at + 4, 'the comment');
    else if (text.startsWith('<![CDATA[', at)) at = after(']]>', at, 'the block of characters');
    else if (text.startsWith('<?', at)) at = after('?>', at, 'the declaration');
    else if (text.startsWith('<!', at)) throw new XmlError('declarations of document types are not read', lineAt(at));
    else if (text.startsWith('</', at)) {
      const opened = stack.pop();
      NAME.lastIndex = at + 2;
      const name = NAME.exec(text)?.[0] ?? '';
      if (opened?.name !== name)
        throw new XmlError(`</${name}> ends ${opened === undefined ? 'nothing' : `<${opened.name}> of line ${opened.line}`}`, lineAt(at));
      at = after('>', at, 'the tag');
      opened.to = at;
      if (stack.length === 0) root ??= opened;
    } else {
      const from = at;
      NAME.lastIndex = at + 1;
      const name = NAME.exec(text)?.[0];
      if (name === undefined) throw new XmlError('a "<" that begins no element', lineAt(at));
      at = NAME.lastIndex;
      const attributes: { [name: string]: string } = {};
      for (;;) {
        ATTRIBUTE.lastIndex = at;
        const [whole, key = '', value = ''] = ATTRIBUTE.exec(text) ?? [];
        if (whole === undefined) break;
        if (Object.hasOwn(attributes, key)) throw new XmlError(`<${name}> has "${key}" twice`, lineAt(from));
        attributes[key] = plain(value.slice(1, -1));
        at += whole.length;
      }
      END_OF_TAG.lastIndex = at;
      const end = END_OF_TAG.exec(text);
      if (end === null) throw new XmlError(`the tag <${name}> is not well formed`, lineAt(from));
      at += end[0].length;
      const element: Open = { name, attributes, children: [], line: lineAt(from), from, to: at, open: at };
      const parent = stack.at(-1);
      if (parent === undefined && root !== null) throw new XmlError('a second outermost element', element.line);
      parent?.children.push(element);
      if (end[1] === '') {
        if (stack.length >= DEEPEST) throw new XmlError(`more than ${DEEPEST} elements stand inside one another`, element.line);
        stack.push(element);
      } else if (parent === undefined) root = element;
    }
  }
  const open = stack.at(-1);
  if (open !== undefined) throw new XmlError(`<${open.name}> is never closed`, open.line);
  if (root === null) throw new XmlError('there is no element', 1);
  return root;
}
