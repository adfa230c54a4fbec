/**
 * Pictures of a canvas as a video file: through WebCodecs, as fast as they are drawn, in a WebM or MP4 container that mediabunny writes; in browsers
 * without WebCodecs by MediaRecorder, which takes as long as the film lasts. Loaded when a film is made.
 */
import {
  BufferTarget,
  CanvasSource,
  canEncodeVideo,
  Mp4OutputFormat,
  Output,
  QUALITY_HIGH,
  type VideoCodec,
  WebMOutputFormat,
} from 'mediabunny';

export interface FilmForm {
  readonly id: 'webm' | 'mp4' | 'recorder';
  readonly title: string;
  readonly extension: 'webm' | 'mp4';
  /** null: MediaRecorder. */
  readonly codec: VideoCodec | null;
}

const CHOICES: readonly { readonly form: Omit<FilmForm, 'codec'>; readonly codecs: readonly VideoCodec[] }[] = [
  { form: { id: 'webm', title: 'WebM', extension: 'webm' }, codecs: ['vp9', 'vp8', 'av1'] },
  { form: { id: 'mp4', title: 'MP4', extension: 'mp4' }, codecs: ['avc', 'hevc'] },
];
const RECORDER: FilmForm = { id: 'recorder', title: 'WebM, in real time', extension: 'webm', codec: null };

/** What this browser can write at this size (VideoEncoder.isConfigSupported); empty: no video at all. */
export async function formsHere(width: number, height: number): Promise<readonly FilmForm[]> {
  const found: FilmForm[] = [];
  if (typeof VideoEncoder !== 'undefined') {
    for (const { form, codecs } of CHOICES) {
      for (const codec of codecs) {
        if (!(await canEncodeVideo(codec, { width, height, bitrate: QUALITY_HIGH }))) continue;
        found.push({ ...form, codec });
        break;
      }
    }
  }
  if (found.length === 0 && typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported('video/webm')) found.push(RECORDER);
  return found;
}

export interface FilmWriter {
  /** The canvas as it is now, shown from `at` for `seconds`. Resolves when the next picture may be drawn. */
  add(at: number, seconds: number): Promise<void>;
  finish(): Promise<Blob>;
  /** Frees what was taken; there is no file. */
  cancel(): Promise<void>;
}

export async function openWriter(form: FilmForm, canvas: HTMLCanvasElement, fps: number): Promise<FilmWriter> {
  return form.codec === null ? recorder(canvas) : encoder(form, form.codec, canvas, fps);
}

async function encoder(form: FilmForm, codec: VideoCodec, canvas: HTMLCanvasElement, fps: number): Promise<FilmWriter> {
  const target = new BufferTarget();
  const output = new Output({ format: form.extension === 'mp4' ? new Mp4OutputFormat() : new WebMOutputFormat(), target });
  const source = new CanvasSource(canvas, { codec, bitrate: QUALITY_HIGH });
  output.addVideoTrack(source, { frameRate: fps });
  await output.start();
  return {
    add: (at, seconds) => source.add(at, seconds),
    async finish() {
      await output.finalize();
      if (target.buffer === null) throw new Error('The video could not be put together.');
      return new Blob([target.buffer], { type: `video/${form.extension}` });
    },
    cancel: () => output.cancel(),
  };
}

function recorder(canvas: HTMLCanvasElement): FilmWriter {
  const stream = canvas.captureStream();
  const media = new MediaRecorder(stream, { mimeType: 'video/webm' });
  const parts: Blob[] = [];
  const stopped = new Promise<void>((resolve) => media.addEventListener('stop', () => resolve()));
  media.addEventListener('dataavailable', ({ data }) => parts.push(data));
  media.start();
  const begun = performance.now();
  const stop = async (): Promise<void> => {
    if (media.state !== 'inactive') media.stop();
    await stopped;
    for (const track of stream.getTracks()) track.stop();
  };
  return {
    // it takes what the canvas shows, when it shows it
    add: (at, seconds) => new Promise((resolve) => setTimeout(resolve, Math.max(0, begun + 1000 * (at + seconds) - performance.now()))),
    async finish() {
      await stop();
      return new Blob(parts, { type: 'video/webm' });
    },
    cancel: stop,
  };
}
