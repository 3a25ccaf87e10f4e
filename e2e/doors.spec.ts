import type { Page } from '@playwright/test'
import { mailsTo } from './support/outbox.ts'
import { addOffice, test } from './support/people.ts'
import { expect, nextCheck, password } from './support/test.ts'
import type { Captchas } from './support/captcha.ts'

/** Signs in on the current sign-in page. `check` identifies its captcha. */
async function signIn(
  page: Page,
  captchas: Captchas,
  { check, username, secret }: { check: string; username: string; secret: string },
) {
  await captchas.decide(check, 'HJKNP')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel(/^Password/).fill(secret)
  await page.getByLabel('Characters in the picture').fill('HJKNP')
  await page.getByRole('button', { name: 'Login' }).click()
}

test.describe('a forgotten password', () => {
  // The browser logs the 422 of refused attempts.
  test.use({ expectedConsole: [/status of 422/] })

  test('is replaced with an emailed link, which works once', async ({ page, captchas }) => {
    const chosen = 'a password of cebu’s own'
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await expect(page).toHaveURL(/\/forgot$/)
    await expect(page).toHaveTitle(/^Forgot password · /)
    await expect(page.getByRole('button', { name: 'Forgot' })).toBeDisabled()
    await page.getByLabel('Username').fill('cebu')
    await page.getByLabel('Email').fill('cebu@tallyroom.example')
    await page.getByRole('button', { name: 'Forgot' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText('If the account exists')).toBeVisible()

    await expect.poll(() => mailsTo('cebu@tallyroom.example')).toHaveLength(1)
    const [mail = ''] = await mailsTo('cebu@tallyroom.example')
    const link = /http:\/\/\S+/.exec(mail)?.[0] ?? ''
    await page.goto(link)
    await expect(page).toHaveURL(/\/forgot\/reset$/)
    await page.getByLabel(/^Password/).fill(chosen)
    await page.getByLabel(/^Confirm password/).fill(`${chosen}!`)
    await page.getByLabel(/^Confirm password/).blur()
    await expect(page.getByText('does not match the password')).toBeVisible()
    await page.getByLabel(/^Confirm password/).fill(chosen)
    const check = nextCheck(page)
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page).toHaveURL(/\/login$/)

    const first = await check
    const second = nextCheck(page)
    await signIn(page, captchas, { check: first, username: 'cebu', secret: password })
    await expect(page.getByText('The username or password is incorrect.')).toBeVisible()
    await signIn(page, captchas, { check: await second, username: 'cebu', secret: chosen })
    await expect(page.getByText('User: cebu')).toBeVisible()

    await page.goto(link)
    await page.getByLabel(/^Password/).fill('another password')
    await page.getByLabel(/^Confirm password/).fill('another password')
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page.getByRole('alert')).toHaveText(/has expired or was already used/)
  })

  test('of an unknown account gets the same answer', async ({ page }) => {
    await page.goto('/forgot')
    await page.getByLabel('Username').fill('nobody-here')
    await page.getByLabel('Email').fill('nobody@tallyroom.example')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText('If the account exists')).toBeVisible()
    expect(await mailsTo('nobody@tallyroom.example')).toEqual([])
  })

  test('of an account without an address is asked of the network, which sees it', async ({
    page,
    people,
    request,
    sessions,
  }) => {
    const { token } = await sessions.shared('superadmin')
    await addOffice(request, token, { officeName: 'No Mail', username: 'no-mail' })
    await page.goto('/forgot')
    await page.getByLabel('Username').fill('no-mail')
    await page.getByRole('button', { name: 'Ask your office or the network' }).click()
    await expect(page.getByLabel('Username')).toHaveValue('no-mail')
    await expect(page.getByLabel('Email')).toBeHidden()
    await page.getByRole('button', { name: 'Ask for a new password' }).click()
    await expect(page.getByRole('status')).toHaveText(/its office or the network sees that you/)
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await expect(page).toHaveURL(/\/login$/)

    const staff = await people.seat('superadmin', '/app/home')
    await staff.getByRole('button', { name: /^Notifications/ }).click()
    await staff.getByRole('link', { name: 'no-mail asks for a new password' }).click()
    await expect(staff).toHaveURL(/\/app\/offices\/edit\/\d+$/)
    await expect(staff.getByLabel('Username')).toHaveValue('no-mail')
  })

  test('is not replaced with an incomplete link', async ({ page }) => {
    await page.goto('/forgot/reset')
    await expect(page.getByRole('alert')).toHaveText(/link is incomplete/)
    await page.getByRole('link', { name: 'Request a new link' }).click()
    await expect(page).toHaveURL(/\/forgot$/)
  })
})

test('an office sees its sessions, ends one, and must enter its password to change it @core', async ({
  people,
  request,
  sessions,
  captchas,
}) => {
  const { token } = await sessions.shared('superadmin')
  await addOffice(request, token, { officeName: 'Two Doors', username: 'two-doors' })
  const page = await people.signIn('two-doors', 'a-first-password')
  await expect(page.getByText('User: two-doors')).toBeVisible()
  const elsewhere = await people.signIn('two-doors', 'a-first-password')
  await expect(elsewhere.getByText('User: two-doors')).toBeVisible()

  await page.goto('/app/profile')
  const list = page.getByRole('group', { name: 'Where you are signed in' })
  await expect(list.getByText(/last used/)).toHaveCount(2)
  await list.getByRole('button', { name: /^End the session of/ }).click()
  await expect(list.getByText(/last used/)).toHaveCount(1)
  await elsewhere.getByRole('link', { name: 'Agents', exact: true }).click()
  await expect(elsewhere).toHaveURL(/\/login/)

  await captchas.ageProofs('two-doors')
  await page.getByLabel(/^Password/).fill('a-second-password')
  await page.getByLabel(/^Confirm password/).fill('a-second-password')
  await page.getByLabel('Manager email').fill('two-doors@tallyroom.example')
  const update = page.getByRole('button', { name: 'Update' })
  const dialog = page.getByRole('dialog', { name: 'Enter your password' })
  const current = dialog.getByLabel(/^Password/)
  await update.click()
  await current.fill('a-wrong-password')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(current).toHaveAccessibleDescription(/is not your password/)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Successfully saved')).toBeHidden()
  await update.click()
  await current.fill('a-first-password')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Successfully saved')).toBeVisible()
})

test.describe('signing in as somebody else', () => {
  // Calls of a page that is left by logging out are refused.
  test.use({ account: 'superadmin', ownSession: true, expectedConsole: [/status of 401/] })

  test('names the account, does not nest, and leads back', async ({ page }) => {
    await page.goto('/app/offices/offices?username=manila')
    await page.getByRole('button', { name: 'Actions for Manila' }).click()
    await page.getByRole('menuitem', { name: 'Sign in as' }).click()

    const banner = page.getByRole('status').filter({ hasText: 'You are signed in as manila.' })
    await expect(banner).toBeVisible()
    await expect(page.getByText('User: manila')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Admins' })).toBeHidden()

    await page.goto('/app/agents?username=maria')
    await page.getByRole('button', { name: 'Actions for maria' }).click()
    await expect(page.getByRole('menuitem', { name: 'Suspend' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Sign in as' })).toBeHidden()
    await page.keyboard.press('Escape')

    await page.reload()
    await banner.getByRole('button', { name: 'Back to superadmin' }).click()
    await expect(page).toHaveURL(/\/app\/offices/)
    await expect(page.getByText('User: superadmin')).toBeVisible()
    await expect(banner).toBeHidden()
  })

  test('logging out ends both sessions', async ({ page, request, session }) => {
    await page.goto('/app/agents?username=maria')
    await page.getByRole('button', { name: 'Actions for maria' }).click()
    await page.getByRole('menuitem', { name: 'Sign in as' }).click()
    await expect(page.getByText('You are signed in as maria.')).toBeVisible()
    const ended = page.waitForResponse('**/api/auth/logout')
    await page.getByRole('button', { name: 'Logout' }).click()
    await ended
    await expect(page).toHaveURL(/\/login$/)
    const headers = { authorization: `Bearer ${session?.token}` }
    expect((await request.get('/api/accounts/me', { headers })).status()).toBe(401)
  })
})

test.describe('a link with a token', () => {
  test.use({ account: 'superadmin' })

  async function tokenFor(page: Page, token: string | undefined): Promise<string> {
    const answer = await page.request.post('/api/accounts/sign-in-as', {
      headers: { authorization: `Bearer ${token}` },
      data: { companyId: 1 },
    })
    return ((await answer.json()) as { token: string }).token
  }

  test('asks before it replaces the current session', async ({ page, session }) => {
    const link = `/remote-login?token=${await tokenFor(page, session?.token)}`
    await page.goto(link)
    await expect(page.getByText('You are signed in as superadmin.')).toBeVisible()
    await page.getByRole('button', { name: 'Stay signed in as superadmin' }).click()
    await expect(page).toHaveURL(/\/app\/home$/)
    await expect(page.getByText('User: superadmin')).toBeVisible()

    // Asking has not used up the link.
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in with the link' }).click()
    await expect(page).toHaveURL(/\/app\/home$/)
    await expect(page.getByText('User: superadmin')).toBeHidden()
    await expect(page.getByText(/You are signed in as/)).toBeVisible()
  })

  test('works only in the browser that asked for it', async ({ page, session, people }) => {
    const link = `/remote-login?token=${await tokenFor(page, session?.token)}`
    const elsewhere = await people.visitor()
    await elsewhere.goto(link)
    await expect(elsewhere.getByRole('alert')).toHaveText(/only in the browser that asked for it/)
  })

  test('without its token leads to the login page', async ({ people }) => {
    const page = await people.visitor()
    await page.goto('/remote-login')
    await expect(page).toHaveURL(/\/login$/)
  })

  test.describe('that is not valid', () => {
    test.use({ expectedConsole: [/status of 422|ApiError: Please check/] })

    test('says so and keeps the current session', async ({ page }) => {
      await page.goto('/remote-login?token=made-up')
      await page.getByRole('button', { name: 'Sign in with the link' }).click()
      await expect(page.getByRole('alert')).toHaveText(/no longer valid/)
      await page.getByRole('button', { name: 'Stay signed in as superadmin' }).click()
      await expect(page.getByText('User: superadmin')).toBeVisible()
    })
  })
})
