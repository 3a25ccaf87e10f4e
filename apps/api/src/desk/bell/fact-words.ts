import { type FactSubjects, factSubjects } from '@tallyroom/contract/desk/facts'
import { FACTOR_RESET_DAYS } from '@tallyroom/domain/acts'
import { outsideText } from '@tallyroom/contract/pay/outside/outside'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { factorEventWords } from '@tallyroom/domain/factors'
import type { FactKind } from '@tallyroom/domain/facts'
import { formatCount } from '@tallyroom/domain/money'
import { dayOf } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'
import { signInEventWords } from '@tallyroom/domain/sign-ins'
import type { Scope } from '../../access/scope.ts'

/** What a reader is told, and the page that it leads to. */
type FactWords = { title: string; text: string; page: string }

/** Who reads it, and where. Sums are left out of mails, which pass through many hands. */
type Reading = { scope: Scope; inMail: boolean }

/** What facts of a kind say, by what is kept of them. */
type KindWords<Subject> = {
  one: (subject: Subject, reading: Reading) => FactWords
  /** Several at once: their page, and a title that counts them. */
  many: (count: string) => Omit<FactWords, 'text'>
  /** What a fact is called among several; empty if they have no names. */
  name: (subject: Subject) => string
}

/**
 * What one act did, in the words of bell and mails.
 *
 * @param subjects of some of its facts, in the shapes of {@link factSubjects}
 * @param about how many facts there are, and who reads: whose it is, is *you*
 */
export function wordsOf(
  kind: FactKind,
  subjects: readonly unknown[],
  { count, scope, inMail = false }: { count: number; scope: Scope; inMail?: boolean },
): FactWords {
  // Written in these shapes, which every release reads.
  const facts = subjects.map((subject): FactSubjects[FactKind] => factSubjects[kind].parse(subject))
  const [first] = facts
  if (!first) throw new RangeError('an act without facts has no words')
  const words = kindWords[kind] as KindWords<FactSubjects[FactKind]> // the subjects are of this kind
  if (count <= 1) return words.one(first, { scope, inMail })
  const named = facts.map((fact) => words.name(fact)).filter((name) => name !== '')
  const rest = count - named.length
  const more = named.length > 0 && rest > 0 ? [`${formatCount(rest)} more`] : []
  return { ...words.many(formatCount(count)), text: [...named, ...more].join(', ') }
}

const VERIFICATION = '/app/settings/verification'
const BALANCES = '/app/pay/balances'

const kindWords: { [Kind in FactKind]: KindWords<FactSubjects[Kind]> } = {
  'agent.approved': {
    one: (agent, { scope }) =>
      scope.sees === 'agent'
        ? {
            title: 'Your links work',
            text: 'You can sell from now on.',
            page: '/app/links/links',
          }
        : { title: `${agent.username} may sell now`, text: '', page: agentPage(agent) },
    many: (count) => ({ title: `${count} agents may sell now`, page: '/app/agents' }),
    name: ({ username }) => username,
  },
  'agent.suspended': {
    one: (agent, { scope }) =>
      scope.sees === 'agent'
        ? {
            title: 'You are suspended',
            text: 'Your links don’t work. Ask your office why.',
            page: '/app/home',
          }
        : { title: `${agent.username} is suspended`, text: '', page: agentPage(agent) },
    many: (count) => ({ title: `${count} agents are suspended`, page: '/app/agents' }),
    name: ({ username }) => username,
  },
  'statement.closed': {
    one: (statement, { scope, inMail }) => ({
      title: isOwn(statement, scope)
        ? `Your statement ${statement.number} is ready`
        : `The statement ${statement.number} of ${nameOf(statement)} is ready`,
      text: inMail
        ? 'It says what was earned, line by line, and what becomes of it.'
        : moneyOf(statement),
      page: `/app/pay/statements/${statement.statementId}`,
    }),
    many: (count) => ({ title: `${count} statements are ready`, page: '/app/pay/statements' }),
    name: nameOf,
  },
  'payment.sent': {
    one: (payment, { scope, inMail }) => {
      const day = daysInWords({ start: payment.executionDay, end: payment.executionDay })
      return {
        title: isOwn(payment, scope) ? 'Payment sent' : `Payment sent to ${nameOf(payment)}`,
        text: inMail
          ? `Bank date: ${day}. The balance says how much, and to which account.`
          : `${moneyOf(payment)} · bank date ${day}`,
        page: balancePage(payment),
      }
    },
    many: (count) => ({ title: `${count} payments sent`, page: BALANCES }),
    name: nameOf,
  },
  'payment.failed': transferWords('failed'),
  'payment.returned': transferWords('came back'),
  'payment.contradicted': {
    one: ({ runId, number, transfers, amount, currency }, { inMail }) => {
      const what = transfers === 1 ? '1 transfer' : `${formatCount(transfers)} transfers`
      return {
        title: `Your bank refuses what was reported paid: ${number}`,
        text: `${inMail ? what : `${what}, ${moneyText(amount, currency)}`}. Ask your bank which is true.`,
        page: `/app/pay/runs/${runId}`,
      }
    },
    many: (count) => ({
      title: `Your bank refuses what was reported paid of ${count} runs`,
      page: '/app/pay/runs',
    }),
    name: ({ number }) => number,
  },
  'payment.outside': {
    one: (payment, { scope, inMail }) => {
      const how = outsideText(payment)
      const own = 'If you did not get it, say so at once: to the network, not to whoever paid you.'
      const what = inMail ? `It was paid ${how}.` : `${moneyOf(payment)} ${how}.`
      return isOwn(payment, scope)
        ? { title: 'You were paid', text: `${what} ${own}`, page: balancePage(payment) }
        : { title: `${nameOf(payment)} was paid`, text: what, page: balancePage(payment) }
    },
    many: (count) => ({ title: `${count} payees were paid outside payment runs`, page: BALANCES }),
    name: nameOf,
  },
  'money.received': {
    one: (money, { scope, inMail }) => {
      const how = outsideText(money)
      const own = 'If you did not pay it, say so at once: to the network, not to whoever took it.'
      const what = inMail ? `It was paid ${how}.` : `${moneyOf(money)} ${how}.`
      return isOwn(money, scope)
        ? { title: 'You paid back money', text: `${what} ${own}`, page: balancePage(money) }
        : { title: `${nameOf(money)} paid back money`, text: what, page: balancePage(money) }
    },
    many: (count) => ({ title: `${count} payees paid back money`, page: BALANCES }),
    name: nameOf,
  },
  'pay.held': {
    one: (hold, { scope, inMail }) => ({
      title: isOwn(hold, scope) ? 'Your pay is on hold' : `The pay of ${nameOf(hold)} is on hold`,
      text:
        inMail && isOwn(hold, scope)
          ? `${hold.told || 'Ask the people who pay you what is missing.'}
What you earn still counts, and your statements are made. Nothing is paid until the hold is lifted.`
          : hold.told,
      page: balancePage(hold),
    }),
    many: (count) => ({ title: `The pay of ${count} payees is on hold`, page: BALANCES }),
    name: nameOf,
  },
  'pay.released': {
    one: (hold, { scope }) => ({
      title: isOwn(hold, scope)
        ? 'Your pay is no longer on hold'
        : `The pay of ${nameOf(hold)} is no longer on hold`,
      text: hold.told,
      page: balancePage(hold),
    }),
    many: (count) => ({ title: `The pay of ${count} payees is no longer on hold`, page: BALANCES }),
    name: nameOf,
  },
  'account.changed': {
    one: ({ changed }) => ({
      title: `Your ${changed.join(' and ')} ${changed.length > 1 ? 'were' : 'was'} changed`,
      text: 'If it wasn’t you, say so at once.',
      page: changed.includes('payment account') ? '/app/pay/account' : '/app/profile',
    }),
    many: () => ({ title: 'Your account was changed', page: '/app/profile' }),
    name: () => '',
  },
  'factor.changed': {
    one: ({ happened }) => ({
      title: factorEventWords[happened],
      text: 'If it wasn’t you, say so at once.',
      page: '/app/profile',
    }),
    many: () => ({ title: 'How you sign in was changed', page: '/app/profile' }),
    name: () => '',
  },
  'sign-in.noticed': {
    one: ({ happened, browser, ip }) => ({
      title: signInEventWords[happened],
      text: `${browser}, ${ip}. If it wasn’t you, open this and end the sessions.`,
      page: '/app/not-me',
    }),
    many: (count) => ({
      title: `${count} attempts to sign in from new places`,
      page: '/app/not-me',
    }),
    name: ({ browser }) => browser,
  },
  'sessions.ended': {
    one: () => ({
      title: 'You were signed out everywhere',
      text: 'Somebody who manages your account ended all of its sessions. API tokens still work.',
      page: '/app/profile',
    }),
    many: () => ({ title: 'You were signed out everywhere', page: '/app/profile' }),
    name: () => '',
  },
  'password.asked': {
    one: ({ username, whose, id }, { scope }) =>
      whose === scope.sees
        ? {
            title: 'Somebody asked for a new password for your account',
            text:
              whose === 'agent'
                ? 'Your office and the network see it. If it wasn’t you, tell them.'
                : 'The network sees it. If it wasn’t you, tell them.',
            page: '/app/profile',
          }
        : {
            title: asksForPassword(username),
            text: setPasswordText,
            page: whose === 'agent' ? `/app/agents/edit/${id}` : `/app/offices/edit/${id}`,
          },
    many: (count) => ({ title: `${count} new passwords are asked for`, page: '/app/home' }),
    name: ({ username }) => username,
  },
  'staff-password.asked': {
    one: ({ accountId, username, role }) =>
      role === 'admin'
        ? {
            title: asksForPassword(username),
            text: setPasswordText,
            page: `/app/admins/edit/${accountId}`,
          }
        : {
            title: asksForPassword(username),
            text: 'The operator sets a superadmin’s on the command line. Tell them once you have made sure that it is them, in person or by a call you make.',
            page: '/app/home',
          },
    many: (count) => ({ title: `${count} new passwords are asked for`, page: '/app/admins' }),
    name: ({ username }) => username,
  },
  'factor.reset': {
    one: ({ username }) => ({
      title: `The second factor of ${username} was removed`,
      text: `The operator did it on the command line. For ${FACTOR_RESET_DAYS} days, the account approves nothing. Ask its holder whether they wanted it.`,
      page: '/app/home',
    }),
    many: (count) => ({ title: `${count} second factors were removed`, page: '/app/home' }),
    name: ({ username }) => username,
  },
  'factor.recovered': {
    one: ({ username }) => ({
      title: `The second factor of ${username} was changed with a recovery code`,
      text: `For ${FACTOR_RESET_DAYS} days, the account approves nothing. Unless it is yours, ask its holder whether it was them.`,
      page: '/app/home',
    }),
    many: (count) => ({
      title: `${count} second factors were changed with recovery codes`,
      page: '/app/home',
    }),
    name: ({ username }) => username,
  },
  'postback.failed': {
    one: ({ format, targetId, host, isOff }) => ({
      title: `Your ${format} to ${host} ${isOff ? 'is off' : 'fails'}`,
      text: isOff ? 'Nothing is sent to it until you switch it on.' : '',
      page: `/app/${format === 'webhook' ? 'settings/webhooks' : 'profile-postbacks'}/${targetId}`,
    }),
    many: (count) => ({ title: `${count} of your postbacks fail`, page: '/app/home' }),
    name: ({ host }) => host,
  },
  'decision.wanted': {
    one: ({ name, by, reason, notDone = false }, { inMail }) => ({
      title: notDone ? `A decision was not done: ${name}` : `${by} asks for a decision: ${name}`,
      text: !inMail
        ? reason
        : notDone
          ? `What ${by} decided about a postback was not done. It waits for a decision again.`
          : 'A postback is held until a superadmin decides.',
      page: '/app/decisions',
    }),
    many: (count) => ({ title: `${count} decisions are asked for`, page: '/app/decisions' }),
    name: ({ name }) => name,
  },
  'rate.changed': {
    one: ({ name, office, from, siteId }) => {
      const day = dayOf(new Date(from))
      return {
        title: `New rates: ${name}${office === null ? '' : ` for ${office}`}`,
        text: `From ${daysInWords({ start: day, end: day })} on`,
        page: `/app/sites/${siteId}/rates`,
      }
    },
    many: (count) => ({ title: `${count} new rates`, page: '/app/sites/sites' }),
    name: ({ name }) => name,
  },
  'alarm.raised': asWritten((count) => `${count} alarms`, '/app/home'),
  'alarm.ended': asWritten((count) => `${count} alarms have ended`, '/app/home'),
  'proof.broken': asWritten((count) => `${count} verifications find differences`, VERIFICATION),
  'proof.mended': asWritten((count) => `${count} verifications find none any more`, VERIFICATION),
  'proof.verified': asWritten((count) => `${count} verifications`, VERIFICATION),
}

const asksForPassword = (username: string) => `${username} asks for a new password`

const setPasswordText =
  'Set one on their page once you have made sure that it is them, in person or by a call you make.'

/** Of a transfer whose money is back in the balance. */
function transferWords(what: 'failed' | 'came back'): KindWords<FactSubjects['payment.failed']> {
  return {
    one: (transfer, { scope, inMail }) => {
      const money = inMail ? 'It' : moneyOf(transfer)
      return isOwn(transfer, scope)
        ? {
            title: `A transfer to you ${what}`,
            text: `${money} is in your balance again. Look whether your payment account is right.`,
            page: '/app/pay/account',
          }
        : {
            title: `A transfer to ${nameOf(transfer)} ${what}`,
            text: `${money} is in their balance again.`,
            page: balancePage(transfer),
          }
    },
    many: (count) => ({ title: `${count} transfers ${what}`, page: BALANCES }),
    name: nameOf,
  }
}

/** Of what brings its own words. @param page of what has none of its own, and of several */
function asWritten(
  titleOf: (count: string) => string,
  page: string,
): KindWords<{ title: string; text: string; page?: string }> {
  return {
    one: (fact) => ({ title: fact.title, text: fact.text, page: fact.page ?? page }),
    many: (count) => ({ title: titleOf(count), page }),
    name: ({ title }) => title,
  }
}

type OfPayee = Pick<FactSubjects['pay.held'], 'payee'>

const isOwn = ({ payee }: OfPayee, scope: Scope): boolean => payee.kind === scope.sees

function nameOf({ payee }: OfPayee): string {
  return payee.name
}

const moneyOf = ({ amount, currency }: FactSubjects['payment.failed']): string =>
  moneyText(amount, currency)

const balancePage = ({ payee }: OfPayee): string => `/app/pay/balances/${payee.kind}/${payee.id}`

const agentPage = ({ agentId }: FactSubjects['agent.approved']): string => `/app/agents/${agentId}`
