import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'
import { violationsOf } from './support/violations.ts'

/** Popups, which accessibility.spec.ts does not open. */
const opened: Record<string, { path: string; open: (page: Page) => Promise<void>; shows: string }> =
  {
    'the command palette': {
      path: '/app/agents?pageSize=10',
      open: (page) => page.getByRole('button', { name: 'Go to a page' }).click(),
      shows: '[role="dialog"] [data-action]',
    },
    'the shortcuts': {
      path: '/app/agents?pageSize=10',
      open: (page) => page.keyboard.press('?'),
      shows: '[role="dialog"]',
    },
    "a row's menu": {
      path: '/app/agents?pageSize=10',
      open: (page) =>
        page
          .getByRole('button', { name: /^Actions for/ })
          .first()
          .click(),
      shows: '[role="menuitem"]',
    },
    'the menu of columns': {
      path: '/app/agents?pageSize=10',
      open: (page) => page.getByRole('button', { name: 'Columns', exact: true }).click(),
      shows: '#floating [role="dialog"], #floating [role="menu"]',
    },
    'selected rows': {
      path: '/app/agents?pageSize=10',
      open: (page) => page.getByRole('checkbox', { name: 'Select row 2' }).check(),
      shows: '[role="group"][aria-label="Selected rows"]',
    },
    "a select's list": {
      path: '/app/logs/click-outs?pageSize=10',
      open: (page) => page.getByRole('combobox', { name: 'Site' }).click(),
      shows: '[role="option"]:visible',
    },
    'the list of several sites': {
      path: '/app/stats/top-agents?siteIds=1,2',
      open: (page) => page.getByRole('combobox', { name: 'Custom sites' }).click(),
      shows: '[role="option"]:visible',
    },
    'the choice of a range': {
      path: '/app/logs/click-outs?pageSize=10',
      open: (page) => page.getByRole('button', { name: /^Date range/ }).click(),
      shows: '#floating [role="dialog"] table',
    },
    'the choice of a file': {
      path: '/app/stats/sites?pageSize=10',
      open: (page) =>
        page
          .getByRole('button', { name: /^Export/ })
          .first()
          .click(),
      shows: '[role="menuitem"]',
    },
    'a question': {
      path: '/app/settings/avp-schedule',
      open: (page) =>
        page
          .getByRole('button', { name: /^Delete the schedule/ })
          .first()
          .click(),
      shows: '[role="dialog"]',
    },
    'the drawer of a site’s integration': {
      path: '/app/sites/postbacks?pageSize=10',
      open: async (page) => {
        await page.getByRole('button', { name: 'Integration' }).click()
        await page.getByRole('dialog').getByRole('combobox', { name: 'Site' }).click()
        await page.getByRole('option').first().click()
      },
      shows: '[role="dialog"] code',
    },
    'a conversation': {
      path: '/app/logs/chat?pageSize=10',
      open: (page) => page.locator('tbody button').first().click(),
      // The first row's call may have had nothing to show.
      shows: 'tbody td[colspan]',
    },
    'what a call was given': {
      path: '/app/logs/common-logs?reads=true&pageSize=10',
      open: (page) => page.locator('tbody button').first().click(),
      // The first row's call may have had nothing to show.
      shows: 'tbody td[colspan]',
    },
    'a form with mistakes': {
      path: '/app/offices/create',
      open: async (page) => {
        for (const label of [/^Office name/, /^Username/, /^Password/]) {
          await page.getByRole('textbox', { name: label }).fill(' ')
          await page.keyboard.press('Tab')
        }
      },
      shows: 'main [aria-invalid="true"]',
    },
  }

test.use({ account: 'superadmin' })

for (const [name, { path, open, shows }] of Object.entries(opened)) {
  test(`${name}: no accessibility violations in light or dark`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.goto(path)
    await page.getByRole('banner').getByRole('time').waitFor()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await open(page)
    await page.locator(shows).first().waitFor()
    expect(await violationsOf(page), 'light').toEqual([])
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await violationsOf(page, { coloursOnly: true }), 'dark').toEqual([])
  })
}
