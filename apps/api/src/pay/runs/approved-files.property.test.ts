import { fc, test as property } from '@fast-check/vitest'
import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { payeeAccountsEndpoints } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { payFilesEndpoints } from '@tallyroom/contract/pay/files/files'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { createHash, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { buildAccount, buildOffice } from '../../../test/build-world.ts'
import { callRoutes, viewer } from '../../../test/call-routes.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import {
  buildBalance,
  buildOwed,
  buildPay,
  genericLayout,
  seenOf,
} from '../../../test/payment-world.ts'
import { PAY_TABLES } from '../../../test/pay-world.ts'
import { testServices } from '../../../test/services.ts'
import type { Viewer } from '../../access/viewer.ts'
import { payRoutes } from '../pay.routes.ts'
import { payeeAccountsRoutes } from '../acts/payee-accounts.routes.ts'
import { paymentRunsRoutes } from '../paying/payment-runs.routes.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database)
const call = await callRoutes([
  ...paymentRunsRoutes(services),
  ...payRoutes(services),
  ...payeeAccountsRoutes(services),
])
const runs = paymentRunsEndpoints

type World = { id: number; templateId: number; offices: number[]; people: Viewer[]; payee: Viewer }

/** Calls that people make between an approval and a download, and how they choose among what there is. */
const acts: Record<string, (world: World, chosen: number) => Promise<unknown>> = {
  template: async (world, chosen) =>
    send(world, chosen, payFilesEndpoints.updatePayFileTemplate, {
      params: { id: world.templateId },
      body: {
        version: 1 + (chosen % 4),
        name: `Bank ${randomUUID()}`,
        layout: {
          ...genericLayout,
          mostLines: 1 + (chosen % 3),
          separator: chosen % 2 ? 'tab' : 'semicolon',
          decimals: chosen % 3 ? 'none' : 'comma',
          columns: [
            ...genericLayout.columns.filter(({ field }) => field !== 'accountName'),
            { header: 'Account name', field: 'text', text: 'Mallory' },
          ],
        },
      },
    }),
  'delete template': (world, chosen) =>
    send(world, chosen, payFilesEndpoints.deletePayFileTemplate, {
      params: { id: world.templateId },
    }),
  account: (world, chosen) =>
    call(world.payee, payeeAccountsEndpoints.enterPayeeAccount, {
      body: {
        channel: 'bank',
        institution: 'BNORPHMM',
        number: `66660000${chosen}`,
        accountName: 'Mallory Attacker',
        currency: 'PHP',
      },
    }),
  confirm: async (world, chosen) => {
    const newest = await db
      .selectFrom('payee_accounts')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    return send(world, chosen, payeeAccountsEndpoints.decideAccount, {
      params: { id: newest?.id ?? 0 },
      body: { confirm: chosen % 5 > 0, reason: 'Wrong' },
    })
  },
  hold: (world, chosen) =>
    send(world, chosen, balancesEndpoints.setPayHold, {
      params: payeeOf(world, chosen),
      body: { held: chosen % 2 > 0, reason: 'Fraud' },
    }),
  adjustment: (world, chosen) =>
    send(world, chosen, balancesEndpoints.createAdjustment, {
      body: { ...payeeOf(world, chosen), currency: 'PHP', amount: 1 + chosen, reason: 'Bonus' },
    }),
  minimum: (world, chosen) =>
    send(world, chosen, balancesEndpoints.setPayMinimum, {
      params: payeeOf(world, chosen),
      body: { amount: chosen * 1_000_00 },
    }),
  'take a line out': async (world, chosen) =>
    send(world, chosen, runs.removePaymentRunLine, {
      params: { id: world.id },
      body: { lineId: chosen, reason: 'Not yet' },
    }),
  'another run': async (world, chosen) => {
    await buildBalance(db, world.offices[chosen % world.offices.length]!)
    const { id } = (
      await send(world, chosen, runs.preparePaymentRun, {
        body: { period: null, currency: 'PHP', templateId: world.templateId },
      })
    ).body
    if (!id) return
    await send(world, chosen + 1, runs.approvePaymentRun, {
      params: { id },
      body: await seenOf(db, id),
    })
  },
  approve: async (world, chosen) =>
    send(world, chosen, runs.approvePaymentRun, {
      params: { id: world.id },
      body: { amount: 6_000_00 },
    }),
  cancel: (world, chosen) =>
    send(world, chosen, runs.cancelPaymentRun, {
      params: { id: world.id },
      body: { reason: 'Wrong bank' },
    }),
  download: (world, chosen) => download(world, chosen),
  results: (world, chosen) =>
    send(world, chosen, paymentResultsEndpoints.enterPaymentResults, {
      params: { id: world.id },
      body: { allPaid: true },
    }),
  name: (world, chosen) =>
    db
      .updateTable('offices')
      .set({ name: `Renamed ${randomUUID()}` })
      .where('id', '=', world.offices[chosen % world.offices.length]!)
      .execute(),
}

const payeeOf = ({ offices }: World, chosen: number) => ({
  kind: 'office',
  id: offices[chosen % offices.length]!,
})

async function send(
  { people }: World,
  chosen: number,
  endpoint: Endpoint,
  input: Parameters<typeof call>[2],
) {
  const answer = await call(people[chosen % people.length]!, endpoint, input)
  expect([endpoint.path, answer.status]).not.toEqual([endpoint.path, 500])
  return answer
}

async function download(world: World, chosen: number): Promise<Map<string, string | undefined>> {
  const { body } = await send(world, chosen, runs.paymentRun, { params: { id: world.id } })
  const files = new Map<string, string | undefined>()
  for (const { name } of body.files) {
    const answer = await send(world, chosen, runs.takePaymentFile, {
      params: { id: world.id },
      body: { name, again: true },
    })
    files.set(name, answer.status === 200 ? sha256(answer.body) : undefined)
  }
  return files
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function buildWorld(): Promise<World> {
  await emptyTables(database.connection, [...PAY_TABLES])
  await buildPay(db)
  const people: Viewer[] = []
  for (const username of ['ann', 'bob', 'cat'])
    people.push({ ...viewer(), accountId: await buildAccount(db, { username }), username })
  const offices: number[] = []
  for (const name of ['Manila', 'Cebu', 'Davao'])
    offices.push(await buildOwed(db, await buildOffice(db, { name })))
  const officeId = offices[0]!
  const login = await db
    .selectFrom('accounts')
    .select('id')
    .where('office_id', '=', officeId)
    .executeTakeFirstOrThrow()
  const at = services.clock.now()
  const sessionId = randomUUID()
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      account_id: login.id,
      started_at: at,
      last_seen_at: at,
      expires_at: new Date(at.getTime() + 1e9),
      ip: '203.0.113.50',
    })
    .execute()
  const payee: Viewer = {
    ...viewer({ role: 'company', officeId, agentId: undefined }),
    accountId: login.id,
    sessionId,
  }
  const [ann, bob] = people as [Viewer, Viewer]
  const { id: templateId } = (
    await call(ann, payFilesEndpoints.createPayFileTemplate, {
      body: { name: `Bank ${randomUUID()}`, layout: { ...genericLayout, mostLines: 2 } },
    })
  ).body
  const { id } = (
    await call(ann, runs.preparePaymentRun, { body: { period: null, currency: 'PHP', templateId } })
  ).body
  const approved = await call(bob, runs.approvePaymentRun, {
    params: { id },
    body: await seenOf(db, id),
  })
  expect(approved.status).toBe(200)
  return { id, templateId, offices, people, payee }
}

property.prop(
  [
    fc.array(fc.tuple(fc.constantFrom(...Object.keys(acts)), fc.nat(9)), {
      minLength: 4,
      maxLength: 14,
    }),
  ],
  { numRuns: process.env['TESTS'] === 'thorough' ? 60 : 6 },
)(
  'whatever people do after an approval, the files are those that were approved, or are refused',
  async (sequence) => {
    const world = await buildWorld()
    const { files } = (await call(world.people[1]!, runs.paymentRun, { params: { id: world.id } }))
      .body
    const approved = new Map(
      files.map(({ name, sha256: hash }: { name: string; sha256: string }) => [name, hash]),
    )
    expect(approved.size).toBe(2)
    for (const [act, chosen] of sequence) await acts[act]!(world, chosen)
    for (const [name, hash] of await download(world, 0)) {
      expect(approved.has(name)).toBe(true)
      if (hash !== undefined) expect(hash).toBe(approved.get(name))
    }
    const { state } = (await call(world.people[1]!, runs.paymentRun, { params: { id: world.id } }))
      .body
    // Nothing but cancelling and holds keeps the files from leaving.
    for (const id of world.offices)
      await send(world, 0, balancesEndpoints.setPayHold, {
        params: { kind: 'office', id },
        body: { held: false, reason: 'Settled' },
      })
    if (state !== 'cancelled')
      expect([...(await download(world, 1)).values()]).not.toContain(undefined)
  },
)
