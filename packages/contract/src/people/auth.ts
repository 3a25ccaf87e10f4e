import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema, line, required } from '../list.ts'
import { missing } from '../missing.ts'
import { secret } from '../secrets.ts'

/** The sign-in form. Maximum lengths guard against abuse; they are not password rules. */
export const loginSchema = z.object({
  username: required(64),
  password: secret('password', z.string().min(1, missing).max(1024)),
  captchaString: secret('captcha answer', line(16)).default(''),
  captchaCheck: secret('captcha answer', line(64)).default(''),
})

export const authEndpoints = {
  captcha: endpoint({
    method: 'GET',
    path: '/api/captcha',
    summary: 'Get a captcha for signing in. Single use, valid for five minutes.',
    ability: 'public',
    action: 'none',
    refuses: [429],
    response: z.object({
      /** A PNG as a data URL; empty if the captcha is disabled. */
      image: z.string(),
      /** Send this back as `captchaCheck`, with the text as `captchaString`. */
      check: z.string(),
    }),
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in and start a session',
    ability: 'public',
    action: 'LOGIN',
    refuses: [429],
    body: loginSchema,
    response: z.object({ token: secret('session token', z.string()) }),
  }),
  prove: endpoint({
    method: 'POST',
    path: '/api/auth/prove',
    summary:
      'Enter your password again. For ten minutes, calls that need a recent proof are answered.',
    beforeNewPassword: true,
    ability: 'signed-in',
    action: 'LOGIN',
    refuses: [429],
    body: z.strictObject({ password: secret('password', z.string().min(1, missing).max(1024)) }),
    response: doneSchema,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Sign out: end the session of the token',
    beforeNewPassword: true,
    ability: 'signed-in',
    action: 'LOGOUT',
    response: doneSchema,
  }),
}
