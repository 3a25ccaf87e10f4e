import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BrandKey, brandOf } from '@tallyroom/domain/brands/index'
import nodemailer from 'nodemailer'
import type { Clock } from './clock.ts'

/** A mail as plain text, perhaps also as HTML, possibly with files. */
export type Mail = {
  to: string
  subject: string
  text: string
  html?: string
  /** The same for each attempt, so that mail programs show a mail that was sent twice only once. */
  messageId?: string
  headers?: Record<string, string>
  attachments?: MailFile[]
}

export type MailFile = { filename: string; contentType: string; content: Buffer }

/** No mail of ours is written by a person, so no holiday notice answers it. */
const headers = { 'auto-submitted': 'auto-generated' }

export type Mailer = {
  /** Resolves once the mail server has accepted the mail, or it is in the outbox. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** The mailer of an installation, with the brand as sender. */
export const mailerOf = (
  config: {
    smtpUrl: string | undefined
    dataDir: string
    brand: BrandKey
    mailFrom: string | undefined
    publicUrl: string
  },
  clock: Clock,
): Mailer =>
  openMailer({
    smtpUrl: config.smtpUrl,
    outbox: outboxOf(config.dataDir),
    from: {
      name: brandOf(config.brand).name,
      address: config.mailFrom ?? `no-reply@${new URL(config.publicUrl).hostname}`,
    },
    clock,
  })

/** The folder for mails if there is no mail server. */
export const outboxOf = (dataDir: string): string => join(dataDir, 'outbox')

/** Timeout for each step with the mail server. */
const patienceMs = 15_000

/** Sends by SMTP, or writes each mail to a file in the outbox. `from` has name and address. */
export const openMailer = ({
  smtpUrl,
  outbox,
  from,
  clock,
}: {
  smtpUrl: string | undefined
  outbox: string
  from: From
  clock: Clock
}): Mailer =>
  smtpUrl === undefined ? outboxMailer(outbox, from, clock) : smtpMailer(smtpUrl, from)

type From = { name: string; address: string }

function smtpMailer(url: string, from: From): Mailer {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
  })
  return {
    send: async (mail) =>
      void (await transport.sendMail({ from, ...mail, headers: { ...headers, ...mail.headers } })),
    close: () => transport.close(),
  }
}

/** Mails may contain password reset links, so only the app's user may read them. */
function outboxMailer(folder: string, from: From, clock: Clock): Mailer {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true })
  return {
    async send(mail) {
      const { message } = await composer.sendMail({
        from,
        ...mail,
        headers: { ...headers, ...mail.headers },
      })
      const name = `${clock.now().toISOString().replaceAll(':', '-')} ${randomUUID().slice(0, 8)}.eml`
      const unfinished = join(folder, `.${name}`)
      // The database's user must be able to enter the folder that both share.
      await mkdir(dirname(folder), { recursive: true })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(unfinished, message, { mode: 0o600 })
      await rename(unfinished, join(folder, name))
    },
    close() {},
  }
}
