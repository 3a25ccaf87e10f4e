import { brandOf } from '@tallyroom/domain/brands/index'
import type { Day } from '@tallyroom/domain/new-york'
import type { Currency } from '@tallyroom/domain/pay'
import { daysInWords } from '@tallyroom/domain/periods'
import type { Tx } from '../../db/database.ts'
import { findOptions } from '../../catalogue/index.ts'
import { type NewFact, writeFacts } from '../../notices/index.ts'
import { findReachable, postMails } from '../../people/index.ts'
import type { Services } from '../../services.ts'
import { findPayeeNames, type PayeeKey, payeeText } from './payees.queries.ts'

/** What telling a payee takes. Without a configuration nobody is told: the past of a demo network. */
export type TellServices = Pick<Services, 'clock' | 'secret'> & {
  config: Services['config'] | null
}

/** What happened to a payee's money. Sums are in the bell; mails, which pass through many hands, leave them to the pages. */
export type ToldOfPay =
  | ({ kind: 'statement'; statementId: number; number: string } & Sum)
  | ({ kind: 'sent'; executionDay: Day } & Sum)
  | ({ kind: 'failed' | 'returned' } & Sum)
  /** `told`: what staff wrote for the payee. Their own reason is never in a mail. */
  | { kind: 'held' | 'released'; payee: PayeeKey; told: string }

/** In centavos or cents. */
type Sum = { payee: PayeeKey; amount: number; currency: Currency }

/**
 * Writes what happened, and a mail to the holders of the payees' accounts, in the transaction of what it tells of, once for each
 * payee and fact. While payouts are hidden from offices and agents, they are told only of holds. Call this last: see `postMails`.
 */
export async function tellPayees(
  tx: Tx,
  { config, ...services }: TellServices,
  all: readonly ToldOfPay[],
  byAccountId: number,
): Promise<void> {
  if (!config || all.length === 0) return
  await writeFacts(tx, await factsOf(tx, all), { at: services.clock.now(), byAccountId })
  const seesPayouts = (await findOptions(tx)).some(
    ({ name, value }) => name === 'payout_visible' && value === 1,
  )
  const told = all.filter(({ kind }) => seesPayouts || kind === 'held' || kind === 'released')
  const idsOf = (kind: PayeeKey['kind']) =>
    told.flatMap(({ payee }) => (payee.kind === kind ? [payee.id] : []))
  const reachable = Map.groupBy(
    await findReachable(
      tx,
      { officeIds: idsOf('office'), agentIds: idsOf('agent') },
      services.clock.now(),
    ),
    ({ officeId, agentId }) =>
      payeeText(
        agentId === null ? { kind: 'office', id: officeId ?? 0 } : { kind: 'agent', id: agentId },
      ),
  )
  const { name } = brandOf(config.brand)
  const once = new Map(told.map((one) => [keyOf(one), one]))
  const mails = [...once.values()].flatMap((one) => {
    const { subject, text, link } = wordsOf(one)
    return (reachable.get(payeeText(one.payee)) ?? []).map(({ email }) => ({
      to: email,
      subject: `${name}: ${subject}`,
      text: `${text}\n\n${config.publicUrl}${link}\n\n${name}\n`,
    }))
  })
  await postMails(tx, { ...services, config }, mails)
}

/** Of each payee one: the parts of a payment are summed. */
async function factsOf(tx: Tx, all: readonly ToldOfPay[]): Promise<NewFact[]> {
  const names = await findPayeeNames(
    tx,
    all.map(({ payee }) => payee),
  )
  return [...Map.groupBy(all, keyOf).values()].flatMap((parts) => {
    const [one] = parts
    if (!one) return []
    const { kind, id } = one.payee
    const of = kind === 'agent' ? { agentId: id } : { officeId: id }
    const payee = { ...one.payee, name: names.get(payeeText(one.payee)) ?? '' }
    if (one.kind === 'held' || one.kind === 'released') {
      return [{ kind: `pay.${one.kind}`, of, subject: { payee, told: one.told } }]
    }
    const amount = parts.reduce((sum, part) => sum + ('amount' in part ? part.amount : 0), 0)
    const sum = { payee, amount, currency: one.currency }
    switch (one.kind) {
      case 'statement': {
        const { statementId, number } = one
        return [{ kind: 'statement.closed', of, subject: { ...sum, statementId, number } }]
      }
      case 'sent':
        return [
          { kind: 'payment.sent', of, subject: { ...sum, executionDay: one.executionDay } },
        ]
      case 'failed':
      case 'returned':
        return [{ kind: `payment.${one.kind}`, of, subject: sum }]
    }
  })
}

const keyOf = (one: ToldOfPay): string =>
  [one.kind, payeeText(one.payee), one.kind === 'statement' ? one.number : ''].join(' ')

function wordsOf(one: ToldOfPay): { subject: string; text: string; link: string } {
  const balance = `/app/pay/balances/${one.payee.kind}/${one.payee.id}`
  switch (one.kind) {
    case 'statement':
      return {
        subject: `your statement ${one.number} is ready`,
        text: `Your statement ${one.number} says what you earned, line by line, and what becomes of it.`,
        link: `/app/pay/statements/${one.statementId}`,
      }
    case 'sent':
      return {
        subject: 'your money is on its way',
        text: `We have sent a payment to your account through the bank, to be carried out on ${daysInWords({ start: one.executionDay, end: one.executionDay })}. Your balance says how much, and to which account.`,
        link: balance,
      }
    case 'failed':
      return {
        subject: 'a transfer to you failed',
        text: 'The bank could not carry out a transfer to your account. It is in your balance again. Look whether your payment account is right:',
        link: '/app/pay/account',
      }
    case 'returned':
      return {
        subject: 'a transfer to you came back',
        text: 'A transfer to your account came back from the bank. It is in your balance again. Look whether your payment account is right:',
        link: '/app/pay/account',
      }
    case 'held':
      return {
        subject: 'your pay is on hold',
        text: `${one.told || 'Ask the people who pay you what is missing.'}

What you earn still counts, and your statements are made. Nothing is paid until the hold is lifted.`,
        link: balance,
      }
    case 'released':
      return {
        subject: 'your pay is no longer on hold',
        text: `${one.told ? `${one.told}\n\n` : ''}What you are owed can be paid again.`,
        link: balance,
      }
  }
}
