import multipart from '@fastify/multipart'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { requestFor } from '@tallyroom/contract/messages'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, invalid } from '../errors.ts'

export type Upload = NonNullable<Endpoint['upload']>

/** Enables multipart forms with one file in a scope. Use a separate scope, as other routes must not accept forms. */
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
 * Reads the uploaded file into memory. Its name and type are ignored, as the client may send anything.
 *
 * @throws VALIDATION_ERROR if there is no file, it is too large, or the form cannot be parsed.
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
    throw invalid({ [upload.field]: [requestFor(upload.field)] })
  }
  const chunks: Buffer[] = []
  for await (const chunk of part.file) chunks.push(chunk as Buffer) // no encoding is set
  if (part.file.truncated) {
    const megabytes = Math.floor(upload.maxBytes / 1024 / 1024)
    throw invalid({ [upload.field]: [`must have at most ${megabytes} MB`] })
  }
  return Buffer.concat(chunks)
}

/** Our own error, or a library error with a status. The multipart parser throws bare Errors for malformed forms. */
const isRefusal = (error: unknown): boolean =>
  error instanceof AppError || (error instanceof Error && 'statusCode' in error)
