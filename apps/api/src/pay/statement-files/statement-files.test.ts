import type { Statement } from '@tallyroom/contract/pay/statements/statements'
import type { RateLine } from '@tallyroom/contract/pay/statements/statement'
import { brandOf } from '@tallyroom/domain/brands/index'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { readPdf as readPdfOf } from '../../../test/read-pdf.ts'
import { readSheet, readZip } from '../../../test/read-xlsx.ts'
import { csvFile } from '../../http/sheets/csv-file.ts'
import type { Sheet } from '../../http/sheets/sheet.ts'
import { xlsxFile } from '../../http/sheets/xlsx-file.ts'
import { statementPdf } from './statement-pdf.ts'
import { statementSheet } from './statement-sheet.ts'

const LONG_NAME = 'Maria Consolación de los Reyes-Villanueva y Ñandú of the Northern Harbour Office'

const rateLine = (line: Partial<RateLine>): RateLine => ({
  agentId: 1,
  agentName: 'maria',
  officeId: 2,
  officeName: 'Manila',
  siteId: 3,
  siteName: 'Lantern Live',
  typeId: 4,
  typeName: 'Gold',
  rateCentavos: 45_000,
  rateSource: 'type',
  tierWeek: null,
  settledOutside: false,
  sales: 0,
  bonuses: 0,
  reversals: 0,
  centavos: 0,
  fraud: false,
  ...line,
})

/**
 * ₱3,150.00 in lines, a late chargeback, a corrected AVP week and an adjustment: ₱2,850.10; ₱100.05
 * carried.
 */
const content: Statement['content'] = {
  format: 1,
  number: '2026-11-A-0007',
  period: {
    name: '2026-11-A',
    start: '2026-11-01',
    end: '2026-11-15',
    payees: 'offices',
    avp: 'instead',
  },
  zone: 'America/New_York',
  payee: { kind: 'office', id: 2, name: LONG_NAME },
  currency: 'PHP',
  closedBy: 'petra',
  closedAt: '2026-11-17T15:04:05.000Z',
  lines: [
    rateLine({ sales: 7, centavos: 315_000 }),
    rateLine({
      agentName: LONG_NAME,
      agentId: 5,
      tierWeek: '2026-11-02',
      sales: 4,
      rateCentavos: 10_000,
    }),
  ],
  fraud: [],
  late: [
    {
      name: '2026-10-B',
      start: '2026-10-16',
      end: '2026-10-31',
      lines: [
        rateLine({
          reversals: 1,
          centavos: -45_000,
        }),
      ],
    },
  ],
  tiers: [
    {
      agentId: 5,
      agentName: 'noel',
      officeId: 2,
      officeName: 'Manila',
      week: '2026-11-02',
      sales: 4,
      paidSales: 4,
      tier: 1,
      rateCentavos: 10_000,
      rateCents: 200,
      before: null,
      centavos: 40_000,
      cents: 800,
      currency: 'PHP',
    },
    {
      agentId: 5,
      agentName: 'noel',
      officeId: 2,
      officeName: 'Manila',
      week: '2026-10-19',
      sales: 16,
      paidSales: 16,
      tier: 2,
      rateCentavos: 15_000,
      rateCents: 300,
      before: {
        sales: 17,
        paidSales: 17,
        tier: 3,
      },
      centavos: -60_000,
      cents: -1200,
      currency: 'PHP',
    },
  ],
  adjustments: [
    {
      id: 9,
      currency: 'PHP',
      amount: 35010,
      reason: '=SUM(A1) a prize, <b>as agreed</b>',
      by: 'petra',
      at: '2026-11-12T09:00:00.000Z',
    },
  ],
  conversion: null,
  amount: 285_010,
  carried: 10_005,
  due: 295_015,
  minimum: 50_000,
}

const statement: Statement = {
  id: 1,
  number: content.number,
  payee: content.payee,
  currency: 'PHP',
  state: 'due',
  paidFrom: null,
  paidOn: null,
  step: null,
  paidInPart: false,
  payment: null,
  carriedInto: null,
  period: content.period,
  amount: content.amount,
  withheld: 0,
  carried: content.carried,
  due: content.due,
  closedAt: content.closedAt,
  contentHash: 'ab'.repeat(32),
  isPart: false,
  carriedInRuns: [],
  content,
}

const taxed: Statement = {
  ...statement,
  content: {
    ...content,
    tax: {
      detailsId: 1,
      code: 'WI515',
      rateBp: 1000,
      quarter: '2026-Q4',
      base: 285_010,
      before: 0,
      withheld: 28_501,
    },
    due: 266_514,
  },
}

/** A payee in dollars: ₱1,165.00 at ₱58.25 is $20.00, and a tier pays $8.00. */
const inDollars: Statement = {
  ...statement,
  currency: 'USD',
  content: {
    ...content,
    currency: 'USD',
    lines: [
      rateLine({
        sales: 1,
        rateCentavos: 116500,
        centavos: 116500,
      }),
    ],
    late: [],
    tiers: content.tiers.slice(0, 1).map((tier) => ({
      ...tier,
      currency: 'USD' as const,
    })),
    adjustments: [],
    conversion: {
      from: 'PHP',
      amount: 116500,
      pesosE4: 582500,
      source: 'BSP',
      converted: 2_000,
    },
    amount: 2800,
    carried: 0,
    due: 2800,
    minimum: 0,
  },
}

const withDays: Statement['content'] = {
  ...content,
  lines: [
    rateLine({ sales: 3, bonuses: 1, centavos: 135_000 }),
    rateLine({ siteId: 4, useApproveSale: true, sales: 5, bonuses: 2, reversals: 1 }),
  ],
}

describe('the PDF, read by another library', () => {
  test('has the brand, the statement, each line with its amount in pesos, the sums and the hash', async () => {
    const { text } = await readPdf(statement)
    for (const words of [
      'Harborline',
      '2026-11-A-0007',
      'America/New_York',
      '1–15 Nov 2026',
      '2026-11-17 10:04:05 EST by petra',
      'Lantern Live · Gold',
      '₱450.00',
      '₱3,150.00',
      'Paid by tier, week of 2026-11-02',
      'Late for 2026-10-B',
      '-₱450.00',
      'Week of 2026-10-19: 17 sales, tier 3 → 16 sales, tier 2',
      '-₱600.00',
      '=SUM(A1) a prize, <b>as agreed</b>',
      '₱350.10',
      '₱2,850.10',
      '₱100.05',
      'To pay',
      '₱2,950.15',
      'ab'.repeat(32),
      'Page 1 of 2',
    ])
      expect(text).toContain(words)
  })

  test('begins with the amount to be paid, and lists what tiers pay without sums of zero', async () => {
    const { text } = await readPdf(statement)
    expect(text.indexOf('To pay ₱2,950.15')).toBeLessThan(text.indexOf('Sales and bonuses'))
    expect(text).toContain('4 more sales are paid by tier')
    expect(text.indexOf('They are listed at the end')).toBeLessThan(text.lastIndexOf('To pay'))
    expect(text.lastIndexOf('To pay')).toBeLessThan(text.indexOf('Paid by tier'))
    expect(text).not.toContain('₱0.00')
    // Columns without a count are left out.
    expect(text).not.toContain('Bonuses')
  })

  test('names the days of approve-sale sites, and says why rates were backdated, in full', async () => {
    const reason = `${'agreed with the office in October, '.repeat(5)}as written`
    const late = content.late.map((one) => ({
      ...one,
      lines: Array.from({ length: 40 }, (_, typeId) =>
        rateLine({
          typeId,
          differences: 1,
          centavos: 100,
          backdatings: [{ reason, differences: 1, start: '2026-10-17', end: '2026-10-17' }],
        }),
      ),
    }))
    const { text, items } = await readPdf({ ...statement, content: { ...withDays, late } })
    expect(text).toContain('For Rate Sales Bonuses Day#1 Day#2 Reversals Sum')
    const told = `Differences from backdated rates: 1 · sale of 17 Oct 2026: “${reason}”`
    expect(text.split(told)).toHaveLength(41)
    // Notes of several lines stay above the footer.
    const footers = items.filter(({ str }) => str.startsWith('Page '))
    expect(footers.length).toBeGreaterThan(2)
    const inTheWay = items.filter(
      ({ str, bottom, page }) =>
        !/^(Page |2026-11-A-0007 ·)/.test(str) &&
        bottom <= (footers.find((one) => one.page === page)?.bottom ?? 0),
    )
    expect(inTheWay).toEqual([])
  })

  test('wraps a long name within the page, in full', async () => {
    const { text, width, items } = await readPdf(statement)
    expect(text.replaceAll(/\s+/g, ' ')).toContain(LONG_NAME)
    for (const { left, right } of items) {
      expect(left).toBeGreaterThan(40)
      expect(right).toBeLessThan(width - 40)
    }
  })

  test('keeps what a line is for on one line, where its columns leave room', async () => {
    const what = { siteName: 'After Eight Club', typeName: 'Membership', rateCentavos: 135_000 }
    const lines = [
      rateLine({ ...what, sales: 1, centavos: 135_000 }),
      rateLine({ ...what, agentId: 2, bonuses: 1, centavos: 135_000 }),
      rateLine({ ...what, agentId: 3, reversals: 1, centavos: -135_000 }),
    ]
    const { items } = await readPdf({ ...statement, content: { ...content, lines } })
    const named = items.filter(({ str }) => /After Eight Club|Membership/.test(str))
    expect(named.map(({ str }) => str)).toEqual(Array(3).fill('After Eight Club · Membership'))
  })

  test('repeats the headings on each page, and no line is lost or cut', async () => {
    const lines = Array.from({ length: 120 }, (_, index) =>
      rateLine({ typeId: index, typeName: `Type ${index}.`, sales: 1, centavos: 100 + index }),
    )
    const { text, pages } = await readPdf({ ...statement, content: { ...content, lines } })
    expect(pages).toBeGreaterThan(2)
    expect(text).toContain(`Page ${pages} of ${pages}`)
    expect(text.match(/For Rate Sales Sum/g)?.length).toBeGreaterThanOrEqual(pages - 1)
    for (let index = 0; index < 120; index++) expect(text).toContain(`Type ${index}.`)
  })

  test('no sum stands alone on the next page, however many lines', async () => {
    const pages = new Set<number | undefined>()
    for (const count of [32, 33, 34]) {
      const lines = Array.from({ length: count }, (_, index) =>
        rateLine({
          typeId: index,
          typeName: `Type ${index}.`,
          sales: 1,
          centavos: 100,
          // A note moves the end of the page.
          ...(index === 0 && { rateSource: 'office' }),
        }),
      )
      const { items } = await readPdf({ ...statement, content: { ...content, lines } })
      const sum = items.find(({ str, left }) => str.trim() === 'Sum' && left < 50)
      const last = items.find(({ str }) => str.endsWith(`Type ${count - 1}.`))
      expect(sum?.page, `${count} lines`).toBe(last?.page)
      pages.add(last?.page)
    }
    // Or no page would have ended among them.
    expect(pages.size).toBe(2)
  })

  test('says that a sum below the minimum is carried', async () => {
    const { text } = await readPdf({ ...statement, content: { ...content, minimum: 300_000 } })
    expect(text).toContain('below the minimum of ₱3,000.00')
  })

  test('does not say that what the next statement has is to pay', async () => {
    const { text } = await readPdf({ ...statement, state: 'carried', carriedInto: '2026-11-B' })
    expect(text).toContain('Carried into 2026-11-B')
    expect(text).not.toContain('To pay')
  })

  test('an agent’s part shows the sum of their lines, not what the office is paid', async () => {
    const { text } = await readPdf({ ...statement, isPart: true })
    expect(text).toContain('Your part of statement')
    expect(text).toContain(`SHA-256 of the whole statement ${statement.contentHash}`)
    expect(text).not.toContain('To pay')
    expect(text).not.toContain('₱2,950.15')
  })
})

const selfBilled: Statement = {
  ...statement,
  content: {
    ...content,
    document: {
      serial: 12,
      payer: {
        registeredName: 'Harborline Marketing Inc.',
        country: 'PH',
        taxNumber: '900-800-700-00000',
        address: '1 Rizal Avenue, Manila',
      },
      payee: {
        registeredName: '怡朗辦事處',
        country: 'other',
        taxNumber: 'SG-12345678',
        address: 'شارع الملك 5',
      },
    },
  },
}

describe('a self-billed statement', () => {
  const words = [
    'Self-billed statement no. 12',
    'Harborline Marketing Inc.',
    'Tax number 900-800-700-00000',
    '1 Rizal Avenue, Manila',
    'Tax number SG-12345678',
    'in place of an invoice',
  ]

  test('has its number, what it is and both sides in the PDF, before the lines', async () => {
    const { text } = await readPdf(selfBilled)
    for (const one of words) {
      expect(text).toContain(one)
      expect(text.indexOf(one)).toBeLessThan(text.indexOf('Sales and bonuses'))
    }
    expect((await readPdf(statement)).text).not.toContain('Self-billed')
    for (const letter of '怡朗辦事處شارع') expect(text).toContain(letter)
  })

  test.each([
    ['CSV', readCsv],
    ['XLSX', readXlsx],
  ])('has them first in the %s, and the sums are those of the statement', async (_, read) => {
    const [header = [], ...rows] = await read(statementSheet(selfBilled))
    const texts = rows.slice(0, 3).map((row) => row.join(' '))
    for (const one of [...words, '怡朗辦事處']) expect(texts.join('\n')).toContain(one)
    const [, ...plain] = await read(statementSheet(statement))
    expect(rows.slice(3)).toEqual(plain)
    expect(rows[0]?.[header.indexOf('Sum ₱')] ?? '').toBe('')
  })
})

describe('the PDF names every letter', () => {
  test.each([
    ['Vietnamese', 'Nguyễn Văn Ánh'],
    ['Cyrillic', 'Мария Петрова'],
    ['Greek', 'Μαρία Παππά'],
    ['Chinese', '怡朗辦事處 陳小明'],
    ['Japanese', '山田カオリ ひらがな'],
    ['Korean', '김민수 서울 사무소'],
    ['Hebrew', 'מנחם שלום'],
    ['Arabic', 'محمد مكافأة نوفمبر'],
    ['Thai', 'สมชาย ใจดี'],
    ['Devanagari', 'नमस्ते दुनिया'],
    ['emoji', 'Bonus 🎉'],
  ])('%s, as a payee and as the reason of an adjustment', async (_, name) => {
    const { text } = await readPdf({
      ...statement,
      content: {
        ...content,
        payee: { ...content.payee, name },
        adjustments: content.adjustments.map((one) => ({ ...one, reason: `(${name}) x` })),
      },
    })
    // Readers put letters of some scripts into other orders.
    const lost = Array.from(name).filter(
      (letter) => letter !== ' ' && countOf(text, letter) < 2 * countOf(name, letter),
    )
    expect(lost).toEqual([])
  })

  test('a box stands for what no font has, and nothing for marks that have no shape', async () => {
    const name = 'A\u{10380}B\u200E\uFE0FC'
    const payee = { ...content.payee, name }
    const { text } = await readPdf({ ...statement, content: { ...content, payee } })
    expect(text).toContain('A□BC')
  })

  test('a long name without blanks stays within the page', async () => {
    const payee = { ...content.payee, name: '怡朗辦事處'.repeat(30) }
    const { text, width, items } = await readPdf({ ...statement, content: { ...content, payee } })
    expect(text.replaceAll(' ', '')).toContain(payee.name)
    for (const { right } of items) expect(right).toBeLessThan(width - 40)
  })
})

test('the PDF names the tax between the sum and the balance before; no line of the sums covers another', async () => {
  const { text, items } = await readPdf(taxed)
  expect(text.replaceAll(/\s/g, '')).toContain('Taxwithheld10%of₱2,850.10(WI515)-₱285.01')
  const label = items.findLast(({ str }) => str.includes('(WI515)'))
  const next = items.find(({ str }) => str === 'Balance before')
  // Bottoms count from the foot of the page.
  expect(label?.bottom).toBeGreaterThan((next?.bottom ?? 0) + 8)
})

describe('the files for spreadsheets', () => {
  test('the rows of the CSV add up to the amount due, including the carried balance', async () => {
    const [header = [], ...rows] = await readCsv(statementSheet(statement))
    const sums = rows.map((row) => Math.round(Number(row[header.indexOf('Sum ₱')]) * 100))
    expect(sums).toEqual([315_000, 0, -45_000, 40_000, -60_000, 35_010, 10_005])
    expect(sums.reduce((sum, one) => sum + one)).toBe(content.due)
  })

  test('so do those of the XLSX, and its total says the same', async () => {
    const [header = [], ...rows] = await readXlsx(statementSheet(statement))
    const at = header.indexOf('Sum ₱')
    const [total, ...parts] = rows.map((row) => Math.round(Number(row[at]) * 100)).toReversed()
    expect(parts.reduce((sum, one) => sum + one)).toBe(content.due)
    expect(total).toBe(content.due)
  })

  test('the tax is a row of its own, and the column still adds up to the amount due', async () => {
    const [header = [], ...rows] = await readCsv(statementSheet(taxed))
    const at = header.indexOf('Sum ₱')
    const sums = rows.map((row) => Math.round(Number(row[at]) * 100))
    expect(sums.reduce((sum, one) => sum + one)).toBe(taxed.content.due)
    expect(rows.find(([part]) => part === 'Tax')).toMatchObject({
      [header.indexOf('For')]: 'Tax withheld 10 % of ₱2,850.10 (WI515)',
      [at]: '-285.01',
    })
  })

  test('a conversion empties the pesos column, and the dollars column has the amount due', async () => {
    const [header = [], ...rows] = await readCsv(statementSheet(inDollars))
    const sumOf = (name: string) =>
      rows.reduce((sum, row) => sum + Math.round(Number(row[header.indexOf(name)]) * 100), 0)
    expect([sumOf('Sum ₱'), sumOf('Sum $')]).toEqual([0, inDollars.content.due])
  })

  test('differences from backdated rates are counted separately; those of earnings only are left out', async () => {
    const lines = [
      rateLine({ sales: 3, centavos: 135_000 }),
      rateLine({ differences: 3, rateCentavos: -5_000, centavos: -15_000 }),
      rateLine({ differences: 3, rateCentavos: 0, rateSource: 'office' }),
    ]
    const ofLines = { ...content, lines, late: [], tiers: [], adjustments: [] }
    const [header = [], ...rows] = await readCsv(statementSheet({ ...statement, content: ofLines }))
    const [sales, differences, note] = ['Sales', 'Differences', 'Note'].map((name) =>
      rows.map((row) => row[header.indexOf(name)]),
    )
    expect(sales?.slice(0, 2)).toEqual(['3', '0'])
    expect(differences?.slice(0, 2)).toEqual(['0', '3'])
    expect(note?.filter((words) => words?.startsWith('Differences'))).toHaveLength(1)
  })

  test('only a statement with approve-sale sites has columns for their days, and counts each event in one', async () => {
    expect((await readCsv(statementSheet(statement)))[0]).not.toContain('Day#1')
    const { columns, countsOf } = await readDays()
    expect(columns).toEqual(['Sales', 'Bonuses', 'Day#1', 'Day#2', 'Reversals'])
    expect(countsOf(0)).toEqual(['3', '1', '', '', '0'])
    expect(countsOf(1)).toEqual(['', '', '5', '2', '1'])
  })

  test('a reason that looks like a formula stays text', async () => {
    const csv = await readCsv(statementSheet(statement))
    expect(csv.flat()).toContain("'=SUM(A1) a prize, <b>as agreed</b>")
  })
})

/** A site without and one with approve-sale, in a spreadsheet. */
async function readDays() {
  const sheet = statementSheet({ ...statement, content: withDays })
  const [header = [], ...rows] = await readCsv(sheet)
  expect(await readXlsx(sheet)).toContainEqual(header)
  const first = header.indexOf('Sales')
  const end = header.indexOf('Differences')
  return {
    columns: header.slice(first, end),
    countsOf: (row: number) => rows[row]?.slice(first, end),
  }
}

const countOf = (text: string, letter: string) => text.split(letter).length - 1

const readPdf = (of: Statement) => readPdfOf(statementPdf(of, brandOf('harborline')))

async function readCsv(sheet: Sheet): Promise<string[][]> {
  let text = ''
  for await (const part of csvFile(sheet)) text += part
  return parse(text, { bom: true })
}

async function readXlsx(sheet: Sheet) {
  const parts: Buffer[] = []
  for await (const part of xlsxFile(sheet)) parts.push(part)
  return readSheet(readZip(Buffer.concat(parts))['xl/worksheets/sheet1.xml'] ?? '')
}
