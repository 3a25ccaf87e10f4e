import { z } from 'zod'
import { required } from './list.ts'
import { secret } from './secrets.ts'

/**
 * Brought to one spelling (NFKC), and without what nobody sees: invisible, bidirectional, private-use and unassigned
 * characters. No two usernames look alike: see `lookOf` of the server's accounts.
 */
const username = (maxLength: number) =>
  z
    .string()
    .normalize('NFKC')
    .pipe(
      required(maxLength)
        .regex(/^\S+$/, 'must not have spaces')
        .regex(
          /^[^\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u,
          'must not have invisible characters',
        )
        .regex(/^\P{M}/u, 'must not begin with an accent alone'),
    )

/** An agent's or admin's username: at most 10 characters (specification 1, section 5). Case is kept, not compared. */
export const usernameSchema = username(10)

/** An office's username, for which the specification has no such limit: what signing in takes. */
export const officeUsernameSchema = username(64)

export const MIN_PASSWORD_LENGTH = 8

/**
 * A password as it is chosen: any characters. The upper bound keeps hashing cheap. Common passwords and names are
 * refused by the server alone.
 */
const passwordSchema = secret(
  z
    .string()
    .min(MIN_PASSWORD_LENGTH, `must have at least ${MIN_PASSWORD_LENGTH} characters`)
    .max(200, 'must have at most 200 characters'),
)

const mustMatch = (values: { password?: unknown; passwordConfirm?: unknown }) =>
  (values.password ?? '') === (values.passwordConfirm ?? '')

const mismatch = { path: ['passwordConfirm'], message: 'does not match the password' }

/** What a list says of an account's password. */
export const shownPassword = {
  /** Left out where passwords are not shown, or hidden; null where none is kept in readable form. */
  plainPassword: z.string().nullable().optional(),
  /** One is kept, and answered by itself to whoever asks for it. */
  passwordHidden: z.literal(true).optional(),
}

/** The password that a list hides; null where none is kept in readable form. */
export const revealedPasswordSchema = z.object({ plainPassword: z.string().nullable() })

/**
 * The password that is in force. Asked for when the session is older than ten minutes: the refusal then is about this
 * field, also when it was left out.
 */
export const currentPassword = { currentPassword: secret(z.string().max(1024)).default('') }

/** A form that sets a password: both fields required, and alike. */
export const newPassword = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z
    .strictObject({
      ...fields,
      password: passwordSchema,
      passwordConfirm: secret(z.string().min(1, 'is required').max(200)),
    })
    .refine(mustMatch, mismatch)

/** A form that may set another password: empty leaves it as it is. */
export const replacedPassword = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z
    .strictObject({
      ...fields,
      password: z.union([z.literal(''), passwordSchema]).default(''),
      passwordConfirm: secret(z.string().max(200)).default(''),
    })
    .refine(mustMatch, mismatch)
