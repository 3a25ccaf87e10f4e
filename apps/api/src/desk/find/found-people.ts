import { agentsSearchSchema } from '@tallyroom/contract/people/agents'
import { MOST_FOUND } from '@tallyroom/contract/desk/find'
import { officesSearchSchema } from '@tallyroom/contract/people/offices'
import { can } from '@tallyroom/domain/abilities'
import { scopeOf } from '../../access/scope.ts'
import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { findAdmins, findAgentRows, findOfficeRows } from '../../people/index.ts'
import { findSiteChoices } from '../../catalogue/index.ts'
import { type Ranked, RANK, rankOf } from './rank.ts'

export async function agentsFound(db: Db, viewer: Viewer, text: string): Promise<Ranked[]> {
  if (!can(viewer, 'agents.view')) return []
  const rows = await findAgentRows(db, sightOf(viewer), agentsSearchSchema.parse(searchFor(text)))
  return rows.map(({ id, username, firstName, lastName, email, officeName, active }) => {
    const fullName = `${firstName} ${lastName}`.trim()
    const detail = [fullName, can(viewer, 'offices.choose') && officeName].filter(Boolean)
    return {
      found: {
        kind: 'agent',
        id: String(id),
        label: username,
        detail: detail.join(' · '),
        active,
      },
      rank: rankOf(text, [username, fullName, email]),
    }
  })
}

export async function officesFound(db: Db, viewer: Viewer, text: string): Promise<Ranked[]> {
  if (!can(viewer, 'offices.view')) return []
  const rows = await findOfficeRows(db, sightOf(viewer), officesSearchSchema.parse(searchFor(text)))
  return rows.map(({ companyId, officeName, username, active }) => ({
    found: { kind: 'office', id: String(companyId), label: officeName, detail: username, active },
    rank: rankOf(text, [officeName, username]),
  }))
}

export async function sitesFound(db: Db, viewer: Viewer, text: string): Promise<Ranked[]> {
  const withSuspended = can(viewer, 'sites.view')
  const sites = await findSiteChoices(db, scopeOf(viewer), { withSuspended })
  return sites
    .filter(({ sitename }) => sitename.toLowerCase().includes(text.toLowerCase()))
    .slice(0, MOST_FOUND)
    .map(({ id, sitename, active }) => ({
      found: { kind: 'site', id: String(id), label: sitename, detail: '', active },
      rank: rankOf(text, [sitename]),
    }))
}

/** A network has a handful of them. */
export async function adminsFound(db: Db, viewer: Viewer, text: string): Promise<Ranked[]> {
  if (!can(viewer, 'admins.manage')) return []
  const admins = await findAdmins(db, { sortField: 'username', ascending: true })
  const wanted = text.toLowerCase()
  return admins
    .filter(({ username, email }) => `${username} ${email ?? ''}`.toLowerCase().includes(wanted))
    .slice(0, MOST_FOUND)
    .map(({ id, username, email, suspended }) => ({
      found: {
        kind: 'admin',
        id: String(id),
        label: username,
        detail: ['Admin', email].filter(Boolean).join(' · '),
        active: !suspended,
      },
      rank: Math.min(rankOf(text, [username, email]), RANK.part),
    }))
}

const searchFor = (text: string) => ({
  criteria: [{ field: 'text', operator: 'LIKE', value: `%${text.slice(0, 90)}%` }],
  pageSize: MOST_FOUND,
})
