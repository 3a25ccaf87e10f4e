import { randomBytes, randomUUID } from 'node:crypto'
import type { AnswerOf, RequestOf, ResultOf } from '@tallyroom/contract/endpoint'
import { MAX_TARGETS } from '@tallyroom/contract/desk/partner-postbacks'
import {
  FORMER_SECRET_HOURS,
  TEST_KIND,
  type webhookData,
  type webhooksEndpoints,
} from '@tallyroom/contract/desk/webhooks'
import { brandOf, headerNameOf } from '@tallyroom/domain/brands/index'
import { WEBHOOK_KINDS } from '@tallyroom/domain/webhooks'
import type { z } from 'zod'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import type { Db } from '../../db/database.ts'
import { reseal } from '../../db/reseal.ts'
import { insertRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import type { Outgoing } from '../../lib/net/safe-fetch.ts'
import type { Services } from '../../services.ts'
import { subsFrom } from '../../tracking/index.ts'
import type { Ask } from './ask.ts'
import { type Facts, findSubs } from './facts.queries.ts'
import { statusOf } from './macro-values.ts'
import { changing, FORGIVEN, healthOf, placeOf, testOnce } from './partner-postbacks.ts'
import {
  findStaleSecrets,
  findTargets,
  lockTarget,
  type TargetRow,
  type Targets,
  updateTarget,
} from './targets.queries.ts'
import { makeWebhookSecret, signedHeaders, webhookSeals } from './webhook-secret.ts'

type Calls = typeof webhooksEndpoints
type WebhookServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'> & {
  outgoing: Outgoing
}

export const webhooksOf = (viewer: Viewer): Targets => ({
  scope: scopeOf(viewer),
  format: 'webhook',
})

export async function listWebhooks(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
): Promise<AnswerOf<Calls['webhooks']>> {
  const now = clock.now()
  const targets = await findTargets(db, webhooksOf(viewer))
  return {
    webhooks: targets.map((target) => ({
      id: target.id,
      url: target.url,
      host: target.host,
      kinds: WEBHOOK_KINDS.filter((kind) => target.events.includes(kind)),
      ...healthOf(target),
      formerUntil:
        (target.former_until ?? now) > now ? (target.former_until?.toISOString() ?? null) : null,
      version: target.version,
    })),
  }
}

/** Returns the secret, too. @throws VALIDATION_ERROR for too many webhooks, and hosts that are ours or inside. */
export function createWebhook(
  services: WebhookServices,
  viewer: Viewer,
  { url, kinds }: RequestOf<Calls['createWebhook']>['body'],
): Promise<{ id: number; secret: string }> {
  const { db } = services
  return inTransaction(db, async (tx) => {
    if ((await findTargets(tx, webhooksOf(viewer))).length >= MAX_TARGETS) {
      throw invalid({
        _form: [`There are ${MAX_TARGETS} webhooks, the most there can be. Delete one first.`],
      })
    }
    const secret = makeWebhookSecret()
    const token = randomBytes(18).toString('base64url')
    const id = await insertRow(tx, 'postback_targets', {
      format: 'webhook',
      token,
      sealed_secret: webhookSeals(services).seal(token, secret),
      created_at: tx.now,
      events: kinds,
      ...(await placeOf(tx, services, { url, chosenBy: 'network' })),
    })
    await announceChange(tx, 'listeners')
    return { id, secret }
  })
}

/** @throws NOT_FOUND, CONFLICT if somebody else has changed it; VALIDATION_ERROR as when it is created. */
export function changeWebhook(
  services: WebhookServices,
  viewer: Viewer,
  id: number,
  { version, url, kinds }: RequestOf<Calls['updateWebhook']>['body'],
): Promise<void> {
  return changing(services, webhooksOf(viewer), id, async (tx, target) => {
    if (version !== undefined && version !== target.version) {
      throw conflict('This webhook was changed meanwhile. Reload it and try again.')
    }
    return {
      events: kinds ?? target.events,
      version: target.version + 1,
      ...(url !== undefined && (await placeOf(tx, services, { url, chosenBy: 'network' }))),
      ...(url !== undefined && url !== target.url && FORGIVEN),
    }
  })
}

/**
 * Makes a new secret, and returns it. The one before signs, too, for a day.
 *
 * @throws NOT_FOUND; CONFLICT within that day, because the secret that the program may still have would sign no more.
 */
export async function rotateSecret(
  services: WebhookServices,
  viewer: Viewer,
  id: number,
): Promise<{ id: number; secret: string }> {
  const secret = makeWebhookSecret()
  await changing(services, webhooksOf(viewer), id, async (tx, target) => {
    const { token, sealed_secret: former, former_until } = target
    if (former_until && former_until > tx.now) {
      throw conflict(
        `A new secret was made within the last ${FORMER_SECRET_HOURS} hours. With another one, the secret that your program may still have would sign no more. If the new one is lost or known to others, add a webhook and delete this one.`,
      )
    }
    return {
      sealed_secret: webhookSeals(services).seal(token, secret),
      former_secret: former,
      former_until: new Date(tx.now.getTime() + FORMER_SECRET_HOURS * 3_600_000),
    }
  })
  return { id, secret }
}

/** What a webhook is asked when an event is told. */
export const webhookAsk = (
  services: Pick<Services, 'config' | 'clock' | 'secret' | 'formerSecrets'>,
  target: Parameters<typeof signedHeaders>[1] & Pick<TargetRow, 'url'>,
  { id, type, at, data }: { id: string; type: string; at: Date; data: object },
): Ask => {
  const { url } = target
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data })
  return {
    url,
    chosenBy: 'network',
    request: () => ({
      method: 'POST',
      headers: {
        'user-agent': `${headerNameOf(brandOf(services.config.brand))} webhook`,
        'content-type': 'application/json',
        ...signedHeaders(services, target, { id, body, now: services.clock.now() }),
      },
      body,
    }),
    shown: { url, body },
  }
}

/** The `data` about an event. */
export async function saleData(
  db: Db,
  facts: Facts,
): Promise<z.input<(typeof webhookData)['sale.recorded']>> {
  return {
    eventId: facts.eventId,
    event: facts.event,
    status: statusOf(facts),
    occurredAt: facts.occurredAt.toISOString(),
    agentId: facts.agentId,
    agent: facts.agent,
    officeId: facts.officeId,
    siteId: facts.siteId,
    sitename: facts.sitename,
    typeId: facts.typeId,
    typename: facts.typename,
    clickId: facts.clickId,
    subs: subsFrom(await findSubs(db, facts.clickId)),
    transactionId: facts.transactionId,
    payoutCentavos: facts.payoutCentavos,
  }
}

/** Sends one of a type that stands for nothing, signed as all others. @throws NOT_FOUND, TOO_MANY_REQUESTS */
export async function testWebhook(
  services: WebhookServices,
  viewer: Viewer,
  id: number,
): Promise<ResultOf<Calls['testWebhook']>> {
  const target = await inTransaction(services.db, (tx) => lockTarget(tx, webhooksOf(viewer), id))
  if (!target) throw notFound('webhook')
  const about = { id: randomUUID(), type: TEST_KIND, at: services.clock.now(), data: {} }
  return testOnce(services.outgoing, webhookAsk(services, target, about))
}

export function resealWebhooks(
  services: Pick<Services, 'db' | 'log' | 'secret' | 'formerSecrets'>,
): Promise<void> {
  const seals = webhookSeals(services)
  return reseal(
    services,
    'secrets of webhooks',
    (tx) => findStaleSecrets(tx, seals.head),
    async (tx, { id, token, sealed_secret: current, former_secret: former }) => {
      const again = (sealed: Buffer | null) => {
        const text = sealed && seals.open(token, sealed)
        return text ? seals.seal(token, text) : undefined
      }
      const sealed = again(current)
      if (!sealed) return false
      await updateTarget(tx, id, { sealed_secret: sealed, former_secret: again(former) ?? null })
      return true
    },
  )
}
