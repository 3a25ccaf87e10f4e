import type { Endpoint, RequestOf } from '@tallyroom/contract/endpoint'
import { endpoints } from '@tallyroom/contract/endpoints'
import { can } from '@tallyroom/domain/abilities'
import type { Viewer } from '../../access/viewer.ts'
import type { EntryRow } from './common-logs.queries.ts'
import type { Changes } from './entry.ts'
import { isEarningField } from './objects.queries.ts'

/** What stands for a value that the viewer may not see. */
const HIDDEN = '[hidden]'

/** The calls whose bodies have pay in them: whom it goes to, how much, and why. */
export const callsOfPay: readonly string[] = Object.values<Endpoint>(endpoints)
  .filter(({ ability }) => ability.startsWith('pay.'))
  .map(({ method, path }) => `${method} ${path}`)

const ofPay = new Set(callsOfPay)

type Params = Pick<EntryRow, 'postParams' | 'getParams'>

/** A call’s parameters. Without PAY, calls of pay show which fields were sent; the sentence says what they did. */
export function paramsSeenBy(
  viewer: Viewer,
  { actionName, postParams, getParams }: EntryRow,
): Params {
  if (can(viewer, 'pay.manage')) return { postParams, getParams }
  return {
    postParams: ofPay.has(actionName) ? hiding(postParams, () => true) : postParams,
    // What an agent was owed when somebody deleted them.
    getParams: getParams.includes(UNPAID)
      ? hiding(getParams, (name) => name === UNPAID)
      : getParams,
  }
}

const UNPAID = 'unpaidCentavos' satisfies keyof RequestOf<typeof endpoints.deleteAgent>['query']

const hiding = (params: string, isHidden: (name: string) => boolean): string =>
  JSON.stringify(JSON.parse(params), (name: string, value: unknown) =>
    name !== '' && isHidden(name) ? HIDDEN : value,
  )

/** What a call changed, without earnings and pay that the viewer may not see. */
export function changesSeenBy(viewer: Viewer, changes: Changes): Changes {
  const seesEarnings = can(viewer, 'earning.see')
  const seesPay = can(viewer, 'pay.manage')
  return {
    ...changes,
    of: changes.of.map((object) => {
      if (isOfPay(object.ref)) return seesPay ? object : withoutPay(object)
      return seesEarnings
        ? object
        : { ...object, fields: object.fields.filter(({ field }) => !isEarningField(field)) }
    }),
  }
}

const isOfPay = (ref: string): boolean => /^(paymentRun|payeeAccount|payFile):/.test(ref)

/** That something changed, but not what: no payee, amount, account or confirmation. A run’s state is in its sentences. */
const withoutPay = (object: Changes['of'][number]): Changes['of'][number] => ({
  ...object,
  name: object.ref.startsWith('payeeAccount:') ? 'a payee’s account' : object.name,
  fields: object.fields.map((one) => (one.field === 'state' ? one : { field: one.field })),
})
