import {
  type Home,
  type PayStep,
  paySteps,
  type SetupStep,
  setupSteps,
} from '@tallyroom/contract/desk/home'
import { buildTrackedLink } from '@tallyroom/domain/tracked-link'
import { arePayoutsShown, chooseHost } from '../../catalogue/index.ts'
import { findContact } from '../../people/index.ts'
import type { Services } from '../../services.ts'
import type { HomeReader } from './home-reader.ts'
import {
  findFailedPostbacks,
  findFirstLink,
  findPayFacts,
  findSetup,
  findUncounted,
} from './setup.queries.ts'

/**
 * What a new network still needs, derived from its data. Undefined once a click and a sale or test
 * sale have arrived: a running network needs no domain of its own.
 */
export async function readSetup({ tx, config }: HomeReader): Promise<Home['setup']> {
  const { siteId, ...done } = await findSetup(tx)
  if (done.click && done.postback) return undefined
  const uncounted = done.click ? [] : await findUncounted(tx, MOST_COUNTED)
  const failed = done.postback ? [] : await findFailedPostbacks(tx, MOST_COUNTED)
  const link = await findFirstLink(tx)
  const host = link && (await chooseHost(tx, link, config.publicUrl))
  return {
    done: setupSteps.filter((step: SetupStep) => done[step]),
    siteId,
    uncounted: uncounted[0] ? { clicks: uncounted.length, because: uncounted[0] } : null,
    failed: failed.length > 0 ? { postbacks: failed.length, reason: failed[0] ?? null } : null,
    link: link && host ? buildTrackedLink(host.domain, link) : null,
  }
}

/** What of a first payment is there already. Some of it takes days, so it is named as soon as sales arrive. */
export async function readFirstPayment({
  db,
  config,
}: Pick<Services, 'db' | 'config'>): Promise<{ done: PayStep[] }> {
  const { name, chat, email } = await findContact(db)
  const is: Record<PayStep, boolean> = {
    mail: config.smtpUrl !== undefined,
    contact: [name, chat, email].some((text) => text !== ''),
    visible: await arePayoutsShown(db),
    ...(await findPayFacts(db)),
  }
  return { done: paySteps.filter((step) => is[step]) }
}

/** Of what arrived and did not count. */
const MOST_COUNTED = 100
