/** The stage's own line icons, 16 px grid, like those of the kit. */
const PATHS = {
  values: 'M2.5 2.5h11v11h-11zM2.5 8h11M8 2.5v11M4 10l2-1M4 12.5l4-3',
  policy: 'M8 13V3M4.8 6 8 2.8 11.2 6M2.5 9.5v3.8M13.5 9.5v3.8',
  visits: 'M5 7.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM11 13.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12.5 4h.01M4 12h.01',
  view: 'M8 13 3 4.5c3-2 7-2 10 0zM8 13h.01',
  trails: 'M2.5 13c3-.5 4-2.5 5.5-5S11 4 13.5 3.5M11 2.8l2.6.6-1.3 2.4',
  rays: 'M8 8V2M8 8l5.2-3M8 8l5.2 3M8 8v6M8 8l-5.2 3M8 8 2.8 5',
  messages: 'M2.5 3h11v7.5H8L5 13.5v-3H2.5zM5 6h6M5 8h3.5',
  forces: 'M8 13V4M5.2 6.6 8 3.6l2.8 3M3 13.2h10',
  payouts: 'M3 13.5V9M8 13.5V3M13 13.5V6M1.5 13.5h13',
  potential: 'M2 13.5c3 0 3-9 6-9s3 9 6 9M5 13.5h6',
  marks: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 9.4a1.4 1.4 0 1 0 0-2.8 1.4 1.4 0 0 0 0 2.8z',
  home: 'M8 2.2 13.5 5v6L8 13.8 2.5 11V5zM2.5 5 8 7.8 13.5 5M8 7.8v6',
  top: 'M3 3h10v10H3zM3 8h10M8 3v10',
  side: 'M2 11.5h12M3.5 11.5v-5h4v5M10 11.5V8h2.5v3.5',
  follow: 'M8 11.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM8 1.8v3M8 11.2v3M1.8 8h3M11.2 8h3',
  back: 'M11 3.5v9L5 8zM4 3.5v9',
  forward: 'M5 3.5v9L11 8zM12 3.5v9',
  anchor: 'M8 14V6M8 6a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM3 9.5c0 2.5 2 4.5 5 4.5s5-2 5-4.5M5.5 8.5h5',
  newest: 'M3 3.5v9L8 8zM8 3.5v9L13 8zM13.4 3.5v9',
} as const;

export type StageIconName = keyof typeof PATHS;
const FILLED: ReadonlySet<StageIconName> = new Set(['back', 'forward', 'newest']);

export function StageIcon({ name }: { readonly name: StageIconName }) {
  return (
    <svg aria-hidden="true" width={16} height={16} viewBox="0 0 16 16" fill={FILLED.has(name) ? 'currentColor' : 'none'} focusable="false">
      <path d={PATHS[name]} stroke="currentColor" strokeWidth={1.4} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
