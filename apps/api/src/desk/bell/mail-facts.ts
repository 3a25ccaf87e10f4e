import { brandOf } from '@tallyroom/domain/brands/index'
import { type Topic, topicLabels, topicOf, TOPICS } from '@tallyroom/domain/facts'
import { addDays, atNewYork, todayNewYork } from '@tallyroom/domain/new-york'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { locks } from '../../db/locks.ts'
import { onlyOneRun } from '../../db/only-one.ts'
import { inTransaction, nowOf } from '../../db/transaction.ts'
import { MOST_SKEW_MS } from '../../lib/clock.ts'
import {
  accountOf,
  findReader,
  getHolder,
  mailBody,
  type MailPart,
  postMail,
  whyClosed,
} from '../../people/index.ts'
import type { Services } from '../../services.ts'
import { readerOf } from './bell.ts'
import { type ActRow, findActsAmong } from './bell.queries.ts'
import { readDay } from './day-figures.ts'
import { wordsOf } from './fact-words.ts'
import {
  bringFactMailsForward,
  type DueDigest,
  findDueDigests,
  findDueTopics,
  findMailReader,
  postpone,
  rememberMailed,
  spreadFacts,
  takeWaiting,
} from './mail-facts.queries.ts'
import { unsubscribeUrl } from './unsubscribe-link.ts'

type MailServices = Pick<Services, 'config' | 'db' | 'reportDb' | 'clock' | 'log' | 'secret'>

/** An account gets one mail about a topic in this time; what comes meanwhile is gathered. */
const PAUSE_MS = 10 * 60_000
/** What is older is no news: a process was down for days, or a world was seeded. */
const LATEST_MS = 5 * 86_400_000
const AT_ONCE = 500
const DIGEST_TIME = '07:00'

/**
 * Writes the mails about facts that are due, into the outbox. One process at a time. Each mail is written in the transaction that
 * takes its facts from what waits, so none is lost, and none is written twice.
 */
export async function mailFacts(services: MailServices): Promise<void> {
  const { db } = services
  await onlyOneRun(db, locks.factMails, async () => {
    while (await spread(services));
    await mailTopics(services)
    await mailDigests(services)
  })
}

async function spread({ db }: MailServices): Promise<boolean> {
  const taken = await inTransaction(db, (tx) =>
    spreadFacts(tx, {
      now: tx.now,
      notBefore: new Date(tx.now.getTime() - LATEST_MS),
      digestAt: digestTimes(tx.now).next,
      pauseMs: PAUSE_MS,
      most: AT_ONCE,
    }),
  )
  return taken === AT_ONCE
}

/** Mails in time what a clock that was ahead has put off. Runs every minute. */
export async function bringForward({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const atOnceBy = new Date(now.getTime() + PAUSE_MS + MOST_SKEW_MS)
  await bringFactMailsForward(db, { now, atOnceBy, digestBy: digestTimes(now).next })
}

/** When a digest was last due, and when the next one is: at 07:00 on New York's clocks. */
export function digestTimes(now: Date): { last: Date; next: Date } {
  const today = todayNewYork(now)
  const at = (days: number) => atNewYork(addDays(today, days), DIGEST_TIME)
  return now < at(0) ? { last: at(-1), next: at(0) } : { last: at(0), next: at(1) }
}

async function mailTopics(services: MailServices): Promise<void> {
  const { db, clock } = services
  for (;;) {
    const due = await findDueTopics(db, clock.now(), AT_ONCE)
    for (const { accountId, topic } of due) {
      await orLater(services, accountId, () =>
        inTransaction(db, (tx) => mailTopic(tx, services, { accountId, topic })),
      )
    }
    if (due.length < AT_ONCE) return
  }
}

async function mailTopic(
  tx: Tx,
  services: MailServices,
  { accountId, topic }: { accountId: number; topic: Topic },
): Promise<void> {
  const facts = await takeWaiting(tx, accountId, { topic })
  const to = await findRecipient(tx, accountId)
  if (!to) return
  const acts = await findActsAmong(tx, await readerOf(tx, to.viewer), facts)
  const [first] = acts
  if (!first) return
  const parts = acts.map((act) => partOf(services, to.viewer, act))
  const [only] = parts
  await rememberMailed(tx, { accountId, topic }, tx.now)
  await post(tx, services, to, {
    subject: only && parts.length === 1 ? only.title : `${topicLabels[topic]}: ${parts.length} new`,
    parts,
    why: `You get mails about: ${topicLabels[topic].toLowerCase()}.`,
    of: topic,
  })
}

async function mailDigests(services: MailServices): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  const since = digestTimes(now).last
  const tried = new Set<number>()
  for (;;) {
    const due = await findDueDigests(db, { now, since, most: AT_ONCE })
    const fresh = due.filter(({ accountId }) => !tried.has(accountId))
    for (const digest of fresh) {
      tried.add(digest.accountId)
      await orLater(services, digest.accountId, () => mailDigest(services, digest, now))
    }
    if (fresh.length < AT_ONCE) return
  }
}

async function mailDigest(
  services: MailServices,
  { accountId, withDay }: DueDigest,
  now: Date,
): Promise<void> {
  const { db, clock } = services
  // Figures go to fewer than facts do: somebody suspended still hears of their pay.
  const reader = withDay ? await findReader(db, accountId, clock.now()) : undefined
  const day = reader && (await readDay(services, viewerOf(reader)))
  await inTransaction(db, async (tx) => {
    const facts = await takeWaiting(tx, accountId, { digestDueBy: now })
    if (withDay) await rememberMailed(tx, { accountId, topic: 'day' }, tx.now)
    const to = await findRecipient(tx, accountId)
    if (!to) return
    const acts = await findActsAmong(tx, await readerOf(tx, to.viewer), facts)
    const parts = [
      ...(day?.parts ?? []),
      ...TOPICS.flatMap((topic) => acts.filter(({ kind }) => topicOf(kind) === topic)).map((act) =>
        partOf(services, to.viewer, act),
      ),
    ]
    if (parts.length === 0) return
    await post(tx, services, to, {
      subject: day?.subject ?? `What is new: ${parts.length}`,
      parts,
      why: 'You get this digest at 07:00 in New York.',
      of: 'digest',
    })
  })
}

/** What fails for one account must not stop the others. */
async function orLater(
  { db, clock, log }: MailServices,
  accountId: number,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.error({ err: error, account: accountId }, 'a mail about facts was not written')
    await postpone(db, accountId, new Date(clock.now().getTime() + PAUSE_MS))
  }
}

type Recipient = { viewer: Viewer; email: string }

/** Undefined for an account without an address, or that may not sign in. */
async function findRecipient(db: DbOrTx, accountId: number): Promise<Recipient | undefined> {
  const row = await findMailReader(db, accountId)
  if (!row || whyClosed(row, nowOf(db))) return undefined
  const { email } = await getHolder(db, accountId)
  if (!email) return undefined
  return { viewer: viewerOf(accountOf(row)), email }
}

const viewerOf = (account: ReturnType<typeof accountOf>): Viewer => ({
  ...account,
  sessionId: '',
  signedInBy: undefined,
})

function partOf(
  { config }: Pick<Services, 'config'>,
  viewer: Viewer,
  { kind, subjects, count }: Omit<ActRow, 'unread'>,
) {
  const { page, ...words } = wordsOf(kind, subjects, {
    count,
    scope: scopeOf(viewer),
    inMail: true,
  })
  return { ...words, url: `${config.publicUrl}${page}` }
}

async function post(
  tx: Tx,
  services: MailServices,
  { viewer: { accountId }, email }: Recipient,
  mail: { subject: string; parts: readonly MailPart[]; why: string; of: Topic | 'digest' },
): Promise<void> {
  const brand = brandOf(services.config.brand)
  const unsubscribe = unsubscribeUrl(services, { accountId, of: mail.of })
  await postMail(tx, services, {
    to: email,
    subject: `${brand.name}: ${mail.subject}`,
    ...mailBody(brand, mail.parts, {
      why: mail.why,
      links: [
        { label: 'Unsubscribe', url: unsubscribe },
        { label: 'Choose what you hear of', url: `${services.config.publicUrl}/app/profile` },
      ],
    }),
    unsubscribeUrl: unsubscribe,
  })
}
