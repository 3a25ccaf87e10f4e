import type { profileEndpoints } from '@tallyroom/contract/profile'
import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { Viewer } from '../../access/viewer.ts'
import { sightOf } from '../../access/sight.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound } from '../../http/errors.ts'
import { refuseStale } from '../../http/refuse-stale.ts'
import type { Services } from '../../http/services.ts'
import { makePassword, makePasswordIfGiven, type NewPassword } from '../accounts/index.ts'
import { findOffice, lockOffice, updateOfficeRow } from '../offices/index.ts'
import { replacePassword } from '../sessions/index.ts'
import { getOwnAccount, lockOwnAccount, updateOwnAccount } from './profile.queries.ts'

type ProfileServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>
type Profiles = typeof profileEndpoints
type Change<Name extends keyof Profiles> = RequestOf<Profiles[Name]>['body']

export async function getAdminProfile(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
): Promise<AnswerOf<Profiles['adminProfile']>> {
  const account = await getOwnAccount(db, viewer.accountId)
  return {
    username: account.username,
    email: account.email ?? '',
    showSuspend: viewer.role === 'superadmin' || account.show_suspend,
    version: account.version,
  }
}

/** @throws CONFLICT when the account has changed since the form was filled. */
export async function updateAdminProfile(
  services: ProfileServices,
  viewer: Viewer,
  { email, showSuspend, ...change }: Change<'updateAdminProfile'>,
): Promise<void> {
  const password = await makePasswordIfGiven(services, change.password)
  await inTransaction(services.db, async (tx) => {
    const account = await lockOwnAccount(tx, viewer.accountId)
    refuseStale('profile', account.version, change.version)
    await updateOwnAccount(tx, viewer.accountId, {
      email,
      // A superadmin sees suspended accounts whatever the flag says.
      ...(viewer.role === 'admin' && { show_suspend: showSuspend }),
    })
    await replaceOwnPassword(services, tx, viewer, password)
  })
}

export async function getCompanyProfile(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
): Promise<AnswerOf<Profiles['companyProfile']>> {
  const office = await ownOffice(db, viewer, findOffice)
  return {
    username: office.username,
    officeName: office.name,
    manFirstName: office.man_first_name,
    manLastName: office.man_last_name,
    agentNotes: office.agent_notes,
    manEmail: office.man_email ?? '',
    activated: office.active,
    version: office.version,
  }
}

/**
 * The manager's e-mail is also the account's, to which a forgotten password's link goes.
 *
 * @throws VALIDATION_ERROR, and CONFLICT when the office has changed since the form was filled.
 */
export async function updateCompanyProfile(
  services: ProfileServices,
  viewer: Viewer,
  change: Change<'updateCompanyProfile'>,
): Promise<void> {
  const password = await makePasswordIfGiven(services, change.password)
  await inTransaction(services.db, async (tx) => {
    const office = await ownOffice(tx, viewer, lockOffice)
    refuseStale('profile', office.version, change.version)
    await updateOfficeRow(tx, office.id, {
      name: change.officeName,
      man_first_name: change.manFirstName,
      man_last_name: change.manLastName,
      man_email: change.manEmail,
      agent_notes: change.agentNotes,
    })
    await updateOwnAccount(tx, viewer.accountId, { email: change.manEmail })
    await replaceOwnPassword(services, tx, viewer, password)
  })
}

export async function updateAgentProfile(
  services: ProfileServices,
  viewer: Viewer,
  change: Change<'updateAgentProfile'>,
): Promise<void> {
  const password = await makePassword(services, change.password)
  await inTransaction(services.db, (tx) => replaceOwnPassword(services, tx, viewer, password))
}

/** An office edits its own data also while it is hidden or suspended. */
async function ownOffice<D extends DbOrTx, Office>(
  db: D,
  viewer: Viewer,
  find: (db: D, sight: ReturnType<typeof sightOf>, id: number) => Promise<Office | undefined>,
): Promise<Office> {
  const sight = { ...sightOf(viewer), withHidden: true, withSuspended: true }
  const office = viewer.officeId === undefined ? undefined : await find(db, sight, viewer.officeId)
  if (!office) throw notFound('office')
  return office
}

/** The session in which the password is changed goes on; every other one of the account ends. */
async function replaceOwnPassword(
  { clock }: Pick<Services, 'clock'>,
  tx: Tx,
  { accountId, sessionId }: Viewer,
  password: NewPassword | undefined,
): Promise<void> {
  if (!password) return
  await replacePassword(tx, accountId, password, {
    now: clock.now(),
    keepSession: sessionId,
  })
}
