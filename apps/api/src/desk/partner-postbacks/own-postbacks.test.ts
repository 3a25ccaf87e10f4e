import { partnerPostbacksEndpoints } from '@tallyroom/contract/desk/partner-postbacks'
import { afterAll, expect, test } from 'vitest'
import { buildAgent, buildLinkType, buildOffice, buildSite } from '../../../test/build-world.ts'
import { openPublicNames, publicNameOf } from '../../../test/public-names.ts'
import { testDatabase } from '../../../test/database.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { until } from '../../../test/until.ts'
import { buildApp } from '../../app.ts'

openPublicNames()
const database = await testDatabase()
const { db } = database
const services = testServices(database, {
  environment: { PUBLIC_URL: 'https://office.example.com' },
})
const agentId = await buildAgent(db, { office_id: await buildOffice(db), username: 'maria' })
const siteId = await buildSite(db)
const typeId = await buildLinkType(db, { site_id: siteId })
const app = await buildApp(services)
afterAll(() => app.close())
const address = await app.listen({ port: 0, host: '127.0.0.1' })
const link = `http://${publicNameOf(new URL(address).port)}/api/links/go/${siteId}/${typeId}/${agentId}`

test('a postback to a link of ours, under a name that we do not know, makes no click', async () => {
  await until(
    async () =>
      (await fetch(`${address}${new URL(link).pathname}`, { redirect: 'manual' })).status === 302,
  )
  const clicks = async () => (await db.selectFrom('clicks').select('agent_id').execute()).length
  const before = await clicks()
  const { body, statusCode } = await send(
    app,
    partnerPostbacksEndpoints.testPartnerPostback,
    { body: { url: `${link}?sub1={click_id}` } },
    { token: await tokenOf(services, 'maria') },
  )
  expect([statusCode, JSON.parse(body)]).toMatchObject([200, { status: 404 }])
  expect(await clicks()).toBe(before)
})
