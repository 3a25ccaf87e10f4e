import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { doneSchema, line, required } from './list.ts'
import { secret } from './secrets.ts'

/** What the sign-in form sends. Lengths are bounds against abuse, not rules for passwords. */
export const loginSchema = z.object({
  username: required(64),
  password: secret(z.string().min(1, 'is required').max(1024)),
  captchaString: secret(line(16)).default(''),
  captchaCheck: secret(line(64)).default(''),
})

export const authEndpoints = {
  captcha: endpoint({
    method: 'GET',
    path: '/api/captcha',
    summary: 'A picture to read before signing in: single use, five minutes',
    ability: 'public',
    action: 'none',
    response: z.object({
      /** A PNG as a data URL; empty when the captcha is switched off. */
      image: z.string(),
      /** Sent back with the text that was read. */
      check: z.string(),
    }),
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Signs in and opens a session',
    ability: 'public',
    action: 'LOGIN',
    body: loginSchema,
    response: z.object({ token: z.string() }),
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Ends the session of the token',
    beforeNewPassword: true,
    ability: 'signed-in',
    action: 'LOGOUT',
    response: doneSchema,
  }),
}
