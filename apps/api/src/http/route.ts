import '@tallyroom/contract/messages'
import {
  type Endpoint,
  FORM_KEY_HEADER,
  isRead,
  needsProof,
  type RequestOf,
  type ResultOf,
  UNATTENDED_HEADER,
} from '@tallyroom/contract/endpoint'
import type { doneSchema } from '@tallyroom/contract/list'
import { FACTOR_HEADER } from '@tallyroom/contract/people/passkeys'
import { type Ability, can } from '@tallyroom/domain/abilities'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { z, ZodString } from 'zod'
import { handingOf, type SecretKind } from '@tallyroom/domain/secrets'
import {
  credentialOf,
  guardingPay,
  requireGroup,
  requireHanding,
  requireOwnSession,
  requireProof,
  type Viewer,
} from '../access/viewer.ts'
import { sendingForm, SentOtherwise } from '../db/do-once.ts'
import { conflict, forbidden, ForgedError, invalid } from '../errors.ts'
import { allMistakes } from './all-mistakes.ts'
import { addressOf } from './caller-address.ts'
import { bearerOf, challenge } from './challenge.ts'
import { messagesOf } from './error-handler.ts'
import { handOutOf } from './hand-out.ts'
import { readFile, takeFiles, type Upload } from './receive-file.ts'
import type { Caller } from './record-call.ts'
import { Download, sendDownload } from './send-download.ts'
import { FileAnswer, sendFile } from './send-file.ts'
import type { Services } from '../services.ts'
import type { TokenLimit } from './token-limit.ts'

/** The context of a request besides its parsed parts. */
type Surroundings = {
  /** The caller's canonical address, considering trusted proxies. */
  ip: string
  userAgent: string
  /** The raw Cookie header. */
  cookies: string | undefined
  /** What browsers say of the page that calls: `Sec-Fetch-Site` and `Origin`. */
  fetchSite: string | undefined
  origin: string | undefined
  /** The host that the caller asked for, with its port if that is not the standard one. */
  host: string
  /** Adds a header to the answer. */
  sendHeader: (name: 'set-cookie', value: string | string[]) => void
  log: FastifyBaseLogger
  /** Identifies the caller of a public call. Only then is the call recorded in the common logs. */
  identify: (caller: Caller) => void
}

export type HandlerInput<E> = RequestOf<E> & Surroundings & { viewer: Viewer }
export type PublicHandlerInput<E> = RequestOf<E> & Surroundings

/** What a handler returns: the answer; nothing if that only says that the call is done. */
type Handled<E> = Promise<ResultOf<E> | ([ResultOf<E>] extends [Done] ? void : never)>
type Done = z.input<typeof doneSchema>
const done: Done = { ok: true }

/** An endpoint and its handler. */
export type Route = {
  endpoint: Endpoint
  handle: (input: RouteInput) => Promise<unknown>
  isForm?: true
}

type RouteInput = Surroundings & {
  params: unknown
  query: unknown
  body: unknown
  viewer: Viewer | undefined
  file: Buffer | undefined
}

/**
 * An endpoint that saves a form. Its refusal names all mistakes at once, those of the schema and those of the handler's
 * rules: see `allMistakes`. The handler writes nothing outside of one transaction.
 */
export const formRoute = <E extends Endpoint & { ability: Ability }>(
  endpoint: E,
  handle: (input: HandlerInput<E>) => Handled<E>,
): Route => route(endpoint, handle, { isForm: true })

/** An endpoint for signed-in callers. */
export const route = <E extends Endpoint & { ability: Ability }>(
  endpoint: E,
  handle: (input: HandlerInput<E>) => Handled<E>,
  more: Pick<Route, 'isForm'> = {},
): Route => ({
  endpoint,
  ...more,
  // The endpoint's schemas have parsed the request, and the viewer hook has set the viewer.
  handle: async (input) => (await handle(input as unknown as HandlerInput<E>)) ?? done,
})

/** An endpoint for everybody. */
export const publicRoute = <E extends Endpoint & { ability: 'public' }>(
  endpoint: E,
  handle: (input: PublicHandlerInput<E>) => Handled<E>,
): Route => ({
  endpoint,
  handle: async (input) => (await handle(input as unknown as PublicHandlerInput<E>)) ?? done, // parsed by the same schemas
})

/** An endpoint for signed-in callers that streams text. */
export const textRoute = <E extends Endpoint & { ability: Ability; response: ZodString }>(
  endpoint: E,
  handle: (input: HandlerInput<E>) => Promise<AsyncIterable<string>>,
): Route => ({
  endpoint,
  handle: async (input) => Readable.from(await handle(input as unknown as HandlerInput<E>)), // parsed likewise
})

/** An endpoint for signed-in callers that answers with a download. */
export const downloadRoute = <E extends Endpoint & { ability: Ability; response: ZodString }>(
  endpoint: E,
  handle: (input: HandlerInput<E>) => Promise<Download>,
): Route => ({
  endpoint,
  handle: (input) => handle(input as unknown as HandlerInput<E>), // parsed likewise
})

/** An endpoint for signed-in callers that accepts a file. */
export const uploadRoute = <E extends Endpoint & { ability: Ability }>(
  endpoint: E & { upload?: Upload },
  handle: (input: HandlerInput<E> & { file: Buffer }) => Promise<ResultOf<E>>,
): Route => ({
  endpoint,
  handle: (input) => handle(input as unknown as HandlerInput<E> & { file: Buffer }), // the upload hook has read the file
})

/** An endpoint for everybody that answers with a file. */
export const fileRoute = <E extends Endpoint & { ability: 'public'; response: ZodString }>(
  endpoint: E,
  handle: (input: PublicHandlerInput<E>) => Promise<FileAnswer>,
): Route => ({
  endpoint,
  handle: (input) => handle(input as unknown as PublicHandlerInput<E>), // parsed likewise
})

/**
 * Finds the holder of a session's token, or of one for programs; undefined if it is invalid, ended or expired, or was opened
 * in another browser. An unattended call does not count as use of the session.
 */
export type FindViewer = (
  token: string,
  call?: { isUnattended: boolean; ip?: string; cookies?: string | undefined },
) => Promise<Viewer | undefined>

type Parts = {
  find: FindViewer
  unlessSilent: Services['pulse']['unlessSilent']
  clock: Services['clock']
  limit: TokenLimit
  /** Tells those who may pay that an act of money was refused. */
  tellOfForgery: TellOfForgery
}

/** Stores permanently what a refused act of money had found, for those who may pay. */
export type TellOfForgery = (findings: readonly string[]) => Promise<void>

/** Registers routes with the endpoint's schemas. The viewer is checked before the body is parsed. */
export function registerRoutes(app: FastifyInstance, routes: readonly Route[], parts: Parts) {
  for (const one of routes) {
    const { upload } = one.endpoint
    if (!upload) register(app, one, parts)
    else
      void app.register(async (scope) => {
        await takeFiles(scope, upload)
        register(scope, one, parts)
      })
  }
}

function register(
  app: FastifyInstance,
  { endpoint, handle, isForm }: Route,
  { find, unlessSilent, clock, limit, tellOfForgery }: Parts,
) {
  const proof = needsProof(endpoint) ? 'recent' : endpoint.proof
  const require = proof && proofs[proof]
  const { needed, leaveOut } = handOutOf(endpoint.response)
  if (proof !== 'recent') refuseUnsaid(endpoint, needed)
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: {
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: endpoint.body }),
      response: { 200: endpoint.response },
    },
    config: { endpoint },
    onRequest: (request, reply) => admit(request, reply, endpoint, { find, limit }),
    ...(isForm && {
      attachValidation: true,
      preValidation: async (request: FastifyRequest) => {
        request.sent = request.body
      },
    }),
    // After parsing, so that nobody enters a password for a form with mistakes.
    ...(require && {
      preHandler: async ({ viewer, validationError }: FastifyRequest) => {
        if (!viewer || validationError) return
        // First, so that nobody enters a password in vain.
        for (const kind of needed) requireHanding(viewer, kind)
        require(viewer)
      },
    }),
    handler: async (request, reply) => {
      const inputOf = async (body: unknown): Promise<RouteInput> => ({
        params: request.params,
        query: request.query,
        body,
        viewer: request.viewer,
        file: endpoint.upload && (await readFile(request, endpoint.upload)),
        ip: addressOf(request),
        userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
        cookies: request.headers.cookie,
        fetchSite: request.headers['sec-fetch-site'],
        origin: request.headers.origin,
        host: request.host,
        sendHeader: (name, value) => void reply.header(name, value),
        log: request.log,
        identify: (caller) => {
          request.caller = caller
        },
      })
      const handled = guardingPay(request.viewer, () =>
        once(request, endpoint, clock.now(), async () =>
          isForm
            ? savingForm(request, endpoint, async (body) => handle(await inputOf(body)))
            : handle(await inputOf(request.body)),
        ),
      )
      const answer = await (isRead(endpoint) ? unlessSilent(handled) : handled).catch(
        async (error: unknown) => {
          // By now the act is rolled back.
          if (error instanceof ForgedError) await tellOfForgery(error.findings)
          throw error
        },
      )
      if (answer instanceof FileAnswer) return sendFile(reply, answer)
      if (answer instanceof Download) return sendDownload(reply, answer)
      if (answer instanceof Readable) {
        void reply.type('text/plain; charset=utf-8')
        return answer
      }
      return leaveOut(answer, credentialOf(request.viewer))
    },
  })
}

/** What an endpoint's `proof` asks of a session. What is `for-credentials`, its rule checks. */
const proofs = {
  recent: requireProof,
  'own-session': requireOwnSession,
  'for-credentials': undefined,
} satisfies Record<NonNullable<Endpoint['proof']>, ((viewer: Viewer) => void) | undefined>

/** A call that can't do without a secret says in its declaration that it asks for the password. */
function refuseUnsaid({ path, ability }: Endpoint, needed: readonly SecretKind[]): void {
  const credential = ability === 'public' ? 'nobody' : 'older session'
  const unsaid = needed.filter((kind) => handingOf(kind, credential) !== 'now')
  if (unsaid.length > 0)
    throw new Error(`${path} answers with ${unsaid.join(', ')}, and does not declare proof.`)
}

/** Handles a call once for each key: see `Endpoint.once`. */
async function once(
  { headers, viewer, params, body }: FastifyRequest,
  endpoint: Endpoint,
  at: Date,
  handle: () => Promise<unknown>,
): Promise<unknown> {
  const key = headers[FORM_KEY_HEADER]
  if (!endpoint.once || !viewer || key === undefined) return handle()
  if (typeof key !== 'string' || !/^[\w-]{16,64}$/.test(key))
    throw invalid({
      _form: [`The header ${FORM_KEY_HEADER} must have 16 to 64 letters, digits, _ or -.`],
    })
  const bodySha256 = createHash('sha256')
    .update(JSON.stringify(body) ?? '')
    .digest()
  const call = callOf(endpoint, params)
  try {
    return await sendingForm({ accountId: viewer.accountId, call, key, bodySha256, at }, handle)
  } catch (error) {
    if (!(error instanceof SentOtherwise)) throw error
    throw conflict(
      'This form was already sent with other values, and that was done. Reload the page to see it before you send another.',
    )
  }
}

/** A call with the objects it is about. However its URL is spelled, and whatever query is added to it, it is the same call. */
const callOf = ({ method, path }: Endpoint, params: unknown): string =>
  `${method} ${path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(Object(params)[name])))}`

/** Saves a form, or refuses it with all of its mistakes. */
async function savingForm(
  request: FastifyRequest,
  { body: schema }: Endpoint,
  handle: (body: unknown) => Promise<unknown>,
): Promise<unknown> {
  try {
    if (request.validationError) throw request.validationError
    return await handle(request.body)
  } catch (error) {
    const first = messagesOf(error)
    const { sent, validationError } = request
    const isOfBody = !validationError || validationError.validationContext === 'body'
    if (!first || !schema || !isOfBody || typeof sent !== 'object' || sent === null) throw error
    throw invalid(
      await allMistakes(first, {
        sent,
        schema,
        handle,
        messagesOf,
      }),
    )
  }
}

async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  { find, limit }: Pick<Parts, 'find' | 'limit'>,
): Promise<void> {
  const { ability, byToken, beforeNewPassword, beforeFactor } = endpoint
  if (ability === 'public') return
  const { authorization, cookie: cookies } = request.headers
  const token = bearerOf(authorization)
  // Somebody who changes something is there, whatever the header says.
  const isUnattended = isRead(endpoint) && request.headers[UNATTENDED_HEADER] !== undefined
  const viewer =
    token === undefined
      ? undefined
      : await find(token, { isUnattended, ip: addressOf(request), cookies })
  if (!viewer) throw challenge(authorization, reply)
  const factor = request.headers[FACTOR_HEADER]
  request.viewer = {
    ...viewer,
    visit: { host: request.host, ...(typeof factor === 'string' && { factor }) },
  }
  // Set before the refusal, as refused calls belong in the common logs too.
  request.caller = viewer
  if (viewer.needsNewPassword && !beforeNewPassword) {
    throw forbidden('Please set a new password first.')
  }
  if (viewer.needsFactor && !beforeFactor) {
    throw forbidden('Please add a second factor first.')
  }
  if (viewer.token) {
    limit(viewer.token.id, reply)
    if (!byToken) throw forbidden('No token can make this call.')
    if (byToken !== 'any') requireGroup(viewer, byToken)
  }
  if (!can(viewer, ability)) throw forbidden()
}

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | undefined
    /** The body of a form as it was sent. */
    sent?: unknown
  }
}
