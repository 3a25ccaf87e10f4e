import {
  BALANCE_ENTRY_KINDS,
  COUNTS_AS,
  CURRENCIES,
  MONEY_WAYS,
  MOST_INSTALMENTS,
  OUTSIDE_WAYS,
  PAYEES,
  RECEIVED_WAYS,
} from '@tallyroom/domain/pay'
import { z } from 'zod'
import { onOffSchema } from '../../forms.ts'
import { endpoint } from '../../endpoint.ts'
import { doneSchema, idSchema, idTextSchema, required } from '../../list.ts'
import {
  payeeInBody,
  payeeInPath,
  payeeTextSchema,
  reasonSchema,
  payeeSchema,
} from '../terms/payees.ts'
import { rateFields } from '../terms/periods.ts'
import { bankSchema, heldPartSchema, minorUnitsSchema } from '../terms/settings.ts'
import { PAYMENT_BLOCKS } from '../statements/statements.ts'
import { HIGHEST_RATE } from '../../amounts.ts'
import { missing } from '../../missing.ts'
import { daySchema } from '../../periods.ts'
import { secret } from '../../secrets.ts'

/**
 * What 100,000 sales pay at the highest rate, so that balances stay within amounts that can be
 * written.
 */
const MOST_ADJUSTED = HIGHEST_RATE * 100 * 100_000
const tooMuch = 'must be between −100,000,000,000.00 and 100,000,000,000.00'

const mustBeInstalments = `must be a number of statements from 1 to ${MOST_INSTALMENTS}`

/** What a payee on hold reads, unless somebody wrote them something else. */
export const USUAL_HOLD =
  'Your pay is on hold. Your statements are still made, and you are paid once the hold is lifted. Contact us with any questions.'

/** A hold as its viewer may see it. */
const shownHold = {
  /** Why, for staff alone; absent for the payee. */
  reason: z.string().optional(),
  /** For staff alone. */
  setBy: z.string().optional(),
  /** What the payee reads; the usual sentence if nobody wrote one. */
  told: z.string(),
  setAt: z.iso.datetime(),
}

/** Each balance is in one currency: a payee whose currency changed has two. */
const balanceItemSchema = z.object({
  payee: payeeSchema,
  currency: z.enum(CURRENCIES),
  balance: z.int(),
  /** How much of it an open payment run will pay. */
  running: z.int(),
  /** What of it can be paid only later, because its period is held, by day. */
  later: z.array(heldPartSchema),
  /** What of it is left to pay now: without what is held, or in payment runs that are not approved yet. */
  left: z.int(),
  minimum: z.int(),
  /** The payee's own minimum. */
  ownMinimum: z.boolean(),
  hold: z.object(shownHold).nullable(),
  /** The first day on which its new account can be paid, if that is later than today. */
  paidFrom: daySchema.nullable(),
  /** `payable`, or why it would not be paid now. */
  state: z.enum(['payable', ...PAYMENT_BLOCKS]),
})
export type BalanceItem = z.infer<typeof balanceItemSchema>

const balanceEntrySchema = z.object({
  id: idSchema,
  kind: z.enum(BALANCE_ENTRY_KINDS),
  currency: z.enum(CURRENCIES),
  amount: z.int(),
  /** The balance after this entry. */
  balance: z.int(),
  madeAt: z.iso.datetime(),
  statementId: idSchema.nullable(),
  /** The number of the statement or payment run. */
  number: z.string().nullable(),
  runId: idSchema.nullable(),
  /** Why a payment failed, came back, was made outside payment runs, paid back or corrected; the source of a conversion's rate. */
  reason: z.string().nullable(),
  /** How, when and on which voucher something was paid outside payment runs; of what is taken, given back or given up, the advance. */
  outside: z.object({ way: z.enum(MONEY_WAYS), paidOn: daySchema, voucher: z.string() }).nullable(),
  /** The bank’s day, if a payment came back. */
  returnedOn: daySchema.nullable(),
  /** The rate of a conversion, in ten-thousandths of a peso for a dollar. */
  pesosE4: z.int().nullable(),
  /** How far a payment is: approved, sent to the bank, then its result. Null for other entries. */
  payment: z
    .object({
      state: z.enum(['approved', 'sent', 'paid', 'failed', 'returned', 'cancelled']),
      bankReference: z.string().nullable(),
      /** Which of several transfers, if a limit splits the payment. */
      part: z.int().nullable(),
      /** Whether it pays only a part of the balance. */
      isPart: z.boolean(),
      /** When the money comes: the day that the bank is given. */
      executionDay: daySchema,
      institutionName: z.string(),
      lastCharacters: z.string(),
    })
    .nullable(),
})

const adjustmentSchema = z.object({
  id: idSchema,
  currency: z.enum(CURRENCIES),
  amount: z.int(),
  countsAs: z.enum(COUNTS_AS),
  reason: z.string(),
  madeAt: z.iso.datetime(),
  /** For staff alone. */
  madeBy: z.string().optional(),
  /** Who approved it, if it was above its limit. For staff alone. */
  approvedBy: z.string().nullable().optional(),
  /**
   * The agent whose doubtful sales it holds back, and whether they are still suspended or reported: then it is taken back
   * when they are cleared of fraud. For staff alone.
   */
  heldBackFor: z
    .object({ id: idSchema, name: z.string(), isDoubted: z.boolean() })
    .nullable()
    .optional(),
  /** Whether taking it back waits for a second person. For staff alone. */
  takeBackWaits: z.boolean().optional(),
  /** The adjustment that this one reverses. */
  oppositeOf: idSchema.nullable(),
  /** The adjustment that reverses this one. */
  takenBackBy: idSchema.nullable(),
  /** The statement that lists it; null before the next closing. */
  statementId: idSchema.nullable(),
})
export type Adjustment = z.infer<typeof adjustmentSchema>

const waitingSchema = z.object({
  id: idSchema,
  kind: z.enum(['adjustment', 'payment outside', 'money received', 'correction', 'conversion']),
  currency: z.enum(CURRENCIES),
  amount: z.int(),
  /** Of an adjustment or a correction; null of other acts. */
  countsAs: z.enum(COUNTS_AS).nullable(),
  reason: z.string(),
  madeAt: z.iso.datetime(),
  madeBy: z.string(),
})

const balanceSchema = z.object({
  payee: payeeSchema,
  /**
   * Who is paid now. Anybody else has a balance only from earlier periods. Null while pay is off.
   */
  payees: z.enum(PAYEES).nullable(),
  /** The currency in which the payee is paid now. */
  currency: z.enum(CURRENCIES),
  balances: z.array(balanceItemSchema),
  /** The payee's own minimums, also for a currency in which they are no longer paid. */
  ownMinimums: z.array(z.object({ currency: z.enum(CURRENCIES), amount: z.int() })),
  /** Newest first. */
  entries: z.array(balanceEntrySchema),
  /** What was paid before it was owed, of each currency newest first. */
  advances: z.array(
    z.object({
      id: idSchema,
      currency: z.enum(CURRENCIES),
      amount: z.int(),
      /** How much of it statements took back, how much the payee gave back, and how much was given up when they were deleted. */
      taken: z.int(),
      givenBack: z.int(),
      givenUp: z.int(),
      /** Over how many statements it is taken back, and how many there were since. */
      instalments: z.int(),
      statements: z.int(),
      way: z.enum(OUTSIDE_WAYS),
      paidOn: daySchema,
      voucher: z.string(),
      /** Why no statement takes back the rest: the payee was deleted, or is paid in another currency. */
      ended: z.enum(['deleted', 'currency']).nullable(),
    }),
  ),
  /** What of the debts of a deleted payee was given up and not received since, by currency. */
  givenUp: z.array(z.object({ currency: z.enum(CURRENCIES), amount: z.int() })),
  /**
   * What is left of somebody who was deleted, by currency: the balance, and what is owed of advances. Only for who may give it up.
   */
  toGiveUp: z
    .array(z.object({ currency: z.enum(CURRENCIES), balance: z.int(), owed: z.int() }))
    .optional(),
  /** Newest first. */
  adjustments: z.array(adjustmentSchema),
  /**
   * What waits for a second person, oldest first, with what it would add to the balance or to the next statement. For staff
   * alone.
   */
  waiting: z.array(waitingSchema).optional(),
  /** Where the bank is, and which day is there. For staff alone. */
  bank: bankSchema.optional(),
  /**
   * Above what an adjustment in the payee's currency waits for a second person, and what one person alone has added and
   * subtracted since the last statement. For staff alone.
   */
  adjustmentLimit: z.object({ limit: z.int(), added: z.int(), subtracted: z.int() }).optional(),
  /**
   * Who could still approve the payee's next run after the caller has adjusted or held it alone; null if that bars nobody who
   * could now. For staff alone.
   */
  approversAfter: z.array(z.string()).nullable().optional(),
  holds: z.array(z.object({ held: z.boolean(), ...shownHold, told: z.string().nullable() })),
})
export type Balance = z.infer<typeof balanceSchema>

/** 650 kB in base64. */
const MOST_FILE = 900_000
export const MOST_ADJUSTMENTS = 1000

/** CSV, another separated text or an Excel workbook, with the columns payee, amount and reason, and optionally what each counts as. */
const adjustmentFileSchema = secret(
  'bank file',
  z.base64('must be base64').min(1, missing).max(MOST_FILE, 'must have at most 650 kB'),
)

const readAdjustmentsSchema = z.object({
  /** Why nothing can be read; null if something can. */
  refused: z.string().nullable(),
  /** Lines that are not understood. With one of them, nothing is done. */
  problems: z.array(z.object({ line: z.int(), problem: z.string() })),
  lines: z.array(
    z.object({
      line: z.int(),
      payee: payeeSchema,
      currency: z.enum(CURRENCIES),
      amount: z.int(),
      reason: z.string(),
      countsAs: z.enum(COUNTS_AS),
      /** Why it waits for a second person, in a sentence. */
      waits: z.string().nullable(),
      /** What it equals in payee, amount and reason, as a noun: an earlier line, or an adjustment that no statement lists yet. */
      equals: z.string().nullable(),
    }),
  ),
})
export type ReadAdjustments = z.infer<typeof readAdjustmentsSchema>

/** The adjustment that was made, or the proposal that waits. */
const adjustedSchema = z.object({ id: idSchema.nullable(), proposalId: idSchema.nullable() })

/** What payees are owed, and how people change it: adjustments, holds and minimums. */
export const balancesEndpoints = {
  balances: endpoint({
    method: 'GET',
    path: '/api/pay/balances',
    summary: 'List the balances of all payees, highest first',
    ability: 'pay.manage',
    byToken: 'statements',
    action: 'VIEW',
    response: z.array(balanceItemSchema),
  }),
  balance: endpoint({
    method: 'GET',
    path: '/api/pay/balances/:kind/:id',
    summary: 'Get a payee’s balance with its entries',
    ability: 'pay.view',
    byToken: 'statements',
    action: 'VIEW',
    params: z.object(payeeInPath),
    response: balanceSchema,
  }),
  createAdjustment: endpoint({
    method: 'PUT',
    path: '/api/pay/adjustments',
    summary:
      'Add an amount to a payee’s next statement, or subtract one. Above the limit, it waits for a second person.',
    ability: 'pay.manage',
    action: 'CREATE',
    once: true,
    refuses: [404, 409],
    body: z
      .strictObject({
        ...payeeInBody,
        /**
         * The currency in which the payee is paid; or one that they have left with a balance, which is then changed at once,
         * when a second person has approved it.
         */
        currency: z.enum(CURRENCIES),
        amount: z
          .int()
          .min(-MOST_ADJUSTED, tooMuch)
          .max(MOST_ADJUSTED, tooMuch)
          .refine((amount) => amount !== 0, 'must not be zero'),
        reason: reasonSchema,
        /** Tax is withheld from what is earned alone. */
        countsAs: z.enum(COUNTS_AS).default('earned'),
        /** The agent whose doubtful sales it holds back: when they are cleared of fraud, it is taken back. */
        heldBackFor: idSchema.nullish(),
      })
      .refine(({ amount, heldBackFor }) => heldBackFor == null || amount < 0, {
        path: ['amount'],
        message: 'must be negative to hold something back',
      })
      .refine(({ countsAs, heldBackFor }) => heldBackFor == null || countsAs === 'earned', {
        path: ['countsAs'],
        message: 'must be earned, as what it holds back is',
      }),
    response: adjustedSchema,
  }),
  checkAdjustmentFile: endpoint({
    method: 'POST',
    path: '/api/pay/adjustments/check-file',
    summary: 'Read adjustments from a file or a pasted text, and say what entering them would do',
    ability: 'pay.manage',
    action: 'SEARCH',
    refuses: [409],
    body: z.strictObject({ file: adjustmentFileSchema }),
    response: readAdjustmentsSchema,
  }),
  enterAdjustmentFile: endpoint({
    method: 'PUT',
    path: '/api/pay/adjustments/file',
    summary:
      'Enter the adjustments of a file or a pasted text: all of them, or none if a line is not understood. Those above their limits wait for a second person.',
    ability: 'pay.manage',
    action: 'CREATE',
    once: true,
    body: z.strictObject({
      file: adjustmentFileSchema,
      /** Whether the caller knows of the lines that equal another. Needed if there are any. */
      equalsSeen: onOffSchema.default(false),
    }),
    response: z.object({ made: z.int(), waiting: z.int() }),
  }),
  takeBackAdjustment: endpoint({
    method: 'POST',
    path: '/api/pay/adjustments/:id/take-back',
    summary:
      'Take back an adjustment by adding its opposite, which may wait for a second person like any other',
    ability: 'pay.manage',
    action: 'CREATE',
    once: true,
    params: z.object({ id: idTextSchema }),
    body: z.strictObject({ reason: reasonSchema }),
    response: adjustedSchema,
  }),
  convertBalance: endpoint({
    method: 'PUT',
    path: '/api/pay/conversions',
    summary:
      'Convert all of a balance in a currency that its payee has left into the one in which they are paid, once a second person has approved it',
    ability: 'pay.manage',
    action: 'CREATE',
    once: true,
    refuses: [404, 409],
    body: z.strictObject({
      ...payeeInBody,
      /** Of the balance. */
      currency: z.enum(CURRENCIES),
      ...rateFields,
    }),
    response: z.object({ proposalId: idSchema }),
  }),
  payOutside: endpoint({
    method: 'PUT',
    path: '/api/pay/outside-payments',
    summary:
      'Enter what a payee was paid outside payment runs, in cash or otherwise. It counts once a second person has approved it.',
    ability: 'pay.manage',
    action: 'CREATE',
    once: true,
    refuses: [404, 409],
    body: z.strictObject({
      ...payeeInBody,
      currency: z.enum(CURRENCIES),
      amount: z.int().min(1, 'must be more than zero').max(MOST_ADJUSTED, tooMuch),
      way: z.enum(OUTSIDE_WAYS),
      /** A New York day of the last year. */
      paidOn: daySchema,
      /** The number of the receipt. A payee has each once for each way. */
      voucher: required(40),
      /** Over how many statements what is more than the balance is taken back; null if it may not be more. */
      instalments: z
        .int()
        .min(1, mustBeInstalments)
        .max(MOST_INSTALMENTS, mustBeInstalments)
        .nullish(),
      reason: reasonSchema,
    }),
    response: z.object({ proposalId: idSchema }),
  }),
  receiveMoney: endpoint({
    method: 'PUT',
    path: '/api/pay/received-money',
    summary:
      'Enter what a payee paid back, in cash or by transfer: of advances first, then of a negative balance. It counts once a second person has approved it.',
    ability: 'pay.manage',
    action: 'CREATE',
    once: true,
    refuses: [404, 409],
    body: z.strictObject({
      ...payeeInBody,
      currency: z.enum(CURRENCIES),
      /** At most what the payee owes in this currency. */
      amount: z.int().min(1, 'must be more than zero').max(MOST_ADJUSTED, tooMuch),
      way: z.enum(RECEIVED_WAYS),
      /** A day of the last year, where the bank is. */
      paidOn: daySchema,
      /** The number of the receipt, or the bank's reference. A payee has each once for each way. */
      voucher: required(40),
      reason: reasonSchema,
    }),
    response: z.object({ proposalId: idSchema }),
  }),
  giveUpBalance: endpoint({
    method: 'POST',
    path: '/api/pay/balances/:kind/:id/give-up',
    summary:
      'Give up what somebody who was deleted is owed and owes, as their deletion does. Refused unless the exact amounts are sent.',
    ability: 'agents.delete',
    action: 'UPDATE',
    once: true,
    refuses: [404, 409],
    params: z.object(payeeInPath),
    body: z.strictObject({
      /** What the balance has in pesos and in dollars; a minus is what they owe. */
      unpaidCentavos: z.int().default(0),
      unpaidCents: z.int().default(0),
      /** What they owe of advances. */
      owedCentavos: z.int().default(0),
      owedCents: z.int().default(0),
    }),
    response: doneSchema,
  }),
  setPayHold: endpoint({
    method: 'POST',
    path: '/api/pay/balances/:kind/:id/hold',
    summary: 'Put a payee’s pay on hold, or lift the hold',
    ability: 'pay.manage',
    action: 'STATUS',
    once: true,
    params: z.object(payeeInPath),
    body: z.strictObject({
      held: onOffSchema,
      /** Never leaves staff. */
      reason: reasonSchema,
      /** What the payee reads; empty for the usual sentence, or for nothing when it is lifted. */
      told: payeeTextSchema.default(''),
      /** When the hold was set that you look at; null without one. Refused if it is another one by now. */
      seen: z.iso.datetime().nullable().optional(),
    }),
    response: doneSchema,
  }),
  setPayMinimum: endpoint({
    method: 'POST',
    path: '/api/pay/balances/:kind/:id/minimum',
    summary:
      'Set a payee’s own minimum, in their currency; null for the network’s. One in another currency can only be removed.',
    ability: 'pay.manage',
    action: 'UPDATE',
    once: true,
    params: z.object(payeeInPath),
    body: z.strictObject({
      amount: minorUnitsSchema.min(0).nullable(),
      /** What the amount means, if that may have changed meanwhile. An amount is refused unless it is the payee's currency. */
      currency: z.enum(CURRENCIES).optional(),
    }),
    response: doneSchema,
  }),
}
