import {
  dateStyles,
  type PayFileField,
  type PayFileLayout,
  payFileLayoutSchema,
  payFilesEndpoints,
} from '@tallyroom/contract/pay/files/files'
import { Parser } from 'htmlparser2'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { genericLayout } from '../../../test/payment-world.ts'
import { readXlsx } from '../../lib/files/read-xlsx.ts'
import { readZip } from '../../lib/files/read-zip.ts'
import { bytesOf as bytesOfFile, withDate } from './file-bytes.ts'
import type { Transfer } from './file-values.ts'
import {
  channelOf,
  filesOf,
  partsOf,
  problemOf,
  problemOfFile,
  problemOfLayout,
} from './pay-file.ts'

const bytesOf = (layout: PayFileLayout, transfers: Transfer[]) =>
  bytesOfFile(layout, { run: 'R-2026-0007', sequence: 2, transfers })

const transfer = (accountName: string, day: string): Transfer => ({
  reference: 'P1R1N1',
  kind: 'office',
  payee: 'Iloilo',
  person: { firstName: 'Maria', lastName: 'Cruz', email: '' },
  details: { address: '1 Rizal Street', city: 'Iloilo', mobile: '09181234567' },
  amount: 2_000_00,
  currency: 'PHP',
  channel: 'bank',
  institution: 'BOPIPHMM',
  number: '005410228871',
  accountName,
  remarks: 'Pay R-2026-0001',
  day,
  preparedAt: new Date('2026-03-08T01:02:03.456Z'),
})

const dated = (layout: Partial<PayFileLayout> = {}): PayFileLayout => ({
  ...genericLayout,
  columns: [
    { header: 'Date', field: 'date' },
    ...genericLayout.columns,
    { header: 'Again', field: 'date', dateStyle: 'DDMMYY' },
  ],
  ...layout,
})

test.each([
  ['YYYY-MM-DD', '2026-03-09'],
  ['MM/DD/YYYY', '03/09/2026'],
  ['DD/MM/YYYY', '09/03/2026'],
  ['DD.MM.YYYY', '09.03.2026'],
  ['DD-MM-YYYY', '09-03-2026'],
  ['YYYY/MM/DD', '2026/03/09'],
  ['YYYYMMDD', '20260309'],
  ['MMDDYYYY', '03092026'],
  ['DDMMYYYY', '09032026'],
  ['YYMMDD', '260309'],
  ['MMDDYY', '030926'],
  ['DDMMYY', '090326'],
] as const)('a date of the style %s is %s', (dateStyle, text) => {
  const layout = dated({ columns: [{ header: '', field: 'date', dateStyle }], headings: false })
  expect(String(bytesOf(layout, [transfer('Maria', '2026-03-09')]))).toBe(`${text}\r\n`)
})

test('each style is tried', () => expect(dateStyles).toHaveLength(12))

const edges = {
  firstLine: [
    { field: 'text', text: 'H' },
    { field: 'run' },
    { field: 'sequence' },
    { field: 'date', dateStyle: 'YYMMDD' },
  ],
  lastLine: [
    { field: 'text', text: 'T' },
    { field: 'count' },
    { field: 'total' },
    { field: 'currency' },
    { field: 'text', text: '' },
    { field: 'date' },
  ],
} satisfies Partial<PayFileLayout>

test('a first and a last line have the count, the sum, the date and the numbers of the file and its run', () => {
  const layout = { ...genericLayout, ...edges }
  const two = [transfer('Maria', '2026-03-09'), transfer('Ana', '2026-03-09')]
  expect(String(bytesOf(layout, two))).toBe(
    [
      'H,R-2026-0007,2,260309',
      'Reference,Amount,Account number,Account name',
      'P1R1N1,2000.00,005410228871,Maria',
      'P1R1N1,2000.00,005410228871,Ana',
      'T,2,4000.00,PHP,,2026-03-09',
      '',
    ].join('\r\n'),
  )
})

test('files are numbered within their run, whatever their channel', () => {
  const [pesos] = genericLayout.channels
  const layout = {
    ...genericLayout,
    mostLines: 2,
    channels: [{ ...pesos!, upTo: 1_00 }, pesos!],
  }
  const of = (amount: number) => ({ ...transfer('Maria', ''), amount })
  const files = filesOf(layout, 'R-2026-0007', [of(2_00), of(1), of(2_00), of(1), of(1)])
  expect(files.map(({ sequence, transfers }) => [sequence, transfers.length])).toEqual([
    [1, 2],
    [2, 1],
    [3, 2],
  ])
})

test('a first or last line that can’t carry a value is named before anything is approved', () => {
  const layout: PayFileLayout = {
    ...genericLayout,
    ...edges,
    quotes: false,
    decimals: 'comma',
    columns: genericLayout.columns,
  }
  const why = 'Pesos: “4000,00” in the last line has the separator or a quotation mark in it'
  const [file] = filesOf(layout, 'R-2026-0007', [
    transfer('Maria', '2026-03-09'),
    transfer('Ana', '2026-03-09'),
  ])
  expect(problemOfFile(layout, file!)).toBe(why)
  expect(problemOfLayout(layout)).toMatch(/^makes a file that it can’t: Pesos: “2469,00”/)
  expect(problemOfFile({ ...layout, quotes: true }, file!)).toBeUndefined()
})

test.each([
  ['a text like a transfer’s amount', '1,000.00', 'must not look like an amount: “1,000.00”'],
  ['a reference', 'P1R2N3', 'must not look like a reference: “P1R2N3”'],
  ['a formula', '=1+1', 'must not begin with = + - or @'],
  ['a line break', 'a\nb', 'has characters that are not allowed'],
  ['the account that pays', '0012-3456-7890', undefined],
  ['a quotation mark', 'The "Bank"', undefined],
])('%s in a first line', (_, text, message) => {
  const body = {
    name: 'A bank',
    layout: { ...genericLayout, firstLine: [{ field: 'text', text }] },
  }
  const [issue] = payFilesEndpoints.createPayFileTemplate.body!.safeParse(body).error?.issues ?? []
  expect(issue?.message).toBe(message)
})

test.each(['columns', 'firstLine', 'lastLine'])('200 values in %s are refused', (list) => {
  const values = Array.from({ length: 200 }, () => ({ field: 'text', text: 'A' }))
  expect(
    payFileLayoutSchema.safeParse({ ...genericLayout, [list]: values }).error?.issues,
  ).toMatchObject([{ path: [list], code: 'too_big' }])
})

const fixed: PayFileLayout = {
  ...genericLayout,
  format: 'fixed',
  headings: false,
  encoding: 'windows-1252',
  decimals: 'none',
  firstLine: [
    { field: 'text', text: 'H', width: 1 },
    { field: 'date', dateStyle: 'YYMMDD', width: 8 },
    { field: 'sequence', width: 3, align: 'right', fill: 'zero' },
  ],
  columns: [
    { header: '', field: 'text', text: 'D', width: 1 },
    { header: '', field: 'reference', width: 8 },
    { header: '', field: 'accountNumber', width: 16, align: 'right', fill: 'zero' },
    { header: '', field: 'accountName', width: 12 },
    { header: '', field: 'amount', width: 10, align: 'right', fill: 'zero' },
    { header: '', field: 'currency', width: 5, align: 'right' },
    { header: '', field: 'date', dateStyle: 'DDMMYYYY', width: 8 },
  ],
  lastLine: [
    { field: 'text', text: 'T', width: 1 },
    { field: 'count', width: 6, align: 'right', fill: 'zero' },
    { field: 'total', width: 7, align: 'right', fill: 'zero' },
  ],
}

describe('a file of fixed width', () => {
  test('has each value in its place', () => {
    expect(
      bytesOf(fixed, [transfer('Peña, María', '2026-03-09'), transfer('Ana "A"', '2026-03-09')]),
    ).toEqual(
      Buffer.from(
        [
          'H260309  002',
          'DP1R1N1  0000005410228871Peña, María 0000200000  PHP09032026',
          'DP1R1N1  0000005410228871Ana "A"     0000200000  PHP09032026',
          'T0000020400000',
          '',
        ].join('\r\n'),
        'latin1',
      ),
    )
  })

  test('is plain text', () => {
    const [file] = filesOf(fixed, 'R-2026-0007', [transfer('Maria', '2026-03-09')])
    expect(file?.name).toBe('R-2026-0007_1-Pesos.txt')
  })

  test('cuts nothing: who does not fit is named', () => {
    expect(problemOf(fixed, transfer('María Peña 2', ''))).toBeUndefined()
    expect(problemOf(fixed, transfer('María Peña 23', ''))).toBe(
      'account name “María Peña 23” has more than 12 characters, the width of its column',
    )
    const [file] = filesOf(fixed, 'R-2026-0007', [
      { ...transfer('Maria', ''), amount: 9_999_999 },
      { ...transfer('Maria', ''), amount: 1 },
    ])
    expect(problemOfFile(fixed, file!)).toBe(
      'Pesos: “10000000” in the last line has more than 7 characters, the width of its column',
    )
  })

  test('has no letter that is wider than its place', () => {
    expect(problemOf({ ...fixed, encoding: 'utf-8' }, transfer('María', ''))).toBe(
      'account name “María” has “í”, which is two places wide in UTF-8: choose Windows-1252',
    )
  })

  test.each<[string, Partial<PayFileLayout['columns'][number]>, string | undefined]>([
    ['no width', { width: undefined }, 'needs a width'],
    ['zeros after a number', { fill: 'zero' }, 'can’t have zeros after a value'],
    ['zeros before a name', { fill: 'zero', align: 'right' }, 'can’t have zeros: it is no number'],
    ['spaces before a name', { align: 'right' }, undefined],
  ])('is not saved with %s', (_, change, message) => {
    const layout = {
      ...fixed,
      columns: fixed.columns.map((one) =>
        one.field === 'accountName' ? { ...one, ...change } : one,
      ),
    }
    const { error } = payFilesEndpoints.createPayFileTemplate.body!.safeParse({ name: 'A', layout })
    expect(error?.issues.map((issue) => [issue.path.at(-2), issue.message])).toEqual(
      message && [[3, message]],
    )
  })

  test('whose headings don’t fit is refused when it is saved', () => {
    const columns = fixed.columns.map((one) => ({ ...one, header: 'Header' }))
    expect(problemOfLayout({ ...fixed, columns })).toBeUndefined()
    expect(problemOfLayout({ ...fixed, columns, headings: true })).toBe(
      'has a column whose “Header” has more than 1 characters, the width of its column',
    )
  })
})

const payer = { name: 'The Network & Co', account: '00123456', bic: 'BOPIPHMM' }

describe('a message by ISO 20022', () => {
  const message: PayFileLayout = { ...genericLayout, format: 'pain.001', payer }
  const two = [
    transfer('Peña & <Sons>', '2026-03-09'),
    { ...transfer('Ana', '2026-03-09'), reference: 'P1R1N2', amount: 5, institution: 'GXCHPHM2' },
  ]

  test('has its elements in the order of pain.001.001.09', () => {
    expect(elementsOf(bytesOf(message, two))).toEqual([
      ...'Document CstmrCdtTrfInitn GrpHdr MsgId=R-2026-0007-2'.split(' '),
      ...'CreDtTm=2026-03-08T01:02:03Z NbOfTxs=2 CtrlSum=2000.05 InitgPty'.split(' '),
      'Nm=The Network & Co',
      ...'PmtInf PmtInfId=R-2026-0007-2 PmtMtd=TRF NbOfTxs=2 CtrlSum=2000.05'.split(' '),
      ...'ReqdExctnDt Dt=2026-03-09 Dbtr'.split(' '),
      'Nm=The Network & Co',
      ...'DbtrAcct Id Othr Id=00123456 Ccy=PHP DbtrAgt FinInstnId BICFI=BOPIPHMM'.split(' '),
      ...'CdtTrfTxInf PmtId InstrId=P1R1N1 EndToEndId=P1R1N1 Amt InstdAmt=2000.00'.split(' '),
      ...'CdtrAgt FinInstnId BICFI=BOPIPHMM Cdtr'.split(' '),
      'Nm=Peña & <Sons>',
      ...'CdtrAcct Id Othr Id=005410228871 RmtInf'.split(' '),
      'Ustrd=Pay R-2026-0001',
      ...'CdtTrfTxInf PmtId InstrId=P1R1N2 EndToEndId=P1R1N2 Amt InstdAmt=0.05'.split(' '),
      ...'CdtrAgt FinInstnId BICFI=GXCHPHM2 Cdtr Nm=Ana CdtrAcct Id Othr'.split(' '),
      ...'Id=005410228871 RmtInf'.split(' '),
      'Ustrd=Pay R-2026-0001',
    ])
    expect(String(bytesOf(message, two))).toContain('<InstdAmt Ccy="PHP">0.05</InstdAmt>')
  })

  test('takes the letters that its bank takes', () => {
    const sepa: PayFileLayout = { ...message, payer: { ...payer, letters: 'sepa' } }
    expect(problemOf(message, two[0]!)).toBeUndefined()
    expect(problemOf(sepa, two[0]!)).toBe(
      'account name “Peña & <Sons>” has “ñ”, which the bank does not take',
    )
    expect(problemOfLayout(message)).toBeUndefined()
    expect(problemOfLayout(sepa)).toBe(
      'has a payer whose “The Network & Co” has “&”, which the bank does not take',
    )
    expect(problemOfLayout({ ...sepa, payer: { ...sepa.payer!, name: 'The Network' } })).toBe(
      undefined,
    )
  })

  test('is an .xml, and is not saved without a payer', () => {
    expect(filesOf(message, 'R-2026-0007', two)[0]?.name).toBe('R-2026-0007_1-Pesos.xml')
    const body = { name: 'A', layout: { ...message, payer: null } }
    const [issue] = payFilesEndpoints.createPayFileTemplate.body!.safeParse(body).error!.issues
    expect(issue).toMatchObject({ message: 'is required: the message says who pays' })
  })
})

/** A text may come in several parts. */
const textAfter = (before: string, text: string) =>
  before.includes('=') ? `${before}${text}` : `${before}=${text}`

/** The elements of a message in their order, those with a text with it. */
function elementsOf(xml: Buffer): string[] {
  const found: string[] = []
  const parser = new Parser(
    {
      onopentag: (name) => found.push(name),
      ontext: (text) => {
        if (text !== '\n') found.push(textAfter(found.pop() ?? '', text))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(String(xml))
  return found
}

describe('an Excel workbook', () => {
  const xlsx: PayFileLayout = { ...genericLayout, ...edges, format: 'xlsx', quotes: false }
  const two = [
    { ...transfer('Peña, "María" <&> 獎金', '2026-03-09'), number: '000123' },
    transfer('_x0041_ Ana', '2026-03-09'),
  ]
  const cellsIn = (bytes: Buffer) =>
    readXlsx(bytes).rows.map(({ cells }) => cells.map(({ text }) => text))

  test('has every value as text, with its leading zeros', () => {
    const bytes = bytesOf(xlsx, two)
    expect(cellsIn(bytes)).toEqual([
      ['H', 'R-2026-0007', '2', '260309'],
      ['Reference', 'Amount', 'Account number', 'Account name'],
      ['P1R1N1', '2000.00', '000123', 'Peña, "María" <&> 獎金'],
      ['P1R1N1', '2000.00', '005410228871', '_x005F_x0041_ Ana'],
      ['T', '2', '4000.00', 'PHP', '', '2026-03-09'],
    ])
    expect(String(readZip(bytes, 1e6)('xl/worksheets/sheet1.xml'))).not.toMatch(/<v>|<f>/)
  })

  test('has the same bytes each time, by a hash that stands here', () => {
    const hash = createHash('sha256').update(bytesOf(xlsx, two)).digest('hex')
    expect(hash).toBe('8c16a00dd40253e0becb37e08243983ae1010846c058f07f28f985eee02412fb')
  })

  test('is named so, and takes letters that no encoding limits', () => {
    const layout: PayFileLayout = { ...xlsx, encoding: 'windows-1252' }
    expect(problemOf(layout, two[0]!)).toBeUndefined()
    const [file] = filesOf(layout, 'R-2026-0007', two)
    expect(file?.name).toBe('R-2026-0007_1-Pesos.xlsx')
    expect(problemOf(layout, transfer('=1+1', ''))).toBe(
      'Account name “=1+1” begins like a formula',
    )
  })
})

describe('another date changes nothing else', () => {
  test.each<[string, Partial<PayFileLayout>, string]>([
    ['a name with the separator', {}, 'Santos, Maria "Ate"'],
    ['Windows-1252', { encoding: 'windows-1252' }, 'Peña, María'],
    ['UTF-8', {}, 'Peña 獎金 陳小明'],
    ['no quotation marks', { quotes: false, separator: 'pipe' }, "O'Brien, Maria"],
    ['tabs without headings', { separator: 'tab', headings: false }, 'Maria'],
    ['a date in the name', {}, '2026-03-09'],
    ['fixed width', fixed, 'Peña, María'],
    ['a message by ISO 20022', { format: 'pain.001', payer }, 'Peña & <Sons>'],
    ['a workbook', { format: 'xlsx', ...edges }, 'Peña <&> 獎金'],
    ['a workbook without headings', { format: 'xlsx', headings: false }, 'Peña'],
    ['a first and a last line', edges, 'Maria'],
    ['a first and a last line without headings', { ...edges, headings: false }, 'Maria'],
    ['a last line', { ...edges, firstLine: [] }, 'Maria'],
    [
      'a date in the first line alone',
      { ...edges, columns: genericLayout.columns, lastLine: [] },
      'Maria',
    ],
  ])('%s', (_, change, accountName) => {
    const layout = dated(change)
    const on = (day: string) =>
      bytesOf(layout, [transfer(accountName, day), transfer('Maria', day)])
    const approved = on('2026-03-09')
    expect(withDate(layout, approved, '2026-11-30')).toEqual(on('2026-11-30'))
    expect(withDate(layout, withDate(layout, approved, '2026-11-30'), '2026-03-09')).toEqual(
      approved,
    )
    const undated = withDate(layout, approved, null)
    expect(undated).toEqual(withDate(layout, on('2026-11-30'), null))
    expect(undated).not.toEqual(
      withDate(layout, bytesOf(layout, [transfer(accountName, 'x')]), null),
    )
  })
})

const limits = (over: number | null, upTo: number): PayFileLayout['channels'][number] => ({
  name: 'E-wallets',
  takes: 'wallet',
  currency: 'PHP',
  over,
  upTo,
  split: true,
})

test.each<[string, number, number | null, number[] | undefined]>([
  ['what fits goes whole', 50_000_00, null, [50_000_00]],
  ['a centavo more is a transfer of its own', 50_000_01, null, [50_000_00, 1]],
  ['full ones and the rest', 100_806_00, null, [50_000_00, 50_000_00, 806_00]],
  ['exactly twice the limit', 100_000_00, null, [50_000_00, 50_000_00]],
  ['none below the least', 100_806_00, 999_99, [50_000_00, 49_806_00, 1_000_00]],
  ['the rest is just the least', 101_000_00, 999_99, [50_000_00, 50_000_00, 1_000_00]],
  ['three share', 130_000_00, 40_999_99, [48_000_00, 41_000_00, 41_000_00]],
  ['nothing that can be shared', 100_000_01, 40_000_00, undefined],
  ['a hundred transfers', 5_000_000_00, null, Array<number>(100).fill(50_000_00)],
  ['more than a hundred', 5_000_000_01, null, undefined],
])('an amount above the limit is split: %s', (_, amount, over, parts) => {
  const layout = { ...genericLayout, channels: [limits(over, 50_000_00)] }
  const wallet: Transfer = { ...transfer('Maria', '2026-03-09'), channel: 'wallet', amount }
  expect(partsOf(layout, wallet)).toEqual(parts)
  for (const part of parts ?? [])
    expect(channelOf(layout, { ...wallet, amount: part })).toBe('E-wallets')
})

test('what a later channel takes whole is not split, and what another kind of account takes neither', () => {
  const { channels } = genericLayout
  const wallet: Transfer = { ...transfer('Maria', ''), channel: 'wallet', amount: 60_000_00 }
  const bank: Transfer = { ...wallet, channel: 'bank' }
  const split = limits(null, 50_000_00)
  expect(partsOf({ ...genericLayout, channels: [split, ...channels] }, wallet)).toEqual([60_000_00])
  expect(partsOf({ ...genericLayout, channels: [split] }, bank)).toBeUndefined()
  const whole = { ...split, split: false }
  expect(partsOf({ ...genericLayout, channels: [whole] }, wallet)).toBeUndefined()
})

test.each<[string, 'ascii' | 'sepa' | undefined, string | undefined]>([
  ['Iloilo Nandu 2', 'ascii', undefined],
  ['Iloilo Ñandú', 'ascii', 'account name “Iloilo Ñandú” has “Ñ”, which the bank does not take'],
  ["O'Brien & Co", 'sepa', "account name “O'Brien & Co” has “&”, which the bank does not take"],
  ["O'Brien", 'ascii', "account name “O'Brien” has “'”, which the bank does not take"],
  ["O'Brien (Cebu), +1/2: a-b?.", 'sepa', undefined],
  ['O’Brien', 'sepa', 'account name “O’Brien” has “’”, which the bank does not take'],
  ['Iloilo Ñandú & Co', undefined, undefined],
])('the name “%s” in a column of the letters %s: %s', (accountName, letters, problem) => {
  const columns = genericLayout.columns.map((column) =>
    column.field === 'accountName' ? { ...column, header: '', letters } : column,
  )
  expect(problemOf({ ...genericLayout, columns }, transfer(accountName, ''))).toBe(problem)
})

test('a text that its own column refuses is not saved; headings are not the bank’s values', () => {
  const column = { header: 'Größe', field: 'text', letters: 'ascii' } as const
  const layout = (text: string) => ({
    ...genericLayout,
    columns: [...genericLayout.columns, { ...column, text }],
  })
  expect(problemOfLayout(layout('PHP 1'))).toBeUndefined()
  expect(problemOfLayout(layout('₱1'))).toBe(
    'has a column whose “₱1” has “₱”, which the bank does not take',
  )
})

describe('what the bank calls an institution', () => {
  const institutions = [
    { bic: 'BOPIPHMM', name: 'BPI', code: '018' },
    { bic: 'BNORPHMMXXX', name: 'BDO', code: '' },
    { bic: 'BNORPHMM123', name: 'BDO Cebu', code: '667' },
  ]
  const layout: PayFileLayout = {
    ...genericLayout,
    headings: false,
    columns: [
      { header: 'Bank', field: 'bankName', longest: 8 },
      { header: '', field: 'bankCode' },
    ],
    institutions,
  }
  const to = (institution: string) => ({ ...transfer('Maria', ''), institution })
  const lineOf = (institution: string) => String(bytesOf(layout, [to(institution)]))

  test.each([
    ['BOPIPHMM', 'BPI,018\r\n'],
    ['BOPIPHMMXXX', 'BPI,018\r\n'],
    ['BOPIPHMM456', 'BPI,018\r\n'],
    ['BNORPHMM123', 'BDO Cebu,667\r\n'],
  ])('%s is %j', (institution, text) => {
    expect(problemOf(layout, to(institution))).toBeUndefined()
    expect(lineOf(institution)).toBe(text)
  })

  test.each([
    ['GXCHPHM2', 'Bank of GCash, GXCHPHM2, is not in the template’s names at the bank'],
    ['ABCDPHMM', 'Bank of ABCDPHMM is not in the template’s names at the bank'],
    [
      'BNORPHMM',
      'code at the bank of BDO Unibank, BNORPHMM, is not in the template’s names at the bank',
    ],
  ])('%s is refused: %s', (institution, problem) => {
    expect(problemOf(layout, to(institution))).toBe(problem)
  })

  test('a name that a column can’t carry is refused when the template is saved', () => {
    expect(problemOfLayout(layout)).toBeUndefined()
    const long = { bic: 'RCBCPHMM', name: 'Rizal Commercial', code: 'RCBC' }
    expect(problemOfLayout({ ...layout, institutions: [...institutions, long] })).toBe(
      'has a column whose “Rizal Commercial” has more than 8 characters',
    )
    expect(
      payFileLayoutSchema.safeParse({ ...layout, institutions: [long, { ...long, name: '' }] })
        .error?.issues,
    ).toMatchObject([{ path: ['institutions'], message: 'must name each BIC once' }])
  })
})

describe('what a bank wants to know of a payee', () => {
  const of = (field: PayFileField, more: Partial<PayFileLayout['columns'][number]> = {}) => ({
    ...genericLayout,
    headings: false,
    columns: [{ header: '', field, ...more }],
  })
  const wallet: Partial<Transfer> = { channel: 'wallet', number: '09170000001' }

  test.each<[PayFileField, Partial<Transfer>, string]>([
    ['payeeKind', {}, 'C'],
    ['payeeKind', { kind: 'agent' }, 'I'],
    ['firstName', {}, 'Maria'],
    ['lastName', {}, 'Cruz'],
    ['address', {}, '1 Rizal Street'],
    ['city', {}, 'Iloilo'],
    ['mobile', {}, '09181234567'],
    ['mobile', wallet, '09170000001'],
  ])('%s of %j is %s', (field, change, text) => {
    const payee = { ...transfer('Maria', ''), ...change }
    expect(problemOf(of(field), payee)).toBeUndefined()
    expect(String(bytesOf(of(field), [payee]))).toBe(`${text}\r\n`)
  })

  test('a bank has its own words for a kind', () => {
    const words = { office: 'Corporate', agent: 'Person' }
    expect(String(bytesOf(of('payeeKind', { words }), [transfer('Maria', '')]))).toBe(
      'Corporate\r\n',
    )
  })

  test.each<[PayFileField, string]>([
    ['email', 'email address is missing: add it on the page of the office or agent'],
    [
      'postcode',
      'postcode is missing: the payee enters it with the payment account, by changing it',
    ],
    [
      'taxNumber',
      'tax number is missing: the payee enters it with the payment account, by changing it',
    ],
  ])('a payee without %s is named', (field, problem) => {
    expect(problemOf(of(field), transfer('Maria', ''))).toBe(problem)
  })
})
