import { randomUUID } from 'node:crypto'
import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import { openWithAny, seal } from '../../lib/cipher.ts'
import type { Mail } from '../../lib/mailer.ts'
import { deriveKey } from '../../lib/secrets.ts'
import type { Services } from '../../services.ts'
import { insertMails, type LeasedMail } from './mails.queries.ts'

/** What writing a mail takes. */
export type PostServices = Pick<Services, 'config' | 'clock' | 'secret'>

/** As long as mail servers try, by custom. */
const GIVE_UP_AFTER_MS = 5 * 86_400_000

/**
 * Writes a mail in the transaction of the change that it tells of. Once that is committed, a process sends it. Call this
 * last: see {@link announceChange}.
 *
 * @param giveUpAt when the mail is of no more use; in five days by default.
 */
export const postMail = (
  tx: Tx,
  services: PostServices,
  mail: NewMail,
  giveUpAt?: Date,
): Promise<void> => postMails(tx, services, [mail], giveUpAt)

type NewMail = Pick<Mail, 'to' | 'subject' | 'text' | 'html'> & {
  /** Where a POST without signing in ends mails like this one (RFC 8058). */
  unsubscribeUrl?: string
}

async function postMails(
  tx: Tx,
  { config, clock, secret }: PostServices,
  mails: readonly NewMail[],
  giveUpAt = new Date(clock.now().getTime() + GIVE_UP_AFTER_MS),
): Promise<void> {
  if (mails.length === 0) return
  const now = clock.now()
  const host = new URL(config.publicUrl).hostname
  const key = keyOf(secret)
  await insertMails(
    tx,
    mails.map(({ to, subject, text, html, unsubscribeUrl }) => {
      const messageId = `<${randomUUID()}@${host}>`
      return {
        message_id: messageId,
        recipient: to,
        subject,
        sealed_text: seal(key, text, placeOf(messageId)),
        sealed_html: html === undefined ? null : seal(key, html, placeOf(messageId, 'html')),
        unsubscribe_url: unsubscribeUrl ?? null,
        written_at: now,
        give_up_at: giveUpAt,
        next_try_at: now,
      }
    }),
  )
  await announceChange(tx, 'mails')
}

/** @throws if no key decrypts the mail's text. */
export function openMail(
  { secret, formerSecrets }: Pick<Services, 'secret' | 'formerSecrets'>,
  mail: LeasedMail,
): Mail {
  const { message_id: messageId, recipient, subject, unsubscribe_url: unsubscribe } = mail
  const keys = [secret, ...formerSecrets].map(keyOf)
  const open = (sealed: Buffer | null, part: Part) =>
    sealed ? openWithAny(keys, sealed, placeOf(messageId, part)) : undefined
  const text = open(mail.sealed_text, 'text')
  const html = open(mail.sealed_html, 'html')
  if (text === undefined || (mail.sealed_html && html === undefined))
    throw new Error('it can’t be decrypted: a secret key is missing')
  return {
    to: recipient,
    subject,
    text,
    ...(html !== undefined && { html }),
    messageId,
    ...(unsubscribe !== null && {
      headers: {
        'auto-submitted': 'auto-generated',
        'list-unsubscribe': `<${unsubscribe}>`,
        'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      },
    }),
  }
}

type Part = 'text' | 'html'

const keyOf = (secret: Buffer): Buffer => deriveKey(secret, 'mails')

const placeOf = (messageId: string, part: Part = 'text'): string =>
  `mails.sealed_${part}:${messageId}`
