import { hasInvisible } from '@tallyroom/domain/invisible'
import { z } from 'zod'
import { required } from '../list.ts'
import { missing } from '../missing.ts'
import { secret } from '../secrets.ts'

/**
 * NFKC-normalized, without invisible, bidirectional, private-use and unassigned characters. The server also
 * rejects usernames that look alike: see its `lookOf`.
 */
const username = (maxLength: number) =>
  z
    .string()
    .normalize('NFKC')
    .pipe(
      required(maxLength)
        .regex(/^\S+$/, 'must not have spaces')
        .refine((name) => !hasInvisible(name), 'must not have invisible characters')
        .regex(/^\P{M}/u, 'must not begin with a combining accent'),
    )

/** Agents and admins: at most 10 characters (specification 1, section 5). Case is stored but not compared. */
export const usernameSchema = username(10)

/** Offices: the specification sets no limit, so the limit is that of the sign-in form. */
export const officeUsernameSchema = username(64)

export const MIN_PASSWORD_LENGTH = 8

/** A new password, any characters. The maximum keeps hashing cheap. Only the server rejects common passwords and names. */
const passwordSchema = secret(
  'password',
  z
    .string()
    .min(1, { ...missing, abort: true })
    .min(MIN_PASSWORD_LENGTH, `must have at least ${MIN_PASSWORD_LENGTH} characters`)
    .max(200, 'must have at most 200 characters'),
)

/** The repetition guards against typing errors in forms. A program that leaves it out has made none. */
const mustMatch = (values: { password?: unknown; passwordConfirm?: unknown }) =>
  values.passwordConfirm === undefined || (values.password ?? '') === values.passwordConfirm

const mismatch = { path: ['passwordConfirm'], message: 'does not match the password' }

/** An account's password in a list. */
export const shownPassword = {
  /** Left out if passwords are hidden or not shown; null if no readable password is stored. */
  plainPassword: secret('password', z.string().nullable()).optional(),
  /**
   * Why a readable password is stored, but not here: each is revealed by a call of its own; the list has them once the
   * password was entered again; or never, by a token, a partner’s sign-in and *Sign in as*. Of an admin who `may pay`, none
   * is stored.
   */
  passwordHidden: z.enum(['one by one', 'until proved', 'never', 'may pay']).optional(),
}

/** The password that a list hides; null if no readable password is stored. */
export const revealedPasswordSchema = secret(
  'password',
  z.object({ plainPassword: z.string().nullable() }),
)

/** A form that sets a password. The repetition must match if it is sent. */
export const newPassword = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z
    .strictObject({
      ...fields,
      password: passwordSchema,
      passwordConfirm: secret('password', z.string().min(1, missing).max(200)).optional(),
    })
    .refine(mustMatch, mismatch)

/**
 * A form that makes an account: with its first password, or without one, for its holder to choose it by an invitation.
 *
 * @param address the field to which an invitation can be mailed
 */
export const firstPassword = <Fields extends z.ZodRawShape>(
  fields: Fields,
  address: keyof Fields & string,
) =>
  z
    .strictObject({
      ...fields,
      password: z.union([z.literal(''), passwordSchema]).default(''),
      passwordConfirm: secret('password', z.string().max(200)).optional(),
      /** In place of a password: mails an invitation, or leaves it to a link that is made afterwards. */
      invite: z.enum(['mail', 'link']).optional(),
    })
    .refine(mustMatch, mismatch)
    .refine((form) => isInvited(form) || valueOf(form, 'password') !== '', {
      path: ['password'],
      ...missing,
      when: isWhole,
    })
    .refine((form) => !isInvited(form) || valueOf(form, 'password') === '', {
      path: ['invite'],
      message: 'can’t be combined with a password',
    })
    .refine((form) => valueOf(form, 'invite') !== 'mail' || valueOf(form, address) !== '', {
      path: [address],
      ...missing,
    })

const isInvited = (form: object) => valueOf(form, 'invite') !== undefined

/** Whatever else the form lacks, it lacks a password, too. */
const isWhole = ({ value }: { value: unknown }) =>
  typeof value === 'object' && value !== null && 'password' in value

const valueOf = (form: object, field: string): unknown =>
  Object.entries(form).find(([name]) => name === field)?.[1]

/** A form that may change the password. Empty leaves it unchanged. */
export const replacedPassword = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z
    .strictObject({
      ...fields,
      password: z.union([z.literal(''), passwordSchema]).default(''),
      passwordConfirm: secret('password', z.string().max(200)).optional(),
    })
    .refine(mustMatch, mismatch)
