import { Resolver } from 'node:dns/promises'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type AllowedTargets, barOf, mayReach, type Place, placeOfUrl } from './public-address.ts'
import { deriveKey } from '../secrets.ts'

/** What a user's URL answered. */
export type SafeAnswer = {
  status: number
  headers: IncomingMessage['headers']
  /** At most 64 kB; what follows is not read. */
  body: Buffer
  /** The URL that answered: another one after redirects. */
  url: string
  /** When the certificate of that server ends; undefined without TLS. */
  certificateEnds?: Date
}

export type SafeRequest = {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** Gives up early. */
  signal?: AbortSignal
  /** How many redirects are followed, each checked like the first URL. None by default: a redirect is the answer. */
  redirects?: number
}

/**
 * Why there was no answer, in words for whoever set the URL. `refused`: it may not be asked. `timeout`: no whole answer in
 * ten seconds. `failed`: no connection, or it broke.
 */
export class SafeFetchError extends Error {
  override name = 'SafeFetchError'
  readonly kind: 'refused' | 'timeout' | 'failed'

  constructor(kind: SafeFetchError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

export type SafeFetch = (url: string, request?: SafeRequest) => Promise<SafeAnswer>

/** Who chose a URL decides where it may lead. */
export type Chooser = 'partners' | 'network'

export type Outgoing = {
  /** To public addresses, whatever hosts the operator allows: everybody who sells can choose one. */
  partners: SafeFetch
  /** Also to hosts that the operator allows, which are the network's own. */
  network: SafeFetch
  /** Why a URL can never be asked, whatever its name leads to, to follow the word *URL*; undefined if it may be. */
  problemOf: (url: string, chosenBy: Chooser) => string | undefined
}

export function outgoingOf(
  allowed: AllowedTargets,
  options: { sender?: string; longestMs?: number } = {},
): Outgoing {
  const to = { partners: { ...allowed, hosts: [] }, network: allowed }
  return {
    partners: makeSafeFetch(to.partners, options),
    network: makeSafeFetch(to.network, options),
    problemOf: (url, chosenBy) => problemOf(url, to[chosenBy], chosenBy),
  }
}

function problemOf(text: string, allowed: AllowedTargets, chosenBy: Chooser): string | undefined {
  const place = placeOfUrl(parseTarget(text))
  const ports = [...new Set([80, 443, ...allowed.ports])].join(', ')
  const unless = chosenBy === 'network' ? ' unless WEBHOOK_ALLOW has it with its port' : ''
  switch (barOf(place, allowed)) {
    case 'address':
      return `leads to ${place.host}, which is not a public address: nothing is sent there${unless}`
    case 'name':
      return `leads to ${place.host}, which is no name of a public server: nothing is sent there`
    case 'port':
      return `has port ${place.port}: only ports ${ports} of public servers are asked${unless && `,${unless}`}`
    default:
      return undefined
  }
}

/** All addresses of a name. */
type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>

/** The header with the mark of who asks. */
const SENDER = 'x-sent-by'

/**
 * The mark of this installation in requests that it sends. It tells others nothing: neither the product nor where its back
 * office is.
 */
export const senderMark = (secret: Buffer): string =>
  deriveKey(secret, 'sender').toString('base64url').slice(0, 22)

/** Whether a request was made by a fetch with this `sender`. */
export const isOwn = ({ headers }: Pick<IncomingMessage, 'headers'>, sender: string): boolean =>
  headers[SENDER] === sender

const MOST_BYTES = 64 * 1024
const MOST_MS = 10_000

/**
 * Makes a fetch for URLs that users choose. It never connects inward: a name is resolved once, all of its addresses are
 * checked, and the connection goes to the checked ones. There are no cookies, proxies or reused connections.
 *
 * @param options.sender our {@link senderMark}, which each request carries, so that one which leads back to us is refused: {@link isOwn}
 */
export function makeSafeFetch(
  allowed: AllowedTargets,
  {
    resolve = resolveName,
    longestMs = MOST_MS,
    sender,
  }: { resolve?: Resolve; longestMs?: number; sender?: string } = {},
): SafeFetch {
  return async (text, { redirects = 0, signal: givenUp, ...request } = {}) => {
    const timeout = AbortSignal.timeout(longestMs)
    const signal = givenUp ? AbortSignal.any([timeout, givenUp]) : timeout
    const own = sender === undefined ? {} : { [SENDER]: sender }
    const named = { ...request, headers: { ...request.headers, ...own } }
    try {
      let url = parseTarget(text)
      for (let followed = 0; ; followed++) {
        const addresses = await addressesOf(placeOfUrl(url), allowed, resolve, signal)
        const answer = await ask(url, addresses, named, signal)
        const { location } = answer.headers
        const leadsOn = answer.status >= 300 && answer.status < 400 && location !== undefined
        if (!leadsOn || redirects === 0) return answer
        if (followed === redirects) {
          throw new SafeFetchError('failed', `It redirects more than ${redirects} times.`)
        }
        url = parseTarget(URL.parse(location, url.href)?.href ?? '')
      }
    } catch (error) {
      if (timeout.aborted) {
        const seconds = Math.round(longestMs / 1000)
        throw new SafeFetchError('timeout', `No whole answer within ${seconds} seconds.`)
      }
      throw error
    }
  }
}

/** @throws SafeFetchError for what is not a plain URL of the web. */
function parseTarget(text: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new SafeFetchError('refused', 'Only http and https addresses can be asked.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new SafeFetchError('refused', 'The address must not contain a username or password.')
  }
  return url
}

/** @throws SafeFetchError unless every address may be reached: a name with one inward address is not used at all. */
async function addressesOf(
  place: Place,
  allowed: AllowedTargets,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<string[]> {
  const { host, port } = place
  // One sentence, so that nobody learns which names there are inside.
  const refusal = `${host} port ${port} is not a public web server.`
  if (barOf(place, allowed)) throw new SafeFetchError('refused', refusal)
  const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host]
  if (addresses.length === 0) throw new SafeFetchError('failed', refusal)
  if (!addresses.every((address) => mayReach(address, port, allowed))) {
    throw new SafeFetchError('refused', refusal)
  }
  return addresses
}

/**
 * Asks the name servers, without a hosts file. Unlike `getaddrinfo`, it takes no thread that others need, however slow the
 * answer is.
 */
async function resolveName(name: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  signal.removeEventListener('abort', cancel)
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}

function ask(
  url: URL,
  addresses: readonly string[],
  { method = 'GET', headers = {}, body }: Omit<SafeRequest, 'redirects' | 'signal'>,
  signal: AbortSignal,
): Promise<SafeAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SafeAnswer>()
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const request = send(
    url,
    {
      method,
      headers: { accept: '*/*', 'accept-encoding': 'identity', connection: 'close', ...headers },
      // No agent, so no connection is shared with another target, and no proxy of the environment is used.
      agent: false,
      lookup: answeringWith(addresses),
      signal,
      maxHeaderSize: 16 * 1024,
    },
    (answer) => {
      const certificateEnds = certificateEndOf(answer.socket)
      readAnswer(answer).then(
        (read) =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: read,
            url: url.href,
            ...(certificateEnds && { certificateEnds }),
          }),
        (error: unknown) => reject(failure(error)),
      )
    },
  )
  request.on('error', (error) => reject(failure(error)))
  request.end(body)
  return promise
}

/** Gives a connection the checked addresses, whatever the name resolves to by now. */
const answeringWith =
  (addresses: readonly string[]): LookupFunction =>
  (_name, { all }, answer) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first = { address: '', family: 0 }] = found
    if (all) answer(null, found)
    else answer(null, first.address, first.family)
  }

function certificateEndOf(socket: IncomingMessage['socket']): Date | undefined {
  if (!(socket instanceof TLSSocket)) return undefined
  const ends = new Date(socket.getPeerCertificate().valid_to)
  return Number.isNaN(ends.getTime()) ? undefined : ends
}

async function readAnswer(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= MOST_BYTES) break // Leaving the loop destroys the connection.
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES)
}

const failure = (error: unknown): SafeFetchError =>
  new SafeFetchError('failed', `No answer: ${wordsOf(error)}.`, { cause: error })

function wordsOf(error: unknown): string {
  const { code, message }: { code?: unknown; message?: unknown } = Object(error)
  return typeof code === 'string' ? code : String(message)
}
