import type { ResultColumns } from '@tallyroom/contract/pay/files/files'
import { describe, expect, test } from 'vitest'
import { zipFile } from '../../lib/files/zip-file.ts'
import { BadFileError } from '../../lib/files/read-zip.ts'
import { likeOf, readResults, readTable, whyUnreadable } from './result-file.ts'

const columns: ResultColumns = {
  reference: 'Ref',
  status: 'Status',
  amount: 'Amount',
  reason: null,
  bankReference: null,
  paid: ['Completed'],
  failed: ['Failed', 'Returned'],
  pending: ['Unclaimed'],
  beginsWith: false,
  minorUnits: null,
}

const ours = ['P1R2N1', 'P1R2N2', 'P1R2N3', 'P1R2N4']
const known = new Map(ours.map((reference) => [likeOf(reference), reference]))

/** What a file says, with these columns; a sentence if it can't be read. */
function read(file: string | Buffer, own: Partial<ResultColumns> = {}) {
  const mapped = { ...columns, ...own }
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  const table = readTable(bytes, mapped, new Set(known.keys()))
  const refused = whyUnreadable(table, mapped)
  if (refused !== undefined) throw new Error(refused)
  const { format, headingsLine } = table
  const options = { currency: 'PHP', isMinor: mapped.minorUnits ?? false } as const
  return { format, headingsLine, ...readResults(table, mapped, known, options) }
}

const text = (encoding: string, separator: string) => ({ kind: 'text', encoding, separator })
const one = { place: 2, reference: 'P1R2N1', paid: true, amounts: [87_017_15] }

describe('the shape of a file', () => {
  const row = 'P1R2N1,Completed,"87,017.15"'
  test.each<[string, string | Buffer, object, number]>([
    ['commas', `Ref,Status,Amount\n${row}\n`, text('UTF-8', 'comma'), 1],
    ['a byte order mark', `\ufeffRef,Status,Amount\r\n${row}\r\n`, text('UTF-8', 'comma'), 1],
    [
      'semicolons',
      'Ref;Status;Amount\nP1R2N1;Completed;87.017,15\n',
      text('UTF-8', 'semicolon'),
      1,
    ],
    ['tabs', 'Ref\tStatus\tAmount\nP1R2N1\tCompleted\t87017.15\n', text('UTF-8', 'tab'), 1],
    ['pipes', 'Ref|Status|Amount\nP1R2N1|Completed|87,017.15\n', text('UTF-8', 'pipe'), 1],
    [
      'sep=',
      `sep=;\r\nRef;Status;Amount\r\nP1R2N1;Completed;87,017.15\r\n`,
      text('UTF-8', 'semicolon'),
      2,
    ],
    [
      'lines above the headings',
      `BANK OF TEST, INC.\nBatch,2026-0002,4 items\n\nRef,Status,Amount\n${row}\n`,
      text('UTF-8', 'comma'),
      4,
    ],
    [
      'UTF-16 with a mark, as “Unicode Text” of Excel',
      Buffer.from('\ufeffRef\tStatus\tAmount\r\nP1R2N1\tCompleted\t87,017.15\r\n', 'utf16le'),
      text('UTF-16', 'tab'),
      1,
    ],
    [
      'Windows-1252',
      Buffer.from('Ref,Status,Amount,Payee\nP1R2N1,Completed,87017.15,Pe\u00f1a\n', 'latin1'),
      text('Windows-1252', 'comma'),
      1,
    ],
    ['line ends of old Macs', `Ref,Status,Amount\r${row}\r`, text('UTF-8', 'comma'), 1],
    [
      'headings in another case and with line breaks',
      `REF,"Payment\nSTATUS",amount \n${row}\n`,
      text('UTF-8', 'comma'),
      2,
    ],
    [
      'texts as formulas and with apostrophes',
      `Ref,Status,Amount\n"=""P1R2N1""",'Completed,"87,017.15"\n`,
      text('UTF-8', 'comma'),
      1,
    ],
    [
      'references in lower case',
      `Ref,Status,Amount\n p1r2n1\u00a0,COMPLETED,87017.15\n`,
      text('UTF-8', 'comma'),
      1,
    ],
    [
      'quotation marks that do not match',
      `Ref;Status;Amount;Payee\nP1R2N1;Completed;87017.15;"Mama's\n`,
      text('UTF-8', 'semicolon'),
      1,
    ],
  ])('%s', (name, file, format, headingsLine) => {
    const own = name.startsWith('headings in another') ? { status: 'Payment Status' } : {}
    expect(read(file, own)).toMatchObject({
      format,
      headingsLine,
      results: [{ ...one, place: expect.any(Number) }],
      problems: [],
      others: { lines: 0 },
    })
  })

  test.each([
    ['', 'it is empty'],
    ['%PDF-1.7\n', 'it is a PDF; ask for CSV or Excel'],
    ['<html><table><tr><td>Ref</td></tr></table></html>', 'it is a web page or XML'],
    ['Ref,Status\n\u0001\u0002\n', 'it is not a text'],
  ])('%j is refused: %s', (file, says) => {
    expect(() => read(file)).toThrow(says)
  })

  test.each([
    [
      'Reference,State,Sum\nP1R2N1,Completed,1\n',
      'there is no line with the heading “Ref”, the heading “Status”, the heading “Amount”',
    ],
    ['Reference,Status,Amount\nP1R2N1,Completed,1\n', 'line 1 has the headings, but not “Ref”'],
    [
      'Bank report,,\n\nRef,Status,Net amount\nP1R2N1,Completed,1\n',
      'line 3 has the headings, but not “Amount”',
    ],
    ['Ref,Status,Amount,status\nP1R2N1,Completed,1,x\n', 'there is more than one column “Status”'],
    ['Ref,Status,Amount\n', 'there is no line below the headings'],
  ])('columns that are not there: %j', (file, says) => {
    expect(() => read(file)).toThrow(says)
  })

  test('a word can’t mean two things', () => {
    expect(() => read('Ref,Status,Amount\nP1R2N1,x,1\n', { pending: ['completed'] })).toThrow(
      'can’t mean two things',
    )
  })
})

describe('lines', () => {
  const head = 'Ref,Status,Amount\n'

  test('what is not ours is counted and summed, and refuses nothing', () => {
    const file = `${head}P1R2N1,Completed,"87,017.15"\nX9,Completed,1.00\n,,\nTOTAL,,"250,238.15"\nP9R9N9,Failed,2.00\n${head}`
    expect(read(file)).toMatchObject({
      results: [one],
      problems: [],
      others: { lines: 3, amount: 250_241_15, references: ['x9', 'total', 'p9r9n9'] },
    })
  })

  test('a line of ours that is not understood is refused by its number, and no other', () => {
    const file = `${head}P1R2N1,Completed,87017.15\nP1R2N2,On its way,51685.00\nP1R2N3,Completed,much\nP1R2N4,Completed,1.00,more\n`
    expect(read(file)).toMatchObject({
      results: [one],
      problems: [
        {
          line: 3,
          problem: 'the status “On its way” of P1R2N2 is neither paid, failed nor under way',
        },
        { line: 4, problem: '“much” is not an amount' },
        { line: 5, problem: 'has more fields than the headings' },
      ],
    })
  })

  test('what is still under way stays open, whatever its amount', () => {
    expect(read(`${head}P1R2N4,unclaimed,\n`)).toMatchObject({
      results: [],
      problems: [],
      pending: [{ place: 2, reference: 'P1R2N4', status: 'unclaimed' }],
    })
  })

  test('a column of which all amounts are negative is a list of debits', () => {
    expect(
      read(`${head}P1R2N1,Completed,"-87,017.15"\nP1R2N2,Completed,(51685)\n`).results,
    ).toMatchObject([{ amounts: [87_017_15] }, { amounts: [51_685_00] }])
    expect(
      read(`${head}P1R2N1,Completed,"-87,017.15"\nP1R2N2,Completed,51685\n`).results,
    ).toMatchObject([{ amounts: [-87_017_15] }, { amounts: [51_685_00] }])
    // Its total has no sign.
    expect(read(`${head}P1R2N1,Completed,(4050.00)\nTOTAL,,4050.00\n`)).toMatchObject({
      results: [{ amounts: [4_050_00] }],
      others: { lines: 1, amount: 4_050_00 },
    })
  })

  test.each([
    ['Failed - AC01 Invalid account number', true, 'failed'],
    ['FAILED: AM04', true, 'failed'],
    ['failed_AC01', true, 'failed'],
    ['Failed', true, 'failed'],
    ['Failed - AC01', false, 'refused'],
    ['Failedish', true, 'refused'],
    ['Not failed', true, 'refused'],
    // The longest word decides.
    ['Completed with return', true, 'pending'],
    ['Completed 2026-02-17', true, 'paid'],
  ])('the status %j with “begins with” %s is %s', (status, beginsWith, means) => {
    const { results, problems, pending } = read(`Ref,Status,Amount\nP1R2N1,${status},1.00\n`, {
      beginsWith,
      pending: ['Completed with'],
    })
    const meant = problems[0]
      ? 'refused'
      : pending[0]
        ? 'pending'
        : results[0]?.paid
          ? 'paid'
          : 'failed'
    expect(meant).toBe(means)
  })
})

test('without columns, the headings are found above the first line of ours', () => {
  const above = 'BANK OF TEST\nAccount,001234\nFrom,2026-02-17,To,2026-02-18\n'
  const file = `${above}Date,Ref,Status,Amount\n2026-02-17,X1,Completed,5.00\n2026-02-17,P1R2N1,Completed,1.00\n`
  const table = readTable(Buffer.from(file), null, new Set(known.keys()))
  expect(table).toMatchObject({ headings: ['Date', 'Ref', 'Status', 'Amount'], headingsLine: 4 })
})

/*
 * Result files in the layouts that banks and payment services document, with references, people and numbers of ours.
 */
describe('documented layouts', () => {
  type Layout = { file: string; columns: Partial<ResultColumns>; said: object }
  const layouts: Record<string, Layout> = {
    'PayerMax payout report': {
      file: [
        'AppID,Txn Create Time,Txn Complete Time,Batch No,Merchant Txn ID,Trade Order ID,Txn Status,Payment Method Type,Country,Txn Amount,Txn Currency,Payee Name',
        'a1,2026/2/17 10:21:00,2026/2/17 10:21:26,UPAY_1,P1R2N1,20260217100001,SUCCESS,BANK_TRANSFER,PH,87017.15,PHP,Manila Office',
        'a1,2026/2/17 10:21:00,2026/2/19 09:00:00,UPAY_1,P1R2N2,20260217100002,BOUNCE BACK,BANK_TRANSFER,PH,51685,PHP,Cebu Office',
        'a1,2026/2/17 10:21:00,2026/2/17 10:22:00,UPAY_1,P1R2N3,20260217100003,FAILURE,BANK_TRANSFER,PH,10730.00,PHP,Iloilo Office',
      ].join('\n'),
      columns: {
        reference: 'Merchant Txn ID',
        status: 'Txn Status',
        amount: 'Txn Amount',
        bankReference: 'Trade Order ID',
        paid: ['SUCCESS'],
        failed: ['FAILURE', 'BOUNCE BACK'],
      },
      said: {
        results: [
          {
            reference: 'P1R2N1',
            paid: true,
            amounts: [87_017_15],
            bankReference: '20260217100001',
          },
          { reference: 'P1R2N2', paid: false, amounts: [51_685_00], reason: 'BOUNCE BACK' },
          { reference: 'P1R2N3', paid: false, amounts: [10_730_00] },
        ],
      },
    },
    'Mercado Pago batch output': {
      file: [
        'sequential_order;external_reference;amount;status;detail;payment_id',
        '1;P1R2N1;87017.15;approved;accredited;1885556855',
        '2;P1R2N2;51685.00;rejected;The data in this column are mandatory;',
        '3;P1R2N3;10730.00;in_process;pending_review_manual;1885556857',
      ].join('\n'),
      columns: {
        reference: 'external_reference',
        status: 'status',
        amount: 'amount',
        reason: 'detail',
        bankReference: 'payment_id',
        paid: ['approved'],
        failed: ['rejected'],
        pending: ['in_process'],
      },
      said: {
        results: [
          { reference: 'P1R2N1', paid: true, bankReference: '1885556855' },
          { reference: 'P1R2N2', paid: false, reason: 'The data in this column are mandatory' },
        ],
        pending: [{ reference: 'P1R2N3' }],
      },
    },
    'Rapyd mass payout report': {
      file: [
        'merchant_reference_id,payout_amount,payout_currency,beneficiary.name,payout_id,status,created_at,error_code',
        'P1R2N1,87017.15,PHP,Manila Office,payout_0001,Success,2026-02-17 10:21:00,',
        'P1R2N2,51685,PHP,Cebu Office,,Error,2026-02-17 10:21:00,ERROR_CREATE_PAYOUT_INVALID_ACCOUNT',
      ].join('\r\n'),
      columns: {
        reference: 'merchant_reference_id',
        status: 'status',
        amount: 'payout_amount',
        reason: 'error_code',
        bankReference: 'payout_id',
        paid: ['Success'],
        failed: ['Error'],
      },
      said: {
        results: [
          { reference: 'P1R2N1', paid: true, bankReference: 'payout_0001' },
          { reference: 'P1R2N2', paid: false, reason: 'ERROR_CREATE_PAYOUT_INVALID_ACCOUNT' },
        ],
      },
    },
    'Westpac QuickStream response report': {
      file: [
        'Transaction Number,Date,Receipt Number,Merchant ID,Account Number,Customer Number,Amount,Response Code,Response Description',
        'P1R2N1,17 Feb 2026,1224672314,TALLY,400000...010,,87017.15,08,Honour with identification',
        'P1R2N2,17 Feb 2026,1224672322,TALLY,400000...093,,51685.00,05,Do not honour',
        'P1R2N3,17 Feb 2026,1224672332,TALLY,400000...192,,10730.00,00,Approved',
      ].join('\n'),
      columns: {
        reference: 'Transaction Number',
        status: 'Response Code',
        amount: 'Amount',
        reason: 'Response Description',
        bankReference: 'Receipt Number',
        paid: ['00', '08'],
        failed: ['01', '04', '05', '91'],
      },
      said: {
        results: [
          { reference: 'P1R2N1', paid: true },
          { reference: 'P1R2N2', paid: false, reason: 'Do not honour' },
          { reference: 'P1R2N3', paid: true },
        ],
      },
    },
    'Stitch output with records above and below': {
      file: [
        'RECORD_TYPE,CLIENT_ID,PRODUCT,CHANNEL,FILE_TYPE',
        'P,a1405e59,PAYOUTS,EFT,OUTPUT',
        'RECORD_TYPE,EXTERNAL_BATCH_REFERENCE,EXTERNAL_REFERENCE,ID,DATE,VALUE,STATUS,REASON,BANK_CODE,BANK_CODE_DESCRIPTION',
        'D,B1,P1R2N1,YTZkMjlj,2026-02-17,87017.15,SUCCESS,PROCESSED,900001,Successful',
        'D,B1,P1R2N2,ZGUxZGM5,2026-02-17,51685.00,FAILED,INVALID_ACCOUNT,900010,Account number is invalid',
        'D,B1,P1R2N4,dDagcMja,2026-02-17,100806.00,PENDING,,,',
        'RECORD_TYPE,TOTAL_RECORDS,TOTAL_VALUE',
        'C,3,239508.15',
      ].join('\n'),
      columns: {
        reference: 'EXTERNAL_REFERENCE',
        status: 'STATUS',
        amount: 'VALUE',
        reason: 'BANK_CODE_DESCRIPTION',
        paid: ['SUCCESS'],
        failed: ['FAILED'],
        pending: ['PENDING'],
      },
      said: {
        headingsLine: 3,
        results: [
          { reference: 'P1R2N1', paid: true, amounts: [87_017_15] },
          { reference: 'P1R2N2', paid: false, reason: 'Account number is invalid' },
        ],
        pending: [{ reference: 'P1R2N4', status: 'PENDING' }],
        others: { lines: 2 },
      },
    },
    'PayPal activity report': {
      file: [
        '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","Transaction ID","Custom Number"',
        '"17/02/2026","10:21:26","PST","Manila Office","Mass Payment","Completed","PHP","-87,017.15","0.00","-87,017.15","0C413693MN970190K","P1R2N1"',
        '"17/02/2026","10:21:26","PST","Makati Office","Mass Payment","Unclaimed","PHP","-100,806.00","0.00","-100,806.00","5AB13693MN970190K","P1R2N4"',
        '"18/03/2026","10:21:26","PST","Cebu Office","Mass Payment","Returned","PHP","-51,685.00","0.00","-51,685.00","7CD13693MN970190K","P1R2N2"',
      ].join('\r\n'),
      columns: {
        reference: 'Custom Number',
        status: 'Status',
        amount: 'Gross',
        bankReference: 'Transaction ID',
        paid: ['Completed'],
        failed: ['Returned', 'Denied', 'Reversed'],
        pending: ['Unclaimed', 'Pending', 'On Hold'],
      },
      said: {
        results: [
          { reference: 'P1R2N1', paid: true, amounts: [87_017_15] },
          { reference: 'P1R2N2', paid: false, amounts: [51_685_00] },
        ],
        pending: [{ reference: 'P1R2N4', status: 'Unclaimed' }],
      },
    },
    'Bank of Cyprus payroll listing': {
      file: [
        'Company Name:;TALLY LTD;;;',
        'File Reference Number:;FR20260217;;;',
        ';;;;',
        'Reference;Beneficiary;Amount;Result;Rejected Reason',
        'P1R2N1;Manila Office;87.017,15;Completed and Forwarded to other Banks;',
        'P1R2N2;Cebu Office;51.685,00;Rejected;Invalid account',
        ';Total;138.702,15;;',
      ].join('\r\n'),
      columns: {
        reference: 'Reference',
        status: 'Result',
        amount: 'Amount',
        reason: 'Rejected Reason',
        paid: ['Completed'],
        failed: ['Rejected'],
        beginsWith: true,
      },
      said: {
        headingsLine: 4,
        results: [
          { reference: 'P1R2N1', paid: true, amounts: [87_017_15] },
          { reference: 'P1R2N2', paid: false, reason: 'Invalid account' },
        ],
        others: { lines: 1, amount: 138_702_15 },
      },
    },
  }
  test.each(Object.entries(layouts))('%s', (_, { file, columns: own, said }) => {
    expect(read(file, { amount: null, ...own })).toMatchObject({ problems: [], ...said })
  })
})

async function workbook(sheet: string, more: Record<string, string> = {}): Promise<Buffer> {
  const parts: Record<string, string> = {
    'xl/workbook.xml': `<x:workbook xmlns:x="a" xmlns:r="b"><x:sheets><x:sheet name="Old" sheetId="1" state="hidden" r:id="rId9"/><x:sheet name="Results" sheetId="2" r:id="rId1"/></x:sheets></x:workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId5" TargetMode="External" Target="http://example.com/"/></Relationships>`,
    'xl/sharedStrings.xml': `<sst><si><t>Ref</t></si><si><r><t>Sta</t></r><r><t xml:space="preserve">tus</t></r><rPh><t>x</t></rPh></si><si><t>Amount</t></si><si><t>Completed</t></si></sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...more,
  }
  async function* once(content: string) {
    yield content
  }
  const chunks: Buffer[] = []
  const entries = Object.entries(parts).map(([name, content]) => ({ name, content: once(content) }))
  for await (const chunk of zipFile(entries)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('an Excel workbook', () => {
  const head =
    '<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="D3" t="s"><v>2</v></c></row>'
  const cell = (place: string, value: string, more = '') =>
    `<c r="${place}" t="str">${more}<v>${value}</v></c>`

  test('is read by its first visible sheet, with numbers as Excel shows them', async () => {
    const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>BANK &amp; CO</t></is></c></row>${head}<row r="4">${cell('A4', 'P1R2N1')}<c r="B4" t="s"><v>3</v></c><c r="D4"><v>87017.149999999994</v></c></row><row r="6">${cell('A6', 'P1R2N2')}<c r="B6" t="s"><v>3</v></c><c r="D6"><v>51685</v></c></row>`
    expect(read(await workbook(rows))).toMatchObject({
      format: { kind: 'xlsx', sheet: 'Results' },
      headingsLine: 3,
      results: [
        { place: 4, reference: 'P1R2N1', amounts: [87_017_15] },
        { place: 6, reference: 'P1R2N2', amounts: [51_685_00] },
      ],
    })
  })

  test('a formula in a line of ours refuses that line', async () => {
    const rows = `${head}<row r="4">${cell('A4', 'P1R2N1')}<c r="B4" t="s"><v>3</v></c><c r="D4"><f>[1]Sheet1!A1</f><v>87017.15</v></c></row>`
    expect(read(await workbook(rows)).problems).toEqual([
      { line: 4, problem: 'has a formula in “Amount” instead of a value' },
    ])
  })

  test.each([
    [
      'a bomb',
      async () => workbook(`<row r="1"><c><v>${'0'.repeat(60_000_000)}</v></c></row>`),
      'too large once it is unpacked',
    ],
    [
      'another ZIP file',
      async () => workbook('', { 'xl/workbook.xml': '<a/>' }),
      'no visible sheet',
    ],
    ['a cut file', async () => (await workbook(head)).subarray(0, 300), 'it is damaged'],
    [
      'an old or locked workbook',
      async () => Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600)]),
      'an old Excel workbook (.xls), or has a password',
    ],
  ])('%s is refused', async (_, file, says) => {
    const bytes = await file()
    expect(() => read(bytes)).toThrow(says)
    expect(() => read(bytes)).toThrow(BadFileError)
  })

  test('a far cell and entities of a document type cost nothing', async () => {
    const rows = `${head}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row><row r="5">${cell('A5', '&bomb;P1R2N1')}</row>`
    expect(read(await workbook(rows))).toMatchObject({ results: [], others: { lines: 1 } })
  })
})
