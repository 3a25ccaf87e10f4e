import type { AnswerOf, Endpoint } from '@tallyroom/contract/endpoint'
import { answerOf, unreachable } from '../call.ts'
import { readSession } from '../session.ts'

export interface UploadOptions {
  /** Called with the share that has been sent, from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/**
 * Uploads a file and reports progress, which `fetch` can't.
 * @throws ApiError as `call` does; the signal's reason if it was aborted.
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  file: File,
  options: UploadOptions,
): Promise<AnswerOf<E>> {
  if (!endpoint.upload) throw new TypeError('the endpoint takes no file')
  const form = new FormData()
  form.append(endpoint.upload.field, file)
  return answerOf(endpoint, await send(endpoint, form, options))
}

const send = ({ method, path }: Endpoint, form: FormData, { onProgress, signal }: UploadOptions) =>
  new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    const token = readSession()?.token
    if (token !== undefined) request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    request.addEventListener('load', () => {
      const headers = { 'Content-Type': request.getResponseHeader('Content-Type') ?? '' }
      resolve(new Response(request.responseText, { status: request.status, headers }))
    })
    request.addEventListener('error', () => reject(unreachable()))
    request.addEventListener('abort', () => reject(signal.reason))
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
