import { mailFacts } from '../src/desk/bell/mail-facts.ts'
import { sendDueMails } from '../src/people/mail/send-mails.ts'
import type { Mail } from '../src/lib/mailer.ts'
import type { Services } from '../src/services.ts'

/** Writes the mails about facts that are due, sends all that are due, and returns them. */
export async function sentMails(services: Services): Promise<Mail[]> {
  const sent: Mail[] = []
  const mailer = { send: async (mail: Mail) => void sent.push(mail), close() {} }
  await mailFacts(services)
  await sendDueMails(services, mailer)
  return sent
}
