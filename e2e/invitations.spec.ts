import { mailsTo } from './support/outbox.ts'
import { test } from './support/people.ts'
import { expect } from './support/test.ts'

/** The browser logs the 422 of an invitation that is over, and calls that never arrive. */
test.use({ expectedConsole: [/status of 422/, /ERR_FAILED/] })

const chosen = 'a password of her own'

test('an office invites an agent by mail, who chooses a password in another browser, signs in and confirms another address', async ({
  people,
}) => {
  test.slow()
  const office = await people.seat('manila', '/app/agents/create')
  await office.getByLabel('First name').fill('Ines')
  await office.getByLabel('Last name').fill('Ramos')
  await office.getByLabel('Username').fill('ines')
  await office.getByText('Invite by mail', { exact: true }).click()
  await expect(office.getByLabel(/^Password/)).toBeHidden()
  const add = office.getByRole('button', { name: 'Add Agent' })
  await expect(add).toBeDisabled()
  await office.getByRole('textbox', { name: /^Email/ }).fill('ines@agents.example')
  await add.click()
  await expect(office).toHaveURL(/\/app\/agents$/)
  const row = office.getByRole('row').filter({ hasText: 'ines' })
  await expect(row.getByText(/^Invited /)).toBeVisible()

  const admin = await people.seat('admin', '/app/unapprove')
  await admin.getByRole('button', { name: 'Approve ines' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(admin.getByRole('button', { name: 'Approve ines' })).toBeHidden()

  await expect.poll(() => mailsTo('ines@agents.example')).toHaveLength(1)
  const [mail = ''] = await mailsTo('ines@agents.example')
  const link = /http:\/\/\S+\/invitation#\S+/.exec(mail)?.[0] ?? ''
  const visitor = await people.visitor()
  await visitor.goto(link)
  await expect(visitor).toHaveURL(/\/invitation$/)
  await expect(visitor.getByText('Your username is ines')).toBeVisible()
  await visitor.getByLabel(/^Password/).fill(chosen)
  await visitor.getByLabel(/^Confirm password/).fill(chosen)
  await visitor.getByRole('button', { name: 'Set password' }).click()
  await expect(visitor).toHaveURL(/\/login$/)

  const again = await people.visitor()
  await again.goto(link)
  await expect(again.getByRole('alert')).toHaveText(/was used or withdrawn, or has expired/)

  const agent = await people.signIn('ines', chosen)
  await expect(agent).toHaveURL(/\/app\/home$/)
  await agent.goto('/app/profile')
  await expect(agent.getByLabel(/^Email/)).toHaveValue('ines@agents.example')
  await expect(agent.getByText('is not confirmed yet')).toBeHidden()
  await agent.getByLabel(/^Email/).fill('ines@elsewhere.example')
  await agent.getByRole('button', { name: 'Update', exact: true }).click()
  await expect.poll(() => mailsTo('ines@elsewhere.example')).toHaveLength(1)
  const [asked = ''] = await mailsTo('ines@elsewhere.example')
  const toConfirm = /http:\/\/\S+\/confirm-address#\S+/.exec(asked)?.[0] ?? ''
  const phone = await people.signIn('ines', chosen, async (page) => {
    await page.goto(toConfirm)
    await expect(page.getByText('Sign in to confirm your address.')).toBeVisible()
    await page.getByRole('link', { name: 'Sign in' }).click()
  })
  await expect(phone).toHaveURL(/\/confirm-address$/)
  await expect(phone.getByText('ines@elsewhere.example')).toBeVisible()
  await phone.getByRole('button', { name: 'Confirm address' }).click()
  await expect(phone.getByRole('status')).toContainText('ines@elsewhere.example is confirmed')
  await office.reload()
  await expect(row.getByText('Activated')).toBeVisible()
  await expect(row.getByText(/^Invited /)).toBeHidden()
})

test('an office gets a link to copy, which ends when the invitation is withdrawn', async ({
  people,
}) => {
  const office = await people.seat('manila', '/app/agents/create')
  await office.getByLabel('First name').fill('Oscar')
  await office.getByLabel('Last name').fill('Diaz')
  await office.getByLabel('Username').fill('oscar')
  await office.getByText('Invite by link', { exact: true }).click()
  await office.getByRole('button', { name: 'Add Agent' }).click()
  const shown = office.getByRole('dialog', { name: 'Invitation of oscar' })
  const link = await shown.locator('code').innerText()
  expect(link).toMatch(/\/invitation#[\w-]{32}$/)
  await office.keyboard.press('Enter')
  await expect(shown).toBeHidden()

  const visitor = await people.visitor()
  await visitor.goto(link)
  await expect(visitor.getByText('Your username is oscar')).toBeVisible()

  await office.getByRole('button', { name: 'Actions for oscar' }).click()
  await office.getByRole('menuitem', { name: 'Withdraw invitation' }).click()
  await office.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(office.getByRole('row').filter({ hasText: 'oscar' })).toContainText('Not invited')
  await visitor.goto('about:blank')
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { name: 'Invitation no longer valid' })).toBeVisible()
})

test('a superadmin invites an admin by mail, who is listed as invited until they choose a password', async ({
  people,
}) => {
  const boss = await people.seat('superadmin', '/app/admins/create')
  await boss.getByLabel('Username').fill('ada')
  await boss.getByText('Invite by mail', { exact: true }).click()
  await expect(boss.getByLabel(/^Password/)).toBeHidden()
  const add = boss.getByRole('button', { name: 'Add Admin' })
  await expect(add).toBeDisabled()
  await boss.getByRole('textbox', { name: /^Email/ }).fill('ada@staff.example')
  await add.click()
  await expect(boss).toHaveURL(/\/app\/admins$/)
  const row = boss.getByRole('row').filter({ hasText: 'ada@staff.example' })
  await expect(row.getByText(/^Invited /)).toBeVisible()
  await expect.poll(() => mailsTo('ada@staff.example')).toHaveLength(1)
  const [mail = ''] = await mailsTo('ada@staff.example')
  const mailed = /http:\/\/\S+\/invitation#\S+/.exec(mail)?.[0] ?? ''

  await boss.getByRole('button', { name: 'Actions for ada' }).click()
  await boss.getByRole('menuitem', { name: 'Copy invitation link' }).click()
  const shown = boss.getByRole('dialog', { name: 'Invitation of ada' })
  const link = await shown.locator('code').innerText()
  await boss.keyboard.press('Enter')
  await expect(shown).toBeHidden()

  const visitor = await people.visitor()
  await visitor.goto(mailed)
  await expect(visitor.getByRole('alert')).toHaveText(/was used or withdrawn, or has expired/)
  await visitor.goto('about:blank')
  await visitor.goto(link)
  await expect(visitor.getByText('Your username is ada')).toBeVisible()
  await visitor.getByLabel(/^Password/).fill(chosen)
  await visitor.getByLabel(/^Confirm password/).fill(chosen)
  await visitor.getByRole('button', { name: 'Set password' }).click()
  await expect(visitor).toHaveURL(/\/login$/)
  const admin = await people.signIn('ada', chosen)
  await expect(admin).toHaveURL(/\/app\/home$/)
  await boss.reload()
  await expect(row.getByText('Activated')).toBeVisible()
  await expect(row.getByText(/^Invited /)).toBeHidden()
})

test('a call that never arrives says so: no link was made, and the invitation is not over', async ({
  people,
}) => {
  const office = await people.seat('manila', '/app/agents/create')
  await office.getByLabel('First name').fill('Olga')
  await office.getByLabel('Last name').fill('Diaz')
  await office.getByLabel('Username').fill('olga')
  await office.getByText('Invite by link', { exact: true }).click()
  await office.route('**/invitation/link', (route) => route.abort())
  await office.getByRole('button', { name: 'Add Agent' }).click()
  await expect(office.getByText('No link was made')).toBeVisible()
  await office.unroute('**/invitation/link')
  await office.getByRole('button', { name: 'Actions for olga' }).click()
  await office.getByRole('menuitem', { name: 'Copy invitation link' }).click()
  const shown = office.getByRole('dialog', { name: 'Invitation of olga' })
  const link = await shown.locator('code').innerText()

  const visitor = await people.visitor()
  await visitor.route('**/api/invitation', (route) => route.abort())
  await visitor.goto(link)
  const again = visitor.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await expect(visitor.getByRole('heading', { name: 'Choose your password' })).toBeVisible()
  await visitor.unroute('**/api/invitation')
  await again.click()
  await expect(visitor.getByText('Your username is olga')).toBeVisible()
})
