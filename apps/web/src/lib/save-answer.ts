import type { Endpoint, InputOf } from '@tallyroom/contract/endpoint'
import { ApiError } from './api-error.ts'
import { refusalOf, responseTo } from './call.ts'
import { saveBlob } from './download.ts'

export interface SaveOptions {
  signal: AbortSignal
  /** Bytes that have come so far; how many there will be, nobody knows before. */
  onProgress: (bytes: number) => void
}

/**
 * Makes a call that answers with a file, and saves it under the name that it comes with. Half a file is not saved.
 * @throws ApiError as `call` does, also when the answer breaks off; the signal's reason when it was aborted.
 */
export async function saveAnswer<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: SaveOptions,
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
    if (signal.aborted) throw error // whoever stopped it knows
    throw new ApiError('NETWORK', 'The file broke off on its way and was not saved. Try again.')
  }
}

const nameIn = (disposition: string | null): string =>
  /filename="([\w.-]+)"/.exec(disposition ?? '')?.[1] ?? 'export'
