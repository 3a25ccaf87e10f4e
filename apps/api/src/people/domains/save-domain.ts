import type { RequestOf } from '@tallyroom/contract/endpoint'
import {
  NEED_ACTIVE_DOMAIN,
  type preferredDomainsEndpoints,
} from '@tallyroom/contract/people/domains'
import { hostNameOf } from '@tallyroom/domain/web-origin'
import { announceChange } from '../../db/changes.ts'
import { insertRow, updateRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { refuseStale, withChange } from '../../forms.ts'
import type { Services } from '../../services.ts'
import { findLoop, rootsOf } from './domain-roots.ts'
import { lockDomains, setHidden } from './preferred-domains.queries.ts'

type NewDomain = RequestOf<typeof preferredDomainsEndpoints.createPreferredDomain>['body']
type DomainChange = RequestOf<typeof preferredDomainsEndpoints.updatePreferredDomain>['body']
type StatusChange = RequestOf<typeof preferredDomainsEndpoints.preferredDomainsStatus>['body']

/** @throws VALIDATION_ERROR if the domain is taken, or if its root would lead back to it. */
export function createDomain(
  { db }: Pick<Services, 'db'>,
  { rootUrl, ...domain }: NewDomain,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    refuseLoop(await lockDomains(tx), { domain: domain.domain, rootUrl })
    const id = await insertRow(tx, 'preferred_domains', {
      ...domain,
      root_url: rootUrl || null,
      created_at: tx.now,
    })
    await announceChange(tx, 'domains')
    return id
  })
}

/** A browser would redirect for ever, from root to root. */
function refuseLoop(
  others: readonly { domain: string; rootUrl: string | null }[],
  saved: { domain: string; rootUrl: string },
): void {
  const own = hostNameOf(saved.domain)
  if (saved.rootUrl && hostNameOf(saved.rootUrl) === own)
    throw invalid({ rootUrl: ['must be on another domain than this one'] })
  const loop = findLoop(rootsOf([...others, saved]), own)
  if (loop)
    throw invalid({
      rootUrl: [`leads back to this domain: ${loop.join(' → ')}. Choose an address elsewhere`],
    })
}

/**
 * Updates a domain. Existing links keep working after it is renamed or hidden, because any host is accepted.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR if it is the last active one and would be hidden, or if its root would lead back to
 * it; CONFLICT if it has changed since the form was loaded.
 */
export function updateDomain(
  { db }: Pick<Services, 'db'>,
  id: number,
  change: DomainChange,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const present = await lockDomains(tx)
    const changed = present.find((one) => one.id === id)
    if (!changed) throw notFound('domain')
    refuseStale('domain', changed.version, change.version)
    const stored = { ...changed, rootUrl: changed.rootUrl ?? '' }
    const { domain, description, hidden, rootUrl } = withChange(stored, change, { fixed: ['id'] })
    refuseLoop(
      present.filter((one) => one.id !== id),
      { domain, rootUrl },
    )
    if (hidden && takesLastActive(present, [id])) {
      throw invalid({ hidden: [NEED_ACTIVE_DOMAIN] })
    }
    await updateRow(tx, 'preferred_domains', id, {
      domain,
      description,
      hidden,
      root_url: rootUrl || null,
    })
    await announceChange(tx, 'domains')
  })
}

/**
 * Activates or hides domains: all of them or none.
 *
 * @throws NOT_FOUND, or CONFLICT if no active domain would be left.
 */
export function setDomainsHidden(
  { db }: Pick<Services, 'db'>,
  { ids, hidden }: StatusChange,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const present = await lockDomains(tx)
    if (!ids.every((id) => present.some((one) => one.id === id))) throw notFound('domain')
    if (hidden && takesLastActive(present, ids)) throw conflict(NEED_ACTIVE_DOMAIN)
    await setHidden(tx, ids, hidden)
  })
}

/** Whether hiding these would hide the last active domain. If none is active, hiding changes nothing. */
function takesLastActive(
  present: readonly { id: number; hidden: boolean }[],
  hiding: readonly number[],
): boolean {
  const active = present.filter(({ hidden }) => !hidden)
  return active.length > 0 && active.every(({ id }) => hiding.includes(id))
}
