/**
 * What a page does wrong with the room it has: text over text, text that is cut without a way to read it, targets that are too small to press,
 * a scene under its share of the height, and anything that scrolls sideways. Measured on what is in sight, in the page as it stands.
 */
import type { Page } from '@playwright/test';

/** In words, each with the text or the name of what it is about; empty: nothing is wrong. */
export const faultsIn = (page: Page): Promise<readonly string[]> => page.evaluate(measure);

/** Runs in the page: everything it needs stands inside it. */
export function measure(): readonly string[] {
  /** WCAG 2.2, 2.5.8. Half a pixel for what browsers round. */
  const TARGET = 23.5;
  /** Of a line's height: letters do not fill it, and lines may stand close. */
  const AIR = 0.2;
  interface Box {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  }
  const found = new Set<string>();
  const view: Box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const meet = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const width = (box: Box): number => box.right - box.left;
  const height = (box: Box): number => box.bottom - box.top;
  const some = (box: Box, least = 1): boolean => width(box) >= least && height(box) >= least;
  const short = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 60);
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element): CSSStyleDeclaration => {
    let style = styles.get(element);
    if (style === undefined) {
      style = getComputedStyle(element);
      styles.set(element, style);
    }
    return style;
  };
  const modal = document.querySelector('dialog:modal');
  const isShown = (element: Element): boolean =>
    (modal === null || modal.contains(element)) &&
    element.closest('.visually-hidden, [inert], noscript') === null &&
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  /** What of an element its ancestors let through; `scrolls`: what they hide can be scrolled into sight. */
  const windowOf = (element: Element): { readonly box: Box; readonly hides: Box } => {
    let box = view;
    let hides: Box = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
    let scrolled = false;
    let positioned = styleOf(element).position;
    for (let at: Element | null = element; at !== null && at !== document.documentElement; at = at.parentElement) {
      const style = styleOf(at);
      const skips = at !== element && positioned === 'absolute' && style.position === 'static' && style.transform === 'none';
      if (!skips && style.display !== 'inline' && (style.overflowX !== 'visible' || style.overflowY !== 'visible')) {
        const rect = at.getBoundingClientRect();
        const across = style.overflowX === 'visible' ? { left: -Infinity, right: Infinity } : rect;
        const down = style.overflowY === 'visible' ? { top: -Infinity, bottom: Infinity } : rect;
        const clip = { left: across.left, right: across.right, top: down.top, bottom: down.bottom };
        box = meet(box, clip);
        const scrollsX = /auto|scroll/.test(style.overflowX);
        const scrollsY = /auto|scroll/.test(style.overflowY);
        if (scrollsX || scrollsY) scrolled = true;
        if (!scrolled) hides = meet(hides, clip);
      }
      if (at !== element && !skips) positioned = style.position;
      if (style.position === 'fixed') break;
    }
    return { box, hides };
  };

  /** The elements at a point from top to bottom, those that let presses through, too. */
  const through = new CSSStyleSheet(); // a style element would break the page's policy
  through.replaceSync('*, *::before, *::after { pointer-events: auto !important; }');
  document.adoptedStyleSheets.push(through);
  const isOpaque = (element: Element): boolean => {
    const style = styleOf(element);
    const alpha = /\/ ([\d.]+)\)|rgba\(.*, ([\d.]+)\)/.exec(style.backgroundColor);
    const clear = style.backgroundColor === 'transparent' || (alpha !== null && Number(alpha[1] ?? alpha[2]) < 0.75);
    return (!clear || style.backgroundImage.includes('gradient')) && Number(style.opacity) > 0.75;
  };
  /** What hides text of this element at the point; null: nothing does. */
  const coverOf = (element: Element, x: number, y: number): Element | null => {
    for (const above of document.elementsFromPoint(x, y)) {
      if (above === element || element.contains(above)) return null;
      if (!above.contains(element) && isOpaque(above)) return above;
    }
    return document.body;
  };
  const isPainted = (element: Element, x: number, y: number): boolean => coverOf(element, x, y) === null;
  /** It is meant to lie over others: a sheet, a dialog, a bar that stays in sight, what opens from a button. */
  const isLayer = (cover: Element, below: Element): boolean => {
    for (let at: Element | null = cover; at !== null && !at.contains(below); at = at.parentElement)
      if (/absolute|fixed|sticky/.test(styleOf(at).position) || Number(styleOf(at).zIndex) > 0) return true;
    return cover === document.body;
  };

  // Texts, line by line.
  interface Line {
    readonly element: Element;
    readonly text: string;
    readonly box: Box;
  }
  const lines: Line[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element === null || node.nodeValue?.trim() === '' || !isShown(element)) continue;
    if (element.closest('option, script, style, textarea') !== null) continue;
    range.selectNodeContents(node);
    const { box: clip, hides } = windowOf(element);
    const text = short(element.closest('text')?.textContent ?? node.nodeValue ?? '');
    for (const rect of range.getClientRects()) {
      if (rect.width < 1 || rect.height < 1) continue;
      const air = rect.height * AIR;
      const ink = { left: rect.left, right: rect.right, top: rect.top + air, bottom: rect.bottom - air };
      const seen = meet(ink, clip);
      if (some(seen, 2)) {
        lines.push({ element, text, box: seen });
        const cover = coverOf(element, (seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2);
        if (cover !== null && !isLayer(cover, element))
          found.add(`covered: "${text}" by ${cover.tagName.toLowerCase()} ${cover.className}`);
      }
      // Cut by something that does not scroll, and not only out of sight as a folded panel is.
      const left = meet(ink, hides);
      const lost = Math.max(width(ink) - width(left), height(ink) - height(left));
      if (lost <= 2 || !some(left) || !some(seen)) continue;
      const told = element.closest('[title]')?.getAttribute('title') ?? '';
      if (told === '') found.add(`cut: "${text}"`);
    }
  }
  for (const [i, a] of lines.entries())
    for (const b of lines.slice(i + 1)) {
      if (a.element === b.element) continue;
      const both = meet(a.box, b.box);
      if (!some(both, 3)) continue;
      const x = (both.left + both.right) / 2;
      const y = (both.top + both.bottom) / 2;
      if (isPainted(a.element, x, y) && isPainted(b.element, x, y)) found.add(`overlap: "${a.text}" and "${b.text}"`);
    }

  const blockOf = (element: Element | null): Element | null => {
    let at = element;
    while (at !== null && /^(inline|contents)/.test(styleOf(at).display)) at = at.parentElement;
    return at;
  };
  /** The words of the sentence in which a control stands: those of its block, less its own and those of blocks inside. */
  const wordsAround = (control: Element): string => {
    const block = blockOf(control.parentElement);
    if (block === null) return '';
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    let words = '';
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      if (!control.contains(node) && blockOf(node.parentElement) === block) words += node.nodeValue ?? '';
    return words.trim();
  };
  // Targets.
  const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=slider]';
  for (const element of document.querySelectorAll<HTMLElement>(CONTROLS)) {
    if (element.matches(':disabled') || element.closest('[aria-hidden=true]') !== null) continue;
    const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : [];
    const parts = [element, ...labels].filter(isShown);
    const boxes = parts.map((part) => part.getBoundingClientRect());
    const seen = parts.some((part, i) => some(meet(boxes[i] ?? view, windowOf(part).box), 4));
    if (!seen || boxes.some((box) => width(box) >= TARGET && height(box) >= TARGET)) continue;
    // A word in a sentence is as high as its line.
    if (/^inline/.test(styleOf(element).display) && element.textContent?.trim() !== '' && wordsAround(element).length > 2) continue;
    const [box] = boxes;
    if (box === undefined) continue;
    const name = element.getAttribute('aria-label') ?? labels[0]?.textContent ?? element.textContent ?? '';
    found.add(`target: ${element.tagName.toLowerCase()} "${short(name)}" ${Math.round(width(box))} x ${Math.round(height(box))}`);
  }
  document.adoptedStyleSheets.pop();

  // The scene.
  const scene = document.querySelector('[data-scene]');
  const bar = document.querySelector('[data-tour="bar"]');
  if (modal === null && scene !== null && bar !== null && isShown(scene)) {
    const under = innerHeight - bar.getBoundingClientRect().bottom;
    const rect = meet(scene.getBoundingClientRect(), windowOf(scene).box);
    const share = height(rect) / under;
    if (share < 0.495) found.add(`stage: ${Math.round(height(rect))} of ${Math.round(under)} px, ${Math.round(100 * share)} %`);
    if (width(rect) < Math.min(300, innerWidth * 0.3)) found.add(`stage: ${Math.round(width(rect))} px wide`);
    // A chart that is there has room to be read.
    for (const plot of document.querySelectorAll('.u-wrap'))
      if (isShown(plot)) {
        const tall = innerWidth < 700 ? plot.getBoundingClientRect() : meet(plot.getBoundingClientRect(), windowOf(plot).box);
        if (height(tall) < 120) found.add(`chart: ${Math.round(height(tall))} px high`);
      }
  }

  // Sideways.
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) found.add(`sideways: the page, by ${root.scrollWidth - root.clientWidth} px`);
  for (const main of document.querySelectorAll('main, [class*=page], dialog[open], dialog[open] > *, [id^=panel-]')) {
    if (!isShown(main) || !/auto|scroll/.test(styleOf(main).overflowX)) continue;
    const over = main.scrollWidth - main.clientWidth;
    if (over > 1) found.add(`sideways: ${short(main.textContent ?? '')}, by ${over} px`);
  }

  // Past its end: the page itself scrolls in the lowest windows alone, and never further than what it shows; what stands in a part that scrolls
  // moves with it.
  const shown = Math.max(root.clientHeight, ...[...document.querySelectorAll('[class*=shell]')].map(({ scrollHeight }) => scrollHeight));
  if (root.scrollHeight > shown + 1) found.add(`empty below: the page, by ${root.scrollHeight - shown} px`);
  for (const element of document.querySelectorAll('body *')) {
    if (styleOf(element).position !== 'absolute') continue;
    for (let at = element.parentElement; at !== null && styleOf(at).position === 'static'; at = at.parentElement) {
      const { overflowX, overflowY, contain, transform } = styleOf(at);
      if (contain !== 'none' || transform !== 'none') break;
      if (!/auto|scroll/.test(overflowX + overflowY)) continue;
      found.add(`stays while its part scrolls: ${short(element.textContent ?? '')}`);
      break;
    }
  }
  return [...found];
}
