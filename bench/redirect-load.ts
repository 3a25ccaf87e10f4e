import { addId } from './add-id.ts'
import { type LoadResult, loadServer } from './http-load.ts'
import { BROWSER, clickIdIn, linkOf, type Links, randomLink, visitorIp } from './tracked-visits.ts'

/** Visitors of tracked links, in a separate process that sends its result as a message. */
export type RedirectLoad = Links & {
  port: number
  connections: number
  seconds: number
}

/** `checksum`: of the ids of acknowledged clicks; 0 if responses have none. */
export type RedirectLoadResult = LoadResult & { checksum: number }

const options = JSON.parse(process.argv[2] ?? '') as RedirectLoad // written by redirect.ts

let checksum = 0
const result = await loadServer({ ...options, next: request, goodStatus: 302, onGood: add })
process.send?.({ ...result, checksum } satisfies RedirectLoadResult)

function add(answer: string): void {
  const id = clickIdIn(answer)
  if (id !== undefined) checksum = addId(checksum, id)
}

function request(): string {
  return `GET ${linkOf(randomLink(options))} HTTP/1.1\r\nhost: go.example\r\nx-forwarded-for: ${visitorIp()}\r\n${BROWSER}\r\n\r\n`
}
