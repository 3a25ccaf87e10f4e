import sharp, { type Sharp } from 'sharp'
import { atMost } from '../at-most.ts'

/** A re-encoded image, which contains nothing of the original file but its pixels. */
export type Picture = {
  bytes: Buffer
  format: PictureFormat
  /** Pixels of one frame. */
  width: number
  height: number
}

export type PictureFormat = 'png' | 'jpeg' | 'webp' | 'gif'

/** Explains why a file is not an acceptable image. */
export class PictureError extends Error {
  override name = 'PictureError'
  readonly reason: 'format' | 'pixels' | 'broken'

  constructor(reason: PictureError['reason'], cause?: unknown) {
    super(`no picture: ${reason}`, { cause })
    this.reason = reason
  }
}

/** Maximum width and height. No page shows more. */
const longestSide = 2_000

/** Decoding takes CPU and memory. */
const inTurn = atMost({ running: 2, waiting: 20 })

/**
 * Decodes an image and re-encodes it in its own format, upright, at most 2000 pixels wide or high. Metadata,
 * comments and any other content of the file are removed. Animations (GIF, WebP) are kept.
 *
 * @param maxPixels of all frames together, checked in the file header before decoding.
 * @throws PictureError, or BusyError if the queue is full.
 */
export async function redrawPicture(bytes: Buffer, maxPixels: number): Promise<Picture> {
  // Only these four formats ever reach a decoder: no SVG or PDF, which a library might fetch from or execute.
  const format = formatOf(bytes)
  if (!format) throw new PictureError('format')
  return inTurn(async () => {
    const isAnimated = (await headerOf(bytes, maxPixels)).frames > 1
    try {
      const drawn = sharp(bytes, {
        animated: isAnimated,
        limitInputPixels: maxPixels,
        failOn: 'error',
        sequentialRead: !isAnimated,
      })
        .autoOrient()
        .resize({
          width: longestSide,
          height: longestSide,
          fit: 'inside',
          withoutEnlargement: true,
        })
        .timeout({ seconds: 20 })
      const { data, info } = await encoded(drawn, format).toBuffer({ resolveWithObject: true })
      return { bytes: data, format, width: info.width, height: info.pageHeight ?? info.height }
    } catch (error) {
      throw new PictureError('broken', error)
    }
  })
}

async function headerOf(bytes: Buffer, maxPixels: number): Promise<{ frames: number }> {
  const header = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw new PictureError('broken', error)
    })
  const frames = header.pages ?? 1
  const pixels = header.width * (header.pageHeight ?? header.height) * frames
  if (pixels > maxPixels) throw new PictureError('pixels')
  return { frames }
}

function encoded(drawn: Sharp, format: PictureFormat): Sharp {
  switch (format) {
    case 'png':
      return drawn.png({ compressionLevel: 9 })
    case 'jpeg':
      return drawn.flatten({ background: '#ffffff' }).jpeg({ quality: 84, mozjpeg: true })
    case 'webp':
      return drawn.webp({ quality: 84 })
    case 'gif':
      return drawn.gif()
  }
}

/** Detects the format by the first bytes, whatever the file is called. */
function formatOf(bytes: Buffer): PictureFormat | undefined {
  const startsWith = (text: string, at = 0) =>
    bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))
  if (startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (startsWith('\xff\xd8\xff')) return 'jpeg'
  if (startsWith('GIF87a') || startsWith('GIF89a')) return 'gif'
  if (startsWith('RIFF') && startsWith('WEBP', 8)) return 'webp'
  return undefined
}
