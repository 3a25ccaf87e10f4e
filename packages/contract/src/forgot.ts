import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { doneSchema, line, required } from './list.ts'
import { newPassword } from './passwords.ts'
import { secret } from './secrets.ts'

export const forgotSchema = z.strictObject({
  username: required(64),
  email: required(254).pipe(z.email('must be an e-mail address')),
})

/** What the page behind the mailed link sends; `token` is the fragment of the link's address. */
export const resetPasswordSchema = newPassword({ token: secret(line(200).min(1, 'is required')) })

export const forgotEndpoints = {
  forgot: endpoint({
    method: 'POST',
    path: '/api/forgot',
    summary:
      'Mails a link to set a new password, if there is such an account; the answer is always the same',
    ability: 'public',
    // An entry would take the time that tells whether there is such an account.
    action: 'none',
    body: forgotSchema,
    response: doneSchema,
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/forgot/reset',
    summary: 'Sets a new password by a mailed link (30 minutes, single use) and ends all sessions',
    ability: 'public',
    action: 'UPDATE',
    body: resetPasswordSchema,
    response: doneSchema,
  }),
}
