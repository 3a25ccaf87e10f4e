import { expect, test } from './support/test.ts'

test.describe('the page of an agent', () => {
  test.use({ account: 'superadmin' })

  test('is reached from the list, has its own title, and its tabs are pages', async ({ page }) => {
    await page.goto('/app/agents?username=maria')
    await page.locator('tbody').getByRole('link', { name: 'maria', exact: true }).click()
    await expect(page).toHaveURL(/\/app\/agents\/\d+$/)
    await expect(page).toHaveTitle('maria · Agent · Tallyroom')
    const tabs = page.getByRole('navigation', { name: 'maria' })
    await expect(tabs.getByRole('link', { name: 'Overview' })).toHaveAttribute(
      'aria-current',
      'page',
    )

    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await tabs.getByRole('link', { name: 'Sales' }).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/sales$/)
    await expect(page.getByRole('region', { name: 'Sale Logs' })).toBeVisible()
    await expect(tabs.getByRole('link', { name: 'Sales' })).toBeFocused()
    expect(asked).not.toContain('/api/common-logs/search')
    await page.goBack()
    await expect(page.getByText('Earned so far')).toBeVisible()
  })
})

test.describe('an agent who does not exist', () => {
  test.use({ account: 'superadmin', expectedConsole: [/status of 404/] })

  test('has a page that leads back to the list', async ({ page }) => {
    await page.goto('/app/agents/999999/history')
    await expect(page.getByText(/^This agent was not found/)).toBeVisible()
    await page.getByRole('link', { name: 'Back to Agents' }).click()
    await expect(page).toHaveURL(/\/app\/agents$/)
  })
})

test.describe('to an agent', () => {
  test.use({ account: 'maria' })

  test('their own page has the sites that they sell, and where they are signed in', async ({
    page,
  }) => {
    await page.goto('/app/agents/1')
    const tabs = page.getByRole('navigation', { name: 'maria' })
    await tabs.getByRole('link', { name: 'Sites' }).click()
    await page
      .getByRole('region', { name: 'Sites' })
      .getByRole('link', { name: 'Moonroom' })
      .click()
    await expect(page).toHaveTitle(/^Moonroom/)
    await page.goto('/app/agents/1/sign-ins')
    await expect(page.getByText('(this session)')).toBeVisible()
    await page.goto('/app/agents/2/sign-ins')
    await expect(page.getByText(/^This agent was not found/)).toBeVisible()
  })

  test('the page of another does not exist', async ({ page }) => {
    await page.goto('/app/agents/2')
    await expect(page.getByText(/^This agent was not found/)).toBeVisible()
    await page.goto('/app/offices/1')
    await expect(page.getByText(/^This office was not found/)).toBeVisible()
  })
})
