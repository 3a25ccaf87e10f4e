import { announceChange } from '../../db/changes.ts'
import { constraintMessages } from '../../db/constraint-errors.ts'
import type { Tx } from '../../db/database.ts'
import { locks } from '../../db/locks.ts'
import { onlyOneRun } from '../../db/only-one.ts'
import { insertRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict } from '../../errors.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Services } from '../../services.ts'
import { oneTimePassword, randomText } from '../../lib/random-text.ts'
import { insertAccount, type NewPassword } from '../accounts/accounts.queries.ts'
import { makePassword } from '../accounts/new-password.ts'
import { addOffice } from '../offices/save-office.ts'
import {
  findNextReady,
  findOfficeIdByName,
  isUsernameTaken,
  lockReady,
  markFailed,
  markMigrated,
} from './staged-agents.queries.ts'

type MigrationServices = Pick<Services, 'config' | 'db' | 'secret' | 'formerSecrets'>

/**
 * Migrates every agent that is ready: approved, with their old password, registration day and office, which is
 * created if missing. Each agent is one transaction, so an interrupted run loses nothing and the next one
 * continues.
 *
 * @throws CONFLICT while another run is in progress in any process.
 */
export async function migrateAgents(
  services: MigrationServices,
  viewer: Viewer,
): Promise<{ migrated: number; failed: number }> {
  const outcome = await onlyOneRun(services.db, locks.migrateAgents, () =>
    moveAll(services, viewer),
  )
  if (outcome === 'busy') throw conflict('A migration is already running.')
  return outcome
}

async function moveAll(
  services: MigrationServices,
  viewer: Viewer,
): Promise<{ migrated: number; failed: number }> {
  const { db } = services
  const counted = { migrated: 0, failed: 0 }
  let next = await findNextReady(db, 0)
  while (next) {
    const failure = await moveOne(services, viewer, next)
    if (failure === undefined) counted.migrated += 1
    else {
      await markFailed(db, next.id, failure)
      counted.failed += 1
    }
    next = await findNextReady(db, next.id)
  }
  return counted
}

/** Returns the reason if the agent cannot be migrated. */
async function moveOne(
  services: MigrationServices,
  viewer: Viewer,
  staged: { id: number; officeName: string },
): Promise<string | undefined> {
  const { db } = services
  // Before the transaction, because it is deliberately slow.
  const isOfficeThere = (await findOfficeIdByName(db, staged.officeName)) !== undefined
  const officePassword = isOfficeThere ? undefined : await makePassword(services, oneTimePassword())
  try {
    await inTransaction(db, (tx) => moveIn(tx, viewer, staged.id, officePassword, tx.now))
    return undefined
  } catch (error) {
    const messages = constraintMessages(error)
    if (!messages) throw error
    return Object.entries(messages)
      .map(([field, [message]]) => `${field} ${message}`)
      .join(', ')
  }
}

async function moveIn(
  tx: Tx,
  viewer: Viewer,
  stagedId: number,
  officePassword: NewPassword | undefined,
  now: Date,
): Promise<void> {
  const staged = await lockReady(tx, stagedId)
  if (!staged) return
  const officeId =
    (await findOfficeIdByName(tx, staged.officeName)) ??
    (await makeOffice(tx, viewer, staged.officeName, officePassword, now))
  const createdAt = staged.registeredAt ?? now
  const agentId = await insertRow(tx, 'agents', {
    office_id: officeId,
    first_name: staged.firstName,
    last_name: staged.lastName,
    must_read: '',
    active: true,
    hidden: false,
    created_at: createdAt,
    // The network already knew the agent, so no approval is needed.
    approved_at: now,
  })
  await insertAccount(tx, {
    role: 'agent',
    agentId,
    username: staged.username,
    passwordHash: staged.passwordHash,
    mustChangePassword: staged.hashKind === 'md5',
    createdAt,
    madeBy: viewer,
    madeAt: now,
    ...(staged.email !== null && { email: staged.email }),
  })
  await markMigrated(tx, stagedId, { agentId, at: now })
  await announceChange(tx, 'destinations')
}

/** The list of offices shows its password, for the superadmin to hand over. */
async function makeOffice(
  tx: Tx,
  viewer: Viewer,
  officeName: string,
  password: NewPassword | undefined,
  now: Date,
): Promise<number> {
  // The office existed a moment ago and has been renamed since.
  if (!password) throw conflict('An office was renamed meanwhile. Please start again.')
  return addOffice(
    tx,
    {
      officeName,
      manFirstName: '',
      manLastName: '',
      manEmail: '',
      agentNotes: '',
      username: await freeUsername(tx, officeName),
      active: true,
      hidden: false,
    },
    { password, by: viewer, now },
  )
}

/** `Makati North` becomes `makatinorth`, with a suffix if that is taken. */
async function freeUsername(tx: Tx, officeName: string): Promise<string> {
  const plain = officeName
    .normalize('NFKD')
    .replaceAll(/[^\da-z]/gi, '')
    .toLowerCase()
    .slice(0, 40)
  const name = plain === '' ? 'office' : plain
  if (!(await isUsernameTaken(tx, name))) return name
  return `${name}-${randomText(5).toLowerCase()}`
}
