import type { RequestOf } from '@tallyroom/contract/endpoint'
import {
  NEED_ACTIVE_DOMAIN,
  type preferredDomainsEndpoints,
} from '@tallyroom/contract/preferred-domains'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { refuseStale, withChange } from '../../forms.ts'
import type { Services } from '../../services.ts'
import {
  type DomainColumns,
  insertDomain,
  lockDomains,
  setHidden,
  updateDomainRow,
} from './preferred-domains.queries.ts'

type DomainChange = RequestOf<typeof preferredDomainsEndpoints.updatePreferredDomain>['body']
type StatusChange = RequestOf<typeof preferredDomainsEndpoints.preferredDomainsStatus>['body']

export const createDomain = (
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  domain: DomainColumns,
): Promise<number> => insertDomain(db, { ...domain, created_at: clock.now() })

/**
 * Links that were made for a domain go on working when it is renamed or hidden: any host is accepted.
 *
 * @throws NOT_FOUND, VALIDATION_ERROR when it is the last active one and is to be hidden, and CONFLICT when
 *   it has changed since the form was filled.
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
    const { domain, description, hidden } = withChange(changed, change, { fixed: ['id'] })
    if (hidden && takesLastActive(present, [id])) {
      throw invalid({ hidden: [NEED_ACTIVE_DOMAIN] })
    }
    await updateDomainRow(tx, id, { domain, description, hidden })
  })
}

/**
 * Activates or hides domains: all of them or none.
 *
 * @throws NOT_FOUND, and CONFLICT when no active one would be left.
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

/** Whether hiding these takes the last active one. Where there is none, hiding changes nothing. */
function takesLastActive(
  present: readonly { id: number; hidden: boolean }[],
  hiding: readonly number[],
): boolean {
  const active = present.filter(({ hidden }) => !hidden)
  return active.length > 0 && active.every(({ id }) => hiding.includes(id))
}
