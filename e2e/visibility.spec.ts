import { addDays } from '../packages/domain/src/new-york.ts'
import { today } from './support/day.ts'
import { StatisticsPage } from './support/statistics-page.ts'
import { type Account, expect, test } from './support/test.ts'

const yesterday = addDays(today, -1)

type Sight = {
  menu: string[]
  views: string[]
  /** Of the detail view, before the figures. */
  keys: string[]
  filters: string[]
  earning: boolean
  /** The demo world has the system option for offices and agents on. */
  payout: boolean
}

const all = {
  views: ['Date', 'Office', 'Agent', 'Detail', 'Link type'],
  keys: ['Date', 'Office', 'Agent'],
  filters: ['Site', 'Type', 'Office', 'Agent'],
  payout: true,
}

/** What each account is offered and shown. */
const sights: Record<Account, Sight> = {
  superadmin: {
    ...all,
    menu: [
      'Home',
      'News',
      'Offices',
      'Agents',
      'Approve Agents',
      'Sites',
      'Stats',
      'Links',
      'Logs',
      'Profile',
      'How to sell',
      'Admins',
      'Settings',
      'Migration',
      'Logout',
    ],
    earning: true,
  },
  admin: {
    ...all,
    menu: [
      'Home',
      'Offices',
      'Agents',
      'Approve Agents',
      'Sites',
      'Stats',
      'Links',
      'Logs',
      'Profile',
      'How to sell',
      'Settings',
      'Logout',
    ],
    earning: true,
  },
  admin2: {
    ...all,
    menu: [
      'Home',
      'Offices',
      'Agents',
      'Sites',
      'Stats',
      'Links',
      'Logs',
      'Profile',
      'How to sell',
      'Settings',
      'Logout',
    ],
    earning: false,
  },
  manila: {
    menu: ['Home', 'Agents', 'Stats', 'Links', 'Logs', 'Profile', 'How to sell', 'Logout'],
    views: ['Date', 'Agent', 'Detail', 'Link type'],
    keys: ['Date', 'Agent'],
    filters: ['Site', 'Type', 'Agent'],
    earning: false,
    payout: true,
  },
  maria: {
    menu: ['Home', 'Stats', 'Links', 'Logs', 'Profile', 'How to sell', 'Logout'],
    views: ['Date', 'Detail', 'Link type'],
    keys: ['Date'],
    filters: ['Site', 'Type'],
    earning: false,
    payout: true,
  },
}

for (const account of Object.keys(sights) as Account[]) {
  test.describe(account, () => {
    test.use({ account })

    test('has its own menu, views, filters and columns', async ({ page }) => {
      const statistics = new StatisticsPage(page)
      await statistics.open({ start: addDays(yesterday, -6), end: yesterday })
      const { headers } = await statistics.read()
      const views = page.getByRole('radiogroup', { name: 'View By' }).getByRole('radio')
      const filters = page.getByRole('search').getByRole('combobox')
      const menu = page.getByRole('navigation', { name: 'Main' }).getByRole('listitem')
      const seen: Sight = {
        // The first line: a badge may follow.
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

test.describe('a link to what is somebody else’s', () => {
  test.use({ account: 'maria' })

  test('shows an agent its own figures alone', async ({ page }) => {
    const statistics = new StatisticsPage(page)
    const days = { start: addDays(yesterday, -6), end: yesterday }
    await statistics.open(days)
    const own = await statistics.read()
    await statistics.open({ ...days, companyId: 2, agentId: 30, groupBy: 'company' })
    expect(await statistics.read()).toEqual(own)
  })

  test('says that a page is not for agents, and shows nothing of it', async ({ page }) => {
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
