import { INSTITUTIONS, isBic } from '@tallyroom/domain/institutions'
import { hasInvisible } from '@tallyroom/domain/invisible'
import { CURRENCIES, PAYEE_KINDS } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { doneSchema, idSchema, idTextSchema, line, required } from './list.ts'
import { secret } from './secrets.ts'

/** Why an account needs a second confirmation. */
export const accountDoubts = ['staff address', 'password shown'] as const
export type AccountDoubt = (typeof accountDoubts)[number]

/** An account as everybody sees it: only the last characters of its number. */
const shownAccount = {
  id: idSchema,
  channel: z.enum(['bank', 'wallet']),
  /** The institution's BIC. */
  institution: z.string(),
  institutionName: z.string(),
  /** Null if no key can decrypt it. */
  accountName: z.string().nullable(),
  /** The last four characters of the number. */
  lastCharacters: z.string(),
  currency: z.enum(CURRENCIES),
  enteredAt: z.iso.datetime(),
  enteredBy: z.string(),
}

const payeeAccountSchema = z.object(shownAccount)
export type PayeeAccount = z.infer<typeof payeeAccountSchema>

/** The newest account. Until it is confirmed, its payee's payments are on hold. */
const newAccountSchema = z.object({
  ...shownAccount,
  state: z.enum(['waiting', 'refused']),
  /** How many people must confirm it, and who has. */
  confirmations: z.int(),
  confirmedBy: z.array(z.string()),
  refusal: z.object({ by: z.string(), reason: z.string(), at: z.iso.datetime() }).nullable(),
})

const ownPayeeAccountSchema = z.object({
  /** Whether this office or agent is itself a payee, and so needs an account. */
  needed: z.boolean(),
  payee: z.string(),
  inForce: payeeAccountSchema.nullable(),
  /** What was entered after it. */
  newest: newAccountSchema.nullable(),
})
export type OwnPayeeAccount = z.infer<typeof ownPayeeAccountSchema>

const accountToConfirmSchema = z.object({
  payee: z.object({ kind: z.enum(PAYEE_KINDS), id: idSchema, name: z.string() }),
  /** The account in force, for comparison; null if this is the first. */
  old: payeeAccountSchema.nullable(),
  /** Whether the number may differ from the old one: true if one can't be decrypted, false without an old one. */
  numberChanged: z.boolean(),
  account: newAccountSchema.omit({ state: true, refusal: true }),
  doubts: z.array(z.enum(accountDoubts)),
  /** Why the caller can't decide on it; null if they can. */
  closedToYou: z.string().nullable(),
})
export type AccountToConfirm = z.infer<typeof accountToConfirmSchema>

const accountFields = {
  channel: z.enum(['bank', 'wallet']),
  institution: required(11),
  number: secret(required(34)),
  accountName: secret(
    required(70)
      .regex(/^[\p{L}\d]/u, 'must begin with a letter or a digit')
      .refine((name) => !hasInvisible(name), 'must not have invisible characters'),
  ),
  currency: z.enum(CURRENCIES),
  /** Required if the session is older than ten minutes. */
  currentPassword: line(1024).default(''),
}

/** The digits of an account or mobile number. Spaces and hyphens are left out; +63 917… becomes 0917…. */
export const accountDigits = (typed: string, channel: 'bank' | 'wallet'): string => {
  const bare = typed.replaceAll(/[\s-]/g, '')
  return channel === 'wallet' ? bare.replace(/^(\+63|63)(?=9)/, '0') : bare
}

/** A bank account or e-wallet, as its payee enters it. */
export const enteredAccountSchema = z
  .strictObject(accountFields)
  .superRefine(({ channel, institution, number, currency }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    const digits = accountDigits(number, channel)
    if (channel === 'wallet') {
      if (!INSTITUTIONS.some(({ code, kind }) => kind === 'wallet' && code === institution))
        refuse('institution', 'must be one of the e-wallets')
      if (!/^09\d{9}$/.test(digits))
        refuse('number', 'must be a mobile number, such as 0917 123 4567')
      if (currency !== 'PHP') refuse('currency', 'must be pesos, because e-wallets take no dollars')
    } else {
      if (!isBic(institution) || isWallet(institution))
        refuse('institution', 'must be a bank’s code (BIC) of 8 or 11 characters')
      if (!/^\d+$/.test(digits)) refuse('number', 'must have digits only')
      else if (digits.length < 6 || digits.length > 20) refuse('number', 'must have 6 to 20 digits')
    }
  })
export type EnteredAccount = z.output<typeof enteredAccountSchema>

const isWallet = (institution: string): boolean =>
  INSTITUTIONS.some(({ code, kind }) => kind === 'wallet' && code === institution)

/** Where payees' money goes. Nothing here can be changed after *Sign in as*. */
export const payeeAccountsEndpoints = {
  ownPayeeAccount: endpoint({
    method: 'GET',
    path: '/api/pay/account',
    summary: 'Get your payment account. An office does not see those of its agents.',
    ability: 'pay.view-own',
    action: 'VIEW',
    response: ownPayeeAccountSchema,
  }),
  enterPayeeAccount: endpoint({
    method: 'PUT',
    path: '/api/pay/account',
    summary: 'Enter your payment account. Nothing is paid to you until others have confirmed it.',
    ability: 'pay.view-own',
    action: 'CREATE',
    body: enteredAccountSchema,
    response: z.object({ id: idSchema }),
  }),
  accountsToConfirm: endpoint({
    method: 'GET',
    path: '/api/pay/accounts',
    summary: 'List the payment accounts that are waiting for confirmation',
    ability: 'pay.manage',
    action: 'VIEW',
    response: z.array(accountToConfirmSchema),
  }),
  decideAccount: endpoint({
    method: 'POST',
    path: '/api/pay/accounts/:id',
    summary: 'Confirm or refuse an account that a payee has entered',
    ability: 'pay.manage',
    action: 'UPDATE',
    params: z.object({ id: idTextSchema }),
    body: z
      .strictObject({
        confirm: z.boolean(),
        /** Shown to the payee; required to refuse. */
        reason: line(1000).trim().default(''),
      })
      .refine(({ confirm, reason }) => confirm || reason !== '', {
        path: ['reason'],
        message: 'is required',
      }),
    response: doneSchema,
  }),
}
