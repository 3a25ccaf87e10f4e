import type { ChangeWatch } from '../../db/changes.ts'
import { every, type Recurring } from '../../lib/every.ts'
import { type Mailer, mailerOf } from '../../lib/mailer.ts'
import { latestTries, pauseAfter } from '../../lib/pause-after.ts'
import type { Services } from '../../services.ts'
import { findReader } from '../accounts/find-reader.ts'
import {
  bringMailsForward,
  deleteDoneMails,
  leaseDueMail,
  type LeasedMail,
  updateLeased,
} from './mails.queries.ts'
import { openMail } from './post-mail.ts'

type SendServices = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'secret' | 'formerSecrets'>

/** How long a process has a mail to itself: longer than a mail server may take. */
const LEASE_MS = 5 * 60_000

/** After each failed try, until the mail is given up: twice as long each time, and six hours from the tenth on. */
const PAUSES_MS = Array.from({ length: 10 }, (_, n) => Math.min(60_000 * 2 ** n, 6 * 3_600_000))
/** Of what the mail server said, in characters. */
const KEPT_ERROR = 500

const KEEP_DONE_MS = 7 * 86_400_000

/** Sends mails as soon as they are committed, by this process or another, and refused ones again. */
export function startMailSender(
  services: SendServices,
  changes: Pick<ChangeWatch, 'keepFresh'>,
  lookMs = 5_000,
): Pick<Recurring, 'stop'> {
  const mailer = mailerOf(services.config, services.clock)
  const stopping = new AbortController()
  const sending = every(
    'send mails',
    lookMs,
    () => sendDueMails(services, mailer, stopping.signal),
    services,
  )
  changes.keepFresh(['mails'], async () => void sending.runNow())
  return {
    async stop() {
      stopping.abort()
      await sending.stop()
      mailer.close()
    },
  }
}

/**
 * Sends every mail that is due. A mail counts as sent once the mail server has accepted it. If the process dies in the
 * instant after that, another sends it again, under the same message id: a missing notice would go unnoticed.
 */
export async function sendDueMails(
  services: SendServices,
  mailer: Mailer,
  stopping?: AbortSignal,
): Promise<void> {
  const { db, clock } = services
  while (!stopping?.aborted) {
    const now = clock.now()
    const mail = await leaseDueMail(db, { now, until: new Date(now.getTime() + LEASE_MS) })
    if (!mail) return
    await sendMail(services, mailer, mail)
  }
}

async function sendMail(services: SendServices, mailer: Mailer, mail: LeasedMail): Promise<void> {
  const { db, clock, log } = services
  const { id, tries, give_up_at: giveUpAt, expires, account_id: accountId } = mail
  const tried = { tried_at: clock.now() }
  const contentless = { sealed_text: null, sealed_html: null, sealed_files: null }
  try {
    if (expires && giveUpAt <= clock.now()) throw new Error('It is of no more use.')
    if (accountId !== null && !(await findReader(db, accountId, clock.now()))) {
      throw new Error('Its reader may not see it now.')
    }
    await mailer.send(openMail(services, mail))
  } catch (error) {
    const said = String(error instanceof Error ? error.message : error).slice(0, KEPT_ERROR)
    const pause = pauseAfter(PAUSES_MS, Math.min(tries, PAUSES_MS.length)) ?? 0
    const next = new Date(clock.now().getTime() + pause)
    if (next < giveUpAt) {
      log.warn({ err: error, mail: id, tries, next }, 'a mail was not sent and is tried again')
      await updateLeased(db, mail, { ...tried, next_try_at: next, error: said })
    } else {
      log.error({ err: error, mail: id, tries }, 'a mail was given up')
      const failed = { ...tried, state: 'failed', next_try_at: null, error: said }
      await updateLeased(db, mail, { ...failed, ...(expires && contentless) })
    }
    return
  }
  const sent = { state: 'sent', next_try_at: null, sent_at: clock.now() }
  await updateLeased(db, mail, { ...tried, ...sent, ...contentless })
}

/** Tries soon what a clock that was ahead has put off. Runs every minute. */
export function bringForward({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  return bringMailsForward(db, { now, latest: latestTries(now, PAUSES_MS, LEASE_MS) })
}

/** Deletes mails that were sent, given up or dropped, some days after they were written. Runs every few hours. */
export const forgetMails = ({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> =>
  deleteDoneMails(db, new Date(clock.now().getTime() - KEEP_DONE_MS))
