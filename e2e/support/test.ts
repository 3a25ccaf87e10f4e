import { createHash } from 'node:crypto'
import {
  type APIRequestContext,
  test as base,
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  expect,
  type Page,
  type WebError,
} from '@playwright/test'
import { aheadMs } from './day.ts'
import { steady } from './steady.ts'
import { type Captchas, openCaptchas } from './captcha.ts'

export { expect }

/** The accounts of the demo data. */
export type Account = 'superadmin' | 'admin' | 'admin2' | 'manila' | 'maria'

export const password = 'demo-2026'

export type Options = {
  /** Signed in before the test begins. */
  account: Account | undefined
  /** Uses a session that no other test shares, so that the test may end it. */
  ownSession: boolean
  /** Makes the browser believe that the account must choose a new password. */
  mustChangePassword: boolean
  /** Makes the browser believe that the account must add a second factor. */
  mustAddFactor: boolean
  /** Console messages that the test expects. */
  expectedConsole: RegExp[]
}

type Fixtures = Options & { drawn: void; session: Session | undefined; quietConsole: void }

type WorkerFixtures = { captchas: Captchas; sessions: Sessions }

type Sessions = {
  shared(account: Account): Promise<Session>
  own(account: Account): Promise<Session>
}

/** A session as the web app stores it. */
type Session = { token: string; me: object }

export const test = base.extend<Fixtures, WorkerFixtures>({
  account: [undefined, { option: true }],
  ownSession: [false, { option: true }],
  mustChangePassword: [false, { option: true }],
  mustAddFactor: [false, { option: true }],
  expectedConsole: [[], { option: true }],

  /** With `E2E_DRAW`, one test in five runs, those that this text selects; until `E2E_ALL_UNTIL`, in epoch milliseconds, all do. */
  drawn: [
    async ({}, use, info) => {
      const draw = process.env['E2E_DRAW']
      const lot = createHash('sha256')
        .update(`${draw} ${info.titlePath.join(' ')}`)
        .digest()
      const allUntil = Number(process.env['E2E_ALL_UNTIL'] ?? 0)
      const isDrawn = draw === undefined || Date.now() < allUntil || (lot[0] ?? 0) % 5 === 0
      info.skip(!isDrawn, 'not drawn')
      await use()
    },
    { auto: true },
  ],

  captchas: [
    async ({}, use) => {
      const captchas = await openCaptchas(process.env['E2E_DATA_DIR'] ?? '')
      await use(captchas)
      await captchas.close()
    },
    { scope: 'worker' },
  ],

  /** Signs in with the same calls as the sign-in page. */
  sessions: [
    async ({ playwright, captchas }, use) => {
      const baseURL = `http://127.0.0.1:${process.env['E2E_PORT']}`
      // Each sign-in on a device of its own: one device would make its accounts one person.
      const devices: APIRequestContext[] = []
      const own = async (account: Account) => {
        const device = await playwright.request.newContext({ baseURL })
        devices.push(device)
        return signIn(device, captchas, account)
      }
      const sharedOne = async (account: Account) => {
        const session = await own(account)
        await captchas.keepProofs(account)
        return session
      }
      const shared = new Map<Account, Promise<Session>>()
      await use({
        own,
        shared: (account) =>
          shared.get(account) ?? shared.set(account, sharedOne(account)).get(account)!,
      })
      await Promise.all(devices.map((device) => device.dispose()))
    },
    { scope: 'worker' },
  ],

  session: async ({ account, ownSession, sessions }, use) => {
    if (!account) return use(undefined)
    await use(await (ownSession ? sessions.own(account) : sessions.shared(account)))
  },

  storageState: async ({ session, mustChangePassword, mustAddFactor, baseURL }, use) => {
    if (!session) return use(undefined)
    const me = {
      ...session.me,
      ...(mustChangePassword && { mustChangePassword }),
      ...(mustAddFactor && { mustAddFactor }),
    }
    const value = JSON.stringify({ ...session, me })
    const localStorage = [{ name: 'tallyroom.session', value }]
    await use({ cookies: [], origins: [{ origin: baseURL ?? '', localStorage }] })
  },

  context: async ({ context }, use) => {
    await steady(context, aheadMs)
    await use(context)
  },

  /** Fails the test if the page logs an unexpected error or warning. */
  quietConsole: [
    async ({ context, expectedConsole }, use) => {
      const complaints: string[] = []
      const complain = (text: string) => {
        if (text === 'Service Worker registration blocked by Playwright') return
        if (!expectedConsole.some((expected) => expected.test(text))) complaints.push(text)
      }
      const onMessage = (message: ConsoleMessage) => {
        if (message.type() === 'error' || message.type() === 'warning') complain(message.text())
      }
      const onError = (error: WebError) => complain(error.error().stack ?? String(error.error()))
      context.on('console', onMessage)
      context.on('weberror', onError)
      await use()
      context.off('console', onMessage)
      context.off('weberror', onError)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/** Opens a context with the test's options and the run's clock. The caller must close it. */
export async function openContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  await steady(context, aheadMs)
  return context
}

async function signIn(
  request: APIRequestContext,
  captchas: Captchas,
  username: Account,
): Promise<Session> {
  const { check } = (await (await request.get('/api/captcha')).json()) as { check: string }
  await captchas.decide(check, 'HJKNP')
  const credentials = { username, password, captchaString: 'HJKNP', captchaCheck: check }
  const login = await request.post('/api/auth/login', { data: credentials })
  expect(login.ok(), await login.text()).toBe(true)
  const { token } = (await login.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  return {
    token,
    me: (await (await request.get('/api/accounts/me', { headers })).json()) as object,
  }
}

/** The check of the next captcha. Call it before the action that loads the captcha. */
export async function nextCheck(page: Page): Promise<string> {
  const answer = await page.waitForResponse('**/api/captcha')
  return ((await answer.json()) as { check: string }).check
}
