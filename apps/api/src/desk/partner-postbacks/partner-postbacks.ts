import { randomBytes } from 'node:crypto'
import {
  LOG_PAGE_SIZE,
  MAX_TARGETS,
  type partnerPostbacksEndpoints,
  targetStates,
} from '@tallyroom/contract/desk/partner-postbacks'
import type { AnswerOf, RequestOf, ResultOf } from '@tallyroom/contract/endpoint'
import { fillPostbackUrl, NOTICE_KINDS } from '@tallyroom/domain/partner-postback'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { findVisibleAmounts, isSiteInScope } from '../../catalogue/index.ts'
import { announceChange } from '../../db/changes.ts'
import type { Tx } from '../../db/database.ts'
import { insertRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound, tooManyRequests } from '../../errors.ts'
import { atMost, BusyError } from '../../lib/at-most.ts'
import type { Chooser, Outgoing } from '../../lib/net/safe-fetch.ts'
import { isOwnAddress } from '../../people/index.ts'
import type { Services } from '../../services.ts'
import { findDeliveries, findTries, sendAgain } from './deliveries.queries.ts'
import { type Facts, findLastSale } from './facts.queries.ts'
import { type Ask, ask, postbackAsk } from './ask.ts'
import { macroValues } from './macro-values.ts'
import {
  deleteTarget,
  findTargets,
  findTypeSite,
  isTargetAmong,
  type ListedTarget,
  lockTarget,
  type TargetRow,
  type Targets,
  updateTarget,
} from './targets.queries.ts'

type Calls = typeof partnerPostbacksEndpoints
export const postbacksOf = (viewer: Viewer): Targets => ({
  scope: scopeOf(viewer),
  format: 'postback',
})

type TargetServices = Pick<Services, 'config' | 'db' | 'clock'> & { outgoing: Outgoing }

export async function listTargets(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
): Promise<AnswerOf<Calls['partnerPostbacks']>> {
  const targets = await findTargets(db, postbacksOf(viewer))
  const { payout } = await findVisibleAmounts(db, viewer)
  return {
    postbacks: targets.map((target) => present(target, viewer)),
    payoutVisible: payout,
  }
}

const present = (
  target: ListedTarget,
  viewer: Viewer,
): AnswerOf<Calls['partnerPostbacks']>['postbacks'][number] => ({
  id: target.id,
  url: target.url,
  host: target.host,
  events: NOTICE_KINDS.filter((kind) => target.events.includes(kind)),
  siteId: target.site_id,
  sitename: target.sitename,
  typeId: target.type_id,
  typename: target.typename,
  ...healthOf(target),
  ...(isOwner(viewer) && { token: target.token }),
  agent: target.agent,
  officeName: target.officeName,
  version: target.version,
})

/** How a target is doing. */
export const healthOf = ({
  state,
  failures,
  told_at,
  missed,
  lastSentAt,
  wait_until,
}: ListedTarget) => ({
  state: targetStates.find((one) => one === state) ?? 'off',
  failures,
  keepsFailing: told_at !== null,
  missed,
  lastSentAt: lastSentAt?.toISOString() ?? null,
  waitsUntil: wait_until?.toISOString() ?? null,
})

const isOwner = ({ role }: Viewer): boolean => role === 'agent' || role === 'company'

/** @throws VALIDATION_ERROR for too many postbacks, hosts that are ours or inside, and sites that the viewer may not sell. */
export function createTarget(
  services: TargetServices,
  viewer: Viewer,
  { url, events, siteId, typeId }: RequestOf<Calls['createPartnerPostback']>['body'],
): Promise<number> {
  const { db } = services
  return inTransaction(db, async (tx) => {
    const targets = await findTargets(tx, postbacksOf(viewer))
    if (targets.length >= MAX_TARGETS) {
      throw invalid({
        _form: [`You have ${MAX_TARGETS} postbacks, the most there can be. Delete one first.`],
      })
    }
    const id = await insertRow(tx, 'postback_targets', {
      office_id: viewer.agentId === undefined ? (viewer.officeId ?? null) : null,
      agent_id: viewer.agentId ?? null,
      token: randomBytes(18).toString('base64url'),
      created_at: tx.now,
      events,
      ...(await placeOf(tx, services, { url, chosenBy: 'partners' })),
      ...(await sellingOf(tx, viewer, siteId, typeId)),
    })
    await announceChange(tx, 'listeners')
    return id
  })
}

/** @throws NOT_FOUND, CONFLICT if somebody else has changed it; VALIDATION_ERROR as when it is created. */
export function changeTarget(
  services: TargetServices,
  viewer: Viewer,
  id: number,
  change: RequestOf<Calls['updatePartnerPostback']>['body'],
): Promise<void> {
  return changing(services, postbacksOf(viewer), id, async (tx, target) => {
    if (change.version !== undefined && change.version !== target.version) {
      throw conflict('This postback was changed meanwhile. Reload it and try again.')
    }
    const { url = target.url, siteId = target.site_id, typeId = target.type_id } = change
    return {
      events: change.events ?? target.events,
      version: target.version + 1,
      ...(change.url !== undefined && (await placeOf(tx, services, { url, chosenBy: 'partners' }))),
      ...(await sellingOf(tx, viewer, siteId, typeId)),
      ...(url !== target.url && FORGIVEN),
    }
  })
}

/** @throws NOT_FOUND */
export function switchTarget(
  services: TargetServices,
  targets: Targets,
  id: number,
  { on, sendMissed }: RequestOf<Calls['switchPartnerPostback']>['body'],
): Promise<void> {
  return changing(services, targets, id, async (tx) => {
    if (on && sendMissed) await sendAgain(tx, { targetId: id, now: tx.now })
    return on ? { state: 'on', ...FORGIVEN } : { state: 'off' }
  })
}

export const FORGIVEN = {
  failures: 0,
  failing_since: null,
  told_at: null,
  wait_until: null,
} as const

/** @throws NOT_FOUND */
export function removeTarget(
  services: TargetServices,
  targets: Targets,
  id: number,
): Promise<void> {
  return changing(services, targets, id, async (tx) => {
    await deleteTarget(tx, id)
    return undefined
  })
}

/** Changes a target that is locked meanwhile. @throws NOT_FOUND */
export function changing(
  { db }: Pick<Services, 'db'>,
  targets: Targets,
  id: number,
  change: (tx: Tx, target: TargetRow) => Promise<Partial<TargetRow> | undefined>,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const target = await lockTarget(tx, targets, id)
    if (!target) throw notFound(targets.format)
    const changed = await change(tx, target)
    if (changed) await updateTarget(tx, id, changed)
    await announceChange(tx, 'listeners')
  })
}

/** @throws VALIDATION_ERROR for a URL of this installation, and one that can never be asked. */
export async function placeOf(
  tx: Tx,
  { config, outgoing }: Pick<TargetServices, 'config' | 'outgoing'>,
  { url, chosenBy }: { url: string; chosenBy: Chooser },
): Promise<Pick<TargetRow, 'url' | 'host'>> {
  await refuseOwn(tx, config, url)
  const problem = outgoing.problemOf(url, chosenBy)
  if (problem !== undefined) throw invalid({ url: [problem] })
  return { url, host: new URL(url).host.replace(/\.(?=:|$)/, '') }
}

/** @throws VALIDATION_ERROR for a URL of this installation: it would call itself for ever. */
async function refuseOwn(tx: Tx, config: Services['config'], url: string): Promise<void> {
  if (await isOwnAddress(tx, config, url))
    throw invalid({ url: ['must not be an address of ours, such as a link or a postback'] })
}

/** @throws VALIDATION_ERROR for a site out of scope, or a link type of another site. */
async function sellingOf(
  tx: Tx,
  viewer: Viewer,
  siteId: number | null,
  typeId: number | null,
): Promise<Pick<TargetRow, 'site_id' | 'type_id'>> {
  if (siteId !== null && !(await isSiteInScope(tx, scopeOf(viewer), siteId))) {
    throw invalid({ siteId: ['is not a site that you may sell'] })
  }
  if (typeId !== null && (await findTypeSite(tx, typeId)) !== siteId) {
    throw invalid({ typeId: ['is not a link type of the site'] })
  }
  return { site_id: siteId, type_id: typeId }
}

/** A URL with the viewer's last sale filled in. */
export async function previewTarget(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  url: string,
): Promise<AnswerOf<Calls['previewPartnerPostback']>> {
  const sale = await findLastSale(db, scopeOf(viewer))
  const facts = sale ?? exampleOf(clock.now())
  const values = await macroValues(db, { url, ofNetwork: false }, facts)
  return {
    url: fillPostbackUrl(url, { ...values, token: 'token' }),
    occurredAt: sale?.occurredAt.toISOString() ?? null,
  }
}

const testsAtOnce = atMost({ running: 4, waiting: 8 })

/** Asks a URL once, with values that no tracker takes for a sale. @throws TOO_MANY_REQUESTS */
export async function testTarget(
  { config, db, clock, outgoing }: TargetServices,
  viewer: Viewer,
  { url, id }: RequestOf<Calls['testPartnerPostback']>['body'],
): Promise<ResultOf<Calls['testPartnerPostback']>> {
  const token = await inTransaction(db, async (tx) => {
    await refuseOwn(tx, config, url)
    const target = id === undefined ? undefined : await lockTarget(tx, postbacksOf(viewer), id)
    if (id !== undefined && !target) throw notFound('postback')
    return target?.token ?? 'test'
  })
  const example = exampleOf(clock.now())
  const known = await macroValues(db, { url, ofNetwork: false }, example)
  const marks = { sub1: 'test', sub2: 'test', sub3: 'test', sub4: 'test', sub5: 'test' }
  const values = {
    ...known,
    ...marks,
    token,
    event_id: 'test',
    click_id: 'test',
    transaction_id: 'test',
  }
  return testOnce(outgoing, postbackAsk({ config }, { url, ofNetwork: false }, values))
}

/** @throws TOO_MANY_REQUESTS */
export async function testOnce(
  outgoing: Outgoing,
  asking: Ask,
): Promise<ResultOf<Calls['testPartnerPostback']>> {
  const startedAt = performance.now()
  try {
    const { kept } = await testsAtOnce(() => ask(outgoing, asking))
    const tookMs = Math.round(performance.now() - startedAt)
    return { ...asking.shown, tookMs, ...kept }
  } catch (error) {
    if (!(error instanceof BusyError)) throw error
    throw tooManyRequests('Many tests are running. Please try again in a moment.', 10)
  }
}

const exampleOf = (now: Date): Facts => ({
  eventId: '01900000-0000-7000-8000-000000000000',
  occurredAt: now,
  event: 'sale',
  quantity: 1,
  payoutCentavos: 0,
  agentId: 1,
  agent: 'agent',
  officeId: 1,
  siteId: 1,
  sitename: 'site',
  typeId: 1,
  typename: 'type',
  clickId: 'click',
  transactionId: 'order',
})

/** @throws NOT_FOUND */
export async function listDeliveries(
  { db }: Pick<Services, 'db'>,
  targets: Targets,
  id: number,
  page: number,
): Promise<AnswerOf<Calls['partnerPostbackLog']>> {
  if (!(await isTargetAmong(db, targets, id))) throw notFound(targets.format)
  const offset = (page - 1) * LOG_PAGE_SIZE
  const { rows, total } = await findDeliveries(db, id, { limit: LOG_PAGE_SIZE, offset })
  const ids = rows.map((row) => row.id)
  const tries = Map.groupBy(await findTries(db, ids), (one) => one.delivery_id)
  return {
    total,
    items: rows.map(({ madeAt, nextTryAt, ...row }) => ({
      ...row,
      madeAt: madeAt.toISOString(),
      nextTryAt: nextTryAt?.toISOString() ?? null,
      tries: (tries.get(row.id) ?? []).map(
        ({ url, body, status, answer, error, took_ms, tried_at }) => ({
          url,
          body,
          status,
          answer,
          error,
          tookMs: took_ms,
          triedAt: tried_at.toISOString(),
        }),
      ),
    })),
  }
}

/** @throws NOT_FOUND; CONFLICT while it is being sent, or its postback is off. */
export function sendDeliveryAgain(
  { db }: Pick<Services, 'db'>,
  targets: Targets,
  { id, deliveryId }: RequestOf<Calls['sendAgain']>['params'],
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const target = await lockTarget(tx, targets, id)
    if (!target) throw notFound(targets.format)
    if (target.state !== 'on') throw conflict(`This ${targets.format} is off. Switch it on first.`)
    const count = await sendAgain(tx, { targetId: id, deliveryId, now: tx.now })
    if (count === 0) throw notFound('delivery')
  })
}
