import type { Page } from '@playwright/test'
import { adjustmentOf, test as ofNetwork } from './support/paying-network.ts'
import { test } from './support/people.ts'
import { expect, password } from './support/test.ts'

/** The browser logs the 422 of refused passkeys. */
test.use({ expectedConsole: [/status of 422/] })

test('a passkey is added, signs in without a password, and is removed', async ({
  people,
  captchas,
  baseURL,
}) => {
  await captchas.addColleague('with-a-key', 'pay')
  // Browsers make no passkeys for an IP address.
  const office = (baseURL ?? '').replace('127.0.0.1', 'localhost')
  const page = await people.visitor()
  const device = await attachDevice(page)
  await page.goto(`${office}/login`)
  const check = await page.evaluate(async () => {
    const answer = await fetch('/api/captcha')
    return ((await answer.json()) as { check: string }).check
  })
  await captchas.decide(check, 'HJKNP')
  const session = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' }
      const sent = { method: 'POST', headers, body: JSON.stringify(body) }
      const { token } = (await (await fetch('/api/auth/login', sent)).json()) as { token: string }
      const by = { headers: { authorization: `Bearer ${token}` } }
      const me = (await (await fetch('/api/accounts/me', by)).json()) as object
      return JSON.stringify({ token, me })
    },
    { username: 'with-a-key', password, captchaString: 'HJKNP', captchaCheck: check },
  )
  await page.evaluate((value) => localStorage.setItem('tallyroom.session', value), session)
  await page.goto(`${office}/app/profile`)

  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Name/).fill('Desk')
  await device.isPresent(true)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const codes = page.getByRole('alert').filter({ hasText: 'Keep these recovery codes' })
  await expect(codes.locator('code')).toHaveCount(10)
  await expect(page.getByText('never used')).toBeVisible()
  await device.isPresent(false)

  await signOut(page, office)
  await device.isPresent(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).toHaveURL(/\/app\/home$/)
  await page.goto(`${office}/app/profile`)
  await expect(page.getByText(/Passkey, since .*, last used/)).toBeVisible()

  // With a password elsewhere, the passkey is the second step, which this browser does not have.
  const elsewhere = await people.signIn('with-a-key', password)
  await expect(elsewhere.getByText('Your passkey works on another address')).toBeVisible()

  await page.getByRole('button', { name: 'Remove Desk' }).click()
  await dialog.getByLabel(/^Password/).fill(password)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Remove Desk' })).toHaveCount(0)
  await expect(page.getByText('recovery codes are left')).toHaveCount(0)

  await device.isPresent(false)
  await signOut(page, office)
  await device.isPresent(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByText('The passkey was not accepted')).toBeVisible()
  // The page offers passkeys again, which such a device would take.
  await device.isPresent(false)
  const last = await people.signIn('with-a-key', password)
  await expect(last).toHaveURL(/\/app\/home$/)
})

test('a passkey is offered after a password, and added from the offer', async ({
  people,
  captchas,
  baseURL,
}) => {
  await captchas.addColleague('offered-a-key', 'pay')
  await captchas.addColleague('wants-no-key', 'pay')
  const office = (baseURL ?? '').replace('127.0.0.1', 'localhost')
  let device: Device | undefined
  const lead = async (page: Page) => {
    device = await attachDevice(page)
    // The demo offers none.
    await page.route('**/api/accounts/me', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), isDemo: false } })
    })
    await page.goto(`${office}/login`)
  }
  const offerOn = (page: Page) => page.getByRole('region', { name: 'Passkey' })

  const other = await people.signIn('wants-no-key', password, lead)
  await offerOn(other).getByRole('button', { name: 'Not now' }).click()
  await expect(offerOn(other)).toHaveCount(0)
  await other.reload()
  await expect(other.getByRole('region', { name: 'Figures' })).toBeVisible()
  await expect(offerOn(other)).toHaveCount(0)

  const page = await people.signIn('offered-a-key', password, lead)
  await expect(offerOn(page)).toBeVisible()
  await page.setViewportSize({ width: 390, height: 500 })
  await offerOn(page).getByRole('link', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await expect(dialog).toContainText('your password alone no longer signs you in')
  await dialog.getByLabel(/^Name/).fill('Desk')
  await device?.isPresent(true)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog).toBeHidden()
  const codes = page.getByRole('alert').filter({ hasText: 'Keep these recovery codes' })
  await expect(codes.locator('code').first()).toBeInViewport()
  await expect(page).toHaveURL(/\/app\/profile$/)
  await device?.isPresent(false)

  await signOut(page, office)
  await device?.isPresent(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('region', { name: 'Figures' })).toBeVisible()
  await expect(offerOn(page)).toHaveCount(0)
  // What they still ask for is answered by nobody once the test is over.
  for (const shown of [other, page]) await shown.unrouteAll({ behavior: 'ignoreErrors' })
})

ofNetwork('a passkey signs the approval of an adjustment', async ({ network }) => {
  const { ann, bob } = network.staff
  const adjustment = adjustmentOf(network.offices.manila.id, 900_000_00)
  await ann.call('PUT', '/api/pay/adjustments', adjustment)
  const office = network.url.replace('127.0.0.1', 'localhost')
  const page = await bob.open('/app/home')
  const session = await page.evaluate(() => localStorage.getItem('tallyroom.session') ?? '')
  await page.goto(`${office}/login`)
  await page.evaluate((value) => localStorage.setItem('tallyroom.session', value), session)
  const device = await attachDevice(page)
  await device.isPresent(true)
  await page.goto(`${office}/app/profile`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a passkey' })
  await adding.getByLabel(/^Name/).fill('Desk')
  await adding.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Remove Desk' })).toBeVisible()

  await page.goto(`${office}/app/pay/proposals`)
  const card = page.getByRole('region', { name: '₱900,000.00 for Manila' })
  const asking = page.getByRole('dialog', { name: 'Confirm with your second factor' })
  await card.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('button', { name: 'Approve it' }).click()
  await expect(asking).toContainText('Your passkey signs exactly what you approve.')
  await asking.getByRole('button', { name: 'Continue' }).click()
  await expect(card).toHaveCount(0)
  const { items } = await ann.call<{ items: { decision: object }[] }>(
    'GET',
    '/api/pay/proposals/decided',
  )
  expect(items).toMatchObject([{ decision: { kind: 'approved', by: 'bob' } }])
})

type Device = Awaited<ReturnType<typeof attachDevice>>

/** A device of the browser that makes passkeys, and answers while its owner is present. */
async function attachDevice(page: Page) {
  const browser = await page.context().newCDPSession(page)
  await browser.send('WebAuthn.enable')
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  return {
    isPresent: (enabled: boolean) =>
      browser.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  }
}

async function signOut(page: Page, office: string) {
  await page.evaluate(() => localStorage.removeItem('tallyroom.session'))
  await page.goto(`${office}/login`)
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
}
