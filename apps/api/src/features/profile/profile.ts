import type { profileEndpoints } from '@tallyroom/contract/profile'
import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { Viewer } from '../../access/viewer.ts'
import { sightOf } from '../../access/sight.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid, notFound } from '../../http/errors.ts'
import { withChange } from '../../http/form-change.ts'
import { refuseStale } from '../../http/refuse-stale.ts'
import type { Services } from '../../http/services.ts'
import { makePassword, makePasswordIfGiven, type NewPassword } from '../accounts/index.ts'
import { findOffice, lockOffice, type OfficeDetails, updateOfficeRow } from '../offices/index.ts'
import { replacePassword } from '../sessions/index.ts'
import {
  getOwnAccount,
  lockOwnAccount,
  type OwnAccount,
  updateOwnAccount,
} from './profile.queries.ts'

type ProfileServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>
type Profiles = typeof profileEndpoints
type Change<Name extends keyof Profiles> = RequestOf<Profiles[Name]>['body']

export async function getAdminProfile(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
): Promise<AnswerOf<Profiles['adminProfile']>> {
  return staffFormOf(viewer, await getOwnAccount(db, viewer.accountId))
}

function staffFormOf(viewer: Viewer, account: OwnAccount): AnswerOf<Profiles['adminProfile']> {
  const isSuperadmin = viewer.role === 'superadmin'
  return {
    username: account.username,
    email: account.email ?? '',
    showSuspend: isSuperadmin || (account.show_suspend && account.show_suspend_chosen),
    showSuspendGranted: isSuperadmin || account.show_suspend,
    version: account.version,
  }
}

/**
 * @throws VALIDATION_ERROR for who would show themselves suspended accounts without a superadmin's grant, and
 *   CONFLICT when the account has changed since the form was filled.
 */
export async function updateAdminProfile(
  services: ProfileServices,
  viewer: Viewer,
  change: Change<'updateAdminProfile'>,
): Promise<void> {
  const password = await makePasswordIfGiven(services, change.password)
  await inTransaction(services.db, async (tx) => {
    const account = await lockOwnAccount(tx, viewer.accountId)
    refuseStale('profile', account.version, change.version)
    const present = staffFormOf(viewer, account)
    const next = withChange(present, change, {
      fixed: ['username', 'showSuspendGranted'],
      required: ['email'],
    })
    const isSwitched = next.showSuspend !== present.showSuspend
    if (isSwitched) refuseSwitching(viewer, present)
    await updateOwnAccount(tx, viewer.accountId, {
      email: next.email || null,
      ...(isSwitched && { show_suspend_chosen: next.showSuspend }),
    })
    await replaceOwnPassword(services, tx, viewer, password)
  })
}

/** Showing suspended accounts is a preference within a superadmin's grant; superadmins are always shown them. */
function refuseSwitching(
  { role }: Viewer,
  { showSuspendGranted }: AnswerOf<Profiles['adminProfile']>,
): void {
  if (role === 'superadmin') throw invalid({ showSuspend: ['is always on for a superadmin'] })
  if (!showSuspendGranted) throw invalid({ showSuspend: ['can only be granted by a superadmin'] })
}

export async function getCompanyProfile(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
): Promise<AnswerOf<Profiles['companyProfile']>> {
  return officeFormOf(await ownOffice(db, viewer, findOffice))
}

const officeFormOf = (office: OfficeDetails): AnswerOf<Profiles['companyProfile']> => ({
  username: office.username,
  officeName: office.name,
  manFirstName: office.man_first_name,
  manLastName: office.man_last_name,
  agentNotes: office.agent_notes,
  manEmail: office.man_email ?? '',
  activated: office.active,
  version: office.version,
})

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
    const next = withChange(officeFormOf(office), change, {
      fixed: ['username', 'activated'],
      required: ['manFirstName', 'manLastName', 'manEmail'],
    })
    const email = next.manEmail || null
    await updateOfficeRow(tx, office.id, {
      name: next.officeName,
      man_first_name: next.manFirstName,
      man_last_name: next.manLastName,
      man_email: email,
      agent_notes: next.agentNotes,
    })
    await updateOwnAccount(tx, viewer.accountId, { email })
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
