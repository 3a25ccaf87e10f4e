import { randomInt } from 'node:crypto'
import type { RequestOf, ResultOf } from '@tallyroom/contract/endpoint'
import {
  MOST_SHORT_NAMES,
  type shortLinksEndpoints,
} from '@tallyroom/contract/catalogue/short-links'
import { formatCount } from '@tallyroom/domain/money'
import { hostsOf, type MerchantPage, pageOf, pageText } from '@tallyroom/domain/merchant-page'
import {
  type Carried,
  findShortLink as readShortLink,
  isReservedName,
  MADE_UP_LENGTH,
  MADE_UP_LETTERS,
} from '@tallyroom/domain/short-link'
import { SUB_NAMES } from '@tallyroom/domain/tracked-link'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { locks, takeLock } from '../../db/locks.ts'
import { insertRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid, notFound } from '../../errors.ts'
import { isOwnAddress } from '../../people/index.ts'
import type { Services } from '../../services.ts'
import { isSiteInScope } from '../sites/sites.queries.ts'
import {
  agentOf,
  chooseHost,
  getSeller,
  ownSightOf,
  refuseDeadSeller,
  refuseDeadSite,
} from './generate-links.ts'
import { findSoldTypes, type SoldType } from './links.queries.ts'
import {
  countNames,
  countShortLinks,
  deleteLink,
  findHolder,
  findNamedShortLink,
  findNamesOf,
  findShortLink,
  findShortLinks,
  findSiteOfType,
  insertName,
  renameLink,
  type StoredShortLink,
} from './short-links.queries.ts'

type ListRequest = RequestOf<typeof shortLinksEndpoints.shortLinks>['body']
type NewShortLink = RequestOf<typeof shortLinksEndpoints.createShortLink>['body']
type Named = ResultOf<typeof shortLinksEndpoints.renameShortLink>

/** @throws NOT_FOUND for agents that the viewer cannot see. */
export async function listShortLinks(
  { db, config }: Pick<Services, 'db' | 'config'>,
  viewer: Viewer,
  { agentId: chosen, typeId, name, carries, ...paging }: ListRequest,
): Promise<ResultOf<typeof shortLinksEndpoints.shortLinks>> {
  const agentId = agentOf(viewer, chosen)
  const seller = await getSeller(db, viewer, { siteId: undefined, agentId })
  const filter = {
    agentId,
    typeId: typeId ?? undefined,
    name,
    carries: carries ? given(carries) : undefined,
  }
  const [links, total] = [
    await findShortLinks(db, filter, paging),
    await countShortLinks(db, filter),
  ]
  const { domain } = await chooseHost(db, seller, config.publicUrl)
  const names = Map.groupBy(
    await findNamesOf(
      db,
      links.map(({ id }) => id),
    ),
    ({ linkId }) => linkId,
  )
  return {
    items: links.map(({ carries: carried, madeAt, deletedAt: _deletedAt, ...link }) => ({
      ...link,
      ...carried,
      link: addressOf(domain, link.name),
      formerNames: (names.get(link.id) ?? [])
        .map((one) => one.name)
        .filter((one) => one !== link.name),
      madeAt: madeAt.toISOString(),
    })),
    total,
  }
}

/** The short link that a name leads to, or led to. @throws NOT_FOUND */
export async function getNamedShortLink(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  name: string,
): Promise<ResultOf<typeof shortLinksEndpoints.namedShortLink>> {
  const link = await findNamedShortLink(db, ownSightOf(viewer), name)
  if (!link) throw notFound('short link')
  const { id, agentId, siteId, typeId, typename, carries, deletedAt } = link
  return {
    id,
    name: link.name,
    agentId,
    siteId,
    typeId,
    typename,
    ...carries,
    deletedAt: deletedAt?.toISOString() ?? null,
  }
}

/**
 * Makes a short link of a link that works.
 *
 * @throws NOT_FOUND for objects that the viewer cannot see, VALIDATION_ERROR.
 */
export const createShortLink = (
  { db, config }: Pick<Services, 'db' | 'config'>,
  viewer: Viewer,
  { typeId, agentId: chosen, name, to, ...subs }: NewShortLink,
): Promise<ResultOf<typeof shortLinksEndpoints.createShortLink>> => {
  const agentId = agentOf(viewer, chosen)
  return inTransaction(db, async (tx) => {
    const { type, domain } = await getSold(tx, config, viewer, { typeId, agentId })
    const page = to ? await requirePage(tx, config, type, to) : undefined
    const carries = given({ ...subs, to: page && pageText(page) })
    await takeLock(tx, locks.shortLinks)
    await refuseTooMany(tx, agentId)
    const free = name ? await requireFree(tx, name) : await makeUpName(tx)
    const id = await insertRow(tx, 'short_links', {
      agent_id: agentId,
      type_id: typeId,
      name: free,
      carries: JSON.stringify(carries),
      made_at: tx.now,
    })
    await insertName(tx, id, free)
    await announceChange(tx, 'short-links')
    return { id, name: free, link: addressOf(domain, free) }
  })
}

/** Gives a short link another name, or one that leads to it already. @throws NOT_FOUND, VALIDATION_ERROR */
export const renameShortLink = (
  { db, config }: Pick<Services, 'db' | 'config'>,
  viewer: Viewer,
  id: number,
  name: string,
): Promise<Named> =>
  inTransaction(db, async (tx) => {
    await takeLock(tx, locks.shortLinks)
    const link = await getShortLink(tx, viewer, id)
    const { agentId } = link
    const seller = await getSeller(tx, viewer, { siteId: undefined, agentId })
    const { domain } = await chooseHost(tx, seller, config.publicUrl)
    if (!(await leadsThere(tx, id, name))) {
      await refuseTooMany(tx, agentId)
      await insertName(tx, id, await requireFree(tx, name))
    }
    await renameLink(tx, id, name)
    await announceChange(tx, 'short-links')
    return { name, link: addressOf(domain, name) }
  })

/** @throws NOT_FOUND */
export const removeShortLink = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  id: number,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await takeLock(tx, locks.shortLinks)
    await getShortLink(tx, viewer, id)
    await deleteLink(tx, id)
    await announceChange(tx, 'short-links')
  })

const addressOf = (domain: string, name: string): string => `${domain}/${name}`

/** The link type of a link that works, and the host of the agent's links. */
async function getSold(
  tx: Tx,
  config: Services['config'],
  viewer: Viewer,
  { typeId, agentId }: { typeId: number; agentId: number },
): Promise<{ type: SoldType; domain: string }> {
  const siteId = await findSiteOfType(tx, typeId)
  if (siteId === undefined || !(await isSiteInScope(tx, scopeOf(viewer), siteId)))
    throw notFound('link type')
  const seller = await getSeller(tx, viewer, { siteId, agentId })
  refuseDeadSeller(seller)
  refuseDeadSite(seller)
  const types = await findSoldTypes(tx, { siteId, agentId, now: tx.now })
  const type = types.find((one) => one.typeId === typeId)
  if (!type) throw invalid({ typeId: ['is suspended: its links do not work'] })
  const { domain } = await chooseHost(tx, seller, config.publicUrl)
  return { type, domain }
}

/** @throws VALIDATION_ERROR if the redirect would not lead there, or would lead to a short link again. */
async function requirePage(
  tx: Tx,
  config: Services['config'],
  { url, deepHosts }: SoldType,
  to: string,
): Promise<MerchantPage> {
  const hosts = hostsOf(url, deepHosts)
  const page = pageOf(to, hosts)
  if (!page) throw invalid({ to: [`is no page of ${hosts.join(' or ')}`] })
  const host = page.host ?? hosts[0]
  if (readShortLink(page.path) && (await isOwnAddress(tx, config, `https://${host}`)))
    throw invalid({ to: ['is one of your own links. Enter the page that it leads to'] })
  return page
}

async function getShortLink(db: DbOrTx, viewer: Viewer, id: number): Promise<StoredShortLink> {
  const link = await findShortLink(db, ownSightOf(viewer), id)
  if (!link) throw notFound('short link')
  return link
}

/** Whether a link has, had, or is found by a name. */
async function leadsThere(tx: Tx, id: number, name: string): Promise<boolean> {
  const holder = await findHolder(tx, name)
  return holder?.linkId === id
}

async function refuseTooMany(tx: Tx, agentId: number): Promise<void> {
  if ((await countNames(tx, agentId)) < MOST_SHORT_NAMES) return
  throw invalid({
    _form: [
      `An agent’s short links can have ${formatCount(MOST_SHORT_NAMES)} names, with those of deleted links and former ones. All are used.`,
    ],
  })
}

/** @throws VALIDATION_ERROR if the name, or one that reads like it, belongs to another link, or ever did. */
async function requireFree(tx: Tx, name: string): Promise<string> {
  if (isReservedName(name)) throw invalid({ name: ['is reserved for pages of the back office'] })
  if (await findHolder(tx, name))
    throw invalid({ name: ['is already taken, or looks like one that is'] })
  return name
}

async function makeUpName(tx: Tx): Promise<string> {
  for (;;) {
    const name = Array.from(
      { length: MADE_UP_LENGTH },
      () => MADE_UP_LETTERS[randomInt(MADE_UP_LETTERS.length)],
    ).join('')
    if (!isReservedName(name) && !(await findHolder(tx, name))) return name
  }
}

/** What is given, in a fixed order. */
const given = (carried: Carried): Carried =>
  Object.fromEntries(
    [...SUB_NAMES, 'to' as const].flatMap((one) => {
      const text = carried[one]
      return text ? [[one, text]] : []
    }),
  )
