import type { Db } from '../db/database.ts'
import { forgetFormKeys } from '../db/do-once.ts'
import { bringMailsForward, forgetMails, purgeSignIn } from '../people/index.ts'
import {
  ensurePartitions,
  forgetOldVisitors,
  forgetSignedAnswers,
  forgetTests,
  learnWords,
  carryOutDecisions,
  settleDecided,
  settleWaiting,
  tellingLedger,
  type Stores,
} from '../tracking/index.ts'
import { foldTotals, foldWhileRead, vacuumPending } from '../totals/index.ts'
import {
  bringDeliveriesForward,
  tellOfLastingFailures,
  bringFactMailsForward,
  forgetDeliveries,
  mailDueViews,
  mailFacts,
  removeOrphanedEvents,
  watchFiguresWhenDue,
  watchLinks,
} from '../desk/index.ts'
import { verifyWhenDue } from '../operate/index.ts'
import { everybody, forgetFacts } from '../notices/index.ts'
import type { Services } from '../services.ts'
import { every } from '../lib/every.ts'
import { makeSafeFetch } from '../lib/net/safe-fetch.ts'
import { archiveInChild } from './archive-in-child.ts'

/** The recurring tasks of every process. Each is safe to run in several processes at once. */
export function startRecurringTasks(
  services: Services & Stores,
  owner: Db,
): { stop(): Promise<void> } {
  const { db, clock, clickStore, log } = services
  const settling = { ...services, ledger: tellingLedger(services.ledger, everybody) }
  const stopping = new AbortController()
  const fetch = makeSafeFetch(services.config.webhookAllow)
  const tasks = [
    every('fold the totals', 5_000, () => foldTotals(db), { log }),
    every('fold the totals for readers', 50, () => foldWhileRead(services), { log }),
    every('vacuum the pending totals', 10_000, () => vacuumPending(owner), { log }),
    every('settle waiting postbacks', 3_000, () => settleWaiting(settling), { log }),
    every('carry out decisions', 3_000, () => carryOutDecisions(settling), { log }),
    every('settle what waited for a word', 3_000, () => settleDecided(settling), { log }),
    every('read what sites send', 10_000, () => learnWords(services), { log }),
    every(
      'delete expired answers to signed postbacks',
      300_000,
      () => forgetSignedAnswers(services),
      {
        log,
      },
    ),
    every('purge expired sign-in data', 300_000, () => purgeSignIn(services), { log }),
    every('delete late events of deleted agents', 600_000, () => removeOrphanedEvents(services), {
      log,
    }),
    // Due times are in the database, so that neither a start nor a stop of a process moves or loses one.
    every('mail views that are due', 20_000, () => mailDueViews(services), { log }),
    every('write mails about facts', 5_000, () => mailFacts(services), { log }),
    every('bring mails forward', 60_000, () => bringMailsForward(services), { log }),
    every('bring mails about facts forward', 60_000, () => bringFactMailsForward(services), {
      log,
    }),
    every('tell of targets that keep failing', 60_000, () => tellOfLastingFailures(services), {
      log,
    }),
    every('bring deliveries forward', 60_000, () => bringDeliveriesForward(services), { log }),
    every('look for alarms', 10_000, () => watchFiguresWhenDue(services), { log }),
    every(
      'ask where links lead',
      60_000,
      () => watchLinks({ ...services, fetch }, stopping.signal),
      {
        log,
      },
    ),
    every('verify pay, logs and totals', 60_000, () => verifyWhenDue(services, stopping.signal), {
      log,
    }),
    every('delete old mails', 3_600_000, () => forgetMails(services), { log }),
    every('delete old deliveries', 3_600_000, () => forgetDeliveries(services), { log }),
    every('delete old facts', 3_600_000, () => forgetFacts(db, clock.now()), { log }),
    every('delete old keys of forms', 3_600_000, () => forgetFormKeys(db, clock.now()), { log }),
    every('delete old tests of links', 3_600_000, () => forgetTests(db, clock.now()), { log }),
    every('create future partitions', 3_600_000, () => ensurePartitions(owner, clock), { log }),
    every('archive old clicks', 3_600_000, () => archiveInChild(services, owner, stopping.signal), {
      log,
    }),
    every('forget old visitors', 3_600_000, () => forgetOldVisitors(owner, clock), { log }),
  ]
  // Now, because late clicks of such a month wait, and the hourly task first runs in an hour.
  clickStore.months.release(owner).catch((error: unknown) => {
    log.warn({ err: error }, 'a month that an archiving left frozen is not let in yet')
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all(tasks.map((task) => task.stop()))
    },
  }
}
