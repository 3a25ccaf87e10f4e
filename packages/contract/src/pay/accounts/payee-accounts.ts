import { INSTITUTIONS, isBic } from '@tallyroom/domain/institutions'
import { hasInvisible } from '@tallyroom/domain/invisible'
import { CURRENCIES, PAYEE_KINDS } from '@tallyroom/domain/pay'
import { z } from 'zod'
import { onOffSchema } from '../../forms.ts'
import { endpoint } from '../../endpoint.ts'
import { type EnteredDetail, enteredDetails } from './payee-details.ts'
import { doneSchema, idSchema, idTextSchema, line, required, isVisible } from '../../list.ts'
import { daySchema } from '../../periods.ts'
import { secret } from '../../secrets.ts'

/**
 * Why somebody other than the payee may have entered an account. Any of them requires a second confirmation. Hands of
 * others in the payee's sign-in come first.
 */
export const accountDoubts = [
  'password set',
  'email set',
  'username set',
  'made by staff',
  'signed in as',
  'password shown',
  'partner sign-in',
  'new password',
  'staff device',
  'staff address',
] as const
export type AccountDoubt = (typeof accountDoubts)[number]

/** An account as everybody sees it: only the last characters of its number. */
const shownAccount = {
  id: idSchema,
  channel: z.enum(['bank', 'wallet']),
  /** The institution's BIC. */
  institution: z.string(),
  institutionName: z.string(),
  /** Null if no key can decrypt it. */
  accountName: secret('payee details', z.string().nullable()),
  /** The last four characters of the number. */
  lastCharacters: z.string(),
  /** What a bank wants to know of the payee, as far as it was entered. */
  details: secret('payee details', z.partialRecord(z.enum(enteredDetails), z.string())),
  currency: z.enum(CURRENCIES),
  enteredAt: z.iso.datetime(),
  enteredBy: z.string(),
}

const payeeAccountSchema = z.object(shownAccount)
export type PayeeAccount = z.infer<typeof payeeAccountSchema>

/** The first day on which it can be paid, if that is later than today. */
const paidFrom = daySchema.nullable()

/** The payee's newest account, as the payee sees it. Until it is confirmed, nothing is paid to them. */
const newAccountSchema = z.object({
  ...shownAccount,
  /** `disowned`: the payee said that they did not enter it. */
  state: z.enum(['waiting', 'refused', 'disowned']),
  paidFrom,
  /** How many people must confirm it, and how many have. */
  confirmations: z.int(),
  confirmed: z.int(),
  /** Why it was refused. Written for the payee. */
  refusal: z.object({ reason: z.string(), at: z.iso.datetime() }).nullable(),
})

const ownPayeeAccountSchema = z.object({
  /** Whether this office or agent is itself a payee, and so needs an account. */
  needed: z.boolean(),
  payee: z.string(),
  /** What payees have to enter with an account, because a bank wants it. */
  wanted: z.array(z.enum(enteredDetails)),
  /** What of it the account that would be paid lacks. */
  missing: z.array(z.enum(enteredDetails)),
  inForce: payeeAccountSchema.extend({ paidFrom }).nullable(),
  /** What was entered after it. */
  newest: newAccountSchema.nullable(),
})
export type OwnPayeeAccount = z.infer<typeof ownPayeeAccountSchema>

const payeeOfAccount = { kind: z.enum(PAYEE_KINDS), id: idSchema, name: z.string() }

const accountToConfirmSchema = z.object({
  payee: z.object(payeeOfAccount),
  /** The account in force, for comparison; null if this is the first. */
  old: payeeAccountSchema.nullable(),
  /** Whether the number may differ from the old one: true if one can't be decrypted, false without an old one. */
  numberChanged: z.boolean(),
  account: z.object({
    ...shownAccount,
    paidFrom,
    /** How many people must confirm it, and who has. */
    confirmations: z.int(),
    confirmedBy: z.array(z.string()),
  }),
  doubts: z.array(
    z.object({
      doubt: z.enum(accountDoubts),
      /** Who gave cause for it, and when; null if that is not known. */
      by: z.string().nullable(),
      at: z.iso.datetime().nullable(),
    }),
  ),
  /** Other payees with the same account, and what it is to them. */
  sharedWith: z.array(
    z.object({ ...payeeOfAccount, state: z.enum(['in force', 'waiting', 'refused', 'former']) }),
  ),
  /** Why the caller can't decide on it; null if they can. */
  closedToYou: z.string().nullable(),
  /**
   * Who could still approve the payee's next run after the caller has confirmed it; null if that bars nobody who could now.
   */
  approversAfter: z.array(z.string()).nullable(),
  /** Who else can decide on it, and why other people who may pay cannot. */
  confirmers: z.array(z.object({ name: z.string(), whyNot: z.string().nullable() })),
})
export type AccountToConfirm = z.infer<typeof accountToConfirmSchema>

/** An account that its payee says they did not enter, until the hold on the payee is lifted. */
const disownedAccountSchema = z.object({
  payee: z.object(payeeOfAccount),
  account: payeeAccountSchema,
  saidAt: z.iso.datetime(),
  /** Approved payment runs that may still pay to it. */
  runs: z.array(z.object({ id: idSchema, number: z.string() })),
})
export type DisownedAccount = z.infer<typeof disownedAccountSchema>

const accountsToConfirmSchema = z.object({
  /** Whether staff can read passwords in lists, so that every account needs two confirmations. */
  passwordsShown: z.boolean(),
  waiting: z.array(accountToConfirmSchema),
  /** Oldest first. */
  disowned: z.array(disownedAccountSchema),
})
export type AccountsToConfirm = z.infer<typeof accountsToConfirmSchema>

/** Empty: not entered. */
const detail = (longest: number) =>
  secret(
    'payee details',
    line(longest)
      .trim()
      .refine(
        (text) => text === '' || /^[\p{L}\d]/u.test(text),
        'must begin with a letter or a digit',
      )
      .refine((text) => !hasInvisible(text), 'must not have invisible characters')
      .optional(),
  )

const accountFields = {
  channel: z.enum(['bank', 'wallet']),
  institution: required(11),
  number: secret('account number', required(34)),
  accountName: secret(
    'payee details',
    required(70)
      .regex(/^[\p{L}\d]/u, 'must begin with a letter or a digit')
      .refine((name) => !hasInvisible(name), 'must not have invisible characters'),
  ),
  currency: z.enum(CURRENCIES),
  address: detail(140),
  city: detail(70),
  postcode: detail(16),
  mobile: secret(
    'payee details',
    line(20)
      .trim()
      .refine(
        (typed) => typed === '' || /^\d{7,15}$/.test(accountDigits(typed, 'wallet')),
        'must be a mobile number, such as 0917 123 4567',
      )
      .optional(),
  ),
  taxNumber: detail(30),
} satisfies Record<
  EnteredDetail | 'channel' | 'institution' | 'number' | 'accountName' | 'currency',
  z.ZodType
>

/** The digits of an account or mobile number. Spaces and hyphens are left out; +63 917… becomes 0917…. */
export function accountDigits(typed: string, channel: 'bank' | 'wallet'): string {
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
    proof: 'recent',
    action: 'CREATE',
    body: enteredAccountSchema,
    response: z.object({ id: idSchema }),
  }),
  accountsToConfirm: endpoint({
    method: 'GET',
    path: '/api/pay/accounts',
    summary:
      'List the payment accounts that are waiting for confirmation, and those that their payees did not enter',
    ability: 'pay.manage',
    action: 'VIEW',
    response: accountsToConfirmSchema,
  }),
  disownAccount: endpoint({
    method: 'POST',
    path: '/api/pay/account/:id/not-me',
    summary:
      'Say that you did not enter an account of yours. It is refused for good, and your pay is on hold until staff have settled it with you.',
    ability: 'pay.view-own',
    action: 'STATUS',
    params: z.object({ id: idTextSchema }),
    response: doneSchema,
  }),
  decideAccount: endpoint({
    method: 'POST',
    path: '/api/pay/accounts/:id',
    summary: 'Confirm or refuse an account that a payee has entered',
    ability: 'pay.manage',
    action: 'UPDATE',
    refuses: [429],
    params: z.object({ id: idTextSchema }),
    body: z
      .strictObject({
        confirm: onOffSchema,
        /** Shown to the payee; required to refuse. */
        reason: line(1000).trim().default(''),
      })
      .refine(({ confirm, reason }) => confirm || isVisible(reason), {
        path: ['reason'],
        message: 'is required',
      }),
    response: doneSchema,
  }),
}
