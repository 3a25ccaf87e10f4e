import type { FastifyReply } from 'fastify'
import { type AppError, invalidToken } from '../errors.ts'

const WRONG = 'The token is wrong, revoked or expired, or its account is blocked.'
const MISPLACED = 'A token is sent as “Authorization: Bearer tly_…”.'

/**
 * The refusal of a caller whom nobody knows, with the challenge that RFC 9110 demands of a 401. A program is told that it is
 * its token; whoever has no such header, or the token of a session, that they have to sign in.
 */
export function challenge(authorization: string | undefined, reply: FastifyReply): AppError {
  const isOfBrowser = authorization === undefined || SESSION.test(authorization)
  void reply.header(
    'www-authenticate',
    isOfBrowser ? 'Bearer' : `Bearer error="invalid_token", error_description="${WRONG}"`,
  )
  if (isOfBrowser) return invalidToken()
  return invalidToken(BEARER.test(authorization) ? WRONG : MISPLACED)
}

/** The token in an `Authorization` header. */
export const bearerOf = (authorization = ''): string | undefined => BEARER.exec(authorization)?.[1]

const BEARER = /^Bearer ([\w.~+/-]+=*)$/i
/** A session's token is a JWT. */
const SESSION = /^Bearer [\w-]+\.[\w-]+\.[\w-]+$/i
