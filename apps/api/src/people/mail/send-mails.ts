import type { ChangeWatch } from '../../db/changes.ts'
import { every, type Recurring } from '../../lib/every.ts'
import { type Mailer, mailerOf } from '../../lib/mailer.ts'
import type { Services } from '../../services.ts'
import { deleteDoneMails, leaseDueMail, type LeasedMail, updateLeased } from './mails.queries.ts'
import { openMail } from './post-mail.ts'

type SendServices = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'secret' | 'formerSecrets'>

/** How long a process has a mail to itself: longer than a mail server may take. */
const LEASE_MS = 5 * 60_000

/** Each further wait is twice as long. */
const FIRST_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 6 * 3_600_000

const KEEP_DONE_MS = 7 * 86_400_000

/** Sends mails as soon as they are committed, by this process or another, and refused ones again. */
export function startMailSender(
  services: SendServices,
  changes: Pick<ChangeWatch, 'keepFresh'>,
): Pick<Recurring, 'stop'> {
  const mailer = mailerOf(services.config, services.clock)
  const stopping = new AbortController()
  const sending = every(
    'send mails',
    5_000,
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
  const { id, tries, give_up_at: giveUpAt } = mail
  try {
    if (giveUpAt <= clock.now()) throw new Error('it is of no more use')
    await mailer.send(openMail(services, mail))
  } catch (error) {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS)
    const next = new Date(clock.now().getTime() + wait)
    if (next < giveUpAt) {
      log.warn({ err: error, mail: id, tries, next }, 'a mail was not sent and is tried again')
      await updateLeased(db, mail, { next_try_at: next })
    } else {
      log.error({ err: error, mail: id, tries }, 'a mail was given up')
      await updateLeased(db, mail, { next_try_at: null, sealed_text: null, sealed_html: null })
    }
    return
  }
  const done = { next_try_at: null, sealed_text: null, sealed_html: null, sent_at: clock.now() }
  await updateLeased(db, mail, done)
}

/** Deletes mails that were sent or given up, some days after they were written. Runs every few hours. */
export const forgetMails = ({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> =>
  deleteDoneMails(db, new Date(clock.now().getTime() - KEEP_DONE_MS))
