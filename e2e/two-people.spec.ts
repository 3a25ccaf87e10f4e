import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { PayFileTemplate } from '../packages/contract/src/pay/files/files.ts'
import {
  accountOf,
  adjustmentOf,
  approve,
  partner,
  type Person,
  runOf,
  setOwnPassword,
  test,
} from './support/paying-network.ts'
import { expect } from './support/test.ts'

// What one person tries alone against a running server: each is refused, and the page says why and who can.

// One network for all tests of this file: each leaves nothing that another one needs gone.
test.describe.configure({ mode: 'default' })

const pesos = { period: null, currency: 'PHP', templateId: 1 }
const prepare = async (who: Person, asked: object = pesos) => {
  const { id } = await who.call<{ id: number }>('PUT', '/api/pay/runs', asked)
  return `/pay/runs/${id}`
}
const cancel = (who: Person, run: string) =>
  who.call('POST', `/api${run}/cancel`, { reason: 'A test' })
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const entered = [403, 'You entered it. Somebody else must approve it.']

test('whoever sets an office’s password and signs in as it can’t confirm the account that it then enters', async ({
  network: { staff, offices, person },
}) => {
  const { ann, bob } = staff
  const path = `/api/offices/${offices.davao.id}`
  const { version } = await ann.call<{ version: number }>('GET', path)
  const twice = { password: 'wooden-harbor-77', passwordConfirm: 'wooden-harbor-77' }
  await ann.call('POST', path, { ...twice, version })
  const thief = await person('davao', twice.password)
  const { id } = await thief.call<{ id: number }>(
    'PUT',
    '/api/pay/account',
    accountOf('6666000033'),
  )

  const page = await ann.open('/app/pay/accounts')
  const card = page.getByRole('region', { name: 'Davao' })
  await expect(card).toContainText(/You set the password of davao on .* somebody else must decide/)
  await expect(card).toContainText('It can be decided by bob, cat, dan, superadmin')
  await expect(card.getByRole('button')).toHaveCount(0)
  const decide = `/api/pay/accounts/${id}`
  for (const decision of [
    { confirm: true, reason: '' },
    { confirm: false, reason: 'Mine' },
  ])
    expect(await ann.refused('POST', decide, decision)).toEqual([
      403,
      expect.stringMatching(/^You set the password of davao on .* Somebody else must decide/),
    ])
  const other = (await bob.open('/app/pay/accounts')).getByRole('region', { name: 'Davao' })
  await expect(other.getByRole('button', { name: 'Confirm', exact: true })).toBeVisible()
  await expect(other).toContainText('The payee’s password was set by ann')
  await bob.call('POST', decide, { confirm: false, reason: 'Not theirs' })
})

test('an adjustment of ₱900,000 and an exchange rate of one peso wait, and their authors can’t approve them', async ({
  network: { staff, offices, open },
}) => {
  const { ann, bob } = staff
  const { id, proposalId } = await ann.call<{ id: number | null; proposalId: number }>(
    'PUT',
    '/api/pay/adjustments',
    adjustmentOf(offices.manila.id, 900_000_00),
  )
  expect(id).toBeNull()
  const page = await bob.open(`/app/pay/periods/${open}`)
  await page.getByRole('button', { name: 'Enter an exchange rate' }).click()
  await page.getByLabel('Pesos for a dollar').fill('1')
  await page.getByLabel('Source').fill('A friend')
  await expect(page.getByText('This waits for a second person')).toBeVisible()
  await page.getByRole('button', { name: 'Ask a second person' }).click()
  await expect(page.getByLabel('Pesos for a dollar')).toHaveCount(0)

  await page.goto('/app/pay/proposals')
  const rate = page.getByRole('region', { name: `₱1.00 for $1 in ${open}` })
  await expect(rate).toContainText(
    'You entered it, so somebody else must approve it. These people can: ann, cat, dan, superadmin',
  )
  await expect(rate.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  const approving = `/api/pay/proposals/${proposalId}/approve`
  expect(await ann.refused('POST', approving)).toEqual(entered)
  const adjustment = (await ann.open('/app/pay/proposals')).getByRole('region', {
    name: '₱900,000.00 for Manila',
  })
  await expect(adjustment).toContainText('These people can: bob, cat, dan, superadmin')
  await expect(adjustment.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  const withdrawn = { reason: 'A test' }
  await ann.call('POST', `/api/pay/proposals/${proposalId}/withdraw`, withdrawn)
  await bob.call('POST', `/api/pay/proposals/${proposalId + 1}/withdraw`, withdrawn)
})

test('whoever adjusted, lifted a hold, set the exchange rate, or was made by the preparer can’t approve', async ({
  network: { staff, person },
}) => {
  const { superadmin, ann, bob, cat } = staff
  const first = { password: 'a first password', passwordConfirm: 'a first password' }
  const zed = { username: 'zed', email: 'zed@network.example', pay: true, ...first }
  await superadmin.call('PUT', '/api/admins', zed)
  await setOwnPassword(await person('zed', first.password), 'a long password of zed')
  const second = await person('zed', 'a long password of zed')

  const settings = await superadmin.open('/app/settings/pay')
  const people = settings.getByRole('region', { name: 'Two people' })
  await expect(people).toContainText('These may pay: ann, bob, cat, dan, superadmin, zed.')
  await people.getByText('Who counts as one person').click()
  await expect(people.getByText(/^superadmin and zed, until .*: superadmin made/)).toBeVisible()
  await settings.context().close()

  const inPesos = await prepare(superadmin)
  const inDollars = await prepare(superadmin, { ...pesos, currency: 'USD' })
  for (const [who, run, why, others] of [
    [ann, inPesos, 'You entered or took back an adjustment of Manila and 1 more', 'bob'],
    [cat, inPesos, 'You changed the hold of Iloilo', 'bob'],
    [bob, inDollars, 'You set the exchange rate of ', 'ann, cat'],
    [superadmin, inPesos, 'You prepared this run', 'bob'],
    [second, inPesos, 'You had the account made by superadmin on ', 'bob'],
  ] as const) {
    const page = await who.open(`/app${run}`)
    const step = page.getByRole('region', { name: 'Next step' })
    await expect(step).toContainText(why)
    await expect(step).toContainText(
      `so somebody else must approve it. These people can: ${others}.`,
    )
    await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
    expect(await who.refused('POST', `/api${run}/approve`, { amount: 1 })).toEqual([
      403,
      expect.stringMatching(new RegExp(`^${why}.* Somebody else must approve it\\.$`)),
    ])
    await page.context().close()
  }
  await cancel(superadmin, inPesos)
  await cancel(superadmin, inDollars)
})

test('after the approval, neither a template nor one person who says that a transfer failed moves money', async ({
  network: { staff, offices },
}) => {
  const { superadmin, ann, bob } = staff
  const run = await prepare(superadmin)
  await approve(bob, run)
  const { files, lines } = await runOf(bob, run)
  const [file] = files

  // Its preparer gives every line another name.
  const templates = '/api/pay/file-templates'
  const [template] = await superadmin.call<PayFileTemplate[]>('GET', templates)
  const { id: templateId, version, layout } = template!
  const columns = layout.columns.map((column) =>
    column.field === 'accountName' ? { header: 'Name', field: 'text', text: 'Mallory' } : column,
  )
  await superadmin.call('POST', `${templates}/${templateId}`, {
    version,
    layout: { ...layout, columns },
  })

  // A hold keeps the file from leaving.
  const hold = (held: boolean) =>
    ann.call('POST', `/api/pay/balances/office/${offices.iloilo.id}/hold`, {
      held,
      reason: 'A call from the bank',
    })
  await hold(true)
  const page = await ann.open(`/app${run}`)
  const listed = page.getByRole('region', { name: 'Files' })
  await expect(listed.getByRole('alert')).toContainText(
    /^Iloilo: put on hold .* by ann: “A call from the bank”\. So this file does not leave\. Lift the hold, or cancel/,
  )
  await expect(listed.getByRole('button', { name: /^Download/ })).toHaveCount(0)
  const taking = { name: file!.name }
  expect(await ann.refused('POST', `/api${run}/file`, taking)).toEqual([
    409,
    await listed.getByRole('alert').textContent(),
  ])
  await hold(false)
  const bytes = await (await ann.fetch('POST', `/api${run}/file`, taking)).body()
  expect(sha256(bytes)).toBe(file!.sha256)
  expect(String(bytes)).not.toContain('Mallory')
  await superadmin.call('POST', `${templates}/${templateId}`, { version: version + 1, layout })

  // Failed by hand: waits, and its author can't approve it.
  await page.reload()
  for (const { payee } of lines) {
    await page.getByRole('button', { name: `Actions for ${payee.name}` }).click()
    await page.getByRole('menuitem', { name: 'Mark as failed' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Account closed')
    await page.getByRole('button', { name: 'Ask a second person' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await expect(page.getByText('2 failures wait for a second person')).toBeVisible()
  await page.getByRole('link', { name: 'Waiting for a second person' }).first().click()
  for (const { reference } of lines) {
    const card = page.getByRole('region', { name: `${reference} failed` })
    await expect(card).toContainText('You entered it, so somebody else must approve it.')
    await expect(card.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  }
  const waiting = await bob.call<{ id: number }[]>('GET', '/api/pay/proposals')
  for (const { id } of waiting) {
    expect(await ann.refused('POST', `/api/pay/proposals/${id}/approve`)).toEqual(entered)
    await bob.call('POST', `/api/pay/proposals/${id}/approve`)
  }
  expect(await runOf(bob, run)).toMatchObject({ state: 'finished', failed: 2, paid: 0 })
})

test('a bank’s file is read as the bank made it, and money that comes back later is owed again', async ({
  network: { staff, offices },
}) => {
  const { superadmin, ann, bob } = staff
  const run = await prepare(superadmin)
  await approve(bob, run)
  const { files, lines } = await runOf(bob, run)
  for (const { name } of files) await (await bob.fetch('POST', `/api${run}/file`, { name })).body()
  const [first, second] = lines

  const page = await ann.open(`/app${run}`)
  const results = page.getByRole('region', { name: 'Results' })
  const upload = async (name: string, content: string | Buffer) => {
    const chooser = page.waitForEvent('filechooser')
    await results.getByRole('button', { name: 'Read result file' }).click()
    await (
      await chooser
    ).setFiles({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(content),
    })
  }
  await upload('large.csv', Buffer.alloc(2_000_000, 'x'))
  await expect(results.getByRole('alert')).toContainText('The file has 2.0 MB')
  const row = ({ reference, amount }: NonNullable<typeof first>, status: string) =>
    `${reference};${status};${(amount / 100).toFixed(2)};\r\n`
  await upload(
    'results.csv',
    `BANK OF TEST;;;\r\nREF;Status;Amount;Why\r\n${row(first!, 'Completed 17 Feb')}${row(second!, 'Unclaimed')}X1;Completed;1.50;\r\n;;9,000.00;\r\n`,
  )
  await expect(results).toContainText('UTF-8 text separated by semicolons, headings on line 2.')
  const choose = async (label: string, value: string) => {
    await results.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: value, exact: true }).click()
  }
  const type = async (label: string, words: string) => {
    await results.getByRole('textbox', { name: label }).fill(words)
    await results.getByRole('textbox', { name: label }).blur()
  }
  await choose('Reference', 'REF')
  await choose('Status', 'Status')
  await choose('Amount', 'Amount')
  await type('Means paid', 'Completed')
  await type('Means failed or come back', 'Failed, Returned')
  await expect(results.getByRole('alert')).toContainText(
    `Line 3: the status “Completed 17 Feb” of ${first!.reference} is neither paid`,
  )
  await results.getByRole('checkbox', { name: /only begins with/ }).check()
  await type('Means still under way', 'Unclaimed')
  await expect(results).toContainText(
    `${second!.reference} to ${second!.payee.name} is still under way: Unclaimed`,
  )
  await expect(results).toContainText('1 paid, 0 failed.')
  const take = results.getByRole('button', { name: 'Import results' })
  await expect(take).toBeDisabled()
  await results.getByRole('checkbox', { name: /2 lines without a reference of this run/ }).check()
  await take.click()
  await expect(page.getByText('1 paid, 0 failed')).toBeVisible()

  // All paid, by mistake: the bank says that one of them came back.
  await results.getByRole('button', { name: 'All paid' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Mark .* as paid$/ })
    .click()
  await expect(results).toContainText('Every transfer has a result.')
  await upload('later.csv', `ref;status;amount;why\n${row(second!, 'Returned - R03')}`)
  await expect(results).toContainText('These were paid, and have come back')
  await take.click()
  const line = page.getByRole('row', { name: new RegExp(second!.reference) })
  await expect(line).toContainText('Came back')
  await expect(line).toContainText('entered by ann: Returned - R03. Paid before, entered by ann')

  // By hand, it waits.
  await page.getByRole('button', { name: `Actions for ${first!.payee.name}` }).click()
  await page.getByRole('menuitem', { name: 'Mark as come back' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Account closed')
  await dialog.getByRole('button', { name: 'Ask a second person' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('link', { name: 'Waiting for a second person' }).click()
  const card = page.getByRole('region', { name: `${first!.reference} came back` })
  await expect(card).toContainText('You entered it, so somebody else must approve it.')
  const [waiting] = await bob.call<{ id: number }[]>('GET', '/api/pay/proposals')
  expect(await ann.refused('POST', `/api/pay/proposals/${waiting!.id}/approve`)).toEqual(entered)
  await bob.call('POST', `/api/pay/proposals/${waiting!.id}/approve`)
  expect(await runOf(bob, run)).toMatchObject({ state: 'finished', returned: 2, paid: 0 })

  const payee = await offices.manila.open(`/app/pay/balances/office/${offices.manila.id}`)
  const entry = payee.getByRole('row', { name: /Payment came back/ })
  await expect(entry.first()).toContainText(/On 20\d\d-\d\d-\d\d: /)
  await expect(payee.getByText(/paid, came back/).first()).toBeVisible()
  await payee.goto('/app')
  await expect(payee.getByText(/came back from your bank/)).toBeVisible()
})

test('a link of Sign in as, and the session behind it, give nothing to another browser', async ({
  network: { staff, offices, url },
  playwright,
}) => {
  const { superadmin } = staff
  const elsewhere = await playwright.request.newContext({ baseURL: url })
  const link = () =>
    superadmin.call<{ token: string }>('POST', '/api/accounts/sign-in-as', {
      companyId: offices.manila.id,
    })
  const redeemed = await elsewhere.post('/api/auth/login-remote', { data: await link() })
  expect(redeemed.status()).toBe(422)

  const redeem = ['POST', '/api/auth/login-remote', await link()] as const
  const { token } = await superadmin.call<{ token: string }>(...redeem)
  const headers = { authorization: `Bearer ${token}` }
  const me = () => elsewhere.get('/api/accounts/me', { headers })
  expect(await (await me()).json()).toMatchObject({ username: 'manila' })
  expect((await elsewhere.post('/api/auth/return', { headers })).status()).toBe(401)
  expect((await me()).status()).toBe(401)
  await elsewhere.dispose()
})

test('a partner’s sign-in is no password, and its tokens are for this installation only', async ({
  network: { url, now },
  playwright,
}) => {
  const device = await playwright.request.newContext({ baseURL: url })
  const own = { iss: partner.issuer, aud: url }
  const signIn = (claims: object, typ = 'sign-in+jwt') => {
    const exp = Math.floor(now().getTime() / 1000) + 60
    const token = tokenOf({ typ }, { sub: 'cebu', jti: randomUUID(), exp, ...claims })
    return device.post('/api/auth/login-remote', { data: { token } })
  }
  for (const [claims, typ] of [
    [{ ...own, aud: 'https://other.example' }],
    [{ ...own, iss: 'other.example' }],
    [{ iss: own.iss }],
    [{ aud: own.aud }],
    [own, 'at+jwt'],
  ] as const)
    expect((await signIn(claims, typ)).status(), JSON.stringify([claims, typ])).toBe(422)
  const answer = await signIn(own)
  expect(answer.status()).toBe(200)
  const { token } = (await answer.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const chosen = { password: 'quiet-otter-91', passwordConfirm: 'quiet-otter-91' }
  for (const refused of [
    await device.post('/api/profile/password', { headers, data: chosen }),
    await device.put('/api/pay/account', { headers, data: accountOf('6666000044') }),
  ])
    expect(await refused.json()).toMatchObject({ code: 'PROOF_NEEDED' })
  await device.dispose()
})

test('a payee reads neither why they are on hold nor who did it', async ({
  network: { staff, offices },
}) => {
  const path = `/api/pay/balances/office/${offices.cebu.id}`
  const hold = (held: boolean) =>
    staff.dan.call('POST', `${path}/hold`, { held, reason: 'Fraud under review' })
  await hold(true)
  const seen = await offices.cebu.call<{ balances: { hold: object }[] }>('GET', path)
  expect(seen.balances[0]?.hold).toMatchObject({ told: expect.stringMatching(/./) })
  expect(JSON.stringify(seen)).not.toMatch(/Fraud under review|"dan"/)

  // Nor does somebody lift it who opened the page before another hold.
  const page = await staff.cat.open(`/app/pay/balances/office/${offices.cebu.id}`)
  await page.getByRole('button', { name: 'Lift the hold' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Settled')
  await staff.dan.call('POST', `${path}/hold`, { held: true, reason: 'A stolen account' })
  await dialog.getByRole('button', { name: 'Lift the hold' }).click()
  await expect(page.getByText('dan has put them on hold: “A stolen account”.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('region', { name: 'On hold' })).toContainText('A stolen account')
  await hold(false)
})

test('whoever confirmed a new account can’t approve its first payment by entering that the former account was paid', async ({
  network: { staff, offices, closeOpen },
}) => {
  const { superadmin, ann, bob, cat, dan } = staff
  const earlier = await prepare(superadmin)
  await approve(bob, earlier)
  const { files, lines } = await runOf(bob, earlier)
  await ann.fetch('POST', `/api${earlier}/file`, { name: files[0]!.name })
  const { id } = await offices.manila.call<{ id: number }>(
    'PUT',
    '/api/pay/account',
    accountOf('1111000055'),
  )
  for (const who of [bob, dan])
    await who.call('POST', `/api/pay/accounts/${id}`, { confirm: true, reason: '' })
  await dan.call('PUT', '/api/pay/adjustments', adjustmentOf(offices.manila.id, 1_000_00))
  await closeOpen()

  const { reference } = lines.find(({ payee }) => payee.name === 'Manila')!
  await bob.call('POST', `/api${earlier}/results`, { lines: [{ reference, paid: true }] })
  const run = await prepare(superadmin)
  const page = await bob.open(`/app${run}`)
  const step = page.getByRole('region', { name: 'Next step' })
  await expect(step).toContainText(
    'You confirmed the account of Manila since the last payment to it, so somebody else must approve it. These people can: cat',
  )
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
  expect(await bob.refused('POST', `/api${run}/approve`, { amount: 1_000_00 })).toEqual([
    403,
    'You confirmed the account of Manila since the last payment to it. Somebody else must approve it.',
  ])
  await approve(cat, run)
})

/** A partner's token. */
function tokenOf(header: object, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', ...header })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', partner.secret).update(signed).digest('base64url')}`
}
