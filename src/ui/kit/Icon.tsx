/** Own line icons on a 16 px grid, 1.5 px strokes, coloured by the text around them. Decorative: the control beside them has the words. */
const PATHS = {
  play: 'M5 3.5v9l7-4.5z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  stop: 'M4.5 4.5h7v7h-7z',
  step: 'M4 3.5v9l6-4.5zM12 3.5v9',
  episode: 'M3.5 3.5v9M5.5 3.5v9l5-4.5zM12.5 3.5v9',
  undo: 'M6 4 3 7l3 3M3 7h6.5a3.5 3.5 0 0 1 0 7H7',
  redo: 'm10 4 3 3-3 3M13 7H6.5a3.5 3.5 0 0 0 0 7H9',
  reset: 'M3.5 8a4.5 4.5 0 1 0 1.6-3.4M3.2 2.8v2.6h2.6',
  share: 'M8 10V2.5M5 5l3-2.8L11 5M3.5 8.5v5h9v-5',
  help: 'M6 6.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4M8 11.9v.1',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.4v3.4M8 5.1v.1',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  chevron: 'm5.5 6.5 2.5 3 2.5-3',
  right: 'm6.5 5.5 3 2.5-3 2.5',
  close: 'm4.5 4.5 7 7M11.5 4.5l-7 7',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z',
  hidden:
    'M2.5 2.5l11 11M6.4 4c.5-.1 1-.2 1.6-.2 4 0 6.2 4.2 6.2 4.2a11 11 0 0 1-1.8 2.3M4 5.4A10.4 10.4 0 0 0 1.8 8S4 12.2 8 12.2c.9 0 1.7-.2 2.4-.5',
  trash: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
  fork: 'M4.5 3v10M4.5 8.5c0-2.5 6.5-1 6.5-4.5M9 5.5 11 3.5l2 2',
  sun: 'M8 10.7a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M3.6 12.4l1-1M11.4 4.6l1-1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  system: 'M2.5 3.5h11v7h-11zM6 13h4M8 10.5V13',
  download: 'M8 2.5V10M5 7.5 8 10.3l3-2.8M3.5 13h9',
  open: 'M2.5 12.5v-9h4l1.5 2h5.5v7z',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  check: 'm3.5 8.5 3 3 6-7',
  warn: 'M8 2.5 14 13H2zM8 6.5v3M8 11.3v.1',
  panel: 'M2.5 3.5h11v9h-11zM6 3.5v9',
  rows: 'M2.5 3.5h11v9h-11zM2.5 9.5h11',
  gallery: 'M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5H9z',
  sliders: 'M2.5 5h6M11.5 5h2M10 3.5v3M2.5 11h2M7.5 11h6M6 9.5v3',
  range: 'M2 8h12M4.5 5v6M11.5 5v6',
  offline: 'M2.5 2.5l11 11M4 7.5a6 6 0 0 1 2-1.2M9 6c1.1.2 2.2.7 3 1.5M6 10a2.9 2.9 0 0 1 3.3-.5M8 12.5v.1',
  plus: 'M8 3.5v9M3.5 8h9',
  minus: 'M3.5 8h9',
  lock: 'M4 7.5h8v5.5H4zM5.7 7.5V5.3a2.3 2.3 0 0 1 4.6 0v2.2',
  pencil: 'M3 13v-2.4l7.4-7.4 2.4 2.4L5.4 13z',
  film: 'M2.5 4.5H10v7H2.5zM10 7.2l3.5-2v5.6l-3.5-2',
  print: 'M4.5 6V2.8h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v3.7h-7z',
  world: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c2.2 1.7 3 3.7 3 6s-.8 4.3-3 6c-2.2-1.7-3-3.7-3-6s.8-4.3 3-6z',
  learn: 'M8 4.2C6.6 3.2 4.7 2.9 2.5 3v9.2c2.2-.1 4.1.2 5.5 1.2 1.4-1 3.3-1.3 5.5-1.2V3c-2.2-.1-4.1.2-5.5 1.2zM8 4.2v9.2',
  paper: 'M4 2h5.5L12.5 5v9H4zM9.5 2v3h3M6 8h4.5M6 10.7h4.5',
  curve: 'M2.5 2.5v11h11M4.8 10.8c3.4 0 2.6-6.3 8-6.6',
  language: 'M2.5 4h7M6 2.5V4M8 4c-.6 2.6-2.4 4.6-5 6M3.8 6c.8 1.6 2.2 3 4 3.8M7.5 13.5 10.6 7l3.2 6.5M8.6 11.5h4.1',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3 13.8 13.8',
  expand: 'M9.5 2.5h4v4M13.5 2.5 9.5 6.5M6.5 13.5h-4v-4M2.5 13.5l4-4',
} as const;

export type IconName = keyof typeof PATHS;

/** Shapes that read better filled. */
const FILLED: ReadonlySet<IconName> = new Set(['play', 'stop']);

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={FILLED.has(name) ? 'currentColor' : 'none'}
      focusable="false"
    >
      <path d={PATHS[name]} stroke="currentColor" strokeWidth={name === 'more' ? 2.2 : 1.5} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

/** The mark: a learning curve that climbs to its agent. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24" fill="none" focusable="false">
      <rect x="0.5" y="0.5" width="23" height="23" rx="6" fill="var(--accent)" />
      <path d="M4.5 18c5.5 0 5-9.5 11-9.8" stroke="var(--on-accent)" strokeWidth="2" strokeLinecap="round" />
      <circle cx="17.6" cy="8" r="2.7" fill="var(--on-accent)" />
    </svg>
  );
}
