import { knownInstitutions, type PayFileLayout } from './files.ts'

/*
 * Layouts that banks and payout services document, to begin a template with. Whoever adds one compares it with what their bank
 * has sent: names and codes of institutions begin as we know them, and what is the payer's own is left for them to enter.
 */

const plain: PayFileLayout = {
  format: 'separated',
  columns: [
    { header: 'Reference', field: 'reference' },
    { header: 'Amount', field: 'amount' },
    { header: 'Account number', field: 'accountNumber' },
    { header: 'Account name', field: 'accountName' },
  ],
  firstLine: [],
  lastLine: [],
  headings: true,
  separator: 'comma',
  encoding: 'utf-8',
  quotes: true,
  decimals: 'point',
  mostLines: 500,
  channels: [{ name: 'Pesos', takes: 'any', currency: 'PHP', over: null, upTo: null }],
  institutions: [],
  payer: null,
  results: null,
}

/** InstaPay takes ₱50,000 a transfer. */
const instaPay: PayFileLayout['channels'] = [
  { name: 'InstaPay', takes: 'bank', currency: 'PHP', over: null, upTo: 50_000_00 },
  { name: 'PESONet', takes: 'bank', currency: 'PHP', over: 50_000_00, upTo: null },
  {
    name: 'E-wallets',
    takes: 'wallet',
    currency: 'PHP',
    over: null,
    upTo: 50_000_00,
    split: true,
  },
]

/** What Worldpay's page of the Philippines calls e-wallets. Other institutions have no list there. */
const worldpayNames: Record<string, string> = {
  GXCHPHM2: 'GCASH',
  PAPHPHM1: 'PAYMAYA',
  RCBCPHMM: 'RCBC',
}

export const readyLayouts: readonly { name: string; layout: PayFileLayout }[] = [
  {
    name: 'Batch transfer by BIC',
    layout: {
      ...plain,
      encoding: 'windows-1252',
      quotes: false,
      columns: [
        { header: 'Reference', field: 'reference', longest: 20 },
        { header: 'Institution code', field: 'institutionCode', longest: 11 },
        { header: 'Amount', field: 'amount', longest: 15 },
        { header: 'Remarks', field: 'remarks', longest: 40 },
        { header: 'Account number', field: 'accountNumber', longest: 20 },
        { header: 'Account name', field: 'accountName', longest: 50 },
      ],
      channels: instaPay,
    },
  },
  {
    name: 'Worldpay, Philippine banks',
    layout: {
      ...plain,
      columns: [
        { header: 'transactionReference', field: 'reference' },
        { header: 'targetAmount', field: 'amount' },
        { header: 'targetCurrency', field: 'currency' },
        { header: 'bankName', field: 'bankName', longest: 35 },
        { header: 'swiftCode', field: 'institutionCode', longest: 8 },
        { header: 'accountNumber', field: 'accountNumber', longest: 17 },
        { header: 'payeeName', field: 'accountName', longest: 30 },
        { header: 'additionalInfo1', field: 'payeeKind', words: { office: 'C', agent: 'I' } },
        { header: 'B_AddressLine1', field: 'address' },
        { header: 'B_City', field: 'city' },
        { header: 'B_Postcode', field: 'postcode' },
      ],
      institutions: knownInstitutions().map((one) => ({
        ...one,
        name: worldpayNames[one.bic] ?? one.name,
      })),
    },
  },
  {
    name: 'Excel workbook by bank name',
    layout: {
      ...plain,
      format: 'xlsx',
      columns: [
        { header: 'Bank', field: 'bankName' },
        { header: 'Account Number', field: 'accountNumber' },
        { header: 'Account Name', field: 'accountName', longest: 30, letters: 'ascii' },
        { header: 'Amount', field: 'amount' },
        { header: 'Reference', field: 'reference' },
        { header: 'Email', field: 'email' },
      ],
      channels: instaPay,
      institutions: knownInstitutions(),
    },
  },
  {
    name: 'Fixed width with header and trailer',
    layout: {
      ...plain,
      format: 'fixed',
      headings: false,
      encoding: 'windows-1252',
      decimals: 'none',
      firstLine: [
        { field: 'text', text: 'H', width: 1 },
        { field: 'date', dateStyle: 'YYYYMMDD', width: 8 },
        { field: 'run', width: 15 },
        { field: 'sequence', width: 3, align: 'right', fill: 'zero' },
      ],
      columns: [
        { header: '', field: 'text', text: 'D', width: 1 },
        { header: '', field: 'reference', width: 20 },
        { header: '', field: 'institutionCode', width: 11 },
        { header: '', field: 'accountNumber', width: 20 },
        { header: '', field: 'accountName', width: 50 },
        { header: '', field: 'amount', width: 15, align: 'right', fill: 'zero' },
        { header: '', field: 'currency', width: 3 },
      ],
      lastLine: [
        { field: 'text', text: 'T', width: 1 },
        { field: 'count', width: 6, align: 'right', fill: 'zero' },
        { field: 'total', width: 18, align: 'right', fill: 'zero' },
      ],
    },
  },
  {
    name: 'ISO 20022, pain.001',
    layout: { ...plain, format: 'pain.001', payer: null },
  },
]
