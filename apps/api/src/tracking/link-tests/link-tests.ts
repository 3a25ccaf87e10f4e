import { randomBytes } from 'node:crypto'
import type { RequestOf, ResultOf } from '@tallyroom/contract/endpoint'
import {
  type linkTestsEndpoints,
  MOST_TESTS,
  TEST_MINUTES,
  type TestVisit,
} from '@tallyroom/contract/desk/link-tests'
import { can } from '@tallyroom/domain/abilities'
import { brandOf } from '@tallyroom/domain/brands/index'
import { buildTrackedLink, TEST_PARAM } from '@tallyroom/domain/tracked-link'
import { type ClickSight, clickSightOf } from '../../access/click-sight.ts'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import {
  agentOf,
  chooseHost,
  findSiteOfType,
  getSeller,
  isSiteInScope,
  ownSightOf,
} from '../../catalogue/index.ts'
import type { Tx } from '../../db/database.ts'
import { insertRows } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { notFound, tooManyRequests } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { makeTestMarks } from '../test-visits/test-marks.ts'
import { countTests, findTest, findTestPostbacks } from '../test-visits/test-visits.queries.ts'

type NewTest = RequestOf<typeof linkTestsEndpoints.createLinkTest>['body']

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * Makes a link to try out, also of one that does not work.
 *
 * @throws NOT_FOUND for objects that the viewer cannot see, TOO_MANY_REQUESTS.
 */
export const createLinkTest = (
  { db, config, secret }: Pick<Services, 'db' | 'config' | 'secret'>,
  viewer: Viewer,
  { agentId: chosen, typeId, to, ...subs }: NewTest,
): Promise<ResultOf<typeof linkTestsEndpoints.createLinkTest>> => {
  const agentId = agentOf(viewer, chosen)
  return inTransaction(db, async (tx) => {
    const siteId = await findSiteOfType(tx, typeId)
    if (siteId === undefined || !(await isSiteInScope(tx, scopeOf(viewer), siteId)))
      throw notFound('link type')
    const seller = await getSeller(tx, viewer, { siteId, agentId })
    const { domain } = await chooseHost(tx, seller, config.publicUrl)
    const id = randomBytes(12).toString('base64url')
    const endsAt = new Date(tx.now.getTime() + TEST_MINUTES * MINUTE_MS)
    await refuseTooMany(tx, agentId)
    await insertRows(tx, 'link_tests', {
      id,
      agent_id: agentId,
      type_id: typeId,
      made_by: viewer.accountId,
      made_at: tx.now,
      ends_at: endsAt,
    })
    const link = { siteId, typeId, agentId }
    const url = new URL(buildTrackedLink(domain, link, subs, to))
    url.searchParams.set(TEST_PARAM, makeTestMarks(secret).sign(id, endsAt, link))
    return { id, url: url.href, endsAt: endsAt.toISOString() }
  })
}

/** @throws TOO_MANY_REQUESTS */
async function refuseTooMany(tx: Tx, agentId: number): Promise<void> {
  const made = await countTests(tx, agentId, new Date(tx.now.getTime() - HOUR_MS))
  if (made < MOST_TESTS) return
  throw tooManyRequests(
    `This agent’s links have been tested ${MOST_TESTS} times in an hour. Please try again later.`,
    HOUR_MS / 1000,
  )
}

/** What a test of the viewer's own has shown, as long as they see its agent. @throws NOT_FOUND */
export async function getLinkTest(
  { db, config }: Pick<Services, 'db' | 'config'>,
  viewer: Viewer,
  id: string,
): Promise<ResultOf<typeof linkTestsEndpoints.linkTest>> {
  const test = await findTest(db, ownSightOf(viewer), id)
  if (test?.madeBy !== viewer.accountId) throw notFound('test')
  const postbacks = test.clickId === null ? [] : await findTestPostbacks(db, test.clickId)
  const seesReasons = can(viewer, 'postbacks.view')
  return {
    endsAt: test.endsAt.toISOString(),
    visit:
      test.visit && presentVisit(test.visit, clickSightOf(viewer, brandOf(config.brand).flags)),
    postbacks: postbacks.map(({ receivedAt, reason, ...postback }) => ({
      ...postback,
      receivedAt: receivedAt.toISOString(),
      reason: seesReasons ? reason : null,
    })),
  }
}

/** The browser is always there: it tells whoever tries a link out which of their devices opened it. */
const presentVisit = ({ fromIp, referer, ...visit }: TestVisit, sees: ClickSight): TestVisit => ({
  ...visit,
  ...(sees.ip && { fromIp }),
  ...(sees.referrer && { referer }),
})
