import { mailsTo } from './support/outbox.ts'
import { expect, openContext, test } from './support/test.ts'

test.use({ account: 'manila', ownSession: true })

test('a manager saves a report as a view, shares it, and gets it by email', async ({
  page,
  browser,
  captchas,
  sessions,
  context,
  baseURL,
}) => {
  test.slow() // the server looks for due mails every 20 seconds
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/app/stats/sites?groupBy=agent&days=week-1')
  await expect(page).toHaveURL(/groupBy=agent&start=\d{4}-\d\d-\d\d&end=\d{4}-\d\d-\d\d$/)
  const lastWeek = new URL(page.url()).search

  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save to my views' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save to my views' })
  await dialog.getByLabel('Name').fill('Agents, last week')
  await expect(dialog.getByRole('radio', { name: 'Last week, whenever' })).toBeChecked()
  await dialog.getByRole('combobox', { name: 'Send by email' }).click()
  await page.getByRole('option', { name: 'Every day at 07:00' }).click()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(dialog).toBeHidden()

  await page.goto('/app/home')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Agents, last week' }).click()
  await expect(page).toHaveURL(new RegExp(`/app/stats/sites\\${lastWeek}$`))

  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Manage views' }).click()
  await expect(page).toHaveTitle(/^My Views/)
  await page.getByRole('button', { name: 'Copy link to Agents, last week' }).click()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${baseURL}/app/stats/sites?groupBy=agent&days=week-1`)

  const colleague = await openContext(browser)
  const value = JSON.stringify(await sessions.own('maria'))
  await colleague.addInitScript((session) => {
    localStorage.setItem('tallyroom.session', session)
  }, value)
  const theirs = await colleague.newPage()
  await theirs.goto(link)
  // Within their own rights: an agent has no view by agent.
  await expect(theirs.locator('tfoot')).toBeVisible()
  await expect(theirs.getByRole('columnheader', { name: 'Agent' })).toHaveCount(0)
  await theirs.getByRole('button', { name: 'Views' }).click()
  await expect(theirs.getByRole('menuitem', { name: 'Save to my views' })).toBeVisible()
  await expect(theirs.getByText('My views', { exact: true })).toHaveCount(0)
  await colleague.close()

  await captchas.makeViewsDue()
  const mail = async () =>
    (await mailsTo('manila@tallyroom.example')).filter((one) => one.includes('Agents, last week'))
  await expect.poll(mail).toHaveLength(1)
  const [text = ''] = await mail()
  expect(text).toContain('text/csv')
  const settings = /https?:\/\/[^/]+(\/app\/views\?id=\d+)/.exec(text)?.[1] ?? ''
  await page.goto(settings)
  await expect(page.getByRole('dialog', { name: 'Edit view: Agents, last week' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Send by email' }).click()
  await page.getByRole('option', { name: 'Never' }).click()
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByRole('row', { name: /Agents, last week.*Never/ })).toBeVisible()

  await page.getByRole('button', { name: 'Delete Agents, last week' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('No views yet')).toBeVisible()
})
