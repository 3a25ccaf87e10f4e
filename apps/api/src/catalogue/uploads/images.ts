import { createHash } from 'node:crypto'
import { MAX_IMAGE_PIXELS, type UploadedImage } from '@tallyroom/contract/catalogue/uploads'
import type { Viewer } from '../../access/viewer.ts'
import { invalid, notFound } from '../../errors.ts'
import { FileAnswer } from '../../http/send-file.ts'
import type { Services } from '../../services.ts'
import {
  type Picture,
  PictureError,
  type PictureFormat,
  redrawPicture,
} from '../../lib/files/redraw-picture.ts'
import { findUpload, insertUpload } from './uploads.queries.ts'

/**
 * Re-encodes an image and stores it under its content hash.
 *
 * @throws VALIDATION_ERROR if it is not an image, or is too large.
 */
export async function storeImage(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  file: Buffer,
): Promise<UploadedImage> {
  const { bytes, format, width, height } = await redraw(file)
  const hash = createHash('sha256').update(bytes).digest('hex')
  await insertUpload(db, {
    content_hash: hash,
    media_type: `image/${format}`,
    width,
    height,
    bytes: bytes.length,
    content: bytes,
    uploaded_at: clock.now(),
    uploaded_by: viewer.accountId,
  })
  return { url: `/api/files/image/${hash}.${extensions[format]}`, width, height }
}

/** @throws NOT_FOUND, also for a valid hash with the wrong extension. */
export async function getImage({ db }: Pick<Services, 'db'>, name: string): Promise<FileAnswer> {
  const [hash = '', extension] = name.split('.')
  const image = await findUpload(db, hash)
  const isCalledThat = (format: PictureFormat) =>
    image?.media_type === `image/${format}` && extensions[format] === extension
  if (!image || !formats.some(isCalledThat)) throw notFound('picture')
  return new FileAnswer({ bytes: image.content, mediaType: image.media_type, name })
}

const extensions = { png: 'png', jpeg: 'jpg', webp: 'webp', gif: 'gif' } as const
const formats = ['png', 'jpeg', 'webp', 'gif'] as const satisfies readonly PictureFormat[]

const refusals: Record<PictureError['reason'], string> = {
  format: 'must be a PNG, JPEG, WebP or GIF image',
  pixels: `must have at most ${MAX_IMAGE_PIXELS / 1_000_000} million pixels`,
  broken: 'is damaged and can’t be shown',
}

async function redraw(file: Buffer): Promise<Picture> {
  try {
    return await redrawPicture(file, MAX_IMAGE_PIXELS)
  } catch (error) {
    if (error instanceof PictureError) throw invalid({ image: [refusals[error.reason]] })
    throw error
  }
}
