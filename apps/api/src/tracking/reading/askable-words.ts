import { isSecretName } from '../../lib/secret-names.ts'
import { fieldKey, type Given } from './field-names.ts'
import { isOfRequest } from './free-parameters.ts'
import { isOfAmount } from './read-amount.ts'
import { saidWord, type SaidWord } from './said.ts'
import { isElsewhere, isOfSum, type TakesBack, wordsOf } from './takes-back.ts'

/**
 * The words of parameters that are not read, and that could say what became of an order: neither numbers nor times, nor what
 * speaks of something else. Of what is inside objects, nothing is read, and nothing asked.
 */
export const askableWords = (unread: readonly Given[]): SaidWord[] =>
  unread.flatMap(({ name, values }) =>
    isAskable(name)
      ? values.flatMap((value) => (NUMBER.test(value) ? [] : (saidWord(name, value) ?? [])))
      : [],
  )

/** The word by which a parameter says that money goes back, if it means the same each time: neither how much, nor a number. */
export function wordOfTakesBack({ name, value }: TakesBack): SaidWord | undefined {
  const isSum = isOfSum(name) || isOfAmount(fieldKey(name))
  return isSum || (value !== '1' && NUMBER.test(value)) ? undefined : saidWord(name, value)
}

/** Merchants send the same names each time. */
function isAskable(name: string): boolean {
  const known = askable.get(name)
  if (known !== undefined) return known
  const key = fieldKey(name)
  const is = !(
    /[.[\]]/.test(name) ||
    isSecretName(name) ||
    isOfRequest(name) ||
    isElsewhere(wordsOf(name)) ||
    isOfAmount(key) ||
    WHO_OR_WHERE.test(key)
  )
  if (askable.size >= MOST_NAMES) askable.clear()
  askable.set(name, is)
  return is
}

const askable = new Map<string, boolean>()

const MOST_NAMES = 1_000

/** A number or a time. */
const NUMBER = /^[\d.,:+ -]+$/

/** Who ordered, where and by what: a retry may say it otherwise. */
const WHO_OR_WHERE =
  /^(?:ip|ipaddress|useragent|ua|country(?:code)?|city|region|geo|locale|lang(?:uage)?|device(?:type)?|os|browser|platform|referr?er|currency|name|phone|zip|postcode|timezone)$/
