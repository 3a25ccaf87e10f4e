import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { announceChange } from '../../db/changes.ts'
import { insertRows } from '../../db/rows.queries.ts'
import type { Tx } from '../../db/database.ts'
import { openWithAny, seal } from '../../lib/cipher.ts'
import type { Mail, MailFile } from '../../lib/mailer.ts'
import { deriveKey } from '../../lib/secrets.ts'
import type { Services } from '../../services.ts'
import type { LeasedMail } from './mails.queries.ts'

/** What writing a mail takes. */
export type PostServices = Pick<Services, 'config' | 'secret'>

/** As long as mail servers try, by custom. */
export const GIVE_UP_AFTER_MS = 5 * 86_400_000

/**
 * Writes a mail in the transaction of the change that it tells of. Once that is committed, a process sends it. Call this
 * last: see {@link announceChange}.
 *
 * @param giveUpAt when the mail is of no more use, such as one with a link. By default it is tried for five days, and may be
 * tried again after that.
 */
export const postMail = (
  tx: Tx,
  services: PostServices,
  mail: NewMail,
  giveUpAt?: Date,
): Promise<void> => postMails(tx, services, [mail], giveUpAt)

export type NewMail = Pick<Mail, 'to' | 'subject' | 'text' | 'html' | 'attachments'> & {
  /** Where a POST without signing in ends mails like this one (RFC 8058). */
  unsubscribeUrl?: string
  /** Its reader, if it has what only they may see: it is not sent while that account can't be used. */
  accountId?: number
}

/** The same for many at once. */
export async function postMails(
  tx: Tx,
  { config, secret }: PostServices,
  mails: readonly NewMail[],
  giveUpAt?: Date,
): Promise<void> {
  if (mails.length === 0) return
  const now = tx.now
  const host = new URL(config.publicUrl).hostname
  const key = keyOf(secret)
  await insertRows(
    tx,
    'mails',
    mails.map(({ to, subject, text, html, attachments, unsubscribeUrl, accountId = null }) => {
      const messageId = `<${randomUUID()}@${host}>`
      return {
        message_id: messageId,
        account_id: accountId,
        recipient: to,
        subject,
        sealed_text: seal(key, text, placeOf(messageId, 'text')),
        sealed_html: html === undefined ? null : seal(key, html, placeOf(messageId, 'html')),
        sealed_files: attachments?.length
          ? seal(key, packed(attachments), placeOf(messageId, 'files'))
          : null,
        unsubscribe_url: unsubscribeUrl ?? null,
        written_at: now,
        give_up_at: giveUpAt ?? new Date(now.getTime() + GIVE_UP_AFTER_MS),
        expires: giveUpAt !== undefined,
        next_try_at: now,
      }
    }),
  )
  await announceChange(tx, 'mails')
}

/** @throws if no key decrypts the mail's text or files. */
export function openMail(
  { secret, formerSecrets }: Pick<Services, 'secret' | 'formerSecrets'>,
  mail: LeasedMail,
): Mail {
  const { message_id: messageId, recipient, subject, unsubscribe_url: unsubscribe } = mail
  const keys = [secret, ...formerSecrets].map(keyOf)
  const opened = (part: Part, sealed: Buffer | null): string => {
    const content = sealed ? openWithAny(keys, sealed, placeOf(messageId, part)) : undefined
    if (content === undefined) throw new Error('It can’t be decrypted: a secret key is missing.')
    return content
  }
  const { sealed_html: html, sealed_files: files } = mail
  return {
    to: recipient,
    subject,
    text: opened('text', mail.sealed_text),
    ...(html && { html: opened('html', html) }),
    messageId,
    ...(files && { attachments: unpacked(opened('files', files)) }),
    ...(unsubscribe !== null && {
      headers: {
        'list-unsubscribe': `<${unsubscribe}>`,
        'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      },
    }),
  }
}

const packed = (files: readonly MailFile[]): string =>
  JSON.stringify(files.map((file) => ({ ...file, content: file.content.toString('base64') })))

const unpacked = (text: string): MailFile[] =>
  packedSchema
    .parse(JSON.parse(text))
    .map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') }))

const packedSchema = z.array(
  z.object({ filename: z.string(), contentType: z.string(), content: z.string() }),
)

const keyOf = (secret: Buffer): Buffer => deriveKey(secret, 'mails')

type Part = 'text' | 'html' | 'files'

const placeOf = (messageId: string, part: Part): string => `mails.sealed_${part}:${messageId}`
