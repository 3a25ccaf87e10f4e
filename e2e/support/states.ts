import type { Page } from '@playwright/test'

/**
 * A state of a page that its URL does not contain: a popup, or a form with mistakes. For
 * superadmins.
 */
interface PageState {
  path: string
  open: (page: Page) => Promise<void>
  /** A selector that matches once it is open. */
  shows: string
  /** It opens the same way on a phone, where rows are cards and filters are in a sheet. */
  onPhone?: true
}

export const states: Record<string, PageState> = {
  'the command palette': {
    path: '/app/agents?pageSize=10',
    open: (page) => page.getByRole('button', { name: 'Go to a page' }).click(),
    shows: '[role="dialog"] [data-action]',
    onPhone: true,
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
    onPhone: true,
  },
  'the drawer of a site’s integration': {
    path: '/app/sites/postbacks?pageSize=10',
    open: async (page) => {
      const actionsOfPhone = page.getByRole('button', { name: 'Page actions' })
      if (await actionsOfPhone.isVisible()) await actionsOfPhone.click()
      await page.getByRole('button', { name: 'Integration' }).click()
      const drawer = page.getByRole('dialog', { name: 'Integration' })
      await drawer.getByRole('combobox', { name: 'Site' }).click()
      await page.getByRole('listbox').getByRole('option').first().click()
    },
    shows: '[role="dialog"] code',
    onPhone: true,
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
    onPhone: true,
  },
  'the rates of a link type': {
    path: '/app/sites/1/types?pageSize=10',
    open: (page) =>
      page
        .getByRole('button', { name: /^Dates of the rates of/ })
        .first()
        .click(),
    shows: '[role="dialog"] li',
    onPhone: true,
  },
  'the preview of backdated rates': {
    path: '/app/sites/1/types?pageSize=10',
    open: async (page) => {
      await page.getByRole('button', { name: 'Dates of the rates of Credits Pack' }).click()
      await page.getByRole('button', { name: 'Backdate rates…' }).click()
      await page.getByLabel('Payout', { exact: true }).last().fill('445')
      await page.getByLabel('Reason').fill('As the contract says')
      await page.getByRole('button', { name: 'Preview' }).click()
    },
    shows: '[role="dialog"] :text("payout +")',
    onPhone: true,
  },
  'what a line of a statement is made of': {
    path: '/app/pay/statements/1',
    open: (page) => page.locator('main a[href*="line="]').first().click(),
    shows: '[role="dialog"] table',
    onPhone: true,
  },
  'an adjustment': {
    path: '/app/pay/balances/office/1',
    open: (page) => page.getByRole('button', { name: 'Add an adjustment' }).click(),
    shows: '[role="dialog"] input',
    onPhone: true,
  },
  'a view to save': {
    path: '/app/stats/sites?days=week-1&pageSize=10',
    open: async (page) => {
      await page.getByRole('button', { name: 'Views' }).click()
      await page.getByRole('menuitem', { name: 'Save to my views' }).click()
    },
    shows: '[role="dialog"] input',
    onPhone: true,
  },
}
