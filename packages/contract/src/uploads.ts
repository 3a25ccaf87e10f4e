import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024

/** Pixels of all frames together: about the best telephone cameras. */
export const MAX_IMAGE_PIXELS = 50_000_000

export const uploadedImageSchema = z.object({
  /** Its address on this server; the same for the same picture. */
  url: z.string(),
  width: z.int(),
  height: z.int(),
})
export type UploadedImage = z.infer<typeof uploadedImageSchema>

export const uploadsEndpoints = {
  uploadImage: endpoint({
    method: 'POST',
    path: '/api/files/image',
    summary: 'Takes a picture for a rich text: PNG, JPEG, WebP or GIF, told by its content',
    ability: 'files.upload',
    action: 'CREATE',
    upload: { field: 'image', maxBytes: MAX_IMAGE_BYTES },
    response: uploadedImageSchema,
  }),
  image: endpoint({
    method: 'GET',
    path: '/api/files/image/:name',
    summary: 'A picture of a rich text. Browsers ask for pictures without a token',
    ability: 'public',
    action: 'none',
    params: z.object({
      name: z.string().regex(/^[0-9a-f]{64}\.(png|jpg|webp|gif)$/, 'is no picture of this server'),
    }),
    response: z.string().meta({ format: 'binary' }),
  }),
}
