import { z } from 'zod'
import { askBy, isMissing, type Issue, missing } from './missing.ts'

/**
 * The messages of schemas without their own, for the server and for forms. A message is a sentence (*Enter a first
 * name*), or continues the field's name: `officeName` *must be text*.
 */
z.config({ customError: (issue) => messageOf(issue) })

/** How to ask for a missing value, by field. */
const requests: Partial<Record<string, string>> = {
  abbr: 'Enter an abbreviation',
  accountName: 'Enter the account holder’s name',
  advances: 'Enter an account name',
  agentId: 'Choose an agent',
  amount: 'Enter an amount',
  avp: 'Choose what AVP sales are paid by',
  bank: 'Enter an account name',
  channel: 'Choose a bank or an e-wallet',
  clearing: 'Enter an account name',
  clientUsername: 'Enter the client’s name',
  code: 'Enter the code',
  commissions: 'Enter an account name',
  companyId: 'Choose an office',
  adjustmentCentavos: 'Enter a limit in pesos',
  adjustmentCents: 'Enter a limit in dollars',
  conversation: 'Enter the conversation',
  currency: 'Choose a currency',
  domain: 'Enter a domain',
  earning: 'Enter an earning',
  email: 'Enter an email address',
  end: 'Choose an end date',
  file: 'Choose a file',
  firstName: 'Enter a first name',
  html: 'Enter a text',
  image: 'Choose a picture',
  institution: 'Choose a bank or an e-wallet',
  ip: 'Enter an address or a network',
  lastName: 'Enter a last name',
  manEmail: 'Enter the manager’s email address',
  manFirstName: 'Enter the manager’s first name',
  manLastName: 'Enter the manager’s last name',
  may: 'Choose what it may do',
  minimumCentavos: 'Enter a minimum',
  minimumCents: 'Enter a minimum',
  month: 'Choose a month',
  name: 'Enter a name',
  number: 'Enter a number',
  officeId: 'Choose an office',
  only: 'Choose a payee',
  outside: 'Enter an account name',
  payable: 'Enter an account name',
  payableUsd: 'Enter an account name',
  officeName: 'Enter an office name',
  password: 'Enter a password',
  passwordConfirm: 'Repeat the password',
  payees: 'Choose who is paid',
  payout: 'Enter a payout',
  period: 'Choose a period',
  periodLength: 'Choose how long a period is',
  pesosE4: 'Enter the pesos for a dollar',
  quarter: 'Choose a quarter',
  reason: 'Enter a reason',
  note: 'Enter a note',
  shortname: 'Enter a short name',
  siteId: 'Choose a site',
  sitename: 'Enter a site name',
  source: 'Enter where the exchange rate comes from',
  start: 'Choose a start date',
  templateId: 'Choose a template',
  tiers: 'Add a tier',
  title: 'Enter a title',
  transit: 'Enter an account name',
  type: 'Choose a type',
  paidOn: 'Choose the day on which it was paid',
  voucher: 'Enter a voucher number',
  district: 'Enter the revenue district',
  fromDay: 'Choose the first day',
  registeredName: 'Enter the registered name',
  country: 'Choose whose tax number it is',
  taxNumber: 'Enter the tax number',
  taxRate: 'Enter the name of a tax rate',
  address: 'Enter the address',
  way: 'Choose how it was paid',
  reimbursements: 'Enter an account name',
  givenUp: 'Enter an account name',
  withheld: 'Enter an account name',
  typealias: 'Enter an alias',
  typed: 'Type the period’s name',
  typeId: 'Choose a link type',
  typename: 'Enter a link name',
  url: 'Enter a web address',
  events: 'Choose at least one event',
  kinds: 'Choose at least one event',
  username: 'Enter a username',
  validFrom: 'Choose the first day',
  from: 'Choose a day',
  until: 'Choose a day',
  leastClicks: 'Enter a number of clicks',
  leastSales: 'Enter a number of sales',
  floodTimes: 'Enter how many times as much',
  oneInDays: 'Enter a number of days',
  word: 'Enter the merchant’s name for the event',
  reading: 'Choose what the word means',
}

askBy((field) => requests[field])

/** Asks for a missing value. A field that is in no form has no sentence: `ids` *is required*. */
export const requestFor = (field: string): string => requests[field] ?? 'is required'

function messageOf(issue: Issue): string {
  const { code } = issue
  const isAboutValue =
    code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union'
  if (isAboutValue && isMissing(issue)) return missing.error(issue)
  switch (code) {
    case 'invalid_type':
      return kinds[issue.expected] ? `must be ${kinds[issue.expected]}` : 'is not valid'
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`
    case 'unrecognized_keys':
      return `Unknown ${issue.keys.length === 1 ? 'field' : 'fields'}: ${issue.keys.map((key) => `"${key}"`).join(', ')}.`
    case 'too_small':
      return hasLength(issue) && issue.minimum === 1
        ? missing.error(issue)
        : withSize(issue, `at least ${issue.minimum}`)
    case 'too_big':
      return withSize(issue, `at most ${issue.maximum}`)
    default:
      return 'is not valid'
  }
}

const withSize = (issue: { origin: string }, size: string) =>
  hasLength(issue)
    ? `must have ${size} ${issue.origin === 'string' ? 'characters' : 'entries'}`
    : `must be ${size}`

const hasLength = ({ origin }: { origin: string }) => origin === 'string' || origin === 'array'

const kinds: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}
