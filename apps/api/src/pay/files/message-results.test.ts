import { describe, expect, test, vi } from 'vitest'
import { isXml } from '../../lib/files/read-xml.ts'
import { BadFileError } from '../../lib/files/read-zip.ts'
import { type Asked, readMessage, type Transfer } from './message-results.ts'

/** ₱87,017.15, ₱51,685.00 and ₱10,730.00 of one file, and ₱100,806.00 of another, all downloaded on 17 February. */
const transfers: Transfer[] = [
  { reference: 'P1R2N1', amount: 87_017_15, account: '001234567890', file: 'one.xml' },
  { reference: 'P1R2N2', amount: 51_685_00, account: '9988776655', file: 'one.xml' },
  { reference: 'P1R2N3', amount: 10_730_00, account: '5566778899', file: 'one.xml' },
  { reference: 'P1R2N4', amount: 100_806_00, account: '1122334455', file: 'two.xml' },
].map((one) => ({ ...one, leftOn: '2026-02-17', state: 'open' as const }))

const asked: Asked = {
  run: 'R-2026-0002',
  currency: 'PHP',
  transfers,
  files: new Map([
    ['r-2026-0002-1', 'one.xml'],
    ['r-2026-0002-2', 'two.xml'],
  ]),
  account: '000815004711',
  timeZone: 'Asia/Manila',
  today: '2026-02-20',
}

const read = (text: string, own: Partial<Asked> = {}) =>
  readMessage(Buffer.from(text), { ...asked, ...own })

const said = (text: string, own: Partial<Asked> = {}) => {
  const { results, back, refusals, problems, pending, guesses, others } = read(text, own)
  return {
    paid: results.filter(({ paid }) => paid).map(({ reference }) => reference),
    failed: results.filter(({ paid }) => !paid).map(({ reference }) => reference),
    back: back.map(({ reference }) => reference),
    refused: refusals.map(({ reference }) => reference),
    problems: problems.map(({ problem }) => problem),
    pending: pending.map(({ reference, status }) => `${reference} ${status}`),
    guesses: guesses.map(({ by, references }) => `${by} ${references.join(' ')}`),
    others: others.lines,
  }
}
const nothing = {
  paid: [],
  failed: [],
  back: [],
  refused: [],
  problems: [],
  pending: [],
  guesses: [],
  others: 0,
}

const withState = (reference: string, state: Transfer['state']): Partial<Asked> => ({
  transfers: transfers.map((one) => (one.reference === reference ? { ...one, state } : one)),
})

const pain = (
  content: string,
  { version = '10', group = '' } = {},
) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x http://example.com/pain.xsd">
  <CstmrPmtStsRpt>
    <GrpHdr><MsgId>BANK-1</MsgId><CreDtTm>2026-02-17T20:15:00+08:00</CreDtTm></GrpHdr>
    <OrgnlGrpInfAndSts>
      <OrgnlMsgId>R-2026-0002-1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${group}
    </OrgnlGrpInfAndSts>
    ${content}
  </CstmrPmtStsRpt>
</Document>`
const instruction = (content: string, status = '') =>
  `<OrgnlPmtInfAndSts><OrgnlPmtInfId>R-2026-0002-1</OrgnlPmtInfId>${status}${content}</OrgnlPmtInfAndSts>`
const state = (reference: string, status: string, more = '') =>
  `<TxInfAndSts><StsId>S-${reference}</StsId><OrgnlInstrId>${reference}</OrgnlInstrId><OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>${status}</TxSts>${more}</TxInfAndSts>`
const because = (code: string, more = '') =>
  `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn>${more}</StsRsnInf>`
const original = (amount: string, currency = 'PHP') =>
  `<OrgnlTxRef><Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt></OrgnlTxRef>`

describe('pain.002', () => {
  test('a file that was taken in part: each transfer has its state, and a reason in words', () => {
    const message = pain(
      instruction(
        state('P1R2N1', 'ACSC', `<AcctSvcrRef>IPN-77</AcctSvcrRef>${original('87017.15')}`) +
          state('P1R2N2', 'RJCT', because('AC04', '<AddtlInf>Closed in 2025</AddtlInf>')) +
          state('P1R2N3', 'ACSP'),
        '<PmtInfSts>PART</PmtInfSts>',
      ),
      {
        group:
          '<OrgnlNbOfTxs>3</OrgnlNbOfTxs><OrgnlCtrlSum>149432.150</OrgnlCtrlSum><GrpSts>PART</GrpSts>',
      },
    )
    expect(said(message)).toEqual({
      ...nothing,
      paid: ['P1R2N1'],
      failed: ['P1R2N2'],
      pending: ['P1R2N3 ACSP: accepted, being settled'],
    })
    expect(read(message)).toMatchObject({
      name: 'pain.002.001.10',
      account: null,
      results: [
        { bankReference: 'IPN-77', reason: '', on: null, amounts: [87_017_15] },
        { reason: 'AC04: the account is closed; Closed in 2025', refusesFile: false },
      ],
    })
  })

  test.each([
    ['AC01', 'AC01: the account number is wrong'],
    ['AM04', 'AM04: there was not enough money in the account that pays'],
    ['AG01', 'AG01: transfers to this account are forbidden'],
    ['BE04', 'BE04: the payee’s address is missing or wrong'],
    ['MS03', 'MS03: the bank gave no reason'],
    ['RR04', 'RR04: a regulation forbids it'],
    ['ZZ99', 'ZZ99'],
  ])('the reason %s is %s', (code, text) => {
    const message = pain(instruction(state('P1R2N1', 'RJCT', because(code))))
    expect(read(message).results).toMatchObject([{ paid: false, reason: text }])
  })

  test('a reason in the bank’s own words, and none', () => {
    const own = '<StsRsnInf><Rsn><Prtry>Konto erloschen</Prtry></Rsn></StsRsnInf>'
    const message = pain(instruction(state('P1R2N1', 'RJCT', own) + state('P1R2N2', 'RJCT')))
    expect(read(message).results).toMatchObject([
      { reason: 'Konto erloschen' },
      { reason: 'RJCT: rejected' },
    ])
  })

  test.each(['03', '12'])('a file that was refused as a whole, version %s', (version) => {
    const group = `<OrgnlNbOfTxs>3</OrgnlNbOfTxs><OrgnlCtrlSum>149432.15</OrgnlCtrlSum><GrpSts>RJCT</GrpSts>${because('DT01')}`
    const { results, ...rest } = read(pain('', { version, group }))
    expect(results.map(({ reference }) => reference)).toEqual(['P1R2N1', 'P1R2N2', 'P1R2N3'])
    expect(results[0]).toMatchObject({
      paid: false,
      refusesFile: true,
      reason: 'DT01: the date is wrong',
      on: '2026-02-17',
    })
    expect(rest).toMatchObject({ problems: [], guesses: [], others: { lines: 0 } })
  })

  test('the bank’s day of a message is where the bank is', () => {
    const group = `<GrpSts>RJCT</GrpSts>${because('DT01')}`
    // 18 February in Manila.
    const late = pain('', { group }).replace('2026-02-17T20:15:00+08:00', '2026-02-17T17:00:00Z')
    expect(read(late).results[0]?.on).toBe('2026-02-18')
    const local = late.replace('17:00:00Z', '23:59:59')
    expect(read(local).results[0]?.on).toBe('2026-02-17')
  })

  test('what is said of a transfer counts before what is said of its file', () => {
    const message = pain(instruction(state('P1R2N2', 'PDNG')), { group: '<GrpSts>ACSC</GrpSts>' })
    expect(said(message)).toEqual({
      ...nothing,
      paid: ['P1R2N3', 'P1R2N1'].toSorted(),
      pending: ['P1R2N2 PDNG: pending'],
    })
  })

  test('a file that was paid as a whole keeps the day that it asked for', () => {
    const { results } = read(pain('', { group: '<GrpSts>ACSC</GrpSts>' }))
    expect(results.map(({ paid, on }) => [paid, on])).toEqual(
      Array.from({ length: 3 }, () => [true, null]),
    )
  })

  test.each([
    ['a transfer that it paid', instruction(state('P1R2N2', 'ACSC')), 2],
    ['a transfer that it is settling', instruction(state('P1R2N2', 'ACSP')), 2],
    ['an instruction that it paid', instruction('', '<PmtInfSts>ACSC</PmtInfSts>'), 2],
    [
      'a transfer that it rejected as well',
      instruction(state('P1R2N1', 'RJCT', because('AC04')) + state('P1R2N2', 'ACSC')),
      3,
    ],
  ])('nothing counts of a file that is refused as a whole, with %s', (_, content, against) => {
    const message = pain(content, { group: `<GrpSts>RJCT</GrpSts>${because('DT01')}` })
    const problem = `entry 1 refuses one.xml as a whole, and entry ${against} does not`
    expect(said(message)).toEqual({ ...nothing, problems: Array(against).fill(problem) })
  })

  test.each(['ACTC', 'PART'])('an instruction is refused of a message that is %s', (status) => {
    const message = pain(instruction('', '<PmtInfSts>RJCT</PmtInfSts>'), {
      group: `<GrpSts>${status}</GrpSts>`,
    })
    expect(said(message)).toEqual({ ...nothing, failed: ['P1R2N1', 'P1R2N2', 'P1R2N3'] })
  })

  test('what an answer says of another file is no contradiction', () => {
    const message = pain(instruction(state('P1R2N4', 'ACSC')), { group: '<GrpSts>RJCT</GrpSts>' })
    expect(said(message)).toEqual({
      ...nothing,
      paid: ['P1R2N4'],
      failed: ['P1R2N1', 'P1R2N2', 'P1R2N3'],
    })
  })

  test('a refusal that is not of our file refuses none, whatever it says of its transfers', () => {
    const message = pain(instruction(state('P1R2N1', 'RJCT', because('AC04'))), {
      group: '<OrgnlNbOfTxs>4</OrgnlNbOfTxs><GrpSts>RJCT</GrpSts>',
    })
    const { results, problems } = read(message)
    expect(results).toMatchObject([{ reference: 'P1R2N1', paid: false, refusesFile: false }])
    expect(problems).toMatchObject([{ problem: 'one.xml has 3 transfers, and this is of 4' }])
  })

  test('a file that was only taken leaves its transfers open', () => {
    expect(said(pain('', { group: '<GrpSts>ACTC</GrpSts>' })).pending).toHaveLength(3)
  })

  test.each<[string, string, string, Partial<Asked>]>([
    [
      'an unknown state',
      instruction(state('P1R2N1', 'ABCD')),
      'P1R2N1: the status “ABCD” is not known',
      {},
    ],
    [
      'another currency',
      instruction(state('P1R2N1', 'ACSC', original('87017.15', 'USD'))),
      'the amount of P1R2N1 is in USD, not in PHP',
      {},
    ],
    [
      'an amount that is none',
      instruction(state('P1R2N1', 'ACSC', original('87.017,15'))),
      'P1R2N1: “87.017,15” is not an amount',
      {},
    ],
    [
      'two states of one transfer',
      instruction(state('P1R2N1', 'ACSC') + state('P1R2N1', 'RJCT', because('AC01'))),
      'P1R2N1 is there with different states: entries 1 and 2',
      {},
    ],
    [
      'a day before the file was downloaded',
      instruction(state('P1R2N1', 'RJCT', because('AC01'))),
      'P1R2N1 is of 2026-02-17, before 2026-02-18, when one.xml was downloaded',
      { transfers: transfers.map((one) => ({ ...one, leftOn: '2026-02-18' })) },
    ],
  ])('%s is a problem of its entry', (_, content, problem, own) => {
    const { problems, paid, failed } = said(pain(content), own)
    expect(new Set(problems)).toEqual(new Set([problem]))
    expect([...paid, ...failed]).toEqual([])
  })

  test.each<[string, string, string, Partial<Asked>]>([
    [
      'another count',
      '<OrgnlNbOfTxs>4</OrgnlNbOfTxs><GrpSts>RJCT</GrpSts>',
      'one.xml has 3 transfers, and this is of 4',
      {},
    ],
    [
      'another sum',
      '<OrgnlCtrlSum>1.00</OrgnlCtrlSum><GrpSts>ACSC</GrpSts>',
      'one.xml has ₱149,432.15, and this is of ₱1.00',
      {},
    ],
  ])('the state of a whole file does not count with %s', (_, group, problem, own) => {
    expect(said(pain('', { group }), own)).toEqual({ ...nothing, problems: [problem] })
  })

  test.each(['paid', 'returned'] as const)(
    'a file that is refused as a whole after a transfer of it was %s fails but for that one',
    (before) => {
      const group = '<GrpSts>RJCT</GrpSts>'
      const problems =
        before === 'paid'
          ? [
              'P1R2N2 was reported paid, and this refuses one.xml as a whole. It stays as it was reported: ask your bank which is true',
            ]
          : []
      const own = withState('P1R2N2', before)
      const failed = {
        ...nothing,
        failed: ['P1R2N1', 'P1R2N3'],
        refused: ['P1R2N2'],
        problems,
      }
      expect(said(pain('', { group }), own)).toEqual(failed)
      const each = ['P1R2N1', 'P1R2N2', 'P1R2N3'].map((one) => state(one, 'RJCT', because('AC04')))
      const message = pain(instruction(each.join('')), { group })
      expect(said(message, own)).toEqual(failed)
      expect(read(message, own).results.map(({ refusesFile }) => refusesFile)).toEqual([true, true])
    },
  )

  test('what refuses a transfer that was paid has the bank’s words for it, and its day', () => {
    const own = withState('P1R2N2', 'paid')
    const group = `<GrpSts>RJCT</GrpSts>${because('DU01')}`
    const refusal = { reference: 'P1R2N2', paid: false, on: '2026-02-17', refusesFile: true }
    for (const [content, reason] of [
      ['', 'DU01: the message is a duplicate'],
      [instruction(state('P1R2N2', 'RJCT', because('AC04'))), 'AC04: the account is closed'],
    ] as const)
      expect(read(pain(content, { group }), own)).toMatchObject({
        id: 'BANK-1',
        refusals: [{ ...refusal, reason }],
      })
  })

  test('what refuses a transfer that was paid on a day to come is only told', () => {
    const own = { ...withState('P1R2N2', 'paid'), today: '2026-02-16' as const }
    const each = instruction(state('P1R2N2', 'RJCT', because('AC04')))
    expect(said(pain(each, { group: '<GrpSts>RJCT</GrpSts>' }), own)).toMatchObject({
      refused: [],
      failed: [],
      pending: expect.arrayContaining(['P1R2N2 booked for 2026-02-17']),
    })
  })

  test('an answer to another file is named', () => {
    const other = pain('', { group: '<GrpSts>RJCT</GrpSts>' }).replace(
      'R-2026-0002-1',
      'R-2026-0003-1',
    )
    expect(() => read(other)).toThrow(
      'it answers “R-2026-0003-1”, which is no file of R-2026-0002, and has none of its references',
    )
    // A portal may make a message of its own of the file; then only what is said of our references counts.
    const own = pain(instruction(state('P1R2N1', 'ACSC')), { group: '<GrpSts>PART</GrpSts>' })
    expect(said(own.replaceAll('R-2026-0002-1', 'PORTAL-9'))).toEqual({
      ...nothing,
      paid: ['P1R2N1'],
      others: 1,
    })
  })
})

const camt = (
  entries: string,
  { kind = '053', version = '02', account = '<Othr><Id>0815-004711</Id></Othr>' } = {},
) => {
  const [root, part] =
    kind === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  return `<?xml version="1.0"?>
<ns2:Document xmlns:ns2="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.${version}">
<ns2:${root}><ns2:GrpHdr><ns2:MsgId>M1</ns2:MsgId><ns2:CreDtTm>2026-02-19T23:00:00</ns2:CreDtTm></ns2:GrpHdr>
<ns2:${part}><ns2:Id>1</ns2:Id><ns2:Acct><ns2:Id>${account.replaceAll(/<(\/?)/g, '<$1ns2:')}</ns2:Id></ns2:Acct>
${entries.replaceAll(/<(\/?)(?=\w)/g, '<$1ns2:')}</ns2:${part}></ns2:${root}></ns2:Document>`
}
type Entry = {
  side?: string
  amount?: string
  currency?: string
  status?: string
  day?: string
  more?: string
  details?: string
}
const entry = ({
  side = 'DBIT',
  amount = '87017.15',
  currency = 'PHP',
  status = 'BOOK',
  day = '2026-02-18',
  more = '',
  details = '',
}: Entry) =>
  `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd>${more}<Sts>${status}</Sts><BookgDt><Dt>2026-02-19</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt><AcctSvcrRef>A-${amount}</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>DMCT</SubFmlyCd></Fmly></Domn></BkTxCd>${details === '' ? '' : `<NtryDtls>${details}</NtryDtls>`}</Ntry>`
const transaction = (reference: string, more = '') =>
  `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${more}</TxDtls>`
const returnedFor = (code: string) => `<RtrInf><Rsn><Cd>${code}</Cd></Rsn></RtrInf>`
const toAccount = (number: string) =>
  `<RltdPties><Cdtr><Nm>Maria</Nm></Cdtr><CdtrAcct><Id><Othr><Id>${number}</Id></Othr></Id></CdtrAcct></RltdPties>`

describe('camt.053 and camt.054', () => {
  test('a debit that is booked was paid on its value day', () => {
    const message = camt(entry({ details: transaction('P1R2N1') }))
    expect(read(message)).toMatchObject({
      name: 'camt.053.001.02',
      account: '••4711',
      results: [
        {
          reference: 'P1R2N1',
          paid: true,
          on: '2026-02-18',
          amounts: [87_017_15],
          bankReference: 'A-87017.15',
        },
      ],
      problems: [],
    })
  })

  test('versions from 8 on have states as codes and amounts of transactions', () => {
    const details = `${transaction('P1R2N1', '<Amt Ccy="PHP">87017.15</Amt><CdtDbtInd>DBIT</CdtDbtInd>')}${transaction('P1R2N2', '<Amt Ccy="PHP">51685</Amt><CdtDbtInd>DBIT</CdtDbtInd>')}`
    const message = camt(entry({ amount: '138702.15', status: '<Cd>BOOK</Cd>', details }), {
      kind: '054',
      version: '08',
    })
    expect(said(message)).toEqual({ ...nothing, paid: ['P1R2N1', 'P1R2N2'] })
  })

  test('a credit with a return reason came back, also of what the same statement paid', () => {
    const message = camt(
      entry({ details: transaction('P1R2N1') }) +
        entry({
          side: 'CRDT',
          day: '2026-02-20',
          details: transaction('P1R2N1', returnedFor('AC04')),
        }) +
        entry({
          side: 'CRDT',
          amount: '51685.00',
          details: transaction('P1R2N2', returnedFor('MD07')),
        }),
    )
    expect(said(message)).toEqual({
      ...nothing,
      paid: ['P1R2N1'],
      failed: ['P1R2N2'],
      back: ['P1R2N1'],
    })
    expect(read(message).back).toMatchObject([
      { on: '2026-02-20', reason: 'AC04: the account is closed' },
    ])
  })

  test.each([
    ['a reversal', { more: '<RvslInd>true</RvslInd>' }],
    [
      'a kind of transaction',
      {
        details: transaction(
          'P1R2N1',
          '<BkTxCd><Domn><Fmly><SubFmlyCd>RRTN</SubFmlyCd></Fmly></Domn></BkTxCd>',
        ),
      },
    ],
  ])('%s says that a credit is a return', (_, own) => {
    const message = camt(entry({ side: 'CRDT', details: transaction('P1R2N1'), ...own }))
    expect(said(message).failed).toEqual(['P1R2N1'])
  })

  test.each<[string, Entry, Partial<typeof nothing>]>([
    ['not booked', { status: 'PDNG' }, { pending: ['P1R2N1 not booked yet'] as never[] }],
    ['for information', { status: 'INFO' }, {}],
    [
      'booked for a later day',
      { day: '2026-02-21' },
      { pending: ['P1R2N1 booked for 2026-02-21'] as never[] },
    ],
    [
      'in another currency',
      { currency: 'USD' },
      { problems: ['the amount of P1R2N1 is in USD, not in PHP'] as never[] },
    ],
    [
      'a credit without a word of a return',
      { side: 'CRDT' },
      { problems: ['P1R2N1: it is a credit that does not say that it is a return'] as never[] },
    ],
    [
      'of a day before its file was downloaded',
      { day: '2026-02-16' },
      {
        problems: [
          'P1R2N1 is of 2026-02-16, before 2026-02-17, when one.xml was downloaded',
        ] as never[],
      },
    ],
  ])('an entry that is %s pays nothing', (_, own, became) => {
    const message = camt(entry({ details: transaction('P1R2N1'), ...own }))
    expect(said(message)).toEqual({ ...nothing, ...became })
  })

  test('a transfer that is booked twice counts not at all, and the same entry twice once', () => {
    const once = entry({ details: transaction('P1R2N1') })
    expect(said(camt(once + once)).paid).toEqual(['P1R2N1'])
    const again = once.replace('A-87017.15', 'A-2')
    expect(said(camt(once + again))).toEqual({
      ...nothing,
      problems: Array(2).fill('P1R2N1 is there more than once: entries 1 and 2'),
    })
  })

  test('several transfers of a sum without amounts of their own are refused', () => {
    const details = transaction('P1R2N1') + transaction('P1R2N2')
    expect(said(camt(entry({ amount: '138702.15', details }))).problems).toEqual([
      'the entry does not say how much of it P1R2N1 is',
      'the entry does not say how much of it P1R2N2 is',
    ])
  })

  const batch = (id: string, count: number) =>
    `<Btch><PmtInfId>${id}</PmtInfId><NbOfTxs>${count}</NbOfTxs></Btch>`
  test('one entry for a file is asked about, if it is the sum of what is open', () => {
    const sum = entry({ amount: '149432.15', details: batch('R-2026-0002-1', 3) })
    expect(said(camt(sum))).toEqual({ ...nothing, guesses: ['sum P1R2N1 P1R2N2 P1R2N3'] })
    expect(read(camt(sum)).guesses).toMatchObject([
      { place: 1, amount: 149_432_15, results: [{ paid: true, on: '2026-02-18' }, {}, {}] },
    ])
    // Two of three, as one was rejected before.
    const less = entry({ amount: '97747.15', details: batch('R-2026-0002-1', 2) })
    expect(said(camt(less), withState('P1R2N2', 'failed'))).toEqual({
      ...nothing,
      guesses: ['sum P1R2N1 P1R2N3'],
    })
    expect(said(camt(less))).toEqual({
      ...nothing,
      problems: ['one.xml is ₱149,432.15, and the entry is ₱97,747.15'],
    })
    expect(said(camt(entry({ amount: '149432.15', details: batch('R-9-1', 3) })))).toEqual({
      ...nothing,
      others: 1,
    })
  })

  test('without a reference, amount and account are a guess, once for each transfer', () => {
    const unnamed = entry({ details: transaction('NOTPROVIDED', toAccount('1234567890')) })
    expect(said(camt(unnamed))).toEqual({ ...nothing, guesses: ['account P1R2N1'] })
    expect(said(camt(unnamed + unnamed))).toEqual({
      ...nothing,
      guesses: ['account P1R2N1'],
      others: 1,
    })
    const iban = toAccount('x').replace(
      '<Othr><Id>x</Id></Othr>',
      '<IBAN>PH11BANK001234567890</IBAN>',
    )
    expect(said(camt(entry({ details: transaction('NOTPROVIDED', iban) }))).guesses).toEqual([
      'account P1R2N1',
    ])
  })

  test.each([
    [
      'another amount',
      { amount: '87017.14', details: transaction('NONREF', toAccount('1234567890')) },
    ],
    ['another account', { details: transaction('NONREF', toAccount('1234567891')) }],
    ['an end of the account only', { details: transaction('NONREF', toAccount('67890')) }],
    [
      'another currency',
      { currency: 'USD', details: transaction('NONREF', toAccount('1234567890')) },
    ],
    ['a reference of another run', { details: transaction('P1R1N1', toAccount('1234567890')) }],
    [
      'a day before',
      { day: '2026-02-16', details: transaction('NONREF', toAccount('1234567890')) },
    ],
    ['no account', { details: transaction('NONREF') }],
  ])('%s is no guess', (_, own) => {
    expect(said(camt(entry(own)))).toEqual({ ...nothing, others: 1 })
  })

  test('a statement of another account is named, and one of several is read', () => {
    const other = '<Othr><Id>999999</Id></Othr>'
    expect(() => read(camt(entry({}), { account: other }))).toThrow(
      'it is a camt.053.001.02 of ••9999, and this run is paid from ••4711',
    )
    expect(said(camt(entry({}), { account: other }), { account: null }).others).toBe(1)
    const two = camt(entry({ details: transaction('P1R2N1') }))
    const first = camt(entry({ details: transaction('P1R2N2') }), { account: other })
    const stmt = /<ns2:Stmt>.*<\/ns2:Stmt>/s.exec(first)?.[0] ?? ''
    expect(said(two.replace('<ns2:Stmt>', `${stmt}<ns2:Stmt>`)).paid).toEqual(['P1R2N1'])
  })
})

describe('a file that is no such message', () => {
  const space = 'urn:iso:std:iso:20022:tech:xsd'
  const document = (of: string, content: string) =>
    `<?xml version="1.0"?><Document xmlns="${of}">${content}</Document>`
  test.each([
    [
      'another message',
      document(`${space}:camt.052.001.02`, '<BkToCstmrAcctRpt/>'),
      'it is a camt.052.001.02. Results are read from pain.002, camt.053 and camt.054',
    ],
    [
      'our own file',
      document(`${space}:pain.001.001.09`, '<CstmrCdtTrfInitn/>'),
      'it is a pain.001.001.09.',
    ],
    [
      'another namespace',
      document('http://example.com/bank', '<CstmrPmtStsRpt/>'),
      'its namespace “http://example.com/bank” is that of no message',
    ],
    [
      'no namespace',
      '<Document><CstmrPmtStsRpt/></Document>',
      'its namespace “” is that of no message',
    ],
    [
      'a namespace of another message',
      document(`${space}:camt.053.001.02`, '<CstmrPmtStsRpt/>'),
      'its namespace is that of camt.053.001.02, but it has “CstmrPmtStsRpt” instead of “BkToCstmrStmt”',
    ],
    [
      'an old version',
      document(`${space}:pain.002.001.02`, '<CstmrPmtStsRpt/>'),
      'it is a pain.002.001.02, which is too old',
    ],
    ['other XML', '<?xml version="1.0"?><Workbook/>', 'it begins with “Workbook”'],
    ['nothing in it', document(`${space}:camt.053.001.02`, ''), 'it is an empty message'],
    ['a cut file', camt(entry({})).slice(0, -60), 'it is cut off or damaged'],
    [
      'entities',
      `<?xml version="1.0"?><!DOCTYPE Document [<!ENTITY a "b">]>${document(`${space}:camt.053.001.02`, '<BkToCstmrStmt>&a;</BkToCstmrStmt>')}`,
      'it has a document type',
    ],
    ['deep nesting', `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`, 'it has too many elements'],
  ])('%s', (_, text, says) => {
    expect(() => read(text)).toThrow(says)
    expect(() => read(text)).toThrow(BadFileError)
  })

  test('namespaces that each element adds are not copied from one to the next', () => {
    const added = Array.from({ length: 300 }, (_, place) => `xmlns:n${place}="urn:${place}"`)
    const message = pain(instruction(state('P1R2N1', 'ACSC'))).replace(
      '<CstmrPmtStsRpt>',
      `<CstmrPmtStsRpt>${added.map((one) => `<Other ${one}/>`).join('')}`,
    )
    const kept = vi.spyOn(Map.prototype, 'set')
    const { results } = readMessage(
      Buffer.from(message.replace('<Document ', `<Document ${added.join(' ')} `)),
      asked,
    )
    const count = kept.mock.calls.length
    kept.mockRestore()
    expect(results).toHaveLength(1)
    // An attribute and a namespace of each of 600.
    expect(count).toBeLessThan(2_000)
  })

  test('a message in an envelope, with letters of another encoding and text in CDATA', () => {
    const message = pain(
      instruction(
        state(
          'P1R2N1',
          'RJCT',
          `<StsRsnInf><Rsn><Prtry><![CDATA[Konto & Bl\u00f6d]]></Prtry></Rsn></StsRsnInf>`,
        ),
      ),
    )
    const inside = message.slice(message.indexOf('<Document'))
    const bytes = Buffer.from(`<BizMsgEnvlp><AppHdr/>${inside}</BizMsgEnvlp>`, 'latin1')
    expect(readMessage(bytes, asked).results).toMatchObject([{ reason: 'Konto & Bl\u00f6d' }])
  })

  test('a message is one with a mark before it and a letter across the thousandth byte', () => {
    for (const before of ['', 'x']) {
      const text = `\ufeff<?xml version="1.0"?><!--${before}${'\u00f6'.repeat(900)}--><Document/>`
      expect(isXml(Buffer.from(text))).toBe(true)
    }
    expect(isXml(Buffer.from('\ufeffreference;state'))).toBe(false)
  })
})
