/**
 * The picture of the rooms (`npm run docs`: dist-docs/rooms.svg), the rooms of the code from the lowest to the highest and what each imports, drawn from the
 * imports that tools/structure.mjs measures. Legible on light and dark pages: the picture has a ground of its own for both.
 */
const ROW = 30;
const WIDTH = 860;

/** The rooms and what each imports, families of one registry taken together. */
export function roomsPicture({ rooms, imports, order }) {
  const rows = order.filter((room) => rooms[room] !== undefined).toReversed();
  const height = ROW * rows.length + 50;
  const label = (room) => room.replace('src/', '');
  const body = rows.map((room, i) => {
    const y = 40 + ROW * i;
    const below = rows.filter((other) => imports[room]?.has(other) && other !== room).map(label);
    return `<rect class="box" x="12" y="${y}" width="180" height="22" rx="4"/><text class="name" x="20" y="${y + 15}">${label(room)}</text><text class="uses" x="212" y="${y + 15}">${below.length > 0 ? below.join(', ') : 'nothing'}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Rooms of the code">
<style>
text { font: 12px system-ui, sans-serif; fill: #1d2733; }
.ground { fill: #f6f7f9; }
.box { fill: #dfe8fb; stroke: #2c57cd; }
.name { font-weight: 600; }
.head { fill: #55606e; }
@media (prefers-color-scheme: dark) {
text { fill: #e6eaf0; }
.ground { fill: #14181f; }
.box { fill: #22345f; stroke: #86a6ff; }
.head { fill: #a3adba; }
}
</style>
<rect class="ground" width="${WIDTH}" height="${height}" rx="8"/>
<text class="head" x="20" y="26">room</text><text class="head" x="212" y="26">imports</text>
${body.join('\n')}
</svg>
`;
}
