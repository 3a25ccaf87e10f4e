import type { JournalAccounts } from './books/books.ts'
import type { PayFileLayout } from './files/files.ts'
import type { PaySettingsField } from './terms/settings.ts'

/*
 * What forms and the history call the fields of forms. A field without a label does not compile.
 */

export const payFileLabels = {
  name: 'Name',
  format: 'Format',
  columns: 'Columns',
  headings: 'Headers above the transfers',
  firstLine: 'First line',
  lastLine: 'Last line',
  separator: 'Separator',
  encoding: 'Encoding',
  quotes: 'Put values that contain the separator in quotation marks',
  decimals: 'Amounts',
  mostLines: 'Maximum transfers per file',
  channels: 'Channels',
  institutions: 'Names at the bank',
  payer: 'Who pays',
  results: 'Result columns',
} satisfies Record<keyof PayFileLayout | 'name', string>

export const paySettingsLabels = {
  avp: 'What AVP pays',
  payees: 'Payees',
  periodLength: 'Period length',
  firstDay: 'First day of the first period',
  minimumCentavos: 'Minimum in pesos',
  minimumCents: 'Minimum in dollars',
  holdingDays: 'Holding time',
  waitingDays: 'Waiting days',
  bankTimeZone: 'Bank’s time zone',
} satisfies Record<PaySettingsField, string>

export const journalAccountLabels = {
  commissions: 'Account of commissions',
  reimbursements: 'Account of what is not income',
  givenUp: 'Account of what is given up',
  payable: 'Account of what is payable',
  payableUsd: 'Account of what is payable in dollars',
  bank: 'Account of the bank',
  transit: 'Account of payments in transit',
  outside: 'Account of payments outside',
  advances: 'Account of advances',
  clearing: 'Account between currencies',
  withheld: 'Account of withheld tax',
  taxRate: 'Tax rate of the journal',
  vendors: 'Names of payees in the journal',
} satisfies Record<keyof JournalAccounts, string>
