import type { profileEndpoints } from '@tallyroom/contract/people/profile'
import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { Viewer } from '../../access/viewer.ts'
import { sightOf } from '../../access/sight.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { updateRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { refuseStale, withChange } from '../../forms.ts'
import type { Services } from '../../services.ts'
import { updateEmail } from '../accounts/accounts.queries.ts'
import { makePasswordIfGiven } from '../accounts/new-password.ts'
import { changedOf, tellOfChange } from '../mail/tell-of-change.ts'
import { confirmHolder, stillHolder } from '../auth/confirm-holder.ts'
import { enterAddress, shownAddress } from '../new-address/new-address.ts'
import { findOffice, lockOffice, type OfficeDetails } from '../offices/office-form.queries.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import { getOwnAccount, lockOwnAccount, type OwnAccount } from './profile.queries.ts'

export type ProfileServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>
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
 * @throws as {@link confirmHolder}; VALIDATION_ERROR if the admin shows suspended accounts without a
 * superadmin's grant; CONFLICT if the account has changed since the form was loaded.
 */
export async function updateAdminProfile(
  services: ProfileServices,
  viewer: Viewer,
  { password, ...change }: Change<'updateAdminProfile'>,
): Promise<void> {
  const own = { password, email: change.email }
  await changeAccount(services, viewer, own, async (tx, before) => {
    const account = await lockOwnAccount(tx, viewer.accountId)
    refuseStale('profile', account.version, change.version)
    refuseOtherEmail(account, before)
    const present = staffFormOf(viewer, account)
    const next = withChange(present, change, {
      fixed: ['username', 'showSuspendGranted'],
      required: ['email'],
    })
    const isSwitched = next.showSuspend !== present.showSuspend
    if (isSwitched) refuseSwitching(viewer, present)
    await updateEmail(tx, viewer.accountId, next.email || null, {
      by: viewer,
      now: tx.now,
    })
    if (isSwitched) {
      await updateRow(tx, 'accounts', viewer.accountId, { show_suspend_chosen: next.showSuspend })
    }
  })
}

/** Showing suspended accounts is a preference within a superadmin's grant. Superadmins always see them. */
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
 * The manager's email is also the account's, which receives password resets.
 *
 * @throws VALIDATION_ERROR, as {@link confirmHolder}, or CONFLICT if the office has changed since the form was
 * loaded.
 */
export async function updateCompanyProfile(
  services: ProfileServices,
  viewer: Viewer,
  { password, ...change }: Change<'updateCompanyProfile'>,
): Promise<void> {
  const own = { password, email: change.manEmail }
  await changeAccount(services, viewer, own, async (tx, before) => {
    const office = await ownOffice(tx, viewer, lockOffice)
    refuseStale('profile', office.version, change.version)
    refuseOtherEmail(await lockOwnAccount(tx, viewer.accountId), before)
    const next = withChange(officeFormOf(office), change, {
      fixed: ['username', 'activated'],
      required: ['manFirstName', 'manLastName', 'manEmail'],
    })
    const email = next.manEmail || null
    await updateRow(tx, 'offices', office.id, {
      name: next.officeName,
      man_first_name: next.manFirstName,
      man_last_name: next.manLastName,
      man_email: email,
      agent_notes: next.agentNotes,
    })
    await updateEmail(tx, viewer.accountId, email, { by: viewer, now: tx.now })
  })
}

export const getAgentProfile = async (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
): Promise<AnswerOf<Profiles['agentProfile']>> =>
  agentFormOf(await getOwnAccount(db, viewer.accountId))

const agentFormOf = (account: OwnAccount): AnswerOf<Profiles['agentProfile']> => ({
  username: account.username,
  ...shownAddress(account),
  version: account.version,
})

/**
 * Another address counts once its holder has opened the link that is mailed to it.
 *
 * @throws as {@link confirmHolder}; CONFLICT if the account has changed since the form was loaded; TOO_MANY_REQUESTS after
 * many addresses.
 */
export async function updateAgentProfile(
  services: ProfileServices,
  viewer: Viewer,
  { password, ...change }: Change<'updateAgentProfile'>,
): Promise<void> {
  const own = { password, newEmail: change.email }
  await changeAccount(services, viewer, own, async (tx) => {
    const account = await lockOwnAccount(tx, viewer.accountId)
    refuseStale('profile', account.version, change.version)
    withChange(agentFormOf(account), change, { fixed: ['username', 'emailConfirmed'] })
  })
}

/** @throws as {@link confirmHolder}. */
export const changePassword = (
  services: ProfileServices,
  viewer: Viewer,
  change: Change<'changePassword'>,
): Promise<void> => changeAccount(services, viewer, change, async () => {})

/** An office may edit its own data even while hidden or suspended. */
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

/**
 * Updates the caller's own account. Only its holder may change password and address, and the previous address
 * is notified. `newEmail` counts once it is confirmed. After a password change, only the current session continues.
 */
async function changeAccount(
  services: ProfileServices,
  viewer: Viewer,
  change: { password: string; email?: string | undefined; newEmail?: string | undefined },
  apply: (tx: Tx, before: OwnAccount) => Promise<void>,
): Promise<void> {
  const { db } = services
  const before = await getOwnAccount(db, viewer.accountId)
  const changed = changedOf(before, { password: change.password !== '', email: change.email })
  const entered = change.newEmail === shownAddress(before).email ? undefined : change.newEmail
  const confirmation =
    changed.length > 0 || entered !== undefined ? await confirmHolder(services, viewer) : undefined
  const password = await makePasswordIfGiven(services, change.password)

  await inTransaction(db, async (tx) => {
    await apply(tx, before)
    if (confirmation) await stillHolder(tx, viewer, confirmation)
    if (password) {
      const { accountId, sessionId } = viewer
      await replacePassword(tx, accountId, password, {
        by: viewer,
        now: tx.now,
        keepSession: sessionId,
      })
    }
    await tellOfChange(tx, services, {
      accountId: viewer.accountId,
      emailBefore: before.email,
      username: before.username,
      changed,
    })
    if (entered !== undefined) {
      await enterAddress(tx, services, { accountId: viewer.accountId, email: entered, by: viewer })
    }
  })
}

/** What was checked before the row was locked must still hold. */
function refuseOtherEmail(present: OwnAccount, before: OwnAccount): void {
  if (present.email !== before.email) {
    throw conflict('Your email address has just been changed. Please reload the page.')
  }
}
