import { FACTORS } from '@tallyroom/domain/factors'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema, line, required } from '../list.ts'
import { missing } from '../missing.ts'
import { secret } from '../secrets.ts'
import { factorFields } from './factors.ts'
import { passkeyAnswer, passkeyChallenge } from './passkeys.ts'

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
    query: z.object({
      as: z
        .enum(['words'])
        .optional()
        .describe("`words`: a question in place of the picture, for whoever can't see it."),
    }),
    response: z.object({
      /** A PNG as a data URL; empty if the captcha is disabled or asked for in words. */
      image: z.string(),
      /** The question; missing if the captcha is disabled or a picture. */
      question: z.string().optional(),
      /** Send this back as `captchaCheck`, with the text or the answer as `captchaString`. */
      check: z.string(),
    }),
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    summary:
      'Sign in and start a session. An account with a second factor gets a step instead, for auth/factor.',
    ability: 'public',
    action: 'LOGIN',
    refuses: [429],
    body: loginSchema,
    response: z.union([
      z.object({ token: secret('session token', z.string()) }),
      z.object({
        /** Single use, valid for five minutes. It is no session. */
        step: secret('sign-in step', z.string()),
        /** What the account can go on with. */
        ways: z.array(z.enum(FACTORS)),
      }),
    ]),
  }),
  enterFactor: endpoint({
    method: 'POST',
    path: '/api/auth/factor',
    summary:
      'Enter the code of a second factor after the password, or what a passkey has signed, and start a session',
    ability: 'public',
    action: 'LOGIN',
    refuses: [429],
    body: z.strictObject({
      step: secret('sign-in step', z.string().min(1, missing).max(64)),
      ...factorFields,
    }),
    response: z.object({ token: secret('session token', z.string()) }),
  }),
  challengeStep: endpoint({
    method: 'POST',
    path: '/api/auth/factor/challenge',
    summary: 'Get a challenge for a passkey after the password, for auth/factor',
    ability: 'public',
    action: 'none',
    refuses: [409],
    body: z.strictObject({ step: secret('sign-in step', z.string().min(1, missing).max(64)) }),
    response: passkeyChallenge,
  }),
  challengePasskey: endpoint({
    method: 'GET',
    path: '/api/auth/passkey/challenge',
    summary:
      'Get a challenge to sign in by a passkey alone, for auth/passkey, and the cookie of the browser that asks',
    ability: 'public',
    action: 'none',
    refuses: [409],
    response: passkeyChallenge,
  }),
  signInByPasskey: endpoint({
    method: 'POST',
    path: '/api/auth/passkey',
    summary:
      'Sign in by what a passkey has signed, without password and captcha, and start a session',
    ability: 'public',
    action: 'LOGIN',
    refuses: [429],
    body: z.strictObject({ passkey: passkeyAnswer }),
    response: z.object({ token: secret('session token', z.string()) }),
  }),
  prove: endpoint({
    method: 'POST',
    path: '/api/auth/prove',
    summary:
      'Enter your password again, and a code or passkey if your account has a second factor. For ten minutes, calls that need a recent proof are answered.',
    beforeNewPassword: true,
    beforeFactor: true,
    ability: 'signed-in',
    action: 'LOGIN',
    refuses: [429],
    body: z.strictObject({
      password: secret('password', z.string().min(1, missing).max(1024)),
      ...factorFields,
    }),
    response: doneSchema,
  }),
  challengeProof: endpoint({
    method: 'GET',
    path: '/api/auth/prove/challenge',
    summary: 'Get a challenge for a passkey of yours, for calls that ask for your password',
    beforeNewPassword: true,
    ability: 'signed-in',
    action: 'none',
    refuses: [409],
    response: passkeyChallenge,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Sign out: end the session of the token',
    beforeNewPassword: true,
    beforeFactor: true,
    ability: 'signed-in',
    action: 'LOGOUT',
    response: doneSchema,
  }),
}
