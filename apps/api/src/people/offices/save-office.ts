import type { Office, officesEndpoints } from '@tallyroom/contract/people/offices'
import { officeUsernameSchema } from '@tallyroom/contract/people/passwords'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { can } from '@tallyroom/domain/abilities'
import { sightOf } from '../../access/sight.ts'
import { requireProof, type Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { insertRow, updateRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Offices } from '../../db/types.ts'
import { invalid, notFound } from '../../errors.ts'
import { refuseStale, withChange } from '../../forms.ts'
import type { Services } from '../../services.ts'
import { getHolder } from '../addresses/mail-address.queries.ts'
import {
  insertAccount,
  type NewPassword,
  updateEmail,
  updateUsername,
} from '../accounts/accounts.queries.ts'
import { makePassword, makePasswordIfGiven, makeUnknownPassword } from '../accounts/new-password.ts'
import { endInvitationElsewhere, inviteByMail } from '../invitations/invitations.ts'
import { changedOf, tellOfChange } from '../mail/tell-of-change.ts'
import { findActiveDomains } from '../domains/preferred-domains.queries.ts'
import { endSessions } from '../sessions/sessions.queries.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import {
  allowEverySite,
  deleteOfficeSites,
  findOffice,
  findOfficesById,
  getNewOffice,
  findOfferedSites,
  findOfferedSitesOf,
  insertOfficeSites,
  lockOffice,
  type OfficeDetails,
} from './office-form.queries.ts'
import { setStatusOfTheirAgents } from './office-status.queries.ts'
import { tellOfTheirAgents } from './tell-of-their-agents.ts'

type NewOffice = RequestOf<typeof officesEndpoints.createOffice>['body']
type OfficeChange = RequestOf<typeof officesEndpoints.updateOffice>['body']
type SaveServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>

/** Creates an office and its account, with a password or an invitation to choose one. By default it may sell every site and gets the first active domain. */
export async function createOffice(
  services: SaveServices,
  viewer: Viewer,
  office: NewOffice,
): Promise<number> {
  const password = office.invite
    ? await makeUnknownPassword()
    : await makePassword(services, office.password)
  return inTransaction(services.db, async (tx) => {
    const officeId = await addOffice(tx, office, { password, by: viewer, now: tx.now })
    await announceChange(tx, 'destinations')
    if (office.invite === 'mail') {
      const { account_id: accountId } = await getNewOffice(tx, officeId)
      await inviteByMail(tx, services, { accountId, by: viewer })
    }
    return officeId
  })
}

/** The same as part of a larger transaction, which announces `destinations` and mails an invitation. */
export async function addOffice(
  tx: Tx,
  office: Omit<NewOffice, 'password' | 'passwordConfirm'>,
  { password, by, now }: { password: NewPassword; by: Viewer; now: Date },
): Promise<number> {
  const officeId = await insertRow(tx, 'offices', {
    ...columnsOf(office),
    preferred_domain_id: await chooseDomain(tx, office.preferredDomainId),
    created_at: now,
  })
  await insertAccount(tx, {
    role: 'company',
    officeId,
    username: office.username,
    ...(office.manEmail !== '' && { email: office.manEmail }),
    isInvited: office.invite !== undefined,
    createdAt: now,
    madeBy: by,
    ...password,
  })
  if (office.siteIds) await allowSites(tx, officeId, office.siteIds)
  else await allowEverySite(tx, officeId)
  return officeId
}

/** An office for the form. @throws NOT_FOUND for an office that the viewer cannot see. */
export async function getOffice(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  officeId: number,
): Promise<Office> {
  const office = await findOffice(db, sightOf(viewer), officeId)
  if (!office) throw notFound('office')
  return formOf(db, office)
}

/** What the forms of these offices have, except their sites. Offices that do not exist are left out. */
export const findOfficeForms = async (
  db: DbOrTx,
  officeIds: readonly number[],
): Promise<OfficeForm[]> => (await findOfficesById(db, officeIds)).map(fieldsOf)

async function formOf(db: DbOrTx, office: OfficeDetails): Promise<Office> {
  const sites = await findOfferedSitesOf(db, office.id)
  return { ...fieldsOf(office), siteIds: sites.map(({ id }) => id) }
}

type OfficeForm = Omit<Office, 'siteIds'>

const fieldsOf = (office: OfficeDetails): OfficeForm => ({
  companyId: office.id,
  officeName: office.name,
  manFirstName: office.man_first_name,
  manLastName: office.man_last_name,
  manEmail: office.man_email ?? '',
  agentNotes: office.agent_notes,
  preferredDomainId: office.preferred_domain_id,
  active: office.active,
  hidden: office.hidden,
  username: office.username,
  version: office.version,
})

/**
 * Updates an office. Changes of `active` and `hidden` cascade to all of its agents. A new username or password
 * ends its sessions. The previous address is notified of a new password or email address.
 *
 * @throws NOT_FOUND, VALIDATION_ERROR, or CONFLICT if it has changed since the form was loaded.
 */
export async function updateOffice(
  services: SaveServices,
  viewer: Viewer,
  officeId: number,
  change: OfficeChange,
): Promise<void> {
  const { db } = services
  const password = await makePasswordIfGiven(services, change.password)
  await inTransaction(db, async (tx) => {
    const office = await lockOffice(tx, sightOf(viewer), officeId)
    if (!office) throw notFound('office')
    const { now } = tx
    refuseStale('office', office.version, change.version)
    const holder = await getHolder(tx, office.account_id)
    const present = { ...(await formOf(tx, office)), id: office.id }
    const next = withChange(present, change, {
      fixed: ['companyId', 'id'],
      required: ['manFirstName', 'manLastName'],
    })
    const changed = changedOf(holder, { password: !!password, email: next.manEmail })
    // Whoever gets the mails of the account can choose its password.
    if (changed.length > 0) requireProof(viewer)
    // Their links lead by it.
    if (next.preferredDomainId !== present.preferredDomainId) requireProof(viewer)

    if (next.username !== present.username) await rename(tx, viewer, office, next, now)
    await updateRow(tx, 'offices', officeId, {
      ...columnsOf(next),
      preferred_domain_id: await chooseDomain(tx, next.preferredDomainId, office),
    })
    await updateEmail(tx, office.account_id, next.manEmail || null, { by: viewer, now })
    await endInvitationElsewhere(tx, office.account_id, next.manEmail)
    if (change.siteIds) await allowSites(tx, officeId, change.siteIds)
    const { active, hidden } = next
    if (active !== office.active) {
      const agentIds = await setStatusOfTheirAgents(tx, [officeId], { active })
      await tellOfTheirAgents(tx, viewer, { officeIds: [officeId], agentIds }, active)
    }
    if (hidden !== office.hidden) await setStatusOfTheirAgents(tx, [officeId], { hidden })
    if (password) await replacePassword(tx, office.account_id, password, { by: viewer, now })
    await announceChange(tx, 'destinations')
    await tellOfChange(tx, services, {
      accountId: office.account_id,
      emailBefore: holder.email,
      username: holder.username,
      changed,
    })
  })
}

/** Users who signed in with the old name have to sign in again with the new one. */
async function rename(
  tx: Tx,
  viewer: Viewer,
  { account_id }: OfficeDetails,
  { username }: Pick<Office, 'username'>,
  now: Date,
): Promise<void> {
  if (!can(viewer, 'offices.change-username')) {
    throw invalid({ username: ['can only be changed by a superadmin'] })
  }
  const chosen = officeUsernameSchema.safeParse(username)
  if (!chosen.success)
    throw invalid({ username: chosen.error.issues.map(({ message }) => message) })
  await updateUsername(tx, account_id, chosen.data, { by: viewer, now })
  await endSessions(tx, { accountIds: [account_id] }, { reason: 'username-changed', now })
}

/** What the form prefills. The domain follows other rules. */
type FormColumn = Exclude<keyof Offices, 'id' | 'version' | 'created_at' | 'preferred_domain_id'>

const columnsOf = (office: Omit<NewOffice, 'password' | 'passwordConfirm' | 'invite'> | Office) =>
  ({
    name: office.officeName,
    man_first_name: office.manFirstName,
    man_last_name: office.manLastName,
    man_email: office.manEmail || null,
    agent_notes: office.agentNotes,
    active: office.active,
    hidden: office.hidden,
  }) satisfies Record<FormColumn, unknown>

/** Undefined selects the first active domain. A hidden domain may stay, but not be chosen. */
async function chooseDomain(
  tx: Tx,
  chosen: number | null | undefined,
  present?: Pick<OfficeDetails, 'preferred_domain_id'>,
): Promise<number | null> {
  if (chosen === null) return null
  if (present && chosen === present.preferred_domain_id) return chosen
  const domains = await findActiveDomains(tx)
  if (chosen === undefined) return domains[0]?.id ?? null
  if (!domains.some(({ id }) => id === chosen)) {
    throw invalid({ preferredDomainId: ['is not an active domain'] })
  }
  return chosen
}

/** Of the sites that forms offer, the office may sell exactly these. */
async function allowSites(tx: Tx, officeId: number, siteIds: readonly number[]): Promise<void> {
  const offered = (await findOfferedSites(tx)).map(({ id }) => id)
  const chosen = new Set(siteIds)
  if (![...chosen].every((id) => offered.includes(id))) {
    throw invalid({ siteIds: ['contains a site that no longer exists'] })
  }
  await insertOfficeSites(tx, officeId, [...chosen])
  await deleteOfficeSites(
    tx,
    officeId,
    offered.filter((id) => !chosen.has(id)),
  )
}
