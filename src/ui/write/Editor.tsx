/**
 * The editor of a person's code. It stands in a shadow root: CodeMirror then keeps its styles in adopted sheets, which the page's policy allows,
 * in place of a style element, which it does not.
 */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { Problem } from '#client/own/workshop.ts';
import type { OwnCard } from '#contract/own/sandbox.ts';
import { completionsAt, explanationAt } from './hints.ts';
import styles from './Write.module.css';

interface Props {
  readonly code: string;
  /** A new object: `code` takes the place of what is there; the change can be undone. */
  readonly given: object;
  /** What the code defines, for words to complete. */
  readonly card: OwnCard | null;
  readonly onChange: (code: string) => void;
  readonly problem: Problem | null;
  readonly onRun: () => void;
  /** What a screen reader calls it. */
  readonly label?: string;
}

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--text)', backgroundColor: 'var(--surface)' },
  '.cm-scroller': { fontFamily: 'var(--mono, ui-monospace, monospace)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in oklab, var(--text) 6%, transparent)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklab, var(--series-0) 28%, transparent) !important',
  },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono, ui-monospace, monospace)', maxHeight: '14em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'color-mix(in oklab, var(--series-0) 22%, var(--surface))',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', marginInlineStart: '1em' },
  '.cm-completionInfo, .cm-hint': { padding: '6px 10px', maxWidth: '22rem', lineHeight: '1.4', fontFamily: 'inherit' },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--text)' },
});

/** A colour of the curves, deep enough in both themes to be read as small type. */
const ink = (n: number): string => `color-mix(in oklab, var(--series-${n}) 72%, var(--text))`;

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: ink(3) },
  { tag: [tags.string, tags.special(tags.string)], color: ink(2) },
  { tag: [tags.number, tags.bool, tags.null], color: ink(1) },
  { tag: [tags.comment], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: ink(0) },
]);

const LABEL = 'Your code. Escape, then Tab, leaves the editor.';

export function Editor({ code, given, card, onChange, problem, onRun, label = LABEL }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const told = useRef(onChange);
  told.current = onChange;
  const run = useRef(onRun);
  run.current = onRun;
  const known = useRef(card);
  known.current = card;
  const first = useRef({ code, label });

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: first.current.code,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          indentOnInput(),
          indentUnit.of('  '),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ override: [(context) => completionsAt(context, known.current)], icons: false }),
          hoverTooltip((view, at) => explanationAt(view, at, known.current)),
          javascript(),
          syntaxHighlighting(colours),
          lintGutter(),
          keymap.of([
            {
              key: 'Mod-Enter',
              run: () => {
                run.current();
                return true;
              },
            },
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...lintKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({ 'aria-label': first.current.label, spellcheck: 'false', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) told.current(update.state.doc.toString());
          }),
          look,
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      view.current = null;
    };
  }, []);

  // A starting point, a version or a file takes the place of what differs from it: the rest keeps its place, and undo goes back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same code given again replaces what was typed meanwhile
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const old = editor.state.doc.toString();
    if (old === code) return;
    const most = Math.min(old.length, code.length);
    let from = 0;
    while (from < most && old[from] === code[from]) from++;
    let behind = 0;
    while (behind < most - from && old[old.length - 1 - behind] === code[code.length - 1 - behind]) behind++;
    editor.dispatch({ changes: { from, to: old.length - behind, insert: code.slice(from, code.length - behind) } });
  }, [code, given]);

  // What the sandbox said about the code stands at its line.
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const { doc } = editor.state;
    const line = problem?.line ?? null;
    const at = line === null || line < 1 || line > doc.lines ? null : doc.line(line);
    const marks: Diagnostic[] =
      problem === null || at === null
        ? []
        : [{ from: at.from, to: at.to, severity: 'error', message: `${problem.message} ${problem.fix}` }];
    editor.dispatch(setDiagnostics(editor.state, marks));
  }, [problem]);

  return <div ref={host} className={styles.editor} />;
}
