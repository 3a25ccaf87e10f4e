import { addDays } from '../packages/domain/src/new-york.ts'
import { today } from './support/day.ts'
import { StatisticsPage } from './support/statistics-page.ts'
import { type Account, expect, test } from './support/test.ts'

const yesterday = addDays(today, -1)

type Sight = {
  menu: string[]
  views: string[]
  /** The columns before the figures, in the detail view. */
  keys: string[]
  filters: string[]
  earning: boolean
  /** The demo data turns on payouts for offices and agents. */
  payout: boolean
}

const all = {
  views: ['Date', 'Office', 'Agent', 'Detail', 'Link type', 'Sub id'],
  keys: ['Date', 'Office', 'Agent'],
  filters: ['Site', 'Type', 'Office', 'Agent'],
  payout: true,
}

/** What each account can see. */
const sights: Record<Account, Sight> = {
  superadmin: {
    ...all,
    menu: [
      'Home',
      'News',
      'Stats',
      'Links',
      'Logs',
      'How to sell',
      'Payroll',
      'Pay',
      'Offices',
      'Agents',
      'Approve Agents',
      'Admins',
      'Sites',
      'Settings',
      'Migration',
      'Profile',
      'Logout',
    ],
    earning: true,
  },
  admin: {
    ...all,
    menu: [
      'Home',
      'Stats',
      'Links',
      'Logs',
      'How to sell',
      'Payroll',
      'Pay',
      'Offices',
      'Agents',
      'Approve Agents',
      'Sites',
      'Settings',
      'Profile',
      'Logout',
    ],
    earning: true,
  },
  admin2: {
    ...all,
    menu: [
      'Home',
      'Stats',
      'Links',
      'Logs',
      'How to sell',
      'Payroll',
      'Offices',
      'Agents',
      'Sites',
      'Settings',
      'Profile',
      'Logout',
    ],
    earning: false,
  },
  manila: {
    menu: ['Home', 'Stats', 'Links', 'Logs', 'How to sell', 'Pay', 'Agents', 'Profile', 'Logout'],
    views: ['Date', 'Agent', 'Detail', 'Link type', 'Sub id'],
    keys: ['Date', 'Agent'],
    filters: ['Site', 'Type', 'Agent'],
    earning: false,
    payout: true,
  },
  maria: {
    menu: ['Home', 'Stats', 'Links', 'Logs', 'How to sell', 'Pay', 'Profile', 'Logout'],
    views: ['Date', 'Detail', 'Link type', 'Sub id'],
    keys: ['Date'],
    filters: ['Site', 'Type'],
    earning: false,
    payout: true,
  },
}

for (const account of Object.keys(sights) as Account[]) {
  test.describe(account, () => {
    test.use({ account })

    test('sees its own menu, views, filters and columns @core', async ({ page }) => {
      const statistics = new StatisticsPage(page)
      await statistics.open({ start: addDays(yesterday, -6), end: yesterday })
      const { headers } = await statistics.read()
      const views = page.getByRole('radiogroup', { name: 'View By' }).getByRole('radio')
      const filters = page.getByRole('search').getByRole('combobox')
      const menu = page.getByRole('navigation', { name: 'Main' }).getByRole('listitem')
      const seen: Sight = {
        // Only the first line, because a badge may follow.
        menu: (await menu.allInnerTexts()).map((entry) => entry.split('\n')[0] ?? ''),
        views: await views.evaluateAll((inputs) =>
          inputs.map((input) => (input as HTMLInputElement).labels?.[0]?.textContent ?? ''),
        ),
        keys: headers.slice(1, headers.indexOf('Raws')),
        filters: await filters.evaluateAll((inputs) =>
          inputs.map((input) => (input as HTMLInputElement).labels?.[0]?.textContent ?? ''),
        ),
        earning: headers.includes('Earn'),
        payout: headers.includes('Payout'),
      }
      expect(seen).toEqual(sights[account])
    })
  })
}

test.describe('a link to somebody else’s data', () => {
  test.use({ account: 'maria' })

  test('shows agents only their own figures', async ({ page }) => {
    const statistics = new StatisticsPage(page)
    const days = { start: addDays(yesterday, -6), end: yesterday }
    await statistics.open(days)
    const own = await statistics.read()
    await statistics.open({ ...days, companyId: 2, agentId: 30, groupBy: 'company' })
    expect(await statistics.read()).toEqual(own)
  })

  test('says that agents have no access, and shows nothing of the page', async ({ page }) => {
    await page.goto('/app/sites/postbacks')
    await expect(page.getByText('You don’t have access to this page')).toBeVisible()
    await expect(page.getByRole('main').getByRole('table')).toBeHidden()
  })
})

test.describe('an office', () => {
  test.use({ account: 'manila' })

  test('is told that a hidden agent is left out of its list', async ({ page }) => {
    await page.goto('/app/agents?pageSize=10')
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await expect(pages).toContainText(/rows, 1 agent left out \(hidden or suspended\)/)
    await page.goto('/app/agents?pageSize=10&username=maria')
    await expect(pages).toContainText(/1 row/)
    await expect(pages).not.toContainText('left out')
  })
})
