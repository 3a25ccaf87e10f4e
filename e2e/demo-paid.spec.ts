import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { PaymentRun } from '../packages/contract/src/pay/runs/runs.ts'
import { moneyText } from '../packages/contract/src/pay/statements/statement-sections.ts'
import { startOwnServer } from './support/own-server.ts'
import { lastPeriod } from './support/pages.ts'
import { peopleOf } from './support/paying-network.ts'
import { expect, test } from './support/test.ts'

// The demo has two who may pay. Whoever tries it gets to the end of a payday with them alone.

const inPesos = (amount: number) => moneyText(amount, 'PHP')

/** Everything new is ticked, the lines are looked at, and the run is approved. */
async function approveOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show the files’ lines' }).click()
  await expect(page.getByRole('region', { name: 'What leaves' })).toBeVisible()
  const news = page.getByRole('region', { name: 'What is new' })
  for (const box of await news.getByRole('checkbox').all()) await box.check()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('button', { name: /^Approve ₱/ }).click()
  await expect(page.getByRole('heading', { name: 'Approved' })).toBeVisible()
}

/** Downloads all files of a run, and returns their texts. */
async function takeOn(page: Page): Promise<string[]> {
  const buttons = page
    .getByRole('region', { name: 'Files' })
    .getByRole('button', { name: /^Download R/ })
  const texts: string[] = []
  for (let left = await buttons.count(); left > 0; left--) {
    const download = page.waitForEvent('download')
    await buttons.first().click()
    // Only the first ends that the run can be cancelled.
    if (texts.length === 0) await page.getByRole('button', { name: 'Download file' }).click()
    texts.push(await readFile(await (await download).path(), 'latin1'))
    await expect(buttons).toHaveCount(left - 1)
  }
  return texts
}

async function allPaidOn(page: Page, { lines, amount }: PaymentRun): Promise<void> {
  await page.getByRole('button', { name: 'All paid' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Mark ${inPesos(amount)} to ` })
    .click()
  await expect(page.getByText(`${lines.length} paid, 0 failed`)).toBeVisible()
  await expect(page.getByText('Every transfer has a result.')).toBeVisible()
}

test('the demo’s last period is closed and paid to the end by its two payers', async ({
  browser,
  playwright,
}) => {
  test.slow()
  const server = await startOwnServer({ SEED: 'demo' })
  const { person, end } = peopleOf(server, browser, {
    newContext: (baseURL) => playwright.request.newContext({ baseURL }),
    aheadMs: () => 0,
  })
  try {
    const superadmin = await person('superadmin', server.password)
    const admin = await person('admin', server.password)
    const { name } = lastPeriod
    /** The run of a page, with the lines that are paid. */
    const runAt = async (url: string) => {
      const run = await admin.call<PaymentRun>('GET', new URL(url).pathname.replace('/app', '/api'))
      return { ...run, lines: run.lines.filter(({ state }) => state !== 'removed') }
    }

    // What waits for the superadmin: an adjustment, and the run of the period before.
    const proposals = await superadmin.open('/app/pay/proposals')
    await proposals.getByRole('button', { name: 'Approve', exact: true }).click()
    await proposals.getByRole('button', { name: 'Approve it' }).click()
    await expect(proposals.getByText('Nothing waits for a second person')).toBeVisible()
    const waiting = await superadmin.open('/app/pay/runs/3')
    await approveOn(waiting)
    await takeOn(waiting)
    await allPaidOn(waiting, await runAt(waiting.url()))

    // The admin closes the period.
    const closing = await admin.open(`/app/pay/periods/${name}`)
    await closing.getByRole('button', { name: `Close ${name}` }).click()
    const dialog = closing.getByRole('dialog')
    await dialog.getByLabel(`Type ${name}`).fill(name)
    const open = dialog.getByLabel('Close without these postbacks')
    if (await open.isVisible()) await open.check()
    await dialog.getByRole('button', { name: `Close ${name}` }).click()
    await expect(closing.getByRole('link', { name: 'See the statements' })).toBeVisible()

    // The superadmin prepares what is paid for it, and can't approve that.
    const page = await superadmin.open('/app/pay/runs/prepare')
    await page.getByRole('button', { name: /^Prepare ₱[\d,.]+ to \d+ payees$/ }).click()
    await page.waitForURL(/runs\/\d+$/)
    await expect(page.getByText(/You prepared this run, so somebody else/)).toBeVisible()
    const prepared = await runAt(page.url())
    const sum = prepared.lines.reduce((total, { amount }) => total + amount, 0)
    expect(prepared.amount).toBe(sum)
    await expect(page.getByRole('heading', { name: inPesos(sum), exact: true })).toBeVisible()

    // The admin approves it, and the files have each amount to the centavo.
    const second = await admin.open(new URL(page.url()).pathname)
    await approveOn(second)
    const files = await takeOn(second)
    const inFiles = files.flatMap((text) =>
      [...text.matchAll(/^(P\d+R\d+N\d+),\w+,(\d+\.\d\d),/gm)].map(
        ([, reference = '', amount = '']) => [reference, amount] as const,
      ),
    )
    expect(new Map(inFiles)).toEqual(
      new Map(prepared.lines.map((line) => [line.reference, (line.amount / 100).toFixed(2)])),
    )
    expect(inFiles).toHaveLength(prepared.lines.length)

    // The bank has paid all of it: nothing of it is owed any more.
    await allPaidOn(second, prepared)
    for (const { payee } of prepared.lines) {
      const balance = await admin.open(`/app/pay/balances/${payee.kind}/${payee.id}`)
      await expect(
        balance.getByText('Balance in pesos').locator('..').getByText('₱0.00', { exact: true }),
      ).toBeVisible()
    }
    await page.reload()
    await expect(page.getByText('Finished', { exact: true }).first()).toBeVisible()
  } finally {
    await end()
    await server.stop()
  }
})
