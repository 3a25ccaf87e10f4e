import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema, line, required } from '../list.ts'
import { missing } from '../missing.ts'
import { newPassword } from './passwords.ts'
import { secret } from '../secrets.ts'

export const forgotSchema = z.strictObject({
  username: required(64),
  email: required(254).pipe(z.email('must be an email address')),
})

/** Of somebody whose account has no address. */
export const askForPasswordSchema = forgotSchema.pick({ username: true })

/** The fragment of a mailed link. */
const linkToken = secret('reset link', line(200).min(1, missing))

/** The form behind the mailed link. */
const resetPasswordSchema = newPassword({ token: linkToken })

export const forgotEndpoints = {
  forgot: endpoint({
    method: 'POST',
    path: '/api/forgot',
    summary:
      'Request a password reset by email. The answer does not reveal whether the account exists.',
    ability: 'public',
    // Writing a log entry would make the response time reveal whether the account exists.
    action: 'none',
    refuses: [429],
    body: forgotSchema,
    response: doneSchema,
  }),
  forgotWithoutMail: endpoint({
    method: 'POST',
    path: '/api/forgot/ask',
    summary:
      'Ask whoever manages the account for a new password. They see it in their bell, at most once a day. The answer does not reveal whether the account exists.',
    ability: 'public',
    // As above.
    action: 'none',
    refuses: [429],
    body: askForPasswordSchema,
    response: doneSchema,
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/forgot/reset',
    summary:
      'Set a new password with the token of the email (single use, 10 minutes) and end all sessions',
    ability: 'public',
    action: 'UPDATE',
    body: resetPasswordSchema,
    response: doneSchema,
  }),
  disownSignIn: endpoint({
    method: 'POST',
    path: '/api/forgot/not-me',
    summary:
      'End all sessions of an account, with the token of an email about a sign-in that was not the holder’s (single use, seven days). The token then sets a new password, if `setsPassword`.',
    ability: 'public',
    action: 'UPDATE',
    body: z.strictObject({ token: linkToken }),
    response: z.object({
      /** False if the email went to an address that the account no longer has. */
      setsPassword: z.boolean(),
    }),
  }),
}
