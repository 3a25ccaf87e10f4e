import { DEFAULT_CLICK_PARAM } from '@tallyroom/domain/tracked-link'
import { addId } from './add-id.ts'
import { type LoadResult, loadServer } from './http-load.ts'

/** Visitors of tracked links, in a separate process that sends its result as a message. */
export type RedirectLoad = {
  port: number
  connections: number
  seconds: number
  agents: number
  sites: number
  typesPerSite: number
}

/** `checksum`: of the ids of acknowledged clicks; 0 if responses have none. */
export type RedirectLoadResult = LoadResult & { checksum: number }

const options = JSON.parse(process.argv[2] ?? '') as RedirectLoad // written by redirect.ts

/** Typical browser headers. */
const BROWSER =
  'user-agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36\r\n' +
  'accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\naccept-language: en-US,en;q=0.9\r\naccept-encoding: gzip, deflate, br'

const CLICK_ID = `${DEFAULT_CLICK_PARAM}=`
const ID_LENGTH = 32

let checksum = 0
const result = await loadServer({ ...options, next: request, goodStatus: 302, onGood: add })
process.send?.({ ...result, checksum } satisfies RedirectLoadResult)

function add(answer: string): void {
  const at = answer.indexOf(CLICK_ID) + CLICK_ID.length
  if (at >= CLICK_ID.length) checksum = addId(checksum, answer.slice(at, at + ID_LENGTH))
}

function request(): string {
  const agent = random(options.agents)
  // An agent works with two sites, not all of them.
  const site = 1 + ((agent * 13 + random(2)) % options.sites)
  const type = (site - 1) * options.typesPerSite + random(options.typesPerSite)
  const ip = `${random(223)}.${random(255)}.${random(255)}.${random(255)}`
  return `GET /api/links/go/${site}/${type}/${agent} HTTP/1.1\r\nhost: go.example\r\nx-forwarded-for: ${ip}\r\n${BROWSER}\r\n\r\n`
}

function random(most: number): number {
  return 1 + Math.floor(Math.random() * most)
}
