import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { approve, runOf, test } from './support/paying-network.ts'
import { expect } from './support/test.ts'

// What a bank's file looks like: made in the browser, approved, and read as the bank gets it.

async function choose(page: Page, combobox: string, option: string) {
  await page.getByRole('combobox', { name: combobox, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Adds a value at the end of the first or last line. */
async function addValue(
  page: Page,
  line: 'first line' | 'last line',
  { field, width, filling }: { field: string; width: number; filling?: string },
) {
  await page.getByRole('button', { name: `Add value to ${line}` }).click()
  const count = await page
    .getByRole('combobox', { name: new RegExp(`^Field of value \\d+ of ${line}$`) })
    .count()
  const value = `value ${count} of ${line}`
  if (field.startsWith('=')) {
    await page.getByRole('textbox', { name: `Text of ${value}` }).fill(field.slice(1))
  } else await choose(page, `Field of ${value}`, field)
  await page.getByRole('textbox', { name: `Width of ${value}` }).fill(String(width))
  if (filling) await choose(page, `Filling of ${value}`, filling)
}

test('a file of fixed width with a first and a last line is made, approved and downloaded', async ({
  network: { staff },
}) => {
  const { superadmin, bob, cat } = staff
  const page = await superadmin.open('/app/settings/pay-files')
  await page.getByRole('button', { name: '+ Add Template' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Fixed')
  await choose(page, 'Format', 'Fixed width')
  await choose(page, 'Amounts', '123450 (centavos)')
  await page.getByRole('checkbox', { name: 'Headers above the transfers' }).uncheck()
  const widths: [width: number, filling: string][] = [
    [10, 'Spaces after it'],
    [11, 'Spaces after it'],
    [12, 'Zeros before it'],
    [15, 'Spaces after it'],
    [16, 'Zeros before it'],
    [12, 'Spaces before it'],
  ]
  await expect(page.getByText('Column 6 needs a width')).toBeVisible()
  for (const [at, [width, filling]] of widths.entries()) {
    await page.getByRole('textbox', { name: `Width of column ${at + 1}` }).fill(String(width))
    await choose(page, `Filling of column ${at + 1}`, filling)
  }
  await addValue(page, 'first line', { field: '=H', width: 1 })
  await addValue(page, 'first line', { field: 'Number of the run', width: 12 })
  const number = 'Number of the file in its run'
  await addValue(page, 'first line', { field: number, width: 3, filling: 'Zeros before it' })
  await addValue(page, 'last line', { field: '=T', width: 1 })
  const zeros = { width: 6, filling: 'Zeros before it' }
  await addValue(page, 'last line', { field: 'Number of transfers', ...zeros })
  await addValue(page, 'last line', { field: 'Sum of the amounts', ...zeros, width: 14 })
  await expect(page.getByLabel('First lines of the file for InstaPay')).toContainText(
    'T00000100000005000000',
  )
  await page.getByRole('button', { name: 'Add template', exact: true }).click()
  await expect(page.getByText('Successfully saved')).toBeVisible()

  await page.goto('/app/pay/runs/prepare')
  await choose(page, 'Pay file', 'Fixed')
  await page.getByRole('button', { name: 'Prepare ₱17,000.00 to 2 payees' }).click()
  await page.waitForURL(/\/pay\/runs\/\d+/)
  const run = new URL(page.url()).pathname.replace('/app', '')

  const approving = await bob.open(`/app${run}`)
  await approving.getByRole('button', { name: 'Show the files’ lines' }).click()
  await expect(approving.getByText('Last line: T | 000002 | 00000001700000')).toBeVisible()
  await expect(approving.getByRole('cell', { name: '0000003333000033' })).toBeVisible()
  await approve(bob, run)

  const downloading = await cat.open(`/app${run}`)
  const waiting = downloading.waitForEvent('download')
  await downloading.getByRole('button', { name: /^Download R-/ }).click()
  await downloading.getByRole('button', { name: 'Download file' }).click()
  const download = await waiting
  const { number: runNumber, files } = await runOf(cat, run)
  expect(download.suggestedFilename()).toBe(files[0]!.name)
  expect(await readFile(await download.path(), 'latin1')).toBe(
    [
      `H${runNumber.padEnd(12)}001`,
      `P1R1N1    BOPIPHMM   000000900000Pay ${runNumber}0000001111000011  The Office`,
      `P1R1N2    BOPIPHMM   000000800000Pay ${runNumber}0000003333000033  The Office`,
      'T00000200000001700000',
      '',
    ].join('\r\n'),
  )
})
