import { accountsEndpoints } from '@tallyroom/contract/people/accounts'
import { contactEndpoints } from '@tallyroom/contract/people/contact'
import { expect, test } from 'vitest'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { accountsRoutes } from '../accounts/accounts.routes.ts'
import { contactRoutes } from './contact.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes([...accountsRoutes(services), ...contactRoutes(services)])
const staff = viewer()
const officeId = await buildOffice(db)
const agentId = await buildAgent(db, { office_id: officeId })
const office = viewer({ role: 'company', officeId, agentId: undefined })
const agent = viewer({ role: 'agent', officeId, agentId })

const save = (body: object) => call(staff, contactEndpoints.saveContact, { body })
const shownTo = async (who: ReturnType<typeof viewer>) =>
  (await call(who, accountsEndpoints.me)).body.contact

test('offices and agents are told whom to ask, staff are not', async () => {
  expect(await shownTo(office)).toBeNull()
  expect((await save({ name: 'Ana Reyes', chat: 'https://t.me/ana' })).status).toBe(200)
  const ana = { name: 'Ana Reyes', chat: 'https://t.me/ana', email: '' }
  expect(await shownTo(office)).toEqual(ana)
  expect(await shownTo(agent)).toEqual(ana)
  expect(await shownTo(staff)).toBeNull()

  await save({ chat: '+63 917 000 0000 on Viber', email: 'partners@tallyroom.example' })
  expect(await shownTo(agent)).toEqual({
    name: 'Ana Reyes',
    chat: '+63 917 000 0000 on Viber',
    email: 'partners@tallyroom.example',
  })

  await save({ name: '', chat: '', email: '' })
  expect(await shownTo(agent)).toBeNull()
})

test.each([
  { chat: 'http://t.me/ana' },
  { chat: 'javascript://t.me/%0aalert(1)' },
  { chat: 'https://' },
  { chat: 'https://t.me/ana and Viber' },
  { email: 'ana' },
  { email: 'ana@tallyroom.example\nBcc: all@tallyroom.example' },
])('%j is refused', async (body) => {
  expect((await save(body)).status).toBe(422)
})

test('a chat that says javascript: is a text, not a link', async () => {
  expect((await save({ chat: 'javascript:alert(1)' })).status).toBe(200)
})

test('somebody else’s change is not overwritten', async () => {
  const { version } = (await call(staff, contactEndpoints.contact)).body
  await save({ name: 'Ben' })
  expect((await save({ name: 'Ann', version })).status).toBe(409)
})
