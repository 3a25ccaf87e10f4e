import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024

/** Pixels of all frames together. About what the best phone cameras produce. */
export const MAX_IMAGE_PIXELS = 50_000_000

const uploadedImageSchema = z.object({
  /** Path on this server. The same image always gets the same path. */
  url: z.string(),
  width: z.int(),
  height: z.int(),
})
export type UploadedImage = z.infer<typeof uploadedImageSchema>

export const uploadsEndpoints = {
  uploadImage: endpoint({
    method: 'POST',
    path: '/api/files/image',
    summary: 'Upload an image for rich text: PNG, JPEG, WebP or GIF, detected by content',
    ability: 'files.upload',
    action: 'CREATE',
    upload: { field: 'image', maxBytes: MAX_IMAGE_BYTES },
    response: uploadedImageSchema,
  }),
  image: endpoint({
    method: 'GET',
    path: '/api/files/image/:name',
    summary: 'Get an uploaded image. Needs no token, since browsers load images without one.',
    ability: 'public',
    action: 'none',
    params: z.object({
      name: z
        .string()
        .regex(/^[0-9a-f]{64}\.(png|jpg|webp|gif)$/, 'is not an image on this server'),
    }),
    response: z.string().meta({ format: 'binary' }),
  }),
}
