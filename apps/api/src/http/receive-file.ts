import multipart from '@fastify/multipart'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, invalid } from '../errors.ts'

export type Upload = NonNullable<Endpoint['upload']>

/** Lets a scope take forms with one file. To be used in a scope of its own: other routes take no forms. */
export async function takeFiles(scope: FastifyInstance, { maxBytes }: Upload): Promise<void> {
  // The plugin traces its parser's options, and among them the request's headers with its token.
  scope.addHook('onRequest', async (request) => {
    request.log = request.log.child({}, { redact: ['busboyOptions.headers'] })
  })
  await scope.register(multipart, {
    limits: { fileSize: maxBytes, files: 1, fields: 0, parts: 1, headerPairs: 20 },
  })
}

/**
 * The file of a request, whole. Its name and type are not looked at: whoever sends it may call it anything.
 *
 * @throws VALIDATION_ERROR without a file, with one that is too large, or when the form can't be read.
 */
export async function readFile(request: FastifyRequest, upload: Upload): Promise<Buffer> {
  try {
    return await readPart(request, upload)
  } catch (error) {
    throw isRefusal(error) ? error : invalid({ [upload.field]: ['could not be read'] }, error)
  }
}

async function readPart(request: FastifyRequest, upload: Upload): Promise<Buffer> {
  const part = await request.file()
  if (!part || part.fieldname !== upload.field) {
    part?.file.resume()
    throw invalid({ [upload.field]: ['is required'] })
  }
  const chunks: Buffer[] = []
  for await (const chunk of part.file) chunks.push(chunk as Buffer) // a stream of bytes without an encoding
  if (part.file.truncated) {
    const megabytes = Math.floor(upload.maxBytes / 1024 / 1024)
    throw invalid({ [upload.field]: [`must have at most ${megabytes} MB`] })
  }
  return Buffer.concat(chunks)
}

/** Ours, or one of the library's with a status. What is wrong inside a form, its parser throws as a bare Error. */
const isRefusal = (error: unknown): boolean =>
  error instanceof AppError || (error instanceof Error && 'statusCode' in error)
