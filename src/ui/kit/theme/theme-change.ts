/** Tells when the page's colours changed: the theme switch, the system's preference, or the size of the projector. Canvases listen. */
export function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-projector'] });
  return () => observer.disconnect();
}

/** Resolves CSS variables to `rgb(r, g, b)`, which every canvas and every SVG reader understands. */
export function resolveColours<K extends string>(
  element: Element,
  names: { readonly [key in K]: string },
): { readonly [key in K]: string } {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const style = getComputedStyle(element);
  const entries = Object.entries(names) as [K, string][];
  const resolved = entries.map(([key, variable]): [K, string] => {
    if (context === null) return [key, '#808080'];
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = '#808080';
    context.fillStyle = style.getPropertyValue(variable).trim();
    context.fillRect(0, 0, 1, 1);
    const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
    return [key, `rgb(${r}, ${g}, ${b})`];
  });
  return Object.fromEntries(resolved) as { readonly [key in K]: string };
}
