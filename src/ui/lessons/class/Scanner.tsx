/** The camera reads one code after another. The picture stays on this machine; the camera is off as soon as this is closed. */
import { useEffect, useRef, useState } from 'react';
import { t } from '#text/text.ts';
import styles from './Class.module.css';
import { readQr } from './read-qr.ts';

/** Milliseconds between two looks. */
const EVERY = 180;

interface Props {
  /** A text that was read, each only once in a row. */
  readonly onText: (text: string) => void;
}

export function Scanner({ onText }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const tell = useRef(onText);
  const [trouble, setTrouble] = useState('');
  useEffect(() => {
    tell.current = onText;
  }, [onText]);
  useEffect(() => {
    let live = true;
    let stream: MediaStream | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = '';
    const look = async (): Promise<void> => {
      const element = video.current;
      if (!live || element === null) return;
      const text = element.readyState >= 2 ? await readQr(element, element.videoWidth, element.videoHeight) : null;
      if (live && text !== null && text !== last) {
        last = text;
        tell.current(text);
      }
      if (live) timer = setTimeout(() => void look().catch(failed), EVERY);
    };
    const failed = (error: unknown): void => {
      if (live) setTrouble(wordsFor(error));
    };
    const begin = async (): Promise<void> => {
      // Absent where the page is not served over HTTPS or from this machine.
      const devices: MediaDevices | undefined = navigator.mediaDevices;
      if (devices === undefined) throw new DOMException('', 'SecurityError');
      const opened = await devices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1280 } }, audio: false });
      stream = opened;
      if (!live || video.current === null) return stop();
      video.current.srcObject = opened;
      await video.current.play();
      await look();
    };
    const stop = (): void => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    begin().catch(failed);
    return () => {
      live = false;
      clearTimeout(timer);
      stop();
    };
  }, []);
  if (trouble !== '')
    return (
      <p className={styles.note} role="alert">
        {trouble}
      </p>
    );
  return <video ref={video} className={styles.video} aria-label={t('Camera: hold a result code in front of it')} muted playsInline />;
}

function wordsFor(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  const instead = t('Paste the codes instead, or choose photos of them.');
  return `${whyNoCamera(name, error)} ${instead}`;
}

function whyNoCamera(name: string, error: unknown): string {
  if (name === 'NotAllowedError')
    return t('The browser did not let the page use the camera. Allow it at the left of the address bar, or go on without.');
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return t('This machine has no camera that the browser can use.');
  if (name === 'NotReadableError') return t('The camera is in use by another program. Close that one and try again.');
  if (name === 'SecurityError') return t('Browsers open the camera only for pages served over HTTPS or from this machine.');
  return t('The camera cannot be used: {why}.', { why: error instanceof Error ? error.message : String(error) });
}
