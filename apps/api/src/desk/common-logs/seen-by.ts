import type { ChangedField, CommonLogsSearch } from '@tallyroom/contract/desk/common-logs'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { endpoints } from '@tallyroom/contract/endpoints'
import type { TypedToDelete } from '@tallyroom/contract/people/agents'
import { can } from '@tallyroom/domain/abilities'
import type { Viewer } from '../../access/viewer.ts'
import type { EntryRow } from './common-logs.queries.ts'
import type { Changes } from './entry.ts'
import { isEarningField } from './objects.queries.ts'
import { HELD_BACK } from './objects-of-people.queries.ts'

/** Replaces a value that the viewer may not see. */
const HIDDEN = '[hidden]'

const actionsOf = (is: (endpoint: Endpoint) => boolean): readonly string[] =>
  Object.values<Endpoint>(endpoints)
    .filter(is)
    .map(({ method, path }) => `${method} ${path}`)

/** Calls whose parameters reveal pay: to whom it goes, how much, and why. */
const callsOfPay = actionsOf(({ ability }) => ability.startsWith('pay.'))
/** Calls in which staff act on the pay of others. */
const callsOfStaff = actionsOf(({ ability }) => ability === 'pay.manage')

const ofPay = new Set(callsOfPay)
const ofStaff = new Set(callsOfStaff)

/** Calls that this search must not find for this viewer: a match would reveal what is hidden. */
export function unfindableFor(
  viewer: Viewer,
  { postParams, object }: Pick<CommonLogsSearch, 'postParams' | 'object'>,
): readonly string[] | undefined {
  if (can(viewer, 'pay.manage')) return undefined
  if (postParams !== undefined) return callsOfPay
  return object !== undefined && isOfPayee(object) ? callsOfStaff : undefined
}

type Params = Pick<EntryRow, 'postParams' | 'getParams'>

/**
 * A call’s parameters. Without PAY, calls of pay show only which ones were sent; the sentence says
 * what the call did.
 */
export function paramsSeenBy(
  viewer: Viewer,
  { actionName, postParams, getParams }: EntryRow,
): Params {
  if (can(viewer, 'pay.manage')) return { postParams, getParams }
  if (ofPay.has(actionName)) return { postParams: hiding(postParams), getParams: hiding(getParams) }
  return {
    postParams,
    // What an agent was owed when somebody deleted them.
    getParams: typedToDelete.some((name) => getParams.includes(name))
      ? hiding(getParams, (name) => typedToDelete.some((one) => one === name))
      : getParams,
  }
}

/**
 * The parts of a call’s sentence. Without PAY, calls of pay have neither payee, reason nor source.
 */
export function paramsToldTo(
  viewer: Viewer,
  { actionName, postParams, getParams }: EntryRow,
): Params {
  if (can(viewer, 'pay.manage') || !ofPay.has(actionName)) return { postParams, getParams }
  const isTold = (name: string) => name !== 'reason' && name !== 'source'
  return {
    postParams: replacing(postParams, (name, value) => (isTold(name) ? value : undefined)),
    getParams: '{}',
  }
}

/** What an agent was owed or owes. */
const typedToDelete: readonly (keyof TypedToDelete)[] = [
  'unpaidCentavos',
  'unpaidCents',
  'owedCentavos',
  'owedCents',
]

const hiding = (params: string, isHidden = (_name: string) => true): string =>
  replacing(params, (name, value) => (name !== '' && isHidden(name) ? HIDDEN : value))

const replacing = (params: string, replace: (name: string, value: unknown) => unknown): string =>
  JSON.stringify(JSON.parse(params), replace)

/** What a call changed, without earnings and pay that the viewer may not see. */
export function changesSeenBy(
  viewer: Viewer,
  { actionName }: Pick<EntryRow, 'actionName'>,
  changes: Changes,
): Changes {
  const seesEarnings = can(viewer, 'earning.see')
  const seesPay = can(viewer, 'pay.manage')
  const hidesPayees = !seesPay && ofStaff.has(actionName)
  const isTold = (ref: string) =>
    seesPay || !(ref.startsWith('paySettings:') || (hidesPayees && isOfPayee(ref)))
  const of = changes.of.filter(({ ref }) => isTold(ref))
  const isSeen = ({ field }: ChangedField) =>
    (seesEarnings || !isEarningField(field)) && (seesPay || field !== HELD_BACK)
  return {
    ...changes,
    of: of.map((object) =>
      isOfPay(object.ref) && !seesPay
        ? withoutPay(object)
        : { ...object, fields: object.fields.filter(isSeen) },
    ),
  }
}

const isOfPayee = (ref: string): boolean => /^(office|agent|payeeAccount):/.test(ref)

const isOfPay = (ref: string): boolean =>
  /^(paymentRun|payeeAccount|payFile|payProposal):/.test(ref)

/** What is called something else without PAY, by kind. */
const namesWithoutPay: Record<string, string | undefined> = {
  payeeAccount: 'a payee’s account',
  payProposal: 'an act above its limit',
}

/**
 * Only that something changed: no payee, amount, account or confirmation. A run’s state is in its
 * sentences.
 */
const withoutPay = (object: Changes['of'][number]): Changes['of'][number] => ({
  ...object,
  name: namesWithoutPay[object.ref.slice(0, object.ref.indexOf(':'))] ?? object.name,
  fields: object.fields.map((one) => (one.field === 'state' ? one : { field: one.field })),
})
