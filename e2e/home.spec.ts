import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './support/test.ts'

test.describe('an agent on a phone', () => {
  test.use({ account: 'maria', viewport: { width: 390, height: 844 } })

  test('sees today’s payout without scrolling, and what proves it one tap away', async ({
    page,
  }) => {
    await page.goto('/app/home')
    const today = page.getByRole('link', { name: /^Today ₱[\d,.]+/ })
    await expect(today).toBeInViewport({ ratio: 1 })
    const payout = today.getByText(/^₱/)
    expect((await payout.boundingBox())?.y).toBeLessThan(300)

    const shown = await payout.textContent()
    await today.click()
    await expect(page).toHaveURL(/stats\/sites\?.*start=2\d{3}-/)
    await expect(page.getByText(shown ?? '').first()).toBeVisible()
  })
})

test.describe('an office and staff', () => {
  for (const [account, heading] of [
    ['manila', 'No sale for 3 days'],
    ['admin', 'Today by site'],
    ['superadmin', 'Needs you'],
  ] as const) {
    test.describe(account, () => {
      test.use({ account })

      test('find their own section above the boards', async ({ page }) => {
        await page.goto('/app/home')
        const own = await page.getByRole('heading', { name: heading }).boundingBox()
        const boards = await page
          .getByRole('heading', { name: 'Weekly Top 10 Agents' })
          .boundingBox()
        expect(own?.y).toBeLessThan(boards?.y ?? 0)
      })
    })
  }
})

test('a superadmin gets from an empty database to the first click by the checklist alone', async ({
  page,
}) => {
  const { url, password, stop } = await startEmpty()
  try {
    await page.goto(url)
    await page.getByLabel('Username').fill('superadmin')
    await page.getByLabel(/^Password/).fill(password)
    await page.getByRole('button', { name: 'Login' }).click()
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
    await page.getByLabel(/^Password/).fill('a password of my own')
    await page.getByLabel(/^Confirm password/).fill('a password of my own')
    await page.getByRole('button', { name: 'Set password' }).click()

    const steps = page.getByRole('region', { name: 'Set up your network' })
    await steps.getByRole('link', { name: 'Add site' }).click()
    await page.getByLabel('Site name').fill('Lantern')
    await page.getByLabel('Short name').fill('lantern')
    await page.getByLabel('Abbreviation').fill('LL')
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://lantern.example')
    await page.getByRole('combobox', { name: 'Site type' }).click()
    await page.getByRole('option', { name: 'DATING' }).click()
    await page.getByRole('button', { name: 'Add Site' }).click()

    await steps.getByRole('link', { name: 'Add link type' }).click()
    await page.getByLabel('Link name').fill('Sign-up')
    await page.getByLabel('Alias').fill('signup')
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill(`${url}/login`)
    await page.getByLabel('Payout').fill('400')
    await page.getByLabel('Earning').fill('20')
    await page.getByRole('button', { name: 'Add Link' }).click()

    await steps.getByRole('link', { name: 'Add office' }).click()
    await page.getByLabel('Office name').fill('Manila')
    await page.getByLabel('Manager first name').fill('Ramon')
    await page.getByLabel('Manager last name').fill('Cruz')
    await page.getByLabel('Username').fill('manila')
    await page.getByLabel(/^Password/).fill('a long password')
    await page.getByLabel(/^Confirm password/).fill('a long password')
    await page.getByRole('button', { name: 'Add Office' }).click()

    await steps.getByRole('link', { name: 'Add agent' }).click()
    await page.getByRole('combobox', { name: 'Office' }).click()
    await page.getByRole('option', { name: 'Manila' }).click()
    await page.getByLabel('First name').fill('Maria')
    await page.getByLabel('Last name').fill('Santos')
    await page.getByLabel('Username').fill('maria')
    await page.getByLabel(/^Password/).fill('a long password')
    await page.getByLabel(/^Confirm password/).fill('a long password')
    await page.getByRole('button', { name: 'Add Agent' }).click()

    await steps.getByRole('link', { name: 'Approve' }).click()
    await page.getByRole('button', { name: 'Approve maria' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()

    await steps.getByRole('link', { name: 'Send a test' }).click()
    const drawer = page.getByRole('dialog', { name: 'Integration' })
    await drawer.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Sign-up' }).click()
    await drawer.getByRole('button', { name: 'Send test' }).click()
    await expect(drawer.getByText(/recorded/i).first()).toBeVisible()
    await drawer.getByRole('button', { name: 'Close' }).click()

    const [visited] = await Promise.all([
      page.waitForEvent('popup'),
      steps.getByRole('link', { name: 'Open the link' }).click(),
    ])
    await visited.waitForURL(/\/login\?.*=[0-9a-z]{32}/)
    await visited.close()
    await expect(steps).toBeHidden()
    await expect(page.getByRole('link', { name: /^Today .*1 unique/ })).toBeVisible()
  } finally {
    // Home would go on polling a server that is gone.
    await page.goto('about:blank')
    await stop()
  }
})

/** The real server on an empty database, with the password of its first account. */
async function startEmpty() {
  const port = await freePort()
  const dataDir = join(tmpdir(), `tallyroom-e2e-empty-${process.pid}`)
  const server = spawn(process.execPath, [join(import.meta.dirname, 'serve.ts')], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      E2E_DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      CAPTCHA: 'off',
      SEED: 'none',
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      PUBLIC_URL: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const password = await passwordIn(server)
  const ended = new Promise((resolve) => server.once('exit', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    password,
    stop: async () => {
      server.kill('SIGTERM')
      await ended
    },
  }
}

const passwordIn = (server: ChildProcess) =>
  new Promise<string>((resolve, reject) => {
    let text = ''
    server.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [, password] = /^ +password +(\S+)$/m.exec(text) ?? []
      if (password !== undefined) resolve(password)
    })
    server.once('exit', () => reject(new Error(`The server did not start:\n${text}`)))
  })

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo // it listens on TCP
      server.close(() => resolve(port))
    })
  })
