import type { Alert, announcementsEndpoints } from '@tallyroom/contract/desk/announcements'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { LoginAlerts } from '@tallyroom/contract/desk/login-alerts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { insertRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { refuseStale, requiredRichTextToStore, richTextToStore, withChange } from '../../forms.ts'
import type { Services } from '../../services.ts'
import { findAccountNotice } from '../../pay/index.ts'
import {
  type AgentStanding,
  findAgentStanding,
  findLastAlert,
  findOfficeStanding,
} from './announcements.queries.ts'

/** The alerts above every page until they are marked as read. */
export async function loginAlerts(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
): Promise<LoginAlerts> {
  const [accountAlert, payeeAccount, common] = await Promise.all([
    accountAlertOf(db, viewer),
    payeeAccountOf({ db, clock }, viewer),
    findLastAlert(db),
  ])
  return { accountAlert, payeeAccount, commonAlert: common?.enabled ? common.html : null }
}

/** For the form, also if disabled. */
export async function lastAlert({ db }: { db: DbOrTx }): Promise<Alert> {
  const alert = await findLastAlert(db)
  return { enable: alert?.enabled ?? false, html: alert?.html ?? '', version: alert?.id ?? 0 }
}

/**
 * Omitted fields are unchanged. @throws VALIDATION_ERROR if an enabled alert is empty, CONFLICT if it has
 * changed since the form was loaded.
 */
export async function publishAlert(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  change: RequestOf<typeof announcementsEndpoints.publishAlert>['body'],
): Promise<void> {
  // Serializable: of two concurrent saves, one is retried and then sees the other's.
  await inTransaction(
    db,
    async (tx) => {
      const last = await lastAlert({ db: tx })
      refuseStale('alert', last.version, change.version)
      const { enable, html } = withChange(last, change)
      if (enable === last.enable && html === last.html) return
      await insertRow(tx, 'alerts', {
        enabled: enable,
        html: enable ? requiredRichTextToStore(html) : richTextToStore(html),
        created_at: tx.now,
        created_by: viewer.accountId,
      })
    },
    { isolation: 'serializable' },
  )
}

/** Whether the account that receives the viewer's pay was changed, or refused. */
async function payeeAccountOf(
  services: Pick<Services, 'db' | 'clock'>,
  { role, officeId, agentId, signedInBy }: Viewer,
): Promise<LoginAlerts['payeeAccount']> {
  const payee =
    role === 'company'
      ? ({ kind: 'office', id: officeId } as const)
      : role === 'agent'
        ? ({ kind: 'agent', id: agentId } as const)
        : undefined
  const notice = payee ? await findAccountNotice(services, payee) : null
  // Only the holder knows whether it was them.
  return notice && signedInBy !== undefined ? { ...notice, disown: null } : notice
}

/** Why the account is suspended, and what the agent must read. */
async function accountAlertOf(db: DbOrTx, viewer: Viewer): Promise<string | null> {
  switch (viewer.role) {
    case 'superadmin':
    case 'admin':
      return null
    case 'company': {
      const office = await findOfficeStanding(db, viewer.officeId)
      return office?.active === false ? suspendedOffice : null
    }
    case 'agent': {
      const agent = await findAgentStanding(db, viewer.agentId)
      return agent ? joined([suspensionOf(agent), agent.must_read.trim()]) : null
    }
  }
}

const joined = (parts: readonly string[]): string | null =>
  parts.filter(Boolean).join('\n\n') || null

function suspensionOf({ active, fraud_flagged_at }: AgentStanding): string {
  if (active) return ''
  return fraud_flagged_at === null ? suspendedAgent : suspendedForFraud
}

const suspendedOffice =
  'Your office is suspended. Its agents’ links no longer work. Please contact us.'
const suspendedAgent =
  'Your account is suspended. Your links no longer work. Please contact your office.'
const suspendedForFraud =
  'Your account is suspended: your sales were flagged as made with stolen credit cards. ' +
  'Your links no longer work. Please contact your office.'
