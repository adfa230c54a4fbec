/** A text as a QR code, black on white in both themes: cameras need it so. */
import { useMemo } from 'react';
import { encode } from 'uqr';

interface Props {
  readonly text: string;
  /** Name of what the code encodes. */
  readonly name: string;
  readonly className?: string | undefined;
  /** Share of the code that may be unreadable: L 7 %, M 15 %. */
  readonly recovery?: 'L' | 'M';
  /** Modules of white around it; 4 by ISO/IEC 18004. */
  readonly quiet?: number;
}

export function QrCode({ text, name, className, recovery = 'M', quiet = 4 }: Props) {
  const { path, size } = useMemo(() => {
    const { data } = encode(text, { ecc: recovery, border: quiet });
    const modules = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { path: modules.join(''), size: data.length };
  }, [text, recovery, quiet]);
  return (
    <svg className={className} role="img" aria-label={name} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
