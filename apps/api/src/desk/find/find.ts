import type { Found } from '@tallyroom/contract/desk/find'
import type { Viewer } from '../../access/viewer.ts'
import { paymentsFound, statementsFound } from './found-payments.ts'
import { adminsFound, agentsFound, officesFound, sitesFound } from './found-people.ts'
import { type SaleServices, salesFound } from './found-sales.ts'
import { RANK } from './rank.ts'

/** What the viewer's lists would find for a text, best match first, and what it means that no sale has it. */
export async function find(
  services: SaleServices,
  viewer: Viewer,
  text: string,
): Promise<{ items: Found[]; meaning: string | null }> {
  const { db } = services
  const [sales, ...others] = await Promise.all([
    salesFound(services, viewer, text),
    statementsFound(services, viewer, text),
    paymentsFound(db, viewer, text),
    agentsFound(db, viewer, text),
    officesFound(db, viewer, text),
    sitesFound(db, viewer, text),
    adminsFound(db, viewer, text),
  ])
  const items = [sales.ranked, ...others]
    .flat()
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ found, rank }) => ({ ...found, isExact: rank === RANK.exact }))
  // Then the text is the name of something else.
  const isNamed = others.flat().some(({ rank }) => rank === RANK.exact)
  return { items, meaning: isNamed ? null : sales.meaning }
}
