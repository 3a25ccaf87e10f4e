import type { Locator, Page } from '@playwright/test'
import { solveQuestion } from '../apps/api/test/solve-question.ts'
import { expect, nextCheck, password, test } from './support/test.ts'

/** The browser logs the 422 of refused attempts. */
test.use({ expectedConsole: [/status of (401|422)/] })

const captcha = (page: Page) => page.getByRole('img', { name: 'Characters to type below' })

async function openLogin(page: Page, url = '/login'): Promise<string> {
  const check = nextCheck(page)
  await page.goto(url)
  await expect(captcha(page)).toBeVisible()
  return check
}

async function attempt(page: Page, username: string, secret: string, answer: string) {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel(/^Password/).fill(secret)
  await page.getByLabel('Characters in the picture').fill(answer)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** How every question begins and ends. */
const anyQuestion = /Type the .+\./

/** What is read out with a field: its error and its description. */
const description = (field: Locator) =>
  field.evaluate((input) =>
    (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  )

test('a wrong captcha answer fails and reloads the captcha, and the right answer signs in @core', async ({
  page,
  captchas,
}) => {
  await captchas.decide(await openLogin(page), 'HJKNP')
  const first = await captcha(page).getAttribute('src')

  const second = nextCheck(page)
  await attempt(page, 'superadmin', password, 'WRONG')
  await expect(page.getByText('does not match the picture')).toBeVisible()
  await captchas.decide(await second, 'QRSTU')
  await expect(captcha(page)).not.toHaveAttribute('src', first ?? '')
  await expect(page.getByLabel('Characters in the picture')).toHaveValue('')

  await attempt(page, 'superadmin', password, 'qrstu')
  await expect(page).toHaveURL(/\/app\/home$/)
  await expect(page.getByText('User: superadmin')).toBeVisible()
})

test('a wrong password is refused in the form, with a new captcha', async ({ page, captchas }) => {
  await captchas.decide(await openLogin(page), 'HJKNP')
  const second = nextCheck(page)
  await attempt(page, 'superadmin', 'not the password', 'HJKNP')
  await expect(page.getByText('The username or password is incorrect.')).toBeVisible()
  expect(await second).toMatch(/^[\da-f-]{36}$/)
  await expect(page).toHaveURL(/\/login/)
})

test('the refresh button loads another captcha', async ({ page }) => {
  const first = await openLogin(page)
  const second = nextCheck(page)
  await page.getByRole('button', { name: 'Load another picture' }).click()
  expect(await second).not.toBe(first)
  await expect(captcha(page)).toBeVisible()
})

test('whoever can’t see the picture signs in by a question, which its field reads out', async ({
  page,
}) => {
  await openLogin(page)
  const place = () => page.getByRole('button', { name: 'Login' }).boundingBox()
  const before = await place()
  await page.getByRole('button', { name: 'Answer a question instead' }).click()
  const field = page.getByRole('textbox', { name: 'Your answer' })
  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleDescription(anyQuestion)
  await expect(captcha(page)).toBeHidden()
  expect(await place()).toEqual(before)

  const first = await description(field)
  await page.getByRole('button', { name: 'Load another question' }).click()
  await expect(field).toBeFocused()
  await expect(field).not.toHaveAccessibleDescription(first)
  await expect(field).toHaveAccessibleDescription(anyQuestion)

  await page.getByLabel('Username').fill('maria')
  await page.getByLabel(/^Password/).fill(password)
  await field.fill('wrong')
  const second = await description(field)
  await page.keyboard.press('Enter')
  await expect(page.getByText('does not match the question')).toBeVisible()
  await expect(field).toHaveAccessibleDescription(anyQuestion)
  await expect(field).toHaveValue('')

  const question = /Type the .*\./.exec(await description(field))?.[0] ?? ''
  expect(question).not.toBe(second)
  await expect(page.locator('[aria-live=polite]', { hasText: question })).toBeVisible()
  await field.fill(solveQuestion(question).answer)
  await page.keyboard.press('Enter')
  await expect(page.getByText('User: maria')).toBeVisible()
})

test('from a question there is a way back to a picture', async ({ page, captchas }) => {
  await openLogin(page)
  await page.getByRole('button', { name: 'Answer a question instead' }).click()
  await expect(page.getByRole('textbox', { name: 'Your answer' })).toHaveAccessibleDescription(
    anyQuestion,
  )
  const check = nextCheck(page)
  await page.getByRole('button', { name: 'Show a picture instead' }).click()
  await captchas.decide(await check, 'HJKNP')
  await expect(captcha(page)).toBeVisible()
  await attempt(page, 'maria', password, 'HJKNP')
  await expect(page.getByText('User: maria')).toBeVisible()
})

test('signing in leads to the requested page', async ({ page, captchas }) => {
  const asked = '/app/stats/sites?groupBy=date&start=2026-01-05&end=2026-01-11'
  const check = nextCheck(page)
  await page.goto(asked)
  await expect(page).toHaveURL(`/login?returnUrl=${encodeURIComponent(asked)}`)
  await captchas.decide(await check, 'HJKNP')
  await attempt(page, 'maria', password, 'HJKNP')
  await expect(page).toHaveURL(asked)
})

for (const returnUrl of ['//evil.example/', 'https://evil.example/']) {
  test(`returnUrl=${returnUrl} is ignored`, async ({ page, captchas }) => {
    const check = await openLogin(page, `/login?returnUrl=${returnUrl}`)
    await captchas.decide(check, 'HJKNP')
    await attempt(page, 'maria', password, 'HJKNP')
    await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/app\/home$/)
  })
}

test('the token that a page keeps opens nothing outside its browser', async ({
  page,
  request,
  captchas,
}) => {
  const check = await openLogin(page, '/login')
  await captchas.decide(check, 'HJKNP')
  await attempt(page, 'maria', password, 'HJKNP')
  await expect(page).toHaveURL(/\/app\/home$/)
  const kept = await page.evaluate(() => localStorage.getItem('tallyroom.session'))
  const { token } = JSON.parse(kept ?? '{}') as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  expect((await request.get('/api/accounts/me', { headers })).status()).toBe(401)
  expect(await page.evaluate(() => document.cookie)).toBe('')
  await page.reload()
  await expect(page.getByText('User: maria')).toBeVisible()
})

test.describe('signed in', () => {
  test.use({ account: 'manila', ownSession: true })

  test('signing out in one tab signs out the other and leaves no data of the account', async ({
    page,
    context,
    session,
  }) => {
    const kept = () =>
      page.evaluate(() =>
        JSON.stringify([localStorage, sessionStorage].map((storage) => Object.entries(storage))),
      )
    await page.goto('/app/stats/sites')
    await expect(page.getByText('User: manila')).toBeVisible()
    expect(await kept()).toContain(session?.token)
    await page.evaluate(() => sessionStorage.setItem('note', 'of manila'))
    const other = await context.newPage()
    await other.goto('/app/stats/sites')
    await expect(other.getByText('User: manila')).toBeVisible()

    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(other).toHaveURL(/\/login\?returnUrl=/)
    await expect(other.getByText('User: manila')).toBeHidden()

    expect(await kept()).not.toMatch(/manila|token/)
  })

  test('an ended session leads to the sign-in page, and back afterwards', async ({
    page,
    request,
    captchas,
    session,
  }) => {
    await page.goto('/app/stats/sites')
    await expect(page.getByText(/^(Overall total|Total)/).first()).toBeVisible()
    const headers = { authorization: `Bearer ${session?.token}` }
    expect((await request.post('/api/auth/logout', { headers })).ok()).toBe(true)

    const check = nextCheck(page)
    await page.getByRole('button', { name: 'Load statistics' }).click()
    await expect(page).toHaveURL(/\/login\?returnUrl=%2Fapp%2Fstats%2Fsites/)
    await captchas.decide(await check, 'HJKNP')
    await attempt(page, 'manila', password, 'HJKNP')
    await expect(page).toHaveURL(/\/app\/stats\/sites/)
    await expect(page.getByText(/^(Overall total|Total)/).first()).toBeVisible()
  })
})
