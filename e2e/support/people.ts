import type { APIRequestContext, BrowserContextOptions, Page } from '@playwright/test'
import { aheadMs } from './day.ts'
import { steady } from './steady.ts'
import { type Account, nextCheck, test as base } from './test.ts'
import type { Captchas } from './captcha.ts'

/** Several people, each in a separate browser context. */
export type People = {
  /** Opens a page as an account of the demo data. */
  seat(account: Account, path: string): Promise<Page>
  /** Opens an empty page without signing in. */
  visitor(): Promise<Page>
  /** Signs in through the form, which `lead` opens; without it, by its path. */
  signIn(username: string, password: string, lead?: (page: Page) => Promise<unknown>): Promise<Page>
}

export const test = base.extend<{ people: People }>({
  people: async ({ browser, baseURL, sessions, captchas }, use) => {
    const pages: Page[] = []
    const open = async (origins: Origins = []) => {
      const context = await browser.newContext({
        ...(baseURL && { baseURL }),
        storageState: { cookies: [], origins },
      })
      await steady(context, aheadMs)
      const page = await context.newPage()
      pages.push(page)
      return page
    }
    await use({
      async seat(account, path) {
        const value = JSON.stringify(await sessions.shared(account))
        const localStorage = [{ name: 'tallyroom.session', value }]
        const origins = [{ origin: baseURL ?? '', localStorage }]
        const page = await open(origins)
        await page.goto(path)
        return page
      },
      visitor: () => open(),
      async signIn(username, password, lead = (page) => page.goto('/login')) {
        const page = await open()
        await fillSignIn(page, captchas, { username, password, lead })
        return page
      },
    })
    await Promise.all(pages.map((page) => page.context().close()))
  },
})

/** Opens the sign-in form and submits it. */
async function fillSignIn(
  page: Page,
  captchas: Captchas,
  {
    username,
    password,
    lead,
  }: { username: string; password: string; lead: (page: Page) => Promise<unknown> },
) {
  const check = nextCheck(page)
  await lead(page)
  await captchas.decide(await check, 'HJKNP')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByLabel('Characters in the picture').fill('HJKNP')
  await page.getByRole('button', { name: 'Login' }).click()
}

type Origins = Exclude<BrowserContextOptions['storageState'], string | undefined>['origins']

type NewOffice = { officeName: string; username: string; hidden?: boolean }

/** Adds an office through the API. Returns its id. */
export async function addOffice(
  request: APIRequestContext,
  token: string,
  office: NewOffice,
): Promise<number> {
  const answer = await request.put('/api/offices', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      manFirstName: 'Ana',
      manLastName: 'Cruz',
      password: 'a-first-password',
      passwordConfirm: 'a-first-password',
      ...office,
    },
  })
  if (!answer.ok()) throw new Error(await answer.text())
  return ((await answer.json()) as { id: number }).id
}
