import { brandOf } from '@tallyroom/domain/brands/index'
import type { Tx } from '../../db/database.ts'
import { writeFacts } from '../../notices/index.ts'
import { postMails } from '../../people/index.ts'
import type { Services } from '../../services.ts'
import { findOwners, type TargetRow } from './targets.queries.ts'

type TellServices = Pick<Services, 'config' | 'secret'>

/**
 * Tells a target's owner that it has failed for an hour, by the bell and by mail. `last`: what the last try came to, if its log
 * still has it. Call this last: see {@link postMail}.
 */
export const tellOfFailures = (
  tx: Tx,
  services: TellServices,
  target: TargetRow,
  last: { status: number | null; error: string | null } | undefined,
): Promise<void> =>
  tell(tx, services, target, {
    isOff: false,
    subject: `your ${target.format} to ${target.host} fails`,
    text: `Nothing has reached ${target.host} for an hour: ${target.failures} tries failed. ${
      last?.status ? `It answered with status ${last.status}.` : (last?.error ?? '')
    }

Each ${target.format} is tried eight times within about a day and a half. If none arrives for a day, they stop.`,
  })

/** Tells a target's owner that nothing is sent any more. */
export const tellOfStop = (
  tx: Tx,
  services: TellServices,
  target: TargetRow,
  why: 'gone' | 'failing',
): Promise<void> =>
  tell(tx, services, target, {
    isOff: true,
    subject: `your ${target.format} to ${target.host} is off`,
    text:
      why === 'gone'
        ? `${target.host} answered with status 410 (gone), so nothing is sent to it any more.`
        : `No ${target.format} has reached ${target.host} for more than a day, so they are off. When it works again, switch it on: you can then send what it has missed.`,
  })

async function tell(
  tx: Tx,
  services: TellServices,
  target: TargetRow,
  { isOff, subject, text }: { isOff: boolean; subject: string; text: string },
): Promise<void> {
  const owners = await findOwners(tx, target)
  const { id: targetId, host } = target
  const format = target.format === 'webhook' ? 'webhook' : 'postback'
  await writeFacts(
    tx,
    owners.map(({ accountId }) => ({
      kind: 'postback.failed' as const,
      of: { accountId },
      subject: { format, targetId, host, isOff },
    })),
    { at: tx.now, byAccountId: null },
  )
  const { brand, publicUrl } = services.config
  const { name } = brandOf(brand)
  const page = format === 'webhook' ? 'settings/webhooks' : 'profile-postbacks'
  const mail = {
    subject: `${name}: ${subject}`,
    text: `${text}

See what was sent and answered: ${publicUrl}/app/${page}

${name}
`,
  }
  await postMails(
    tx,
    services,
    [...new Set(owners.flatMap(({ email }) => email || []))].map((to) => ({ ...mail, to })),
  )
}
