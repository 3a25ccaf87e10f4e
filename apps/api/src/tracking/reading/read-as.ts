import { isSecretName } from '../../lib/secret-names.ts'
import { fieldKey, type FieldName, fieldNamesOf, keysOf, type NameDialect } from './field-names.ts'
import { isOfAmount } from './read-amount.ts'

/** What a parameter tells us: a field, how much was paid, something that changes nothing, or nothing that we know. */
export type ReadAs = FieldName | 'amount' | 'kept' | 'not understood'

/** What a parameter is read as that stands alone. Of two for one field, another may be read in its place. */
export function readAs(name: string, dialect: NameDialect): ReadAs {
  const key = fieldKey(name)
  const names = fieldNamesOf(dialect)
  const fields = Object.keys(names) as FieldName[]
  return fields.find((field) => keysOf(names[field]).includes(key)) ?? unreadAs(name, dialect)
}

/** What a parameter tells us that is not read as a field. */
export function unreadAs(
  name: string,
  { tracker }: Pick<NameDialect, 'tracker'>,
): Exclude<ReadAs, FieldName> {
  const key = fieldKey(name)
  if (isOfAmount(key)) return 'amount'
  const isSetting = tracker?.settings.some((setting) => fieldKey(setting) === key)
  return isSetting || KEPT.test(key) || isSecretName(name) ? 'kept' : 'not understood'
}

/** Names that say something about a sale which changes nothing: money, who, where, and labels of the sender's. */
const KEPT =
  /^(key|.*(amount|sum|payout|revenue|total|price|cost|quantity|currency|discount)|cr|(aff|adv|sub|utm|custom|data|p)[a-z]*\d{0,2}|.*(offer|campaign|affiliate|publisher|network|merchant|customer|user|product|sku|device|coupon|promo|voucher).*|ip|ipaddress|useragent|ua|country|city|language|referr?er|comment|note|name|first.?name|last.?name|phone)$/
