import type { PostbackEvent } from '@tallyroom/domain/event-types'
import { DEFAULT_CLICK_PARAM } from '@tallyroom/domain/tracked-link'
import { fieldNamesOf } from './field-names.ts'
import type { Field } from './postback-fields.ts'
import type { PostbackSite } from './postback-sites.ts'

/** Where a site's merchant reports to. */
export const postbackUrl = (publicUrl: string, siteId: number): string =>
  `${publicUrl}/api/postback/${siteId}`

/** A postback as the site's merchant would write it, in its own dialect. */
export function merchantFields(
  site: PostbackSite,
  postback: { key: string; clickId: string; transactionId: string; event: PostbackEvent },
): Field[] {
  const click = clickParamOf(site)
  return [
    ['key', postback.key],
    [click, postback.clickId],
    // Where transaction_id means the click, the order number goes by another name.
    [orderParamOf(site), postback.transactionId],
    ...(postback.event === 'sale' && !site.eventWords.has('sale')
      ? []
      : [['event', wordFor(site, postback.event)] as const]),
  ]
}

/** The name under which a site's merchant sends the click id back. */
export const clickParamOf = ({ clickParam, transactionIdIsClick }: PostbackSite): string =>
  clickParam || (transactionIdIsClick ? 'transaction_id' : DEFAULT_CLICK_PARAM)

function orderParamOf(site: PostbackSite): string {
  const names = fieldNamesOf(site).transaction_id
  return ['transaction_id', 'order_id'].find((name) => names.includes(name)) ?? 'external_id'
}

/** `GET https://…`, to read and copy. */
export const asRequest = (url: string, fields: readonly Field[]): string =>
  `${url}?${new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString()}`

/** Our own word, unless the site means something else by it. */
function wordFor({ eventWords }: PostbackSite, event: PostbackEvent): string {
  if ((eventWords.get(event) ?? event) === event) return event
  const own = [...eventWords].find(([, meaning]) => meaning === event)
  return own?.[0] ?? event
}
