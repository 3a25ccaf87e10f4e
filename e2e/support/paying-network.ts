import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { addDays, atNewYork } from '../../packages/domain/src/new-york.ts'
import { payPeriodOf } from '../../packages/domain/src/pay.ts'
import { now, today } from './day.ts'
import { type OwnServer, seat, startOwnServer } from './own-server.ts'
import { merchantOf, pathOf } from './selling.ts'
import type { PayFileTemplate } from '../../packages/contract/src/pay/files/files.ts'
import type { PaymentRun, RunReview } from '../../packages/contract/src/pay/runs/runs.ts'
import { expect, test as base } from './test.ts'

/** Somebody with an account and a device of their own. */
export interface Person {
  username: string
  /** Calls the API as them, signed in anew if their password was entered minutes ago. */
  call<Answer>(method: string, path: string, data?: object): Promise<Answer>
  /** The same, for a call that is refused. Returns status and message. */
  refused(method: string, path: string, data?: object): Promise<[number, string]>
  /** A call's status, headers and bytes. */
  fetch(method: string, path: string, data?: object): ReturnType<APIRequestContext['fetch']>
  /** A page of theirs. */
  open(path: string): Promise<Page>
}

export type Staff = 'superadmin' | 'ann' | 'bob' | 'cat' | 'dan'
export type Office = 'manila' | 'cebu' | 'iloilo' | 'davao'

export interface PayingNetwork {
  url: string
  staff: Record<Staff, Person>
  offices: Record<Office, Person & { id: number }>
  /** Adds the device of somebody, who signs in with this password. */
  person(username: string, password: string): Promise<Person>
  /** The period after the closed one. */
  open: string
  /** Moves the clock past that period. */
  endOpen(): void
  /** The same, and closes it. */
  closeOpen(): Promise<void>
  /** Lets days pass. */
  pass(days: number): void
  /** The server's clock. */
  now(): Date
  stop(): Promise<void>
}

export const partner = { secret: 'a secret of the partner, 32 long', issuer: 'partner.example' }

const long = 'a long password of '

/**
 * A network of its own, whose people have had their own passwords for eight days. One period is closed: Manila and Iloilo have
 * adjustments of ₱9,000.00 and ₱8,000.00 by ann, Cebu a sale that is paid in dollars, at bob's rate. cat lifted a hold of
 * Iloilo. superadmin and dan confirmed their accounts, all of them paid at once. Davao has no account.
 */
async function startPayingNetwork(
  browser: Browser,
  newContext: (baseURL: string) => Promise<APIRequestContext>,
): Promise<PayingNetwork> {
  const server = await startOwnServer({
    PARTNER_SECRET: partner.secret,
    PARTNER_ISSUER: partner.issuer,
  })
  let ms = 0
  const { person, end } = peopleOf(server, browser, { newContext, aheadMs: () => ms })
  const newcomer = async (username: string, first: string): Promise<Person> => {
    await setOwnPassword(await person(username, first), long + username)
    return person(username, long + username)
  }

  const superadmin = await newcomer('superadmin', server.password)
  const add = async (path: string, what: object): Promise<number> =>
    (await superadmin.call<{ id: number }>('PUT', path, what)).id
  const first = { password: 'a first password', passwordConfirm: 'a first password' }
  const admin = async (username: string) => {
    await add('/api/admins', {
      username,
      email: `${username}@network.example`,
      pay: true,
      ...first,
    })
    return newcomer(username, first.password)
  }
  const staff = {
    superadmin,
    ann: await admin('ann'),
    bob: await admin('bob'),
    cat: await admin('cat'),
    dan: await admin('dan'),
  }
  const firstPeriod = payPeriodOf(today, 'beWeek')
  await superadmin.call('POST', '/api/pay/settings', {
    payees: 'offices',
    periodLength: 'beWeek',
    avp: 'information',
    minimumCentavos: 0,
    minimumCents: 0,
    firstDay: firstPeriod.start,
    waitingDays: 0,
  })
  await superadmin.call('POST', '/api/options', [{ name: 'payout_visible', value: 1 }])
  const site = await addSite(add)
  const office = async (username: string) => {
    const name = username.replace(/^./, (letter) => letter.toUpperCase())
    const names = { officeName: name, manFirstName: 'Ana', manLastName: 'Cruz' }
    const id = await add('/api/offices', { ...names, username, ...first })
    return { ...(await newcomer(username, first.password)), id }
  }
  const offices = {
    manila: await office('manila'),
    cebu: await office('cebu'),
    iloilo: await office('iloilo'),
    davao: await office('davao'),
  }
  await sell(superadmin, await newContext(server.url), { ...site, officeId: offices.cebu.id })

  // Nobody is one person with whoever made their account any more, and the period is over.
  const over = atNewYork(addDays(firstPeriod.end, 1), '12:00').getTime() - now().getTime()
  ms = Math.max(over, 8 * DAY_MS)
  server.shiftClock(ms)
  const aside = { reason: 'A test', told: '' }
  for (const [who, payee, amount] of [
    [staff.ann, offices.manila, 9_000_00],
    [staff.ann, offices.iloilo, 8_000_00],
  ] as const)
    await who.call('PUT', '/api/pay/adjustments', adjustmentOf(payee.id, amount))
  for (const held of [true, false])
    await staff.cat.call('POST', `/api/pay/balances/office/${offices.iloilo.id}/hold`, {
      ...aside,
      held,
    })
  for (const [payee, number, currency] of [
    [offices.manila, '1111000011', 'PHP'],
    [offices.cebu, '2222000022', 'USD'],
    [offices.iloilo, '3333000033', 'PHP'],
  ] as const) {
    const { id } = await payee.call<{ id: number }>(
      'PUT',
      '/api/pay/account',
      accountOf(number, currency),
    )
    for (const who of [superadmin, staff.dan])
      await who.call('POST', `/api/pay/accounts/${id}`, { confirm: true, reason: '' })
  }
  const rate = { pesosE4: 58_0000, source: 'BSP' }
  await staff.bob.call('POST', `/api/pay/periods/${firstPeriod.name}/exchange-rate`, rate)
  const close = ({ name }: { name: string }) =>
    superadmin.call('POST', `/api/pay/periods/${name}/close`, { typed: name })
  await close(firstPeriod)
  const open = payPeriodOf(addDays(firstPeriod.end, 1), 'beWeek')
  const endOpen = () => {
    ms = atNewYork(addDays(open.end, 1), '12:00').getTime() - now().getTime()
    server.shiftClock(ms)
  }
  return {
    url: server.url,
    staff,
    offices,
    person,
    open: open.name,
    endOpen,
    async closeOpen() {
      endOpen()
      await close(open)
    },
    pass(days: number) {
      ms += days * DAY_MS
      server.shiftClock(ms)
    },
    now: () => new Date(now().getTime() + ms),
    async stop() {
      await end()
      await server.stop()
    },
  }
}

const DAY_MS = 24 * 60 * 60_000

export const adjustmentOf = (id: number, amount: number) => ({
  kind: 'office',
  id,
  currency: 'PHP',
  amount,
  reason: 'A bonus',
})

export const accountOf = (number: string, currency: 'PHP' | 'USD' = 'PHP') => ({
  channel: 'bank',
  institution: 'BOPIPHMM',
  accountName: 'The Office',
  number,
  currency,
})

/** The password that staff gave, or a link, is replaced by one's own. */
export const setOwnPassword = (who: Person, password: string) =>
  who.call('POST', '/api/profile/password', { password, passwordConfirm: password })

/** How long after signing in a proof is taken for recent here: less than the server's ten minutes. */
const FRESH_MS = 4 * 60_000

/**
 * Those who sign in to a server, each on a device of their own. `end` closes these, and their pages.
 *
 * @param aheadMs how far the server's clock is ahead
 */
export function peopleOf(
  server: OwnServer,
  browser: Browser,
  {
    newContext,
    aheadMs,
  }: { newContext: (baseURL: string) => Promise<APIRequestContext>; aheadMs: () => number },
) {
  const devices: APIRequestContext[] = []
  const pages: Page[] = []
  return {
    async person(username: string, password: string): Promise<Person> {
      const device = await newContext(server.url)
      devices.push(device)
      const clock = () => Date.now() + aheadMs()
      return personOf({ username, password, device, clock }, async (token, path) => {
        const page = await seat(browser, { url: server.url, token, ms: aheadMs() })
        pages.push(page)
        await page.goto(path)
        return page
      })
    },
    async end() {
      await Promise.all(pages.map((page) => page.context().close()))
      await Promise.all(devices.map((device) => device.dispose()))
    },
  }
}

/** An account of a server, by the device on which it signs in. */
function personOf(
  {
    username,
    password,
    device,
    clock,
  }: { username: string; password: string; device: APIRequestContext; clock: () => number },
  open: (token: string, path: string) => Promise<Page>,
): Person {
  let token = ''
  let signedInAt = 0
  const freshToken = async () => {
    if (clock() - signedInAt < FRESH_MS) return token
    const data = { username, password }
    const answer = await device.post('/api/auth/login', { data })
    expect(answer.ok(), `${username}: ${await answer.text()}`).toBe(true)
    ;({ token } = (await answer.json()) as { token: string })
    signedInAt = clock()
    return token
  }
  const fetch = async (method: string, path: string, data?: object) =>
    device.fetch(path, {
      method,
      headers: { authorization: `Bearer ${await freshToken()}` },
      ...(data && { data }),
    })
  return {
    username,
    fetch,
    async call<Answer>(method: string, path: string, data?: object) {
      const answer = await fetch(method, path, data)
      expect(answer.ok(), `${username} ${path}: ${await answer.text()}`).toBe(true)
      return (await answer.json()) as Answer // the contract's own tests check its shape
    },
    async refused(method, path, data) {
      const answer = await fetch(method, path, data)
      const { message } = (await answer.json()) as { message: string }
      return [answer.status(), message]
    },
    open: async (path) => open(await freshToken(), path),
  }
}

type Site = { siteId: number; typeId: number }

async function addSite(add: (path: string, what: object) => Promise<number>): Promise<Site> {
  const siteId = await add('/api/sites', {
    sitename: 'Lantern',
    shortname: 'lantern',
    abbr: 'LL',
    type: 'DATING',
    url: 'https://lantern.example',
  })
  const typeId = await add('/api/types', {
    siteId,
    typename: 'Sign-up',
    typealias: 'signup',
    payout: 5800,
    earning: 200,
    url: 'https://lantern.example/join',
  })
  return { siteId, typeId }
}

/** One sale of a new agent of the office. */
async function sell(
  superadmin: Person,
  visitor: APIRequestContext,
  { officeId, siteId, typeId }: Site & { officeId: number },
) {
  await superadmin.call('POST', `/api/sites/${siteId}/enableForAllOffices`, {})
  const secret = { password: 'a first password', passwordConfirm: 'a first password' }
  const { id: agentId } = await superadmin.call<{ id: number }>('PUT', '/api/agents', {
    officeId,
    username: 'noel',
    firstName: 'Noel',
    lastName: 'Reyes',
    ...secret,
  })
  const waiting = await superadmin.call<{ id: number }[]>('GET', '/api/accounts/unapproved')
  await superadmin.call('PUT', '/api/accounts/approve', { ids: waiting.map(({ id }) => id) })
  const link = pathOf({ siteId, typeId, agentId })
  const visit = () => visitor.get(link, { maxRedirects: 0 })
  await expect.poll(async () => (await visit()).status()).toBe(302)
  const api: Parameters<typeof merchantOf>[0] = (path) => superadmin.call('GET', path)
  const merchant = await merchantOf(api, visitor, siteId)
  const clickId = merchant.clickIdOf((await visit()).headers()['location'])
  expect((await merchant.report({ clickId, event: 'sale' })).status()).toBe(201)
  await visitor.dispose()
}

/** Tests on one network for each file: a file moves money and the clock, which another one does not expect. */
export const test = base.extend<
  { network: PayingNetwork },
  { networkOf: (file: string) => Promise<PayingNetwork> }
>({
  networkOf: [
    async ({ browser, playwright }, use) => {
      let last: { file: string; network: PayingNetwork } | undefined
      await use(async (file) => {
        if (last?.file === file) return last.network
        await last?.network.stop()
        last = undefined
        const network = await startPayingNetwork(browser, (baseURL) =>
          playwright.request.newContext({ baseURL }),
        )
        last = { file, network }
        return network
      })
      await last?.network.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  network: [
    async ({ networkOf }, use, { file }) => use(await networkOf(file)),
    { timeout: 300_000 },
  ],
})

/** A template like the first one, but for what is given. Returns its id. */
export async function addTemplate(who: Person, name: string, layout: object): Promise<number> {
  const [first] = await who.call<PayFileTemplate[]>('GET', '/api/pay/file-templates')
  const body = { name, layout: { ...first!.layout, ...layout } }
  return (await who.call<{ id: number }>('PUT', '/api/pay/file-templates', body)).id
}

/** A run by the path of its page. */
export const runOf = (who: Person, run: string) => who.call<PaymentRun>('GET', `/api${run}`)

/** Approves a run after looking at everything. */
export async function approve(who: Person, run: string): Promise<void> {
  const { toApprove } = await runOf(who, run)
  const { amount, files } = await who.call<RunReview>('POST', `/api${run}/review`, {})
  await who.call('POST', `/api${run}/approve`, {
    amount,
    files: files.map(({ name, sha256 }) => ({ name, sha256 })),
    ticked: toApprove?.news.map(({ key }) => key),
  })
}
