import type { ChangedField } from '@tallyroom/contract/desk/common-logs'
import type { Changes } from './entry.ts'

/** What a sentence is made of. */
export type Told = {
  /** What the call changed; undefined in entries older than that field. */
  changes: Changes | undefined
  /** The parameters, as recorded. */
  post: unknown
  get: unknown
}

export type Says = (told: Told) => string

/** `Added Manila Central`. */
export const added = (what: string): Says => did('Added', what)

/** `Deleted maria`. */
export const deleted = (what: string): Says => did('Deleted', what)

/** A verb before the names of the objects. */
export const did =
  (verb: string, what: string): Says =>
  (told) =>
    `${verb} ${namesOf(told, what)}`

/** `Cancelled R-2026-0004: wrong bank`: a verb before the names, and the reason given. */
export const withReason =
  (verb: string, what: string): Says =>
  (told) =>
    andText(did(verb, what)(told), 'reason')(told)

/**
 * `Entered an exchange rate from bsp.gov.ph`: a sentence and a parameter, if it was sent and the
 * viewer may see it.
 */
export const andText =
  (sentence: string, name: string, before = ': '): Says =>
  ({ post }) => {
    const value = valueOf(post, name)
    return typeof value === 'string' && value ? `${sentence}${before}${value}` : sentence
  }

/** What a call did, or what it has left to a second person: `Entered the adjustment of Manila by ₱12,000.00, which waits …`. */
export const orProposed =
  (says: Says): Says =>
  (told) => {
    const proposal = told.changes?.of.find(({ ref }) => ref.startsWith('payProposal:'))
    return proposal ? `Entered ${proposal.name}, which waits for a second person` : says(told)
  }

/** The new value of a field of the first object; undefined if it did not change. */
export const becameOf = ({ changes }: Told, field: string): string | undefined =>
  changes?.of[0]?.fields.find((one) => one.field === field)?.to

/** `Black-listed 203.0.113.7`: the value of a parameter. */
export const withText =
  (verb: string, name: string, what: string): Says =>
  ({ post }) => {
    const value = valueOf(post, name)
    return `${verb} ${typeof value === 'string' && value ? value : what}`
  }

/** `Changed the payout of Lantern Live · Credits Pack from ₱400.00 to ₱450.00`. */
export const changed =
  (what: string): Says =>
  (told) => {
    const [object] = told.changes?.of ?? []
    if (!object) return `Updated ${namesOf(told, what)}`
    const { name, fields } = object
    const [first, ...others] = fields
    if (!first) return `Saved ${name} without a change`
    if (others.length === 0) return oneChange(name, first)
    const listed = fields.slice(0, MOST_FIELDS).map(inList)
    const more = fields.length - listed.length
    return `Changed ${name}: ${listed.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
  }

/** Fields in a sentence. */
const MOST_FIELDS = 3

function oneChange(name: string, change: ChangedField): string {
  const { field, from, to, list } = change
  const named = isPhrase(field) ? `“${field}”` : `the ${field}`
  if (from === undefined || to === undefined) return `Changed ${named} of ${name}`
  if (list) return `Changed ${named} of ${name}: ${inList(change)}`
  if (field === 'state') return `${to === 'Suspended' ? 'Suspended' : 'Activated'} ${name}`
  if (from === '') return `Set ${named} of ${name} to ${to}`
  if (to === '') return `Removed ${named} of ${name}: ${from}`
  return `Changed ${named} of ${name} from ${from} to ${to}`
}

/** Whether a field's name says too much to stand after *the*: `Orders hold several products`. */
export const isPhrase = (field: string): boolean => field.split(' ').length > 3

function inList({ field, from, to, list }: ChangedField): string {
  if (from === undefined || to === undefined) return `new ${field}`
  if (list) return [to && `added ${to}`, from && `removed ${from}`].filter(Boolean).join(', ')
  if (from === '') return `${field} set to ${to}`
  if (to === '') return `${field} removed (${from})`
  return `${field} from ${from} to ${to}`
}

/**
 * `Suspended maria`. Uses the parameters, because some objects may already have had the requested
 * state.
 */
export const setState =
  (what: string): Says =>
  (told) => {
    const verb = states.find(({ field }) => valueOf(told.post, field) !== undefined)
    const names = namesOf(told, what)
    if (!verb) return `Changed the state of ${names}`
    return `${isOn(valueOf(told.post, verb.field)) ? verb.on : verb.off} ${names}`
  }

const states = [
  { field: 'active', on: 'Activated', off: 'Suspended' },
  { field: 'status', on: 'Activated', off: 'Suspended' },
  { field: 'hidden', on: 'Hid', off: 'Showed' },
  { field: 'loginBlocked', on: 'Disabled login for', off: 'Enabled login for' },
  { field: 'fraudFlagged', on: 'Marked for fraud', off: 'Cleared the fraud flag of' },
]

const isOn = (value: unknown) => value === true || value === 1 || value === '1'

/** `maria`, `maria and carlo`, `maria, carlo and 7 more`; without names `an agent (5)`. */
export function namesOf({ changes, post, get }: Told, what: string): string {
  if (!changes || changes.of.length === 0) {
    const ids = [valueOf(post, 'ids') ?? valueOf(get, 'id') ?? valueOf(get, 'validFrom')]
      .flat()
      .filter((id) => typeof id === 'number' || typeof id === 'string')
    const more = ids.length > MOST_NAMES ? ', …' : ''
    return ids.length === 0 ? what : `${what} (${ids.slice(0, MOST_NAMES).join(', ')}${more})`
  }
  const names = changes.of.slice(0, MOST_NAMES).map(({ name }) => name)
  const more = changes.of.length + changes.more - names.length
  const parts = more > 0 ? [...names, `${more} more`] : names
  return parts.length === 1
    ? (parts[0] ?? what)
    : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** Names in a sentence. */
const MOST_NAMES = 3

export const valueOf = (fields: unknown, name: string): unknown =>
  typeof fields === 'object' && fields !== null
    ? new Map<string, unknown>(Object.entries(fields)).get(name)
    : undefined
