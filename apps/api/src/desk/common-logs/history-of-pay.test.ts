import { agentsEndpoints } from '@tallyroom/contract/people/agents'
import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { commonLogsEndpoints } from '@tallyroom/contract/desk/common-logs'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { payeeAccountsEndpoints } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { payFilesEndpoints } from '@tallyroom/contract/pay/files/files'
import { paySettingsEndpoints } from '@tallyroom/contract/pay/terms/settings'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { roleNumber } from '@tallyroom/domain/roles'
import { afterAll, expect, test } from 'vitest'
import { buildAccount, buildAgent, buildOffice } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import {
  buildOwed,
  buildPay,
  buildWaitingAccount,
  seenOf,
  genericLayout,
} from '../../../test/payment-world.ts'
import { send } from '../../../test/send.ts'
import { testServices } from '../../../test/services.ts'
import { tokenOf } from '../../../test/token-of.ts'
import { buildApp } from '../../app.ts'

const database = await testDatabase()
const { db } = database
const services = testServices(database, { environment: { CAPTCHA: 'off' } })
const app = await buildApp(services)
afterAll(() => app.close())
await buildPay(db)
await buildAccount(db, { username: 'ann' })
await buildAccount(db, { username: 'bob' })
await buildAccount(db, { username: 'logs', role: roleNumber('admin'), show_common_logs: true })
const ann = await tokenOf(services, 'ann')
const bob = await tokenOf(services, 'bob', { ip: '198.51.100.9', userAgent: 'another place' })
const withoutPay = await tokenOf(services, 'logs')

const call = async (token: string, endpoint: Endpoint, sent: Parameters<typeof send>[2]) => {
  const answer = await send(app, endpoint, sent, { token })
  expect(answer.statusCode).toBe(200)
  return answer.headers['content-type']?.startsWith('application/json') ? answer.json() : undefined
}

const historyOf = async (object: string, token = ann) =>
  (
    await call(token, commonLogsEndpoints.searchCommonLogs, {
      body: { object, sortField: 'date', sortAsc: true },
    })
  ).items.map((one: { sentence: string; username: string; changes: { fields: object[] }[] }) => [
    one.username,
    one.sentence,
    one.changes.flatMap(({ fields }) => fields),
  ])

test('a payment run’s history says who prepared, changed, approved and settled it', async () => {
  await buildOwed(db, await buildOffice(db, { name: 'Manila' }))
  await buildOwed(db, await buildOffice(db, { name: 'Cebu' }))
  const all = { period: null, currency: 'PHP', templateId: 1 }
  const { id } = await call(ann, paymentRunsEndpoints.preparePaymentRun, { body: all })
  const params = { id }
  const run = await call(ann, paymentRunsEndpoints.paymentRun, { params })
  const lineOf = (name: string) =>
    run.lines.find((line: { payee: { name: string } }) => line.payee.name === name)
  await call(ann, paymentRunsEndpoints.removePaymentRunLine, {
    params,
    body: { lineId: lineOf('Cebu').id, reason: 'Not yet' },
  })
  await call(bob, paymentRunsEndpoints.approvePaymentRun, { params, body: await seenOf(db, id) })
  const { files } = await call(bob, paymentRunsEndpoints.paymentRun, { params })
  await call(bob, paymentRunsEndpoints.takePaymentFile, { params, body: { name: files[0].name } })
  await call(ann, paymentResultsEndpoints.enterPaymentResults, {
    params,
    body: {
      lines: [{ reference: lineOf('Manila').reference, paid: false, reason: 'Account closed' }],
    },
  })
  const { number } = run
  const { reference } = lineOf('Manila')
  const [waiting] = await call(bob, payProposalsEndpoints.payProposals, {})
  await call(bob, payProposalsEndpoints.approvePayProposal, { params: { id: waiting.id } })
  const approved = `${files[0].name} SHA-256 ${files[0].sha256}`
  expect(files[0].sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(await historyOf(`paymentRun:${id}`)).toEqual([
    ['ann', `Prepared ${number}`, []],
    [
      'ann',
      `Took a line out of ${number}: Not yet`,
      [
        {
          field: 'lines',
          from: `Cebu ₱2,000.00 (${lineOf('Cebu').reference})`,
          to: '',
          list: true,
        },
      ],
    ],
    [
      'bob',
      `Approved ${number}`,
      [
        { field: 'file 1', from: '', to: approved },
        { field: 'state', from: 'prepared', to: 'approved' },
      ],
    ],
    [
      'bob',
      `Downloaded the payment file ${files[0].name}`,
      [
        { field: 'download 1', from: '', to: approved },
        { field: 'state', from: 'approved', to: 'files taken' },
      ],
    ],
    ['ann', `Entered results of ${number}. Failures wait for a second person`, []],
    [
      'bob',
      `Approved the failure of ${reference}, ₱2,000.00 to Manila`,
      [{ field: 'decision', from: 'waits', to: 'approved' }],
    ],
  ])
  // Without PAY, nobody learns who is paid, how much or why.
  expect(await historyOf(`paymentRun:${id}`, withoutPay)).toEqual([
    ['ann', `Prepared ${number}`, []],
    ['ann', `Took a line out of ${number}`, [{ field: 'lines' }]],
    [
      'bob',
      `Approved ${number}`,
      [{ field: 'file 1' }, { field: 'state', from: 'prepared', to: 'approved' }],
    ],
    [
      'bob',
      `Downloaded the payment file ${files[0].name}`,
      [{ field: 'download 1' }, { field: 'state', from: 'approved', to: 'files taken' }],
    ],
    ['ann', `Entered results of ${number}. Failures wait for a second person`, []],
    ['bob', 'Approved an act above its limit', [{ field: 'decision' }]],
  ])
})

test('a bank’s reason for a failed transfer is not recorded', async () => {
  await buildOwed(db, await buildOffice(db, { name: 'Iloilo' }))
  const { id } = await call(ann, paymentRunsEndpoints.preparePaymentRun, {
    body: { period: null, currency: 'PHP', templateId: 1 },
  })
  const params = { id }
  const run = await call(bob, paymentRunsEndpoints.paymentRun, { params })
  await call(bob, paymentRunsEndpoints.approvePaymentRun, { params, body: await seenOf(db, id) })
  const { files } = await call(bob, paymentRunsEndpoints.paymentRun, { params })
  await call(bob, paymentRunsEndpoints.takePaymentFile, { params, body: { name: files[0].name } })
  const rows = run.lines.map(
    ({ reference }: { reference: string }) => `${reference},NO,Account 5559876543210 is closed`,
  )
  await call(ann, paymentResultsEndpoints.readResultFile, {
    params,
    body: {
      file: Buffer.from(['Ref,Status,Why', ...rows].join('\n')).toString('base64'),
      columns: {
        reference: 'Ref',
        status: 'Status',
        paid: ['OK'],
        failed: ['NO'],
        amount: null,
        reason: 'Why',
        bankReference: null,
      },
      take: true,
    },
  })
  const told = await historyOf(`paymentRun:${id}`)
  expect(JSON.stringify(told.at(-1))).toContain('Iloilo failed')
  const { lines } = await call(ann, paymentRunsEndpoints.paymentRun, { params })
  expect(JSON.stringify(lines)).toContain('5559876543210')
  const entries = await db.selectFrom('audit_log').selectAll().execute()
  expect(JSON.stringify(entries)).not.toContain('5559876543210')
})

test('that the bank refused what it had as paid is in the history of its run, without its reason', async () => {
  await buildOwed(db, await buildOffice(db, { name: 'Tacloban' }))
  const { id: templateId } = await call(ann, payFilesEndpoints.createPayFileTemplate, {
    body: {
      name: 'Messages',
      layout: {
        ...genericLayout,
        format: 'pain.001',
        payer: { name: 'Tally Ltd', account: '000815004711', bic: 'BOPIPHMM' },
      },
    },
  })
  const { id } = await call(ann, paymentRunsEndpoints.preparePaymentRun, {
    body: { period: null, currency: 'PHP', templateId },
  })
  const params = { id }
  await call(bob, paymentRunsEndpoints.approvePaymentRun, { params, body: await seenOf(db, id) })
  const { files, number } = await call(bob, paymentRunsEndpoints.paymentRun, { params })
  await call(bob, paymentRunsEndpoints.takePaymentFile, { params, body: { name: files[0].name } })
  const read = (group: string) =>
    call(ann, paymentResultsEndpoints.readResultFile, {
      params,
      body: {
        file: Buffer.from(
          `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>${number}-1</OrgnlMsgId>${group}</OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`,
        ).toString('base64'),
        columns: null,
        take: true,
      },
    })
  await read('<GrpSts>ACSC</GrpSts>')
  await read('<GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>DU01</Cd></Rsn></StsRsnInf>')
  const [, , changes] = (await historyOf(`paymentRun:${id}`)).at(-1)!
  expect(changes).toMatchObject([
    {
      field: 'results',
      from: expect.stringMatching(/Tacloban paid$/),
      to: expect.stringMatching(/Tacloban paid, refused as well$/),
    },
  ])
  expect(JSON.stringify(changes)).not.toContain('DU01')
  const { lines } = await call(bob, paymentRunsEndpoints.paymentRun, { params })
  await call(bob, paymentResultsEndpoints.settleRefusals, {
    params,
    body: { lineIds: lines.map((line: { id: number }) => line.id), note: 'By phone' },
  })
  expect((await historyOf(`paymentRun:${id}`)).at(-1)).toEqual([
    'bob',
    `Entered that the bank did pay transfers of ${number}`,
    [
      {
        field: 'results',
        list: true,
        from: expect.stringMatching(/Tacloban paid, refused as well$/),
        to: expect.stringMatching(/Tacloban paid, refused as well, paid after all$/),
      },
    ],
  ])
})

test('a run that is cancelled, by somebody or on approval, says why', async () => {
  const office = await buildOwed(db, await buildOffice(db, { name: 'Baguio' }))
  const all = { period: null, currency: 'PHP', templateId: 1 }
  const prepare = async () => {
    const { id } = await call(ann, paymentRunsEndpoints.preparePaymentRun, { body: all })
    return call(bob, paymentRunsEndpoints.paymentRun, { params: { id } })
  }
  const first = await prepare()
  await call(ann, paymentRunsEndpoints.cancelPaymentRun, {
    params: { id: first.id },
    body: { reason: 'Wrong bank' },
  })
  const cancelled = [{ field: 'state', from: 'prepared', to: 'cancelled' }]
  expect((await historyOf(`paymentRun:${first.id}`)).at(-1)).toEqual([
    'ann',
    `Cancelled ${first.number}: Wrong bank`,
    cancelled,
  ])

  const second = await prepare()
  for (const { payee } of second.lines) {
    await db
      .insertInto('pay_holds')
      .values({
        payee_kind: payee.kind,
        payee_id: payee.id,
        held: true,
        reason: 'Fraud under review',
        set_by_name: 'ann',
        set_at: services.clock.now(),
        set_by: 1,
      })
      .execute()
  }
  expect(second.lines).toContainEqual(
    expect.objectContaining({ payee: expect.objectContaining({ id: office }) }),
  )
  const approved = await call(bob, paymentRunsEndpoints.approvePaymentRun, {
    params: { id: second.id },
    body: await seenOf(db, second.id),
  })
  expect(approved.approved).toBe(0)
  const sentence = `Cancelled ${second.number}: no line could be paid`
  for (const token of [ann, withoutPay]) {
    expect((await historyOf(`paymentRun:${second.id}`, token)).at(-1)).toMatchObject([
      'bob',
      sentence,
      expect.arrayContaining(cancelled),
    ])
  }
})

test('the history of a payee and their account says who decided, and never has the number', async () => {
  const office = await buildOffice(db, { name: 'Davao' })
  const id = await buildWaitingAccount(db, office, { number: '5550001234' })
  await call(bob, payeeAccountsEndpoints.decideAccount, { params: { id }, body: { confirm: true } })
  const told = [
    'bob',
    'Confirmed the account •••• 1234 of Davao',
    [{ field: 'confirmation', from: '0 of 1', to: 'confirmed' }],
  ]
  expect(await historyOf(`payeeAccount:${id}`)).toEqual([told])
  expect(await historyOf(`office:${office}`)).toEqual([told])
  // Without PAY, nobody learns whose account it is.
  expect(await historyOf(`payeeAccount:${id}`, withoutPay)).toEqual([])
  expect(await historyOf(`office:${office}`, withoutPay)).toEqual([])
  const rows = await db.selectFrom('audit_log').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('5550001234')
})

test('the history of a bank file template says what changed, until it is deleted', async () => {
  const { id } = await call(ann, payFilesEndpoints.createPayFileTemplate, {
    body: { name: 'Our bank', layout: genericLayout },
  })
  const params = { id }
  await call(ann, payFilesEndpoints.updatePayFileTemplate, {
    params,
    body: { layout: { ...genericLayout, separator: 'tab' } },
  })
  const [pesos, ...others] = genericLayout.channels
  await call(ann, payFilesEndpoints.updatePayFileTemplate, {
    params,
    body: {
      layout: {
        ...genericLayout,
        separator: 'tab',
        channels: [{ ...pesos, upTo: 50_000_00 }, ...others],
      },
    },
  })
  await call(bob, payFilesEndpoints.deletePayFileTemplate, { params })
  expect(await historyOf(`payFile:${id}`)).toEqual([
    ['ann', 'Added the bank file template Our bank', []],
    [
      'ann',
      'Changed the separator of Our bank from comma to tab',
      [{ field: 'separator', from: 'comma', to: 'tab' }],
    ],
    ['ann', expect.stringContaining('up to ₱50,000.00'), [expect.anything()]],
    ['bob', 'Deleted the bank file template Our bank', []],
  ])
  const [, hidden] = await historyOf(`payFile:${id}`, withoutPay)
  expect(hidden).toEqual(['ann', 'Changed the separator of Our bank', [{ field: 'separator' }]])
})

test('without PAY, parameters of pay are hidden in lists and downloads, and can’t be searched', async () => {
  const office = await buildOffice(db, { name: 'Naga' })
  const reason = 'Promised for October'
  await call(ann, balancesEndpoints.createAdjustment, {
    body: { kind: 'office', id: office, currency: 'PHP', amount: 765_432, reason },
  })
  const action = { actionName: 'PUT /api/pay/adjustments' }
  const search = async (token: string, body: Record<string, string>) => {
    const { searchCommonLogs, downloadCommonLogs } = commonLogsEndpoints
    const { items } = await call(token, searchCommonLogs, { body })
    const text = (await send(app, downloadCommonLogs, { body }, { token })).body
    return {
      sent: items.map((one: { postParams: string }) => JSON.parse(one.postParams)),
      told: items.map((one: { sentence: string }) => one.sentence),
      changes: items.flatMap((one: { changes: object[] }) => one.changes),
      text,
    }
  }
  const seen = await search(ann, action)
  expect(seen.sent).toMatchObject([{ amount: 765_432, reason }])
  expect(seen.told).toEqual([`Adjusted a payee’s pay: ${reason}`])
  expect(seen.changes).toMatchObject([{ name: 'Naga' }])
  expect(seen.text).toContain('765432')
  expect((await search(ann, { ...action, postParams: '765432' })).sent).toHaveLength(1)

  const hidden = '[hidden]'
  const unseen = await search(withoutPay, action)
  expect(unseen.sent).toEqual([
    {
      kind: hidden,
      id: hidden,
      currency: hidden,
      amount: hidden,
      reason: hidden,
      countsAs: hidden,
    },
  ])
  expect(unseen.told).toEqual(['Adjusted a payee’s pay'])
  expect(unseen.changes).toEqual([])
  expect(unseen.text).toContain(hidden)
  expect(unseen.text).not.toContain('765432')
  expect(unseen.text).not.toContain(reason)
  expect(await historyOf(`office:${office}`)).toHaveLength(1)
  expect(await historyOf(`office:${office}`, withoutPay)).toEqual([])
  expect((await search(withoutPay, { ...action, postParams: '765432' })).sent).toEqual([])
  // The query of a deletion contains what the agent was owed.
  await send(
    app,
    agentsEndpoints.deleteAgent,
    { params: { id: 99 }, query: { unpaidCentavos: '765432' } },
    { token: ann },
  )
  const deletion = { actionName: 'DELETE /api/agents/:id' }
  expect((await search(ann, deletion)).text).toContain('765432')
  const { text } = await search(withoutPay, deletion)
  expect(text).toMatch(/\{"id":"?99"?,"unpaidCentavos":"\[hidden\]"\}/)
  // Other calls are unaffected.
  const { sent } = await search(withoutPay, { actionName: 'POST /api/common-logs/search' })
  expect(sent).toContainEqual(expect.objectContaining(action))
})

test('without PAY, neither path nor query of a call reveals whose pay it is about', async () => {
  const office = await buildOffice(db, { name: 'Legazpi' })
  const params = { kind: 'office', id: office }
  await call(ann, balancesEndpoints.setPayHold, { params, body: { held: true, reason: 'Fraud' } })
  await call(ann, balancesEndpoints.balance, { params })
  const found = async (token: string, actionName: string) => {
    const { items } = await call(token, commonLogsEndpoints.searchCommonLogs, {
      body: { actionName: `${actionName} /api/pay/balances/:kind/:id` },
    })
    return items[0]
  }
  const seen = await found(ann, 'POST')
  expect(JSON.parse(seen.getParams)).toMatchObject({ kind: 'office' })
  expect(seen.changes).toMatchObject([{ ref: `office:${office}`, name: 'Legazpi' }])
  for (const method of ['POST', 'GET']) {
    const unseen = await found(withoutPay, method)
    expect(JSON.parse(unseen.getParams)).toEqual({ kind: '[hidden]', id: '[hidden]' })
    expect([unseen.changes, unseen.sentence]).toEqual([
      [],
      method === 'POST' ? 'Put a payee’s pay on hold' : 'Get a payee’s balance with its entries',
    ])
  }
})

test('an agent’s history says what was held back for them and came back, but only with PAY', async () => {
  const office = await buildOffice(db, { name: 'Vigan' })
  const flagged = { office_id: office, username: 'rosa', fraud_flagged_at: new Date() }
  const agent = await buildAgent(db, flagged)
  const reason = 'Until the sales of rosa are checked'
  await call(ann, balancesEndpoints.createAdjustment, {
    body: {
      kind: 'office',
      id: office,
      currency: 'PHP',
      amount: -300_00,
      reason,
      heldBackFor: agent,
    },
  })
  await call(bob, agentsEndpoints.agentsStatus, { body: { ids: [agent], fraudFlagged: false } })
  const held = { field: 'pay held back', list: true }
  const cleared = { field: 'fraud flag', from: 'yes', to: 'no' }
  const text = `-₱300.00 (${reason})`
  for (const object of [`agent:${agent}`, `office:${office}`]) {
    const fields = (await historyOf(object)).map(([, , of]: unknown[]) => of)
    expect(fields[0]).toContainEqual({ ...held, from: '', to: text })
    expect(fields[1]).toEqual([cleared, { ...held, from: text, to: '' }])
  }
  const seen = await historyOf(`agent:${agent}`, withoutPay)
  expect(seen).toEqual([['bob', 'Cleared the fraud flag of rosa', [cleared]]])
})

test('the pay settings have a history; without PAY, nobody learns what was changed', async () => {
  const body = {
    payees: 'offices',
    periodLength: 'beWeek',
    avp: 'instead',
    minimumCentavos: 500_00,
    minimumCents: 0,
  }
  await call(ann, paySettingsEndpoints.savePaySettings, { body })
  expect((await historyOf('paySettings:0')).at(-1)).toEqual([
    'ann',
    'Changed the minimum in pesos of the pay settings from ₱0.00 to ₱500.00',
    [{ field: 'minimum in pesos', from: '₱0.00', to: '₱500.00' }],
  ])
  expect((await historyOf('paySettings:0', withoutPay)).at(-1)).toEqual([
    'ann',
    'Changed the pay settings',
    [],
  ])
})
