import type { Endpoint, InputOf } from '@tallyroom/contract/endpoint'
import { ApiError } from '../api-error.ts'
import { refusalOf, responseTo } from '../call.ts'
import { saveBlob } from '../download.ts'

export interface SaveOptions {
  signal: AbortSignal
  /** Called with the bytes received so far. The total is unknown. */
  onProgress: (bytes: number) => void
}

/**
 * Calls an endpoint that responds with a file, and downloads it under the name from the response. A truncated file is
 * not saved.
 * @throws ApiError as `call` does, and if the connection breaks; the signal's reason if it was aborted.
 */
export async function saveAnswer<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: SaveOptions = { signal: new AbortController().signal, onProgress: () => {} },
): Promise<void> {
  const response = await responseTo(endpoint, input, { signal: options.signal })
  if (!response.ok) throw await refusalOf(response)
  const type = response.headers.get('Content-Type') ?? ''
  const name = nameIn(response.headers.get('Content-Disposition'))
  saveBlob(name, new Blob(await partsOf(response, options), { type }))
}

async function partsOf({ body }: Response, { signal, onProgress }: SaveOptions) {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = body?.getReader()
  let bytes = 0
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      parts.push(part.value)
      onProgress((bytes += part.value.length))
    }
    return parts
  } catch (error) {
    if (signal.aborted) throw error // the user stopped it
    throw new ApiError(
      'NETWORK',
      'The download was interrupted, and the file was not saved. Try again.',
    )
  }
}

const nameIn = (disposition: string | null): string =>
  /filename="([\w.-]+)"/.exec(disposition ?? '')?.[1] ?? 'export'
