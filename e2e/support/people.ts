import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { type Account, nextCheck, test as base } from './test.ts'
import type { Captchas } from './captcha.ts'

/** Several people, each with a browser of their own. */
export type People = {
  /** One of the demo world, signed in, before a page. */
  seat(account: Account, path: string): Promise<Page>
  /** Anybody, who signs in by the form. */
  signIn(username: string, password: string): Promise<Page>
}

export const test = base.extend<{ people: People }>({
  people: async ({ browser, baseURL, sessions, captchas }, use) => {
    const pages: Page[] = []
    const open = async (options: Parameters<Browser['newContext']>[0] = {}) => {
      const context = await browser.newContext({ ...options, ...(baseURL && { baseURL }) })
      const page = await context.newPage()
      pages.push(page)
      return page
    }
    await use({
      async seat(account, path) {
        const value = JSON.stringify(await sessions.shared(account))
        const localStorage = [{ name: 'tallyroom.session', value }]
        const origins = [{ origin: baseURL ?? '', localStorage }]
        const page = await open({ storageState: { cookies: [], origins } })
        await page.goto(path)
        return page
      },
      async signIn(username, password) {
        const page = await open({ storageState: { cookies: [], origins: [] } })
        await fillSignIn(page, captchas, { username, password })
        return page
      },
    })
    await Promise.all(pages.map((page) => page.context().close()))
  },
})

/** Opens the sign-in form and sends it. */
async function fillSignIn(
  page: Page,
  captchas: Captchas,
  { username, password }: { username: string; password: string },
) {
  const check = nextCheck(page)
  await page.goto('/login')
  await captchas.decide(await check, 'HJKNP')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByLabel('Characters in the picture').fill('HJKNP')
  await page.getByRole('button', { name: 'Login' }).click()
}

type NewOffice = { officeName: string; username: string; hidden?: boolean }

/** Adds an office by the call that its form makes; gives its id. */
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
