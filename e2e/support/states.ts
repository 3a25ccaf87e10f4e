import type { Locator, Page } from '@playwright/test'
import { ERROR_CODE_HEADER } from '../../packages/contract/src/errors.ts'
import { lastPeriod } from './pages.ts'
import { type Account, expect } from './test.ts'

/** A state of a page that its URL does not contain: a popup, or a form with mistakes. */
interface PageState {
  path: string
  /** The superadmin's, unless it says so. */
  account?: Account
  /** Console messages that it causes. */
  expectedConsole?: RegExp[]
  open: (page: Page) => Promise<void>
  /** What opened it, which has the focus again once Escape closed it. For those that are opened with keys alone. */
  opener?: (page: Page) => Locator
  /** A selector that matches once it is open. */
  shows: string
  /** It opens the same way on a phone, where rows are cards and filters are in a sheet. */
  onPhone?: true
}

/** Opens it with Tab and Enter. */
const withKeys = (opener: (page: Page) => Locator): Pick<PageState, 'open' | 'opener'> => ({
  opener,
  open: async (page) => {
    await tabTo(page, opener(page))
    await page.keyboard.press('Enter')
  },
})

const button = (name: string | RegExp) => (page: Page) =>
  page.locator('main').getByRole('button', { name, exact: true }).first()

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
    shows: '[role="dialog"] :text("rates +")',
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
    ...withKeys(button('Add an adjustment')),
    shows: '[role="dialog"] input',
    onPhone: true,
  },
  'a hold': {
    path: '/app/pay/balances/office/1',
    ...withKeys(button('Put on hold')),
    shows: '[role="dialog"] textarea',
    onPhone: true,
  },
  'an own minimum': {
    path: '/app/pay/balances/office/1',
    ...withKeys(button('Set a minimum')),
    shows: '[role="dialog"] input',
    onPhone: true,
  },
  'an adjustment to take back': {
    path: '/app/pay/balances/office/2',
    ...withKeys(button(/^Take back ₱/)),
    shows: '[role="dialog"] textarea',
    onPhone: true,
  },
  'a sum to hold back': {
    path: '/app/pay/balances/office/1?holdBack=1200&because=fraud',
    open: async () => {},
    shows: '[role="dialog"] input',
    onPhone: true,
  },
  'an exchange rate': {
    path: `/app/pay/periods/${lastPeriod.name}`,
    ...withKeys(button('Enter an exchange rate')),
    shows: 'main input',
    onPhone: true,
  },
  'the closing of a period': {
    path: `/app/pay/periods/${lastPeriod.name}`,
    ...withKeys(button(`Close ${lastPeriod.name}`)),
    shows: '[role="dialog"] input',
    onPhone: true,
  },
  'the approval of a proposal': {
    path: '/app/pay/proposals',
    ...withKeys(button('Approve')),
    shows: '[role="dialog"] button',
    onPhone: true,
  },
  'the refusal of a proposal': {
    path: '/app/pay/proposals',
    ...withKeys(button('Refuse')),
    shows: '[role="dialog"] textarea',
    onPhone: true,
  },
  'a proposal to withdraw': {
    path: '/app/pay/proposals',
    account: 'admin',
    ...withKeys(button('Withdraw')),
    shows: '[role="dialog"] button',
    onPhone: true,
  },
  'the confirmation of an account': {
    path: '/app/pay/accounts',
    ...withKeys(button('Confirm')),
    shows: '[role="dialog"] button',
    onPhone: true,
  },
  'the refusal of an account': {
    path: '/app/pay/accounts',
    ...withKeys(button('Refuse')),
    shows: '[role="dialog"] textarea',
    onPhone: true,
  },
  'the limits of pay': {
    path: '/app/settings/pay',
    ...withKeys(button('Change the limits')),
    shows: '[role="dialog"] input',
    onPhone: true,
  },
  'a template of files': {
    path: '/app/settings/pay-files',
    ...withKeys(button('+ Add Template')),
    shows: 'main input',
    onPhone: true,
  },
  'the cancelling of a run': {
    path: '/app/pay/runs/3',
    ...withKeys(button('Cancel run')),
    shows: '[role="dialog"] textarea',
    onPhone: true,
  },
  'what an act does about a held postback': {
    path: '/app/sites/postbacks?holdKind=part',
    ...withKeys(button('Reverse a part')),
    shows: '[role="dialog"] [aria-label="What it does"] li p:last-child',
    onPhone: true,
  },
  'the question for the password': {
    path: '/app/pay/runs/3',
    expectedConsole: [/status of 403/],
    open: async (page) => {
      await page.route('**/api/pay/runs/3/review', (route) =>
        route.fulfill({ status: 403, headers: { [ERROR_CODE_HEADER]: 'PROOF_NEEDED' }, json: {} }),
      )
      await page.getByRole('button', { name: 'Show the files’ lines' }).click()
    },
    shows: '[role="dialog"] input[type="password"]',
    onPhone: true,
  },
  'the approval of a run': {
    path: '/app/pay/runs/3',
    open: approveRun,
    opener: button('Approve'),
    shows: '[role="dialog"] :text("leaves the payees")',
    onPhone: true,
  },
  'an account that somebody else entered': {
    path: '/app/pay/account',
    account: 'manila',
    ...withKeys(button('That wasn’t me')),
    shows: '[role="dialog"] :text("You did not enter this account?")',
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

/** Up to the question, with keys alone. The run is one of the demo's, prepared by somebody else. */
async function approveRun(page: Page) {
  const approve = button('Approve')(page)
  await approve.waitFor()
  const news = page.getByRole('region', { name: 'What is new' })
  for (const box of await news.getByRole('checkbox').all()) {
    await tabTo(page, box)
    await page.keyboard.press('Space')
  }
  await tabTo(page, button('Show the files’ lines')(page))
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'What leaves' }).waitFor()
  await expect(approve).toBeEnabled()
  await tabTo(page, approve)
  await page.keyboard.press('Enter')
}

/** Presses Tab until the target has focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 150; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The target can’t be reached with Tab')
}
