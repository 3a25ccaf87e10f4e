import { type FactContent, type FactSubjects, factSubjects } from '@tallyroom/contract/desk/facts'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import type { FactKind } from '@tallyroom/domain/facts'
import { formatCount } from '@tallyroom/domain/money'
import { dayOf } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'
import type { Scope } from '../../access/scope.ts'

/** What a reader is told, and the page that it leads to. */
type FactWords = { title: string; text: string; page: string }

/** Who reads it, and where. Sums are left out of mails, which pass through many hands. */
type Reading = { scope: Scope; inMail?: boolean }

/**
 * What one act did, in the words of bell and mails.
 *
 * @param subjects of some of its facts, in the shapes of {@link factSubjects}
 * @param about how many facts there are, and who reads: whose it is, is *you*
 */
export function wordsOf(
  kind: FactKind,
  subjects: readonly unknown[],
  { count, ...reading }: Reading & { count: number },
): FactWords {
  const facts = subjects.map(
    // Written in these shapes, which every release reads.
    (subject) => ({ kind, subject: factSubjects[kind].parse(subject) }) as FactContent,
  )
  const [first] = facts
  if (!first) throw new RangeError('an act without facts has no words')
  return count > 1 ? many(facts, count) : one(first, reading)
}

function one(fact: FactContent, reading: Reading): FactWords {
  const { scope, inMail = false } = reading
  switch (fact.kind) {
    case 'agent.approved':
      return scope.sees === 'agent'
        ? {
            title: 'You are approved',
            text: 'Your links work from now on.',
            page: '/app/links/links',
          }
        : { title: `${fact.subject.username} is approved`, text: '', page: agentPage(fact.subject) }
    case 'agent.suspended':
      return scope.sees === 'agent'
        ? {
            title: 'You are suspended',
            text: 'Your links don’t work. Ask your office why.',
            page: '/app/home',
          }
        : {
            title: `${fact.subject.username} is suspended`,
            text: '',
            page: agentPage(fact.subject),
          }
    case 'statement.closed': {
      const { number, statementId } = fact.subject
      return {
        title: isOwn(fact.subject, scope)
          ? `Your statement ${number} is ready`
          : `The statement ${number} of ${fact.subject.payee.name} is ready`,
        text: inMail
          ? 'It says what was earned, line by line, and what becomes of it.'
          : moneyOf(fact.subject),
        page: `/app/pay/statements/${statementId}`,
      }
    }
    case 'payment.sent': {
      const day = fact.subject.executionDay
      return {
        title: isOwn(fact.subject, scope)
          ? 'Your money is on its way'
          : `Money is on its way to ${fact.subject.payee.name}`,
        text: inMail
          ? `The bank is to carry it out on ${daysInWords({ start: day, end: day })}. The balance says how much, and to which account.`
          : `${moneyOf(fact.subject)}, to be carried out on ${daysInWords({ start: day, end: day })}`,
        page: balancePage(fact.subject),
      }
    }
    case 'payment.failed':
      return transfer(fact.subject, reading, 'failed')
    case 'payment.returned':
      return transfer(fact.subject, reading, 'came back')
    case 'pay.held':
      return {
        title: isOwn(fact.subject, scope)
          ? 'Your pay is on hold'
          : `The pay of ${fact.subject.payee.name} is on hold`,
        text:
          inMail && isOwn(fact.subject, scope)
            ? `${fact.subject.told || 'Ask the people who pay you what is missing.'}
What you earn still counts, and your statements are made. Nothing is paid until the hold is lifted.`
            : fact.subject.told,
        page: balancePage(fact.subject),
      }
    case 'pay.released':
      return {
        title: isOwn(fact.subject, scope)
          ? 'Your pay is no longer on hold'
          : `The pay of ${fact.subject.payee.name} is no longer on hold`,
        text: fact.subject.told,
        page: balancePage(fact.subject),
      }
    case 'account.changed':
      return {
        title: `Your ${fact.subject.changed.join(' and ')} ${fact.subject.changed.length > 1 ? 'were' : 'was'} changed`,
        text: 'If it wasn’t you, say so at once.',
        page: fact.subject.changed.includes('payment account')
          ? '/app/pay/account'
          : '/app/profile',
      }
    case 'postback.failed': {
      const { format, targetId, host, isOff } = fact.subject
      return {
        title: `Your ${format} to ${host} ${isOff ? 'is off' : 'fails'}`,
        text: isOff ? 'Nothing is sent to it until you switch it on.' : '',
        page: `/app/${format === 'webhook' ? 'settings/webhooks' : 'profile-postbacks'}/${targetId}`,
      }
    }
    case 'rate.changed': {
      const { name, office, from, siteId } = fact.subject
      const day = dayOf(new Date(from))
      return {
        title: `The rates of ${name} ${office === null ? '' : `for ${office} `}are changed`,
        text: `From ${daysInWords({ start: day, end: day })} on`,
        page: `/app/sites/${siteId}/rates`,
      }
    }
    case 'alarm.raised':
    case 'alarm.ended': {
      const { title, text, page } = fact.subject
      return { title, text, page }
    }
    case 'proof.broken':
    case 'proof.mended':
    case 'proof.verified': {
      const { title, text } = fact.subject
      return { title, text, page: VERIFICATION }
    }
  }
}

const VERIFICATION = '/app/settings/verification'

/** Several at once, of which the first ones are named. */
function many(facts: readonly FactContent[], count: number): FactWords {
  const number = formatCount(count)
  const words = {
    'agent.approved': { title: `${number} agents are approved`, page: '/app/agents' },
    'agent.suspended': { title: `${number} agents are suspended`, page: '/app/agents' },
    'statement.closed': { title: `${number} statements are ready`, page: '/app/pay/statements' },
    'payment.sent': { title: `${number} payments are on their way`, page: '/app/pay/balances' },
    'payment.failed': { title: `${number} transfers failed`, page: '/app/pay/balances' },
    'payment.returned': { title: `${number} transfers came back`, page: '/app/pay/balances' },
    'pay.held': { title: `The pay of ${number} payees is on hold`, page: '/app/pay/balances' },
    'pay.released': {
      title: `The pay of ${number} payees is no longer on hold`,
      page: '/app/pay/balances',
    },
    'account.changed': { title: 'Your account was changed', page: '/app/profile' },
    'postback.failed': { title: `${number} of your postbacks fail`, page: '/app/home' },
    'rate.changed': { title: `${number} rates are changed`, page: '/app/sites/sites' },
    'alarm.raised': { title: `${number} alarms`, page: '/app/home' },
    'alarm.ended': { title: `${number} alarms have ended`, page: '/app/home' },
    'proof.broken': { title: `${number} verifications find differences`, page: VERIFICATION },
    'proof.mended': { title: `${number} verifications find none any more`, page: VERIFICATION },
    'proof.verified': { title: `${number} verifications`, page: VERIFICATION },
  } as const satisfies Record<FactKind, { title: string; page: string }>
  const [first] = facts
  const named = facts.map(nameOf).filter((name) => name !== '')
  const rest = count - named.length
  return {
    ...words[first?.kind ?? 'alarm.raised'],
    text: [...named, ...(named.length > 0 && rest > 0 ? [`${formatCount(rest)} more`] : [])].join(
      ', ',
    ),
  }
}

function nameOf({ kind, subject }: FactContent): string {
  switch (kind) {
    case 'agent.approved':
    case 'agent.suspended':
      return subject.username
    case 'account.changed':
      return ''
    case 'postback.failed':
      return subject.host
    case 'rate.changed':
      return subject.name
    case 'alarm.raised':
    case 'alarm.ended':
    case 'proof.broken':
    case 'proof.mended':
    case 'proof.verified':
      return subject.title
    default:
      return subject.payee.name
  }
}

const transfer = (
  subject: FactSubjects['payment.failed'],
  { scope, inMail = false }: Reading,
  what: 'failed' | 'came back',
): FactWords =>
  isOwn(subject, scope)
    ? {
        title: `A transfer to you ${what}`,
        text: `${inMail ? 'It' : moneyOf(subject)} is in your balance again. Look whether your payment account is right.`,
        page: '/app/pay/account',
      }
    : {
        title: `A transfer to ${subject.payee.name} ${what}`,
        text: `${inMail ? 'It' : moneyOf(subject)} is in their balance again.`,
        page: balancePage(subject),
      }

type OfPayee = Pick<FactSubjects['pay.held'], 'payee'>

const isOwn = ({ payee }: OfPayee, scope: Scope): boolean => payee.kind === scope.sees

const moneyOf = ({ amount, currency }: FactSubjects['payment.failed']): string =>
  moneyText(amount, currency)

const balancePage = ({ payee }: OfPayee): string => `/app/pay/balances/${payee.kind}/${payee.id}`

const agentPage = ({ agentId }: FactSubjects['agent.approved']): string => `/app/agents/${agentId}`
