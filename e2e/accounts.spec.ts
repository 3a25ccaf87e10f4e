import { expect, type Page } from '@playwright/test'
import { now } from './support/day.ts'
import { addOffice, test } from './support/people.ts'

/** The browser logs the 4xx of refused calls. */
test.use({ expectedConsole: [/status of (401|409|422)/] })

/** Special characters, spaces, umlauts and emoji. */
const PASSWORD = `p'"<>&%_\\ ü🙂 $1`

const toast = (page: Page, heading: string, body: string) =>
  page.locator('[aria-live]').filter({ hasText: heading }).getByText(body)

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })

async function fillPasswords(page: Page, password: string) {
  await page.getByLabel(/^Password/).fill(password)
  await page.getByLabel('Confirm password').fill(password)
}

/** Opens a row's menu, chooses an action, and expects its question. */
async function choose(page: Page, of: string, action: string, question: string | RegExp) {
  await page.getByRole('button', { name: `Actions for ${of}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
  await expect(page.getByRole('dialog').getByText(question, { exact: true })).toBeVisible()
}

const answer = (page: Page, button: string) =>
  page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click()

test('who sells is one press away in the lists of agents and offices, is remembered, and is what CSV has', async ({
  people,
}) => {
  for (const [path, name] of [
    ['/app/agents', 'agents'],
    ['/app/offices/offices', 'offices'],
  ] as const) {
    const page = await people.seat('superadmin', path)
    const heading = (text: string) => page.getByRole('columnheader', { name: text, exact: true })
    await expect(heading('Password')).toBeVisible()
    await page.getByText('Sellers', { exact: true }).click()
    for (const text of ['Clicks', 'Sales', 'Earned', 'Last Sale'])
      await expect(heading(text)).toBeVisible()
    await expect(heading('Password')).toBeHidden()
    await expect(page.getByRole('columnheader', { name: 'Sales' })).toHaveAttribute(
      'aria-sort',
      'descending',
    )
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    expect((await download).suggestedFilename()).toBe(`${name}-sellers.csv`)

    await page.goto(path)
    await expect(heading('Last Sale')).toBeVisible()
    await page.getByText('Accounts', { exact: true }).click()
    await expect(heading('Password')).toBeVisible()
  }
})

test('an office is added, adds an agent, who is approved, signs in, and is out at once when blocked', async ({
  people,
}) => {
  test.slow()

  const superadmin = await people.seat('superadmin', '/app/offices/offices')
  await superadmin.getByRole('link', { name: '+ Add Office' }).click()
  await expect(superadmin.getByRole('heading', { name: 'Add Office' })).toBeVisible()
  const add = superadmin.getByRole('button', { name: 'Add Office' })
  await expect(add).toBeDisabled()
  await superadmin.getByLabel('Office name').fill('Quezon')
  await superadmin.getByLabel('Manager first name').fill('Ana')
  await superadmin.getByLabel('Manager last name').fill('Cruz')
  await superadmin.getByLabel('Username').fill('MANILA')
  await fillPasswords(superadmin, PASSWORD)
  await expect(superadmin.getByText('12 of 12 chosen')).toBeVisible()
  await add.click()
  await expect(superadmin.getByText('is already taken')).toBeVisible()
  await superadmin.getByLabel('Username').fill('quezon')
  await add.click()
  await expect(superadmin).toHaveURL(/\/app\/offices\/offices$/)
  await expect(toast(superadmin, 'Success', 'Successfully saved')).toBeVisible()
  await expect(row(superadmin, 'Quezon').getByText(PASSWORD)).toBeVisible()
  await superadmin.getByRole('button', { name: 'Next: Add its first agent' }).click()
  await expect(superadmin.getByRole('combobox', { name: 'Office' })).toHaveValue('Quezon')

  const office = await people.signIn('quezon', PASSWORD)
  await office.getByRole('link', { name: 'Agents', exact: true }).click()
  await expect(office.getByText('No data yet')).toBeVisible()
  await office.getByRole('link', { name: '+ Add Agent' }).click()
  await office.getByLabel('First name').fill('Nina')
  await office.getByLabel('Last name').fill('Reyes')
  await office.getByLabel('Username').fill('nina')
  await fillPasswords(office, PASSWORD)
  await office.getByRole('button', { name: 'Add Agent' }).click()
  await expect(row(office, 'nina').getByText('Unapproved')).toBeVisible()

  const early = await people.signIn('nina', PASSWORD)
  await expect(early.getByText('waiting for approval')).toBeVisible()

  const admin = await people.seat('admin', '/app/unapprove')
  await expect(admin.getByRole('heading', { name: 'New Agents' })).toBeVisible()
  await expect(row(admin, 'nina').getByText('Quezon')).toBeVisible()
  await admin.getByRole('button', { name: 'Approve nina' }).click()
  await expect(admin.getByText('Are you sure to approve agent?')).toBeVisible()
  await answer(admin, 'Approve')
  await expect(toast(admin, 'Success', 'Operation Complete')).toBeVisible()
  await expect(row(admin, 'nina')).toBeHidden()

  const agent = await people.signIn('nina', PASSWORD)
  await expect(agent.getByText('User: nina')).toBeVisible()
  await expect(agent.getByRole('link', { name: 'Agents' })).toBeHidden()
  await agent.goto('/app/stats/sites')
  await expect(agent.getByRole('button', { name: 'Load statistics' })).toBeVisible()

  await superadmin.goto('/app/agents?username=nina')
  await choose(superadmin, 'nina', 'Disable login', 'Disable login for this agent?')
  const blocked = superadmin.waitForResponse('**/api/agents/status')
  await answer(superadmin, 'Disable login')
  expect((await blocked).ok()).toBe(true)
  await agent.getByRole('button', { name: 'Load statistics' }).click()
  await expect(agent).toHaveURL(/\/login/)
  await expect(row(superadmin, 'nina').getByText('Login blocked')).toBeVisible()

  const refused = await people.signIn('nina', PASSWORD)
  await expect(refused.getByText('Signing in is blocked for this account.')).toBeVisible()

  await choose(superadmin, 'nina', 'Enable login', 'Enable login for this agent?')
  await answer(superadmin, 'Enable login')
  await row(superadmin, 'nina').getByText('Login blocked from 01:00').hover()
  await expect(superadmin.getByText(/Login is enabled up to 01:00/)).toBeVisible()
  const again = await people.signIn('nina', PASSWORD)
  await expect(again.getByText('User: nina')).toBeVisible()
})

test('the second of two editors of an office is told, loses nothing, and can merge the changes', async ({
  people,
  request,
  sessions,
}) => {
  const { token } = await sessions.shared('superadmin')
  const id = await addOffice(request, token, { officeName: 'Two Editors', username: 'editors' })
  const first = await people.seat('superadmin', `/app/offices/edit/${id}`)
  const second = await people.seat('admin', `/app/offices/edit/${id}`)
  await second.getByLabel('Office name').fill('Named by the second')
  await second.getByLabel('Must Read (optional)').fill('Written by the second')

  await first.getByLabel('Office name').fill('Named by the first')
  await first.getByLabel('Manager last name').fill('Santos')
  await first.getByRole('checkbox', { name: 'Blue Baize' }).uncheck()
  await first.getByRole('button', { name: 'Update Office' }).click()
  await expect(first).toHaveURL(/\/app\/offices\/offices$/)

  await second.getByRole('button', { name: 'Update Office' }).click()
  const notice = second.getByRole('alert')
  await expect(notice).toContainText('Somebody else has changed this office')
  await expect(second.getByLabel('Office name')).toHaveValue('Named by the second')

  await second.getByRole('button', { name: 'Load their changes' }).click()
  await expect(notice).toContainText('You both changed: Office name.')
  await expect(second.getByLabel('Office name')).toHaveValue('Named by the second')
  await expect(second.getByLabel('Manager last name')).toHaveValue('Santos')
  await expect(second.getByRole('checkbox', { name: 'Blue Baize' })).not.toBeChecked()
  await expect(second.getByLabel('Must Read (optional)')).toHaveValue('Written by the second')
  await second.getByRole('button', { name: 'Update Office' }).click()
  await expect(second).toHaveURL(/\/app\/offices\/offices$/)
  await expect(row(second, 'Named by the second').getByText('11', { exact: true })).toBeVisible()
})

test.describe('actions ask for confirmation first', () => {
  test.use({ account: 'superadmin' })

  const ofOffices = {
    one: {
      Suspend: 'Are you sure to suspend office and all agents?',
      Hide: 'Are you sure to hide office and all agents?',
    },
    selected: {
      Activate: 'Are you sure to activate selected offices and all they agents?',
      Suspend: 'Are you sure to suspend selected offices and all they agents?',
    },
  }

  const ofAgents = {
    one: {
      Suspend: 'Suspend this agent?',
      Hide: 'Hide this agent?',
      'Disable login': 'Disable login for this agent?',
    },
    selected: {
      Activate: 'Are you sure to activate selected agents?',
      Suspend: 'Are you sure to suspend selected agents?',
      'Enable login': 'Are you sure to enable login for selected agents?',
      'Disable login': 'Are you sure to disable login for selected agents?',
    },
  }

  for (const [path, name, questions] of [
    ['/app/offices/offices', 'Cebu', ofOffices],
    ['/app/agents', 'bea', ofAgents],
  ] as const)
    test(`of ${path}`, async ({ page }) => {
      const calls: string[] = []
      page.on('request', (sent) => sent.url().endsWith('/status') && calls.push(sent.url()))
      await page.goto(path)
      for (const [action, question] of Object.entries(questions.one)) {
        await choose(page, name, action, question)
        // What it stops, what stays payable, who can still sign in.
        const lines = page.getByRole('dialog').getByRole('listitem')
        await expect(lines).toHaveCount({ Suspend: 3, 'Disable login': 2 }[action] ?? 0)
        await answer(page, 'Cancel')
        await expect(page.getByRole('dialog')).toBeHidden()
      }
      await page.getByRole('checkbox', { name: 'Select row 1', exact: true }).check()
      const bulk = page.getByRole('group', { name: 'Selected rows' })
      for (const [action, question] of Object.entries(questions.selected)) {
        await bulk.getByRole('button', { name: action, exact: true }).click()
        await expect(page.getByRole('dialog').getByText(question, { exact: true })).toBeVisible()
        await answer(page, 'Cancel')
        await expect(page.getByRole('dialog')).toBeHidden()
      }
      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      // The specification has those of offices disabled.
      for (const idle of ['Activate', 'Show']) {
        const item = page.getByRole('menuitem', { name: idle, exact: true })
        await (questions === ofOffices ? expect(item).toBeDisabled() : expect(item).toBeHidden())
      }
      // The permission to delete is only granted on the command line.
      await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeHidden()
      expect(calls).toEqual([])
    })
})

test('an office is hidden and suspended with its agents, shown and activated again', async ({
  people,
  request,
  sessions,
}) => {
  const { token } = await sessions.shared('superadmin')
  const id = await addOffice(request, token, { officeName: 'Hide and Seek', username: 'seek' })
  const page = await people.seat('superadmin', '/app/offices/offices?username=seek')
  const office = row(page, 'Hide and Seek')
  for (const [action, question, status] of [
    ['Suspend', 'Are you sure to suspend office and all agents?', 'Suspended'],
    ['Hide', 'Are you sure to hide office and all agents?', 'Suspended (Hidden)'],
    ['Activate', 'Activate this office and all its agents?', 'Activated (Hidden)'],
  ] as const) {
    await choose(page, 'Hide and Seek', action, question)
    await answer(page, action)
    await expect(office.getByText(status, { exact: true })).toBeVisible()
  }

  // A link shows its name, although no select offers it.
  await page.goto(`/app/agents?companyId=${id}`)
  await expect(page.getByRole('combobox', { name: 'Office' })).toHaveValue('Hide and Seek (Hidden)')
  await expect(page.getByRole('link', { name: 'Add the first agent' })).toHaveAttribute(
    'href',
    `/app/agents/create?companyId=${id}`,
  )
  const elsewhere = await people.seat('manila', `/app/agents?companyId=${id}`)
  await expect(row(elsewhere, 'maria')).toBeVisible()
  await expect(elsewhere.getByRole('combobox', { name: 'Office' })).toBeHidden()

  await page.goto('/app/offices/offices?username=seek')
  await choose(page, 'Hide and Seek', 'Show', 'Are you sure to show office and all agents?')
  await answer(page, 'Show')
  await expect(office.getByText('Activated', { exact: true })).toBeVisible()
})

test('an admin who is suspended, blocked or removed is signed out at once', async ({
  people,
  request,
  sessions,
}) => {
  test.slow()
  const { token, me } = await sessions.shared('superadmin')
  const headers = { authorization: `Bearer ${token}` }
  const added = await request.put('/api/admins', {
    headers,
    data: {
      username: 'nora',
      email: 'nora@example.com',
      password: PASSWORD,
      passwordConfirm: PASSWORD,
    },
  })
  expect(added.ok(), await added.text()).toBe(true)

  const superadmin = await people.seat('superadmin', '/app/admins')
  const nora = row(superadmin, 'nora')
  await expect(nora.getByText('Activated')).toBeVisible()
  await expect(row(superadmin, 'superadmin')).toBeHidden()
  let admin = await people.signIn('nora', PASSWORD)
  await expect(admin.getByText('User: nora')).toBeVisible()
  for (const [out, question, shown, refusal, back] of [
    [
      'Suspend',
      'Suspend this admin? They are signed out at once.',
      'Suspended',
      'This account is suspended.',
      'Activate',
    ],
    [
      'Disable login',
      'Disable login for this admin? They are signed out at once.',
      'Login blocked',
      'Signing in is blocked for this account.',
      'Enable login',
    ],
  ] as const) {
    await choose(superadmin, 'nora', out, question)
    await answer(superadmin, out)
    await expect(toast(superadmin, 'Success', 'Operation Complete').first()).toBeVisible()
    await expect(nora.getByText(shown, { exact: true })).toBeVisible()
    await admin.getByRole('link', { name: 'Agents', exact: true }).click()
    await expect(admin).toHaveURL(/\/login/)
    const refused = await people.signIn('nora', PASSWORD)
    await expect(refused.getByText(refusal)).toBeVisible()

    await choose(superadmin, 'nora', back, /^(Activate|Enable login for) this admin\?$/)
    await answer(superadmin, back)
    await expect(nora.getByText(shown, { exact: true })).toBeHidden()
    admin = await people.signIn('nora', PASSWORD)
    await expect(admin.getByText('User: nora')).toBeVisible()
  }

  await choose(superadmin, 'nora', 'Remove', /Remove admin "nora"\?/)
  await answer(superadmin, 'Remove')
  await expect(nora).toBeHidden()
  await admin.getByRole('link', { name: 'Agents', exact: true }).click()
  await expect(admin).toHaveURL(/\/login/)
  await superadmin.goto('/app/logs/login?pageSize=25')
  await expect(row(superadmin, 'nora').first()).toBeVisible()

  const { accountId } = me as { accountId: number }
  const oneself = await request.delete(`/api/admins/${accountId}`, { headers })
  expect(await oneself.json()).toMatchObject({
    code: 'FORBIDDEN',
    message: expect.stringContaining('your own account'),
  })
})

test.describe('the count of unapproved agents', () => {
  test.use({ account: 'admin' })

  test('is polled every 5 seconds while the tab is visible, without keeping an idle session alive', async ({
    page,
  }) => {
    let asked = 0
    let isUnattended = false
    page.on('request', (sent) => {
      if (!sent.url().endsWith('/unapproved/count')) return
      asked++
      isUnattended = sent.headers()['x-unattended'] === '1'
    })
    await page.clock.install({ time: now() })
    await page.goto('/app/agents')
    await expect(page.getByRole('link', { name: /Approve Agents.*waiting/ })).toBeVisible()
    expect(asked).toBe(1)
    await page.clock.runFor(5000)
    await expect.poll(() => asked).toBe(2)
    expect(isUnattended).toBe(false)

    await show(page, false)
    await page.clock.runFor(30_000)
    expect(asked).toBe(2)
    await show(page, true)
    await expect.poll(() => asked).toBe(3)

    // After a minute without input the session may expire, although the page still polls.
    await page.clock.fastForward(60_000)
    await expect.poll(() => isUnattended).toBe(true)
    await page.mouse.move(200, 200)
    await page.clock.runFor(5000)
    await expect.poll(() => isUnattended).toBe(false)
  })

  const show = (page: Page, isVisible: boolean) =>
    page.evaluate(
      (state) => {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
      },
      isVisible ? 'visible' : 'hidden',
    )
})

test('passwords are in the list for whoever has just signed in, later dots until they enter theirs', async ({
  people,
  request,
  sessions,
  captchas,
}) => {
  const { token } = await sessions.shared('superadmin')
  await addOffice(request, token, { officeName: 'Column House', username: 'column-house' })
  const added = await request.put('/api/admins', {
    headers: { authorization: `Bearer ${token}` },
    data: {
      username: 'petra',
      email: 'petra@example.com',
      password: PASSWORD,
      passwordConfirm: PASSWORD,
    },
  })
  expect(added.ok(), await added.text()).toBe(true)

  const page = await people.signIn('petra', PASSWORD)
  await expect(page.getByText('User: petra')).toBeVisible()
  await page.goto('/app/offices/offices?officeName=Column')
  const office = row(page, 'Column House')
  const text = office.getByText('a-first-password', { exact: true })
  const dots = office.getByRole('img', { name: 'The password of column-house, hidden' })
  const show = page.getByRole('button', { name: 'Show passwords' })
  await expect(text).toBeVisible()
  await expect(show).toBeHidden()

  await captchas.ageProofs('petra')
  await page.reload()
  await expect(dots).toBeVisible()
  await expect(text).toBeHidden()
  await show.click()
  const dialog = page.getByRole('dialog', { name: 'Enter your password' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(dots).toBeVisible()
  await show.click()
  await dialog.getByLabel(/^Password/).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(text).toBeVisible()
  await expect(show).toBeHidden()
})
