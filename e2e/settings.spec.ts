import type { Page } from '@playwright/test'
import { test as withPeople } from './support/people.ts'
import { expect, test } from './support/test.ts'

const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })

const results = (page: Page) => page.getByRole('region', { name: 'Results' }).getByRole('listitem')

test.describe('the IP black list', () => {
  // The browser logs the 422 of refused lines.
  test.use({ account: 'admin', expectedConsole: [/status of 422/] })

  test('lines are added, searched and deleted, and refused lines stay in the list', async ({
    page,
  }) => {
    await page.goto('/app/settings')
    await expect(page).toHaveURL(/\/app\/settings\/black-list-ip$/)
    await expect(page.getByRole('link', { name: 'System Options' })).toBeHidden()

    await page.getByRole('link', { name: '+ Add IP' }).click()
    await expect(page.getByRole('heading', { name: 'Add Ip' })).toBeVisible()
    const confirm = page.getByRole('button', { name: 'Confirm' })
    await expect(confirm).toBeDisabled()
    const list = page.getByLabel('IP List')
    await list.fill(' 198.18.4.4\n198.18.5.9/24\n\nnonsense\n127.0.0.1\n198.18.4.4')
    await confirm.click()
    await expect(results(page)).toHaveText([
      /nonsense.*is not an IP address/,
      /127\.0\.0\.1.*contains your own address/,
      /198\.18\.4\.4.*added/,
      /198\.18\.5\.9\/24.*added as 198\.18\.5\.0\/24/,
    ])
    await expect(list).toHaveValue('nonsense\n127.0.0.1')
    await list.fill('198.18.4.4')
    await confirm.click()
    await expect(results(page)).toHaveText([/already there/])
    await page.getByRole('button', { name: 'Back to the list' }).click()

    await page.getByPlaceholder('part of IP').fill('198.18.')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(page.getByRole('row')).toHaveCount(3)
    await page.getByLabel('Select all rows of the page').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Are you sure to delete selected IP?')).toBeVisible()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('No data')).toBeVisible()
  })

  test('lines are deleted by value and by row', async ({ page }) => {
    await page.goto('/app/settings/black-list-ip/create')
    await page.getByLabel('IP List').fill('198.19.1.1\n198.19.1.2\n198.19.2.0/24')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(results(page)).toHaveCount(3)

    await page.goto('/app/settings/black-list-ip/delete')
    await expect(page.getByRole('heading', { name: 'Delete Ips' })).toBeVisible()
    const list = page.getByLabel('IP List')
    await list.fill('198.19.1.1\n198.19.1.9\n198.19.2.9')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(results(page)).toHaveText([
      /198\.19\.1\.9.*not listed$/,
      /198\.19\.2\.9.*not listed, but within 198\.19\.2\.0\/24/,
      /198\.19\.1\.1.*deleted/,
    ])
    await expect(list).toHaveValue('198.19.1.9\n198.19.2.9')
    await list.fill('198.19.2.0/24')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page).toHaveURL(/black-list-ip$/)

    await page.goto('/app/settings/black-list-ip?ip=198.19.')
    await rowOf(page, '198.19.1.2').getByRole('button', { name: 'Delete 198.19.1.2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('No data')).toBeVisible()
  })
})

test.describe('the system options', () => {
  test.use({ account: 'superadmin' })

  test('a changed option is kept', async ({ page }) => {
    const option = page.getByLabel('Auto Block Account')
    const change = async (isOn: boolean) => {
      await page.goto('/app/settings/options')
      await expect(page.getByRole('heading', { name: 'Options' })).toBeVisible()
      await option.setChecked(isOn)
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Successfully saved')).toBeVisible()
      await page.reload()
      await expect(option).toBeChecked({ checked: isOn })
    }
    await change(true)
    await change(false)
  })
})

test.describe('an office', () => {
  test.use({ account: 'manila' })

  test('has no settings', async ({ page }) => {
    await page.goto('/app/settings/black-list-ip')
    await expect(page.getByText('You don’t have access to this page')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Settings' })).toBeHidden()
  })
})

test.describe('a press', () => {
  test.use({ account: 'superadmin' })

  test('works on what was pressed, whatever moves the page beneath it', async ({ page }) => {
    await page.route('**/api/contact', (route) =>
      route.request().method() === 'GET'
        ? route.fallback()
        : route.fulfill({ json: { name: 'Ana', chat: '', email: '', version: 9 } }),
    )
    await page.goto('/app/settings/contact')
    await page.getByLabel('Name').fill('Ana')
    await page.getByRole('button', { name: 'Save' }).hover()
    const saved = page.waitForRequest(
      (request) => request.url().endsWith('/api/contact') && request.method() !== 'GET',
    )

    await page.mouse.down()
    await page.getByRole('main').evaluate((main) => {
      const arriving = document.createElement('p')
      arriving.textContent = 'What arrives above the form'
      arriving.style.minHeight = '60px'
      main.prepend(arriving)
    })
    await page.mouse.up()

    await saved
  })

  test('that is drawn away from a button does not work on it', async ({ page }) => {
    await page.goto('/app/settings/contact')
    await page.getByLabel('Name').fill('Ana')
    await page.getByRole('button', { name: 'Save' }).hover()
    let saved = false
    page.on('request', (request) => {
      saved ||= request.url().endsWith('/api/contact') && request.method() !== 'GET'
    })
    await page.mouse.down()
    await page.mouse.move(600, 700)
    await page.mouse.up()
    // Nor if it is released just beside its edge.
    const button = await page.getByRole('button', { name: 'Save' }).boundingBox()
    if (!button) throw new Error('there is a button')
    const edge = button.y + button.height / 2
    await page.mouse.move(button.x + button.width - 2, edge)
    await page.mouse.down()
    await page.mouse.move(button.x + button.width + 4, edge)
    await page.mouse.up()
    await page.getByLabel('Name').fill('Ana Reyes')
    expect(saved).toBe(false)
  })
})

withPeople(
  'offices and agents read whom to ask, where superadmins have named somebody',
  async ({ people }) => {
    const superadmin = await people.seat('superadmin', '/app/settings/contact')
    await superadmin.getByLabel('Name').fill('Ana Reyes')
    const chat = superadmin.getByLabel('Chat')
    await chat.fill('http://t.me/ana')
    await chat.blur()
    await expect(superadmin.getByText('must be an https:// link')).toBeVisible()
    await chat.fill('https://t.me/ana')
    await superadmin.getByRole('button', { name: 'Save' }).click()
    await expect(superadmin.getByRole('button', { name: 'Save' })).toBeDisabled()
    await expect(
      superadmin.getByRole('banner').getByRole('button', { name: 'Contact' }),
    ).toHaveCount(0)

    const office = await people.seat('manila', '/app/admins')
    await expect(office.getByRole('alert')).toContainText('Ana Reyes')
    const opener = office.getByRole('banner').getByRole('button', { name: 'Contact' })
    await opener.click()
    const ways = office.getByRole('dialog', { name: 'Contact' })
    await expect(ways.getByRole('link', { name: 't.me/ana' })).toHaveAttribute(
      'href',
      'https://t.me/ana',
    )
    await expect(ways.getByRole('link', { name: '@' })).toHaveAttribute('href', /^mailto:/)
    await expect(ways.getByRole('link').first()).toBeFocused()
    await office.keyboard.press('Escape')
    await expect(ways).toBeHidden()
    await expect(opener).toBeFocused()

    // Its file can't be fetched.
    await office.route('**/assets/ContactPopover-*.js', (route) => route.abort())
    await office.reload()
    await opener.click()
    await expect(ways.getByRole('link', { name: 't.me/ana' })).toBeVisible()
    await expect(opener).toBeFocused()

    const agent = await people.seat('maria', '/app/home')
    await agent.setViewportSize({ width: 390, height: 844 })
    await expect(agent.getByRole('banner').getByRole('button', { name: 'Contact' })).toBeHidden()
    await agent.getByRole('button', { name: 'Open menu' }).click()
    await expect(agent.getByRole('region', { name: 'Contact' })).toContainText('Ana Reyes')
  },
)
