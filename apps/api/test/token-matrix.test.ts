import { type Endpoint, needsProof } from '@tallyroom/contract/endpoint'
import { type EndpointName, endpoints } from '@tallyroom/contract/endpoints'
import { TOKEN_GROUPS, type TokenGroup } from '@tallyroom/contract/token-groups'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import {
  buildFirstLink,
  buildHome,
  type Caller,
  callers,
  objects,
  tokenOfCaller,
} from './access-matrix-world.ts'
import { type Case, matrix } from './access-matrix.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: { TOKEN_CALLS_A_MINUTE: '999999' } })
await buildFirstLink(db)
const app = await buildApp(services)
afterAll(() => app.close())

const table: Record<EndpointName, Endpoint> = endpoints
const names = (Object.keys(endpoints) as EndpointName[]).filter(
  (name) => table[name].ability !== 'public',
)
const holders = callers.filter((caller) => caller !== 'nobody')

test('the calls that a token can make', () => {
  const calls = Object.groupBy(
    names.filter((name) => table[name].byToken),
    (name) => table[name].byToken ?? 'none',
  )
  expect(calls).toMatchInlineSnapshot(`
    {
      "any": [
        "me",
        "companies",
        "companyAgents",
        "sites",
        "typesBySite",
        "links",
        "linkRates",
        "shortLinks",
        "coupons",
        "avpPeriods",
      ],
      "figures": [
        "siteStats",
        "avpStats",
        "payroll",
        "payrollAvp",
        "top10",
        "top10Computed",
        "officePerformance",
        "officeCharts",
        "dashboard",
        "explain",
        "exportSiteStats",
        "exportAvpStats",
        "exportPayroll",
        "exportPayrollAvp",
        "exportTop10",
        "exportOfficePerformance",
        "exportWhatIf",
        "exportOfficeCharts",
        "avpStanding",
        "avpCloseAgents",
        "whatIf",
        "avpRules",
      ],
      "links": [
        "createShortLink",
        "renameShortLink",
        "deleteShortLink",
      ],
      "logs": [
        "searchPostbacks",
        "searchChatLogs",
        "searchClickLogs",
        "searchSaleLogs",
        "sale",
        "searchCommonLogs",
        "downloadCommonLogs",
        "searchLoginLogs",
      ],
      "people": [
        "unapproved",
        "unapprovedCount",
        "approve",
        "searchOffices",
        "office",
        "officeSites",
        "updateOffice",
        "officesStatus",
        "searchAgents",
        "agent",
        "agentSites",
        "updateAgent",
        "agentsStatus",
      ],
      "postbacks": [
        "previewHeldPostbacks",
        "testPostback",
      ],
      "sites": [
        "searchSites",
        "site",
        "siteAgents",
        "createSite",
        "updateSite",
        "sitesStatus",
        "enableSiteForAllOffices",
        "linkType",
        "rates",
      ],
      "statements": [
        "earned",
        "recentEarned",
        "estimate",
        "exportStatement",
        "statementLine",
        "payPeriods",
        "statements",
        "statement",
        "balances",
        "balance",
      ],
    }
  `)
})

test('nothing that needs a password, and no change of pay, can be called by a token', () => {
  const wrong = names.filter((name) => {
    const { byToken, path } = table[name]
    const isOfAccess = /^\/api\/(auth|tokens|profile|admins|options)\b/.test(path)
    return byToken && (needsProof(table[name]) || isOfAccess)
  })
  expect(wrong).toEqual([])
})

const closed = names.filter((name) => !table[name].byToken)
const open = names.filter((name) => table[name].byToken)

test.each(holders)('a token of the %s is refused by every other call', async (caller) => {
  const token = await tokenOfCaller(services, caller, await buildHome(db), TOKEN_GROUPS)
  for (const name of closed) {
    const { statusCode } = await send(app, table[name], {}, { token })
    expect([name, statusCode]).toEqual([name, 403])
  }
})

describe.each(open)('%s', (name) => {
  test.each(matrix[name].map((one) => [one.kind ?? 'nothing', one] as const))(
    'answers a token about %s as it answers its owner',
    async (_, one) => {
      for (const [target, row] of Object.entries(one.answers)) {
        const answers: number[] = []
        for (const caller of holders)
          answers.push(await ask(name, one, target, caller, TOKEN_GROUPS))
        expect([target, `401 ${answers.join(' ')}`]).toEqual([target, row])
      }
    },
  )

  const { byToken } = table[name]
  test.runIf(byToken !== 'any')('refuses a token without its group', async () => {
    const [one] = matrix[name]
    const [target] = Object.keys(one?.answers ?? {})
    if (!one || target === undefined) throw new Error(`${name} is not in the access matrix`)
    const others = TOKEN_GROUPS.filter((group) => group !== byToken)
    expect(await ask(name, one, target, 'superadmin who may delete', others)).toBe(403)
  })
})

let calls = 0

async function ask(
  name: EndpointName,
  { kind, sentFor }: Case,
  target: string,
  caller: Exclude<Caller, 'nobody'>,
  may: readonly TokenGroup[],
) {
  const home = await buildHome(db)
  const build = kind && (objects[kind] as Record<string, typeof objects.office.own>)[target]
  const sent = sentFor((await build?.(db, home)) as never)
  const { statusCode } = await send(app, table[name], sent, {
    token: await tokenOfCaller(services, caller, home, may),
    ip: `10.1.${Math.floor(++calls / 250)}.${calls % 250}`,
  })
  return statusCode
}
